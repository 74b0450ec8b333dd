import { z } from 'zod'
import { subscribable } from '#contract/events.ts'
import { pageOf, readByCursor } from '#control-plane/http/cursor-page.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { commaList, cursorQuery } from '#control-plane/http/page.ts'
import { type DeliveryRow, fromDeliveries, selectDeliveries, statuses } from './view.ts'

export const deliveryQuery = cursorQuery.extend({
  status: commaList(statuses).optional(),
  event: commaList(subscribable).optional(),
  channel_id: z.uuid().optional(),
  monitor_id: z.uuid().optional(),
  managed_tenant_id: z.uuid().optional(),
})

type Known = Pick<RequestContext, 'em' | 'tenant' | 'url' | 'services'>

/** A page of a tenant's deliveries, newest first. */
export async function pageOfDeliveries({ em, tenant, url, services }: Known, query: z.output<typeof deliveryQuery>) {
  const read = readByCursor({ services, tenant, url }, query, `deliveries:${query.channel_id ?? ''}`)
  const { place, isBackwards } = read
  const wanted: { sql: string; value: unknown }[] = [{ sql: 'd.tenant_id = ?', value: tenant.id }]
  for (const name of ['channel_id', 'monitor_id', 'managed_tenant_id'] as const)
    if (query[name] !== undefined) wanted.push({ sql: `d.${name} = ?`, value: query[name] })
  for (const name of ['status', 'event'] as const)
    if (query[name]) wanted.push({ sql: `d.${name} = any(array[?]::varchar[])`, value: query[name] })
  const after = place
    ? [
        {
          sql: `(d.created_at, d.id) ${isBackwards ? '>' : '<'} (?::timestamptz, ?::uuid)`,
          values: [place.key, place.id],
        },
      ]
    : []
  const direction = isBackwards ? 'asc' : 'desc'
  const found = await em.execute<DeliveryRow[]>(
    `select ${selectDeliveries} ${fromDeliveries} where ${[...wanted, ...after].map(({ sql }) => sql).join(' and ')}
     order by d.created_at ${direction}, d.id ${direction} limit ?`,
    [...wanted.map(({ value }) => value), ...after.flatMap(({ values }) => values), read.limit],
  )
  const { rows, ...page } = pageOf(read, found, row => ({ key: row.created_at, id: row.id }))
  return { data: rows, ...page }
}
