import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { answerCronMonitor } from './find.ts'
import { CronMonitorView } from './view.ts'

export const getCronMonitor = endpoint({
  method: 'GET',
  path: '/cron-monitors/{cron_monitor}',
  summary: 'Get a cron monitor',
  description: 'With its ping URL and the next three expected pings.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  compress: false,
  returns: ok({ data: CronMonitorView }),
  handle: context => answerCronMonitor(context, context.params.cron_monitor),
})
