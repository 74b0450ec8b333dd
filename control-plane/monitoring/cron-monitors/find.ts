import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { type CronMonitorRow, fromCronMonitors, selectCronMonitors, viewCronMonitor } from './view.ts'

/** The cron monitor with this id, if it belongs to the tenant. */
export async function findCronMonitor(em: EntityManager, tenant: { id: string }, id: string): Promise<CronMonitorRow> {
  const [row] = await em.execute<CronMonitorRow[]>(
    `select ${selectCronMonitors} ${fromCronMonitors} where m.tenant_id = ? and m.id = ?`,
    [tenant.id, id],
  )
  if (!row) throw notFound('Cron monitor')
  return row
}

/** The cron monitor as it is stored now. */
export const answerCronMonitor = async (
  context: Pick<RequestContext, 'em' | 'tenant' | 'services' | 'now'>,
  id: string,
) => ({
  data: viewCronMonitor(await findCronMonitor(context.em, context.tenant, id), context),
})
