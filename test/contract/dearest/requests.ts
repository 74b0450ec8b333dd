import examples from '#contract/examples.json' with { type: 'json' }
import { resolve, type Schema, sample } from '#test/authorization/document.ts'
import { patterns, textsFor } from './catalogue.ts'

/** One request, of which its body or its query is the bait. */
export interface Bait {
  what: string
  body?: unknown
  /** In place of a body as JSON. */
  raw?: string
  type?: string
  query?: string
  headers?: Record<string, string>
}

type Json = Record<string, unknown>
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fields beside each other, and what they are in the body. `*` stands for a key of a map. */
interface Leaf {
  path: string[]
  schema: Schema
}

const deepest = 8
const mostLeaves = 400

/** The texts, lists, maps and numbers of a body, through every alternative. */
function leavesOf(given: Schema, path: string[] = [], found: Leaf[] = []): Leaf[] {
  const schema = resolve(given)
  if (path.length > deepest || found.length > mostLeaves) return found
  const types = [schema.type ?? []].flat()
  if (types.some(type => type !== 'boolean' && type !== 'null') && !schema.enum && schema.const === undefined)
    found.push({ path, schema })
  for (const [name, inner] of Object.entries(schema.properties ?? {})) leavesOf(inner, [...path, name], found)
  if (schema.items) leavesOf(schema.items, [...path, '0'], found)
  if (isRecord(schema.additionalProperties)) leavesOf(schema.additionalProperties, [...path, '*'], found)
  for (const inner of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])])
    leavesOf(inner, path, found)
  return found
}

/** The body with one place changed. */
function withValue(body: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value
  if (name === '0') return [withValue(Array.isArray(body) ? body[0] : undefined, rest, value)]
  const key = name === '*' ? 'key' : name
  const record = isRecord(body) ? body : {}
  return { ...record, [key]: withValue(record[key], rest, value) }
}

const known = examples as Record<string, unknown>
const uuidShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The example with the ids of records that are there. */
function withIds(value: unknown, idFor: (name: string) => string, name = ''): unknown {
  if (Array.isArray(value)) return value.map(each => withIds(each, idFor, name))
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withIds(each, idFor, key)]))
  return typeof value === 'string' && uuidShape.test(value) ? idFor(name.replace(/_?ids?$/, '')) : value
}

/** Right bodies of a schema, one of each alternative. */
function basesOf(schema: Schema, idFor: (name: string) => string): unknown[] {
  const name = schema.$ref?.split('/').at(-1) ?? ''
  const given = known[name]
  const right = given === undefined ? [] : [given].map(each => withIds(each, idFor))
  const alternatives = resolve(schema).oneOf ?? resolve(schema).anyOf ?? []
  if (alternatives.length > 0) return [...right, ...alternatives.flatMap(each => basesOf(each, idFor))]
  return right.length > 0 ? right : [sample(schema, idFor)]
}

const nested = (depth: number, open: string, close: string) => open.repeat(depth) + close.repeat(depth)
const numbered = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n.toString(36)}`, value]))

/** Bodies that are expensive before they are compared with a schema. */
export const structures = (bytes: number): Bait[] => [
  { what: 'nested lists', raw: nested(Math.floor(bytes / 2) - 1, '[', ']') },
  { what: 'nested lists without end', raw: '['.repeat(bytes - 1) },
  { what: 'nested maps', raw: nested(Math.floor(bytes / 6) - 1, '{"a":', '}').replace('}', '1}') },
  { what: 'lists in a list', raw: `[${'[],'.repeat(Math.floor(bytes / 3) - 2)}[]]` },
  { what: 'maps in a list', raw: `[${'{},'.repeat(Math.floor(bytes / 3) - 2)}{}]` },
  { what: 'numbers', raw: `[${'1,'.repeat(Math.floor(bytes / 2) - 2)}1]` },
  { what: 'escapes', raw: `{"x":"${'\\u0041'.repeat(Math.floor(bytes / 6) - 2)}"}` },
  { what: 'blanks', raw: `${' '.repeat(bytes - 2)}{}` },
  { what: 'a text', raw: `"${'a'.repeat(bytes - 2)}"` },
  { what: 'no UTF-8', raw: `"${'\ud800'.repeat(Math.floor(bytes / 4))}"` },
]

/** Bodies that are expensive when they are compared with their schema. */
function wrongKinds(bytes: number, base: unknown): Bait[] {
  const record = isRecord(base) ? base : {}
  const [names, count] = [Object.keys(record), Math.floor(bytes / 9)]
  const each = <Value>(value: Value) => Object.fromEntries(names.map(name => [name, value]))
  return [
    { what: 'unknown fields', body: { ...record, ...numbered(count, 1) } },
    {
      what: 'unknown fields, refused',
      body: { ...record, ...numbered(count, 1) },
      headers: { Prefer: 'handling=strict' },
    },
    { what: 'fields that are maps', body: each(numbered(Math.floor(count / (names.length + 1)), 1)) },
    { what: 'fields that are lists', body: each(Array(Math.floor(bytes / (2 * (names.length + 1)))).fill(1)) },
  ]
}

interface Known {
  /** The greatest size of a body in bytes. */
  bytes: number
  operation: string
  idFor(name: string): string
  /** Whether a field of this name and schema was tried elsewhere: then it has its first texts alone. */
  isTried(name: string, schema: Schema): boolean
}

/** Bodies that take long, for one who may call the operation. */
export function bodiesFor(schema: Schema, { bytes, operation, idFor, isTried }: Known): Bait[] {
  const bases = basesOf(schema, idFor)
  const [first] = bases
  const leaves = leavesOf(schema)
  const texts = leaves.filter(({ schema }) => [schema.type].flat().includes('string'))
  const room = Math.floor((bytes - 2_000) / 4)
  const found: Bait[] = [...bases.map((body, n) => ({ what: `alternative ${n}`, body })), ...wrongKinds(bytes, first)]
  for (const pattern of patterns)
    found.push({
      what: `all texts of ${JSON.stringify(pattern)}`,
      body: texts.slice(0, 40).reduce((body, { path, schema }) => {
        const most = Math.min(
          (schema as { maxLength?: number }).maxLength ?? room,
          Math.floor(room / Math.min(40, texts.length)),
        )
        return withValue(body, path, pattern.repeat(Math.ceil(most / pattern.length)).slice(0, most))
      }, first),
    })
  for (const { path, schema } of leaves) {
    const place = path.join('.') || 'the body'
    const at = (what: string, value: unknown) =>
      found.push({ what: `${place}: ${what}`, body: withValue(baseFor(bases, path), path, value) })
    const types = [schema.type ?? []].flat()
    const name = path.findLast(part => !/^[0*]$/.test(part)) ?? ''
    const most = isTried(name, schema) ? 2 : undefined
    if (types.includes('string'))
      for (const { what, text } of textsFor({ name, schema, operation }, room).slice(0, most)) at(what, text)
    if (types.includes('array')) {
      const { items = {}, maxItems } = schema as Schema & { maxItems?: number }
      const item = sample(items, idFor, path.at(-1)) ?? null
      const fits = Math.floor(room / (JSON.stringify(item).length + 1))
      const allowed = Math.min(maxItems ?? fits, fits)
      at('as many as are allowed', Array(allowed).fill(item))
      if (fits > allowed && !most) at('as many as fit', Array(fits).fill(item))
      if (!most) at('lists', Array(Math.floor(bytes / 4)).fill([]))
    }
    if (types.includes('object') && path.length > 0 && !most) {
      at('many keys', numbered(Math.floor(bytes / 9), 'a'))
      at('many lists', numbered(Math.floor(bytes / 10), []))
      at(
        'long keys',
        Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`${n}${'a'.repeat(Math.floor(room / 40))}`, 1])),
      )
      at('a deep map', JSON.parse(nested(25, '{"a":', '}').replace('}', '1}')))
    }
    if (types.includes('number') || types.includes('integer')) at('number', 1e308)
  }
  return found
}

/** The alternative that has the beginning of the path. */
const baseFor = (bases: readonly unknown[], path: readonly string[]): unknown =>
  bases.find(base => isRecord(base) && path.slice(0, 1).every(name => name in base)) ?? bases[0]

const mostQuery = 14_000

export interface Parameter {
  name: string
  schema: Schema
}

/** Queries that take long before they are compared with a schema. */
export const queryStructures: readonly Bait[] = [
  { what: 'many parameters', query: Array.from({ length: 2_000 }, (_, n) => `k${n.toString(36)}=1`).join('&') },
  { what: 'parameters without a name', query: '&'.repeat(mostQuery) },
  { what: 'one parameter many times', query: 'page=1&'.repeat(900).slice(0, mostQuery) },
  { what: 'percent signs', query: '%'.repeat(mostQuery) },
  {
    what: 'many parameters, refused',
    query: Array.from({ length: 1_500 }, (_, n) => `k${n.toString(36)}=1`).join('&'),
    headers: { Prefer: 'handling=strict' },
  },
]

/** Queries whose parameters take long. */
export const queriesFor = (
  parameters: readonly Parameter[],
  { operation, isTried }: Pick<Known, 'operation' | 'isTried'>,
): Bait[] =>
  parameters.flatMap(({ name, schema }) =>
    textsFor({ name, schema: resolve(schema), operation }, 4_600)
      .slice(0, isTried(`?${name}`, schema) ? 1 : undefined)
      .map(({ what, text }) => ({
        what: `?${name}: ${what}`,
        query: `${name}=${encodeURIComponent(text.toWellFormed()).slice(0, mostQuery)}`,
      })),
  )

const long = (pattern: string, length = 3_500) => pattern.repeat(Math.ceil(length / pattern.length)).slice(0, length)

/** Headers that take long. */
export const headerBaits: readonly Bait[] = [
  { what: 'languages', headers: { 'Accept-Language': long('de-a;q=0.1,', 12_000) } },
  { what: 'cookies', headers: { Cookie: long('a=b; ', 12_000) } },
  { what: 'a cookie without end', headers: { Cookie: long('=', 12_000) } },
  { what: 'entity tags', headers: { 'If-None-Match': long('"a",', 12_000) } },
  { what: 'entity tags to match', headers: { 'If-Match': long('W/"a.b",', 12_000) } },
  { what: 'encodings', headers: { 'Accept-Encoding': long('br;q=0.1,', 12_000) } },
  { what: 'types', headers: { Accept: long('a/b;q=0.1,', 12_000) } },
  { what: 'preferences', headers: { Prefer: long('handling=x;a=b,', 12_000) } },
  { what: 'a name of an agent', headers: { 'User-Agent': `Mozilla/5.0 ${long('(Android 1; Version/', 12_000)}` } },
  { what: 'addresses', headers: { 'X-Forwarded-For': long('1.1.1.1,', 12_000) } },
  { what: 'a trace', headers: { traceparent: long('00-', 6_000), tracestate: long('a=b,', 6_000) } },
  { what: 'a type of content', headers: { 'Content-Type': `application/json;${long(' a=b;', 11_000)}` } },
  { what: 'a key', headers: { 'Idempotency-Key': 'a'.repeat(255) } },
  { what: 'a tenant', headers: { 'X-Tenant-Id': long('a', 12_000) } },
  { what: 'ranges', headers: { Range: `bytes=${long('0-1,', 12_000)}` } },
  { what: 'a request id', headers: { 'X-Request-Id': long('a-', 12_000) } },
]
