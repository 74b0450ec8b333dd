import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { removeMonitor } from '#control-plane/monitoring/monitors/delete.ts'
import { findCronMonitor } from './find.ts'

export const deleteCronMonitor = endpoint({
  method: 'DELETE',
  path: '/cron-monitors/{cron_monitor}',
  summary: 'Delete a cron monitor with its pings and incidents; its ping URLs end at once',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  returns: noContent,

  async handle(facts) {
    const { id } = await findCronMonitor(facts.em, facts.tenant, facts.params.cron_monitor)
    await removeMonitor(facts, id)
  },
})
