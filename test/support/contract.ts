import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { describe as describeApi } from '#control-plane/kernel/openapi.ts'
import { endpoints } from '#control-plane/rooms.ts'

const document = describeApi(endpoints, 'http://localhost') as unknown as {
  paths: Record<string, Record<string, { responses: Record<string, { content?: Record<string, { schema: unknown }> }> }>>
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'openapi', ...document })

const patterns = Object.keys(document.paths)
  .map(path => ({ path, pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`), params: path.split('{').length }))
  .sort((a, b) => a.params - b.params)

const validators = new Map<string, ValidateFunction>()
const pointer = (text: string) => encodeURIComponent(text.replaceAll('~', '~0').replaceAll('/', '~1'))

/** Fails when an answer is not what the OpenAPI document promises for that operation and status. Unknown paths are nobody's promise. */
export function holdToContract(method: string, path: string, status: number, contentType: string, body: unknown): void {
  const found = patterns.find(({ pattern, path: known }) => pattern.test(path) && document.paths[known]?.[method.toLowerCase()])
  if (!found) return
  const operation = document.paths[found.path]![method.toLowerCase()]!
  const response = operation.responses[String(status)]
  expect(response, `${method} ${found.path} answered ${status}, which is not documented: ${JSON.stringify(body)}`).toBeDefined()
  const content = Object.keys(response?.content ?? {})
  if (content.length === 0) return
  const type = content.find(known => contentType.startsWith(known))
  expect(type, `${method} ${found.path} ${status} came as ${contentType}`).toBeDefined()
  if (type !== 'application/json') return
  const ref = `openapi#/paths/${pointer(found.path)}/${method.toLowerCase()}/responses/${status}/content/${pointer(type)}/schema`
  let validate = validators.get(ref)
  if (!validate) {
    validate = ajv.compile({ $ref: ref })
    validators.set(ref, validate)
  }
  expect(validate(body) ? [] : validate.errors, `${method} ${found.path} ${status} does not keep the contract`).toEqual([])
}
