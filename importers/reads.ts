import { leftOut } from './shapes.ts'
import type { Ask, Reach } from './source.ts'
import { SourceError, type SourceInput, type SourceItem } from './source.ts'

/*
 * What readers of APIs share. Addresses of further pages that an answer names are never followed as they are: a source
 * could send the key elsewhere.
 */

export interface Client {
  get(path: string): Promise<unknown>
  /** A plain text, such as metrics. */
  text(path: string): Promise<string>
  /** The answer need not be JSON: only its status counts. `URLSearchParams` are sent as a form, all else as JSON. */
  command(method: 'POST' | 'PUT' | 'PATCH', path: string, body: unknown): Promise<void>
}

/** Requests below an address, each with the same headers. */
export function clientOf(reach: Reach, base: string, headers: Record<string, string>): Client {
  const root = base.replace(/\/+$/, '')
  const ask = (method: 'POST' | 'PUT' | 'PATCH', body: unknown): Ask =>
    body instanceof URLSearchParams
      ? {
          method,
          headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
          body: body.toString(),
        }
      : { method, headers, body: JSON.stringify(body) }
  return {
    get: path => reach.json(root + path, { headers }),
    text: path => reach.text(root + path, { headers: { ...headers, Accept: 'text/plain' } }),
    command: async (method, path, body) => {
      await reach.text(root + path, ask(method, body))
    },
  }
}

function addressOf({ baseUrl }: Pick<SourceInput, 'baseUrl'>): string {
  if (baseUrl === null) throw new SourceError('The address of the source is missing.')
  return baseUrl
}

/** The key and the address of a source that is asked; a `SourceError` where one is missing. */
export function accessOf(input: SourceInput): { key: string; base: string } {
  if (input.credential === null) throw new SourceError('The key of the source was deleted: send it again.')
  return { key: input.credential, base: addressOf(input) }
}

/** A client of a source with basic authentication by `user:password`; null: it asks for none. */
export const basicClientOf = (input: Pick<SourceInput, 'reach' | 'baseUrl'>, userAndPassword: string | null): Client =>
  clientOf(
    input.reach,
    addressOf(input),
    userAndPassword === null ? {} : { Authorization: `Basic ${Buffer.from(userAndPassword).toString('base64')}` },
  )

/** A client of a source that takes its key as a bearer token. */
export function bearerClientOf(input: SourceInput): Client {
  const { key, base } = accessOf(input)
  return clientOf(input.reach, base, { Authorization: `Bearer ${key}` })
}

/** The parameter of an address of the next page, such as its cursor; null: there is no next page. */
export function nextParameter(address: unknown, name: string): string | null {
  if (typeof address !== 'string' || address.trim() === '') return null
  return new URL(address, 'https://source.invalid').searchParams.get(name)
}

/** Reads pages until there is none; a source that names a page twice would never end. */
export async function readPages<Page>(
  read: (cursor: string | null) => Promise<{ page: Page; next: string | null }>,
): Promise<Page[]> {
  const seen = new Set<string>()
  const pages: Page[] = []
  for (let cursor: string | null = null; ; ) {
    const { page, next }: { page: Page; next: string | null } = await read(cursor)
    pages.push(page)
    if (next === null) return pages
    if (seen.has(next)) throw new SourceError('The source names the same page twice: it was not read to its end.')
    seen.add(next)
    cursor = next
  }
}

/**
 * Items of a list that is only named in the preview, such as channels. A key or a plan that does not show the list is
 * said in one item; it does not end the preview.
 */
export async function named(
  { kind, sourceKind, name }: Pick<SourceItem, 'kind' | 'sourceKind' | 'name'>,
  read: () => Promise<SourceItem[]>,
): Promise<SourceItem[]> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return [leftOut({ kind, sourceId: `list of ${sourceKind}`, sourceKind, name }, `It was not read. ${error.message}`)]
  }
}

/** The status that a source's word for it means; `unknown` for any other word. */
export const statusNamed =
  (names: Readonly<Record<string, 'up' | 'down' | 'paused'>>) =>
  (status: string | number | null): 'up' | 'down' | 'paused' | 'unknown' =>
    status !== null && Object.hasOwn(names, status) ? names[String(status)]! : 'unknown'
