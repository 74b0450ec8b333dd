import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { z } from 'zod'
import { RouteTable } from '#control-plane/http/route-table.ts'
import { recordExample } from './examples.ts'
import { follow } from './follow.ts'

interface Answer {
  content?: Record<string, { schema: { $ref?: string } }>
}
interface Operation {
  requestBody?: Answer
  responses: Record<string, Answer>
}

const document = JSON.parse(readFileSync(new URL('../../contract/openapi.json', import.meta.url), 'utf8')) as {
  components: unknown
  paths: Record<string, Record<string, Operation>>
}

/**
 * The document promises clients no more than that described fields are there: others may be added to a reply one day.
 * Compared with it here is every field, so what is not described fails. What may have any fields says so by
 * `additionalProperties`.
 */
function close(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const inner of Object.values(value)) close(inner)
  if ('properties' in value && 'type' in value && value.type === 'object' && !('additionalProperties' in value))
    Object.assign(value, { additionalProperties: false })
}
close(document)

// to optimize the code of descriptions takes half of the time of compiling them
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true, code: { optimize: false } })
addFormats.default(ajv)
// as strictly as the API takes and gives them: times in UTC, no UUID of another making
ajv.addFormat('uuid', z.regexes.uuid())
ajv.addFormat('date-time', z.regexes.datetime({}))
ajv.addSchema({ $id: 'openapi', components: document.components })

const operations = new RouteTable<{ template: string; operation: Operation }>()
for (const [template, methods] of Object.entries(document.paths))
  for (const [method, operation] of Object.entries(methods))
    operations.add(method.toUpperCase(), template, { template, operation })

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

/** Refusals of a request that could not be read, described as one for all operations; some only where a body is read. */
const unreadable = [400, 431]
const unreadableBody = [413, 415]

const validatorsOf = new Map<unknown, ValidateFunction>()

/**
 * Fails when an answer is not what the OpenAPI document promises for that operation and status. Unknown paths are not
 * promised.
 */
export function holdToContract(
  method: string,
  path: string,
  status: number,
  contentType: string,
  body: unknown,
  request?: unknown,
): void {
  const found = operations.find(method, path)?.target
  if (!found) return
  const { responses, requestBody } = found.operation
  const refusals = requestBody ? [...unreadable, ...unreadableBody] : unreadable
  const described = responses[String(status)] ?? (refusals.includes(status) ? responses['4XX'] : undefined)
  if (!described)
    throw new Error(`${method} ${found.template} answered ${status}, which is not documented: ${JSON.stringify(body)}`)
  const taken = Object.values(requestBody?.content ?? {})[0]?.schema
  if (taken && status < 300 && typeof request === 'object') recordExample(document, taken, request)
  const response = follow(document, described)
  const content = Object.keys(response.content ?? {})
  if (content.length === 0) return
  const type = content.find(known => contentType.startsWith(known))
  if (!type) throw new Error(`${method} ${found.template} ${status} came as ${contentType}`)
  if (!type.endsWith('json')) return
  const schema = response.content?.[type]?.schema
  let validate = validatorsOf.get(schema)
  if (!validate) {
    validate = validatorOf(schema)
    validatorsOf.set(schema, validate)
  }
  if (!validate(body))
    expect(validate.errors, `${method} ${found.template} ${status} does not keep the contract`).toEqual([])
  if (schema && status < 300) recordExample(document, schema, body)
}
