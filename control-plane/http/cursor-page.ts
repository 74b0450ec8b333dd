import type { RequestContext } from './endpoint.ts'
import { cursorLinks } from './page.ts'
import { type CursorScope, openCursor, sealCursor } from './seal.ts'

type Known = Pick<RequestContext, 'services' | 'tenant' | 'url'>

/** A page that is read by cursor: what to read, and how to say what lies before and after it. */
export interface CursorRead {
  /** Where the page begins; null for the first. */
  place: { key: string | number | null; id: string } | null
  /** Against the order of the list: its rows are turned round again. */
  isBackwards: boolean
  /** One more than a page has, which tells whether the list goes on. */
  limit: number
  scope: CursorScope
  url: string
}

/** `order` names the list and its order: a cursor of another one is refused. */
export function readByCursor(
  { services, tenant, url }: Known,
  query: { cursor?: string | undefined; per_page: number },
  order: string,
): CursorRead {
  const scope = { secretKey: services.config.secretKey, tenantId: tenant.id, sort: order }
  const place = query.cursor === undefined ? null : openCursor(scope, query.cursor)
  return { place, isBackwards: place?.direction === 'prev', limit: query.per_page + 1, scope, url }
}

/** The rows of the page in the order of the list, with its `links` and `meta`. `found` is as it was read, up to `limit` rows. */
export function pageOf<Row>(
  read: CursorRead,
  found: readonly Row[],
  placeOf: (row: Row) => { key: string | number | null; id: string },
) {
  const { scope, isBackwards } = read
  const perPage = read.limit - 1
  const goesOn = found.length > perPage
  const rows = isBackwards ? found.slice(0, perPage).reverse() : found.slice(0, perPage)
  const cursor = (row: Row, direction: 'next' | 'prev') => {
    const { key, id } = placeOf(row)
    return sealCursor(scope, key, id, direction)
  }
  const [first, last] = [rows[0], rows.at(-1)]
  const next = last !== undefined && (isBackwards || goesOn) ? cursor(last, 'next') : null
  const prev = first !== undefined && (isBackwards ? goesOn : read.place) ? cursor(first, 'prev') : null
  return {
    rows,
    links: cursorLinks(read.url, next, prev),
    meta: { next_cursor: next, prev_cursor: prev, has_more: next !== null, per_page: perPage },
  }
}
