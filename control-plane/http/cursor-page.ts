import { type CursorScope, readCursor, signCursor } from './cursor-signature.ts'
import type { RequestContext } from './endpoint.ts'
import { cursorLinks } from './page.ts'

type CursorContext = Pick<RequestContext, 'services' | 'tenant' | 'url'>

/** What to read for a page, and what the links to its neighbours need. */
export interface CursorRead {
  /** The row before the page; null for the first page. */
  place: { key: string | number | null; id: string } | null
  /** Rows are read against the order of the list, and reversed again. */
  isBackwards: boolean
  /** One more than a page has: the extra row proves that the list goes on. */
  limit: number
  scope: CursorScope
  url: string
}

/** `order` names the list and its order. A cursor of another list is refused. */
export function readByCursor(
  { services, tenant, url }: CursorContext,
  query: { cursor?: string | undefined; per_page: number },
  order: string,
): CursorRead {
  const scope = { secretKey: services.config.secretKey, tenantId: tenant.id, sort: order }
  const place = query.cursor === undefined ? null : readCursor(scope, query.cursor)
  return { place, isBackwards: place?.direction === 'prev', limit: query.per_page + 1, scope, url }
}

/** The rows of the page in the order of the list, with `links` and `meta`. `found`: the rows as read, up to `limit`. */
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
    return signCursor(scope, key, id, direction)
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
