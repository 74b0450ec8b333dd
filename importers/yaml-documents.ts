import { SourceError } from './source.ts'

/*
 * A configuration of several files is sent as one: joined by `cat`, they are several documents, or one that names its
 * keys again. Only a program may call it, as `readYaml` does.
 */

export interface YamlReader {
  loadAll(text: string): unknown[]
}

const mostDocuments = 1_000
const again = '\u0001again'

/** The documents of a text as one value: of several maps the lists are joined, and a later text or number counts. */
export function readDocuments({ loadAll }: YamlReader, text: string): unknown {
  let documents: unknown[]
  try {
    documents = loadAll(text)
  } catch (error) {
    if ((error as { reason?: string }).reason !== 'duplicated mapping key') throw error
    documents = loadAll(withKeysApart(text))
  }
  if (documents.length > mostDocuments) throw new SourceError('The YAML holds more values than are read of one source.')
  const maps = documents.flatMap(document => (isMap(document) ? withKeysTogether(document) : []))
  if (maps.length === 0) return documents.find(document => document != null) ?? null
  return maps.reduce((all, map) => merged(all, map) as Record<string, unknown>)
}

const topLevelKey = /^(?:"([^"\\]+)"|'([^']+)'|([A-Za-z_][^\s:#'"]*))[ \t]*:(?=[ \t\r]|$)/

/** Gives a key of the top level that comes again a name of its own, so that anchors of the whole text stay known. */
function withKeysApart(text: string): string {
  let seen = new Set<string>()
  let count = 0
  const lines = text.split('\n').map(line => {
    if (/^(---|\.\.\.)(\s|$)/.test(line)) seen = new Set()
    const [written, double, single, plain] = topLevelKey.exec(line) ?? []
    const key = double ?? single ?? plain
    if (written === undefined || key === undefined) return line
    if (!seen.has(key)) {
      seen.add(key)
      return line
    }
    return `${JSON.stringify(`${key}${again}${++count}`)}:${line.slice(written.length)}`
  })
  return lines.join('\n')
}

/** Undoes `withKeysApart`: each key with all that stands under it. */
function withKeysTogether(map: Record<string, unknown>): Record<string, unknown>[] {
  const first: [string, unknown][] = []
  const others: Record<string, unknown>[] = []
  for (const [key, value] of Object.entries(map)) {
    const [name = key, number] = key.split(again)
    if (number === undefined) first.push([key, value])
    else others.push(Object.fromEntries([[name, value]]))
  }
  return [Object.fromEntries(first), ...others]
}

function merged(one: unknown, other: unknown): unknown {
  if (other === null || other === undefined) return one
  if (Array.isArray(one) && Array.isArray(other)) return [...one, ...other]
  if (!isMap(one) || !isMap(other)) return other
  const all = new Map(Object.entries(one))
  for (const [key, value] of Object.entries(other)) all.set(key, all.has(key) ? merged(all.get(key), value) : value)
  return Object.fromEntries(all)
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
