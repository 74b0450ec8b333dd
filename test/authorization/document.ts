import { endpoints } from '#control-plane/endpoints.ts'
import { describe } from '#control-plane/http/openapi/document.ts'
import { follow } from '#test/support/follow.ts'

/** The parts of a JSON Schema that our document uses. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: Schema | boolean
  minimum?: number
  default?: unknown
}
interface Operation {
  security?: Record<string, unknown>[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

const document = describe(endpoints, 'http://localhost') as unknown as {
  paths: Record<string, Record<string, Operation>>
}

export const described = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    isPublic: operation.security === undefined,
    body: operation.requestBody?.content['application/json']?.schema,
    answers: Object.values(operation.responses).flatMap(
      response => follow(document, response).content?.['application/json']?.schema ?? [],
    ),
    params: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
  })),
)

export const resolve = (schema: Schema): Schema => follow(document, schema)

/** A value of a schema. `idFor` is asked for every UUID, by the name of its field. */
export function sample(given: Schema, idFor: (name: string) => string, name = ''): unknown {
  const schema = resolve(given)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choice = schema.anyOf?.[0] ?? schema.oneOf?.[0]
  if (choice) return sample(choice, idFor, name)
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(part => sample(part, idFor, name)))
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([key, inner]) => schema.required?.includes(key) || namesIds(key, inner))
          .map(([key, inner]) => [key, sample(inner, idFor, key)]),
      )
    case 'array':
      return [sample(schema.items ?? {}, idFor, name)]
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 1, 1)
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      return sampleText(schema.format, idFor, name)
  }
}

/**
 * Fields that name records are sent also where they could be left out: that is how another's record would be reached.
 */
const namesIds = (key: string, schema: Schema): boolean => /(^|_)ids?$/.test(key) || resolve(schema).format === 'uuid'

function sampleText(format: string | undefined, idFor: (name: string) => string, name: string): string {
  if (format === 'uuid' || /(^|_)ids?$/.test(name)) return idFor(name.replace(/_?ids?$/, ''))
  if (format === 'email') return `${crypto.randomUUID()}@example.test`
  if (format === 'uri') return 'https://example.com/'
  if (format === 'date-time') return new Date(Date.now() + 86_400_000).toISOString()
  if (/url/.test(name)) return 'https://example.com/'
  if (/password/.test(name)) return 'Correct-Horse-Battery-9'
  return `sample-${crypto.randomUUID().slice(0, 8)}`
}
