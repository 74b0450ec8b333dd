import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { type CronMonitorRow, fromCronMonitors, selectCronMonitors, viewCronMonitor } from './view.ts'

/** The cron monitor with this id, if it belongs to the tenant. */
export async function findCronMonitor(em: EntityManager, tenant: { id: string }, id: string): Promise<CronMonitorRow> {
  const [row] = await rows(em)<CronMonitorRow>`
    select ${selectCronMonitors} ${fromCronMonitors} where m.tenant_id = ${tenant.id} and m.id = ${id}`
  if (!row) throw notFound('Cron monitor')
  return row
}

/** The cron monitor as it is stored now. */
export async function answerCronMonitor(
  { em, tenant, services, now }: Pick<RequestContext, 'em' | 'tenant' | 'services' | 'now'>,
  id: string,
) {
  const row = await findCronMonitor(em, tenant, id)
  return { data: viewCronMonitor(row, { origin: await keptOriginOf(services, tenant.id), now }) }
}
