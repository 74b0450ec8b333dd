import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { removeMonitor } from '#control-plane/monitoring/monitors/delete.ts'
import { findCronMonitor } from './find.ts'

export const deleteCronMonitor = endpoint({
  method: 'DELETE',
  path: '/cron-monitors/{cron_monitor}',
  summary: 'Delete a cron monitor with its pings and incidents',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  returns: noContent,

  async handle(context) {
    const { id } = await findCronMonitor(context.em, context.tenant, context.params.cron_monitor)
    await removeMonitor(context, id)
  },
})
