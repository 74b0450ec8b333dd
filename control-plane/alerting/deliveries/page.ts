import { sql } from 'kysely'
import { z } from 'zod'
import { subscribable } from '#contract/events.ts'
import { deliveryStatuses } from '#control-plane/db/model/shapes.ts'
import { amongTexts } from '#control-plane/db/queries.ts'
import { pageOf, readByCursor } from '#control-plane/http/cursor-page.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { commaList, cursorQuery } from '#control-plane/http/page.ts'
import { selectDeliveries } from './view.ts'

export const deliveryQuery = cursorQuery.extend({
  status: commaList(deliveryStatuses).optional(),
  event: commaList(subscribable).optional(),
  channel_id: z.uuid().optional(),
  monitor_id: z.uuid().optional(),
  managed_tenant_id: z.uuid().optional(),
})

type PageContext = Pick<RequestContext, 'em' | 'tenant' | 'url' | 'services'>

/** A page of a tenant's deliveries, newest first. */
export async function pageOfDeliveries(
  { em, tenant, url, services }: PageContext,
  query: z.output<typeof deliveryQuery>,
) {
  const read = readByCursor({ services, tenant, url }, query, `deliveries:${query.channel_id ?? ''}`)
  const { place, isBackwards } = read
  let listed = selectDeliveries(em, tenant)
  for (const name of ['channel_id', 'monitor_id', 'managed_tenant_id'] as const)
    if (query[name] !== undefined) listed = listed.where(`d.${name}`, '=', query[name])
  if (query.status) listed = listed.where('d.status', '=', amongTexts(query.status))
  if (query.event) listed = listed.where('d.event', '=', amongTexts(query.event))
  if (place)
    listed = listed.where(
      ({ refTuple }) => refTuple('d.created_at', 'd.id'),
      isBackwards ? '>' : '<',
      sql<[string, string]>`(${place.key}::timestamptz, ${place.id}::uuid)`,
    )
  const direction = isBackwards ? 'asc' : 'desc'
  const found = await listed.orderBy('d.created_at', direction).orderBy('d.id', direction).limit(read.limit).execute()
  const { rows, ...page } = pageOf(read, found, row => ({ key: row.created_at, id: row.id }))
  return { data: rows, ...page }
}
