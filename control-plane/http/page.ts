import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'

/**
 * Describes a text parameter in the API document by the type that the text means, so that generated clients use that
 * type.
 */
export const meaning = (schema: Record<string, unknown>) => ({
  override({ jsonSchema }: { jsonSchema: object }) {
    for (const key of Object.keys(jsonSchema)) if (key !== 'description') Reflect.deleteProperty(jsonSchema, key)
    Object.assign(jsonSchema, schema)
  },
})

const whole = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, 'Must be a whole number.')
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(fallback)
    .meta(meaning({ type: 'integer', minimum: min, maximum: max, default: fallback }))

/** `page` and `per_page` of a list with numbered pages. */
export const offsetQuery = (maxPerPage = 100) =>
  z.object({
    page: whole(1, 2_000_000_000, 1),
    per_page: whole(1, maxPerPage, 15),
  })

/** `cursor` and `per_page` of a list read by cursor. */
export const cursorQuery = z.object({
  cursor: z.string().max(1_000).optional(),
  per_page: whole(1, 100, 15),
})

/**
 * The parts of a comma-separated list, trimmed, without empty ones. Clients that repeat the parameter for each part, as
 * the default of OpenAPI has it, are read alike.
 */
export const commaText = z
  .union([z.string().max(1_000), z.array(z.string().max(1_000)).max(100)])
  .transform(text =>
    [text]
      .flat()
      .join(',')
      .split(',')
      .map(part => part.trim())
      .filter(Boolean),
  )
  .meta(meaning({ type: 'array', items: { type: 'string' } }))

export const commaList = <Item extends string>(items: readonly [Item, ...Item[]] | readonly Item[]) =>
  commaText
    .pipe(z.array(z.enum(items as [Item, ...Item[]])))
    .meta(meaning({ type: 'array', items: { type: 'string', enum: items } }))

/** true, false, 1, 0. */
export const flag = z
  .enum(['true', 'false', '1', '0'])
  .transform(text => text === 'true' || text === '1')
  .meta(meaning({ type: 'boolean' }))

/** A moment, or a day in UTC. Described as one text: generators for Go write no type for a choice of two formats. */
export const isoText = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], 'Must be an ISO 8601 date or time.')
  .meta(meaning({ type: 'string', description: 'An ISO 8601 date or date-time.', examples: ['2026-11-23'] }))
export const moment = isoText.transform(text => new Date(text))

/** `meta` and `links` of a numbered page. The links keep the other parameters of `url`. */
export function offsetParts(query: { page: number; per_page: number }, total: number, url: string) {
  const last = Math.max(1, Math.ceil(total / query.per_page))
  const link = (page: number) => {
    const target = new URL(url)
    target.searchParams.set('page', String(page))
    return target.toString()
  }
  return {
    links: {
      first: link(1),
      last: link(last),
      prev: query.page > 1 ? link(Math.min(query.page - 1, last)) : null,
      next: query.page < last ? link(query.page + 1) : null,
    },
    meta: { current_page: query.page, last_page: last, per_page: query.per_page, total },
  }
}

/** A page of a list that was read as a whole. */
export const partOf = <View>(all: readonly View[], query: { page: number; per_page: number }, url: string) => ({
  data: all.slice((query.page - 1) * query.per_page, query.page * query.per_page),
  ...offsetParts(query, all.length, url),
})

/** A position in an ordered list: the sort, the last row's key and id, and the direction. */
const Place = z.object({
  s: z.string().max(60),
  k: z.union([z.string().max(400), z.number(), z.null()]),
  i: z.string().max(60),
  d: z.enum(['n', 'p']),
})

/** A cursor names no tenant and is valid for one order only; any other is a 422 on `cursor`. */
export function encodeCursor(
  sort: string,
  key: string | number | null,
  id: string,
  direction: 'next' | 'prev',
): string {
  return Buffer.from(JSON.stringify({ s: sort, k: key, i: id, d: direction === 'next' ? 'n' : 'p' })).toString(
    'base64url',
  )
}

export function decodeCursor(
  cursor: string,
  sort: string,
): { key: string | number | null; id: string; direction: 'next' | 'prev' } {
  const refused = invalid({ cursor: ['This cursor is not one of this list.'] }, 'bad_cursor')
  if (!/^[\w-]+$/.test(cursor)) throw refused
  let raw: unknown
  try {
    raw = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw refused
  }
  const place = Place.safeParse(raw)
  if (!place.success || place.data.s !== sort || place.data.i.includes('\0') || String(place.data.k).includes('\0'))
    throw refused
  return { key: place.data.k, id: place.data.i, direction: place.data.d === 'n' ? 'next' : 'prev' }
}

export function cursorLinks(url: string, next: string | null, prev: string | null) {
  const link = (cursor: string | null) => {
    const target = new URL(url)
    if (cursor) target.searchParams.set('cursor', cursor)
    else target.searchParams.delete('cursor')
    return target.toString()
  }
  return { first: link(null), last: null, prev: prev && link(prev), next: next && link(next) }
}
