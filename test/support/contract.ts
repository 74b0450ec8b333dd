import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { Routes } from '#control-plane/kernel/routes.ts'

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: unknown }> }>
}

const document = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as {
  components: unknown
  paths: Record<string, Record<string, Operation>>
}

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
addFormats.default(ajv)
ajv.addSchema({ $id: 'openapi', components: document.components })

const operations = new Routes<{ template: string; operation: Operation }>()
for (const [template, methods] of Object.entries(document.paths))
  for (const [method, operation] of Object.entries(methods)) operations.add(method.toUpperCase(), template, { template, operation })

/** Of thousands of answers most are described in the same words, as refusals are: each description is compiled once. */
const validators = new Map<string, ValidateFunction>()

function validatorOf(schema: unknown): ValidateFunction {
  const words = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/')
  const known = validators.get(words)
  if (known) return known
  const validate = ajv.compile(JSON.parse(words))
  validators.set(words, validate)
  return validate
}

const validatorsOf = new Map<unknown, ValidateFunction>()

/** Fails when an answer is not what the OpenAPI document promises for that operation and status. Unknown paths are nobody's promise. */
export function holdToContract(method: string, path: string, status: number, contentType: string, body: unknown): void {
  const found = operations.find(method, path)?.target
  if (!found) return
  const response = found.operation.responses[String(status)]
  if (!response) throw new Error(`${method} ${found.template} answered ${status}, which is not documented: ${JSON.stringify(body)}`)
  const content = Object.keys(response.content ?? {})
  if (content.length === 0) return
  const type = content.find(known => contentType.startsWith(known))
  if (!type) throw new Error(`${method} ${found.template} ${status} came as ${contentType}`)
  if (type !== 'application/json') return
  const schema = response.content?.[type]?.schema
  let validate = validatorsOf.get(schema)
  if (!validate) {
    validate = validatorOf(schema)
    validatorsOf.set(schema, validate)
  }
  if (!validate(body)) expect(validate.errors, `${method} ${found.template} ${status} does not keep the contract`).toEqual([])
}
