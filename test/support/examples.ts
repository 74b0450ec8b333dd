import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'

/** What an OpenAPI schema refers to; nothing where it describes a body itself. */
interface Schema {
  $ref?: string
  properties?: Record<string, Schema & { items?: Schema }>
  required?: string[]
}
type Schemas = Record<string, Schema>

const file = process.env.EXAMPLES_FILE
export const nameOf = ({ $ref }: Schema) => $ref?.split('/').at(-1)

/**
 * The component that an example of a body of this component is kept under, and where in the body it stands. An envelope
 * that holds one record, or a list of them, is composed of the record's example.
 */
export function exampleOf(schemas: Schemas, name: string): { name: string; from: 'body' | 'data' | 'first' } {
  const { data, ...more } = schemas[name]?.properties ?? {}
  const isEnvelope = data && ['', 'links,meta'].includes(Object.keys(more).join())
  const record = isEnvelope && nameOf(data)
  if (record) return { name: record, from: 'data' }
  const item = isEnvelope && data.items && nameOf(data.items)
  return item ? { name: item, from: 'first' } : { name, from: 'body' }
}

/**
 * Writes a body that the contract test found right to the file that `EXAMPLES_FILE` names, a line each. Run as a
 * program with that file as its argument, this module chooses one example a component and writes
 * contract/examples.json.
 */
export function recordExample(document: object, schema: Schema, body: unknown): void {
  if (file === undefined) return
  const component = nameOf(schema)
  if (component === undefined) return
  const { name, from } = exampleOf((document as { components: { schemas: Schemas } }).components.schemas, component)
  const { data } = body as { data: unknown }
  const value = from === 'body' ? body : from === 'data' ? data : (data as unknown[])[0]
  if (value === undefined) return
  const line = JSON.stringify([name, value])
  if (line.length < 20_000) appendFileSync(file, `${line}\n`)
}

const listAtMost = 2
const textAtMost = 150

/** Lists cut to their first two and long texts to their beginning, as deep as they go. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string' && value.length > textAtMost)
    return value.slice(0, textAtMost) + (value.includes(' ') ? ' …' : '')
  if (Array.isArray(value)) return value.slice(0, listAtMost).map(shortened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]))
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const secret = /\b([a-z]{2,3})-[\w-]{43}[0-9a-z]{7}\b/g
const moment = /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g

/** The same example without what differs from run to run: ids, secrets, moments and ports. */
function steady(value: unknown): unknown {
  const ids = new Map<string, string>()
  const numbered = (id: string) => {
    if (!ids.has(id)) ids.set(id, `7c3a1d52-91c8-4a3f-bb1e-${String(ids.size + 1).padStart(12, '0')}`)
    return ids.get(id)!
  }
  const moments: string[] = [...JSON.stringify(value).matchAll(moment)].map(([text]) => text).toSorted()
  const began = Date.parse(moments[0] ?? '')
  const placed = (text: string) => {
    const at = new Date(Date.parse('2026-01-15T08:30:00Z') + Date.parse(text) - began).toISOString()
    return text.includes('.') ? at.replace('Z', '000Z') : at.replace(/\.\d+Z/, 'Z')
  }
  const text = JSON.stringify(value)
    .replaceAll(uuid, numbered)
    .replaceAll(secret, '$1-********')
    .replaceAll(moment, placed)
    .replaceAll(/127\.0\.0\.1:\d+/g, 'vedette.example')
    .replaceAll(/localhost:\d+/g, 'vedette.example')
  return JSON.parse(text)
}

/** How well a value serves as an example: fields that are filled count, and short is better than long. */
function worth(value: unknown): number {
  const text = JSON.stringify(value)
  const empty = text.match(/:(null|\[\]|\{\}|"")/g)?.length ?? 0
  return -text.length / 40 - empty * 4 + Object.keys(value ?? {}).length * 3
}

/** Whether an example was collected before its component, or one that it contains, got a field. */
function isStale(schemas: Schemas, schema: Schema & { items?: Schema }, example: unknown): boolean {
  if (Array.isArray(example)) return example.some(each => isStale(schemas, schema.items ?? {}, each))
  if (typeof example !== 'object' || example === null) return false
  const { required = [], properties = {} } = schemas[nameOf(schema) ?? ''] ?? schema
  return (
    required.some(field => !(field in example)) ||
    Object.entries(example).some(([field, value]) => isStale(schemas, properties[field] ?? {}, value))
  )
}

if (import.meta.main) {
  const { schemas } = (
    JSON.parse(readFileSync('contract/openapi.json', 'utf8')) as { components: { schemas: Schemas } }
  ).components
  // examples of bodies that this run did not see stay as they are
  const best = new Map<string, unknown>(Object.entries(JSON.parse(readFileSync('contract/examples.json', 'utf8'))))
  for (const [name, example] of best) if (isStale(schemas, schemas[name] ?? {}, example)) best.delete(name)
  for (const line of readFileSync(process.argv[2] ?? '', 'utf8')
    .split('\n')
    .filter(Boolean)) {
    const [name, value] = JSON.parse(line) as [string, unknown]
    const candidate = shortened(value)
    if (!best.has(name) || worth(candidate) > worth(best.get(name))) best.set(name, candidate)
  }
  const sorted = [...best].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, steady(value)])
  writeFileSync('contract/examples.json', `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
  console.log(`${best.size} examples, ${JSON.stringify(Object.fromEntries(sorted)).length} bytes`)
}
