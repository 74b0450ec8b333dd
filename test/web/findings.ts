import { z } from 'zod'
import { type KindName, kinds } from '#checks/index.ts'

interface Schema {
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  format?: string
  maxLength?: number
  minimum?: number
  items?: Schema
  prefixItems?: Schema[]
  maxItems?: number
  properties?: Record<string, Schema>
  propertyNames?: Schema
  additionalProperties?: Schema | false
}

/** What a probe of the kind could have found, with `text` wherever a site or a server chooses the text. */
export function findingsOf(kind: KindName, text: () => string): unknown {
  const { seen } = kinds[kind]
  const { $defs = {}, ...schema } = z.toJSONSchema(seen, { io: 'input' })
  // enums with a name stand apart
  const whole: Schema = JSON.parse(JSON.stringify(schema), (_, part) =>
    part?.$ref ? $defs[part.$ref.replace('#/$defs/', '')] : part,
  )
  return seen.parse(sampleOf(whole, text))
}

function sampleOf(schema: Schema, text: () => string): unknown {
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return sampleOf(schema.anyOf.find(({ type }) => type !== 'null') ?? {}, text)
  switch ([schema.type].flat().find(type => type !== 'null')) {
    case 'string':
      if (schema.format === 'date-time') return '2026-01-15T08:30:00.000Z'
      if (schema.format === 'uuid') return '7c3a1d52-91c8-4a3f-bb1e-000000000001'
      return text().slice(0, schema.maxLength)
    case 'integer':
    case 'number':
      return Math.max(3, schema.minimum ?? 3)
    case 'boolean':
      return true
    case 'array':
      return (
        schema.prefixItems?.map(item => sampleOf(item, text)) ??
        Array.from({ length: Math.min(3, schema.maxItems ?? 3) }, () => sampleOf(schema.items ?? {}, text))
      )
    case 'object': {
      const named = Object.entries(schema.properties ?? {})
      const names = schema.propertyNames?.enum ?? schema.propertyNames?.anyOf?.flatMap(each => each.const ?? []) ?? []
      const free = schema.additionalProperties || {}
      return Object.fromEntries([
        ...named.map(([name, value]) => [name, sampleOf(value, text)]),
        ...names.map(name => [String(name), sampleOf(free, text)]),
      ])
    }
    default:
      return null
  }
}
