import { z } from 'zod'
import { subscribable } from '#contract/events.ts'
import type { Facts } from '#control-plane/kernel/endpoint.ts'
import { commaList, cursorLinks, cursorQuery } from '#control-plane/kernel/page.ts'
import { openCursor, sealCursor } from '#control-plane/kernel/seal.ts'
import { type DeliveryRow, fromDeliveries, selectDeliveries, statuses } from './view.ts'

export const deliveryQuery = cursorQuery.extend({
  status: commaList(statuses).optional(),
  event: commaList(subscribable).optional(),
  channel_id: z.uuid().optional(),
  monitor_id: z.uuid().optional(),
  managed_tenant_id: z.uuid().optional(),
})

type Known = Pick<Facts, 'em' | 'tenant' | 'url' | 'services'>

/** A page of a tenant's deliveries, newest first. */
export async function pageOfDeliveries({ em, tenant, url, services }: Known, query: z.output<typeof deliveryQuery>) {
  const scope = { secretKey: services.config.secretKey, tenantId: tenant.id, sort: `deliveries:${query.channel_id ?? ''}` }
  const place = query.cursor === undefined ? null : openCursor(scope, query.cursor)
  const isBackwards = place?.direction === 'prev'
  const wanted: { sql: string; value: unknown }[] = [{ sql: 'd.tenant_id = ?', value: tenant.id }]
  for (const name of ['channel_id', 'monitor_id', 'managed_tenant_id'] as const)
    if (query[name] !== undefined) wanted.push({ sql: `d.${name} = ?`, value: query[name] })
  for (const name of ['status', 'event'] as const) if (query[name]) wanted.push({ sql: `d.${name} = any(array[?]::varchar[])`, value: query[name] })
  const after = place ? [{ sql: `(d.created_at, d.id) ${isBackwards ? '>' : '<'} (?::timestamptz, ?::uuid)`, values: [place.key, place.id] }] : []
  const direction = isBackwards ? 'asc' : 'desc'
  // one more than asked for tells whether the list goes on
  const found = await em.execute<DeliveryRow[]>(
    `select ${selectDeliveries} ${fromDeliveries} where ${[...wanted, ...after].map(({ sql }) => sql).join(' and ')}
     order by d.created_at ${direction}, d.id ${direction} limit ?`,
    [...wanted.map(({ value }) => value), ...after.flatMap(({ values }) => values), query.per_page + 1],
  )
  const goesOn = found.length > query.per_page
  const rows = isBackwards ? found.slice(0, query.per_page).reverse() : found.slice(0, query.per_page)
  const [first, last] = [rows[0], rows.at(-1)]
  const next = last && (isBackwards || goesOn) ? sealCursor(scope, last.created_at, last.id, 'next') : null
  const prev = first && (isBackwards ? goesOn : place) ? sealCursor(scope, first.created_at, first.id, 'prev') : null
  return {
    data: rows,
    links: cursorLinks(url, next, prev),
    meta: { next_cursor: next, prev_cursor: prev, has_more: next !== null, per_page: query.per_page },
  }
}
