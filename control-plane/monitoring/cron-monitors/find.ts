import type { EntityManager } from '@mikro-orm/postgresql'
import { notFound } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { type CronMonitorRow, fromCronMonitors, selectCronMonitors, viewCronMonitor } from './view.ts'

/** The one way to reach a cron monitor by id: it exists, and it is this tenant's. */
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
  facts: Pick<RequestContext, 'em' | 'tenant' | 'services' | 'now'>,
  id: string,
) => ({
  data: viewCronMonitor(await findCronMonitor(facts.em, facts.tenant, id), facts),
})
