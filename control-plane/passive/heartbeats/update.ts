import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeCheck } from '#control-plane/monitoring/checks/change.ts'
import { findCheck } from '#control-plane/monitoring/checks/find.ts'
import { parseSettings } from '#control-plane/monitoring/checks/settings.ts'
import { changeMonitor } from '#control-plane/monitoring/monitors/change-monitors.ts'
import { answerCronMonitor, findCronMonitor } from './find.ts'
import { CronMonitorChanges, monitorFieldsIn, plainPaths, settingsIn } from './input.ts'
import { CronMonitorView } from './view.ts'

export const updateCronMonitor = endpoint({
  method: 'PATCH',
  path: '/cron-monitors/{cron_monitor}',
  summary: 'Update a cron monitor',
  description: 'Another schedule restarts its clock.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: CronMonitorChanges,
  returns: ok({ data: CronMonitorView }),

  async handle(context) {
    const { em, tenant, params, body } = context
    const { id, check_id } = await findCronMonitor(em, tenant, params.cron_monitor)
    const check = await findCheck(em, tenant, check_id)
    const { settings, errors } = parseSettings('cron', settingsIn(body), check.settings)
    if (Object.keys(errors).length > 0) throw invalid(plainPaths(errors))
    await changeMonitor(context, { ...monitorFieldsIn(body), id })
    await changeCheck(context, check, { settings, severity: body.severity })
    return answerCronMonitor(context, id)
  },
})
