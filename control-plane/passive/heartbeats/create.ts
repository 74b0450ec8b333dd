import { invalid, Refusal } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { NewCheck } from '#control-plane/monitoring/checks/input.ts'
import { createMonitors } from '#control-plane/monitoring/monitors/create-monitors.ts'
import { passiveMonitor } from '#control-plane/monitoring/monitors/draft.ts'
import { single } from '#control-plane/monitoring/monitors/validate.ts'
import { answerCronMonitor } from './find.ts'
import { checkIn, NewCronMonitor, plainPaths, refuseSchedule } from './input.ts'
import { CronMonitorView } from './view.ts'

export const createCronMonitor = endpoint({
  method: 'POST',
  path: '/cron-monitors',
  summary: 'Create a cron monitor',
  description:
    'Needs a schedule: a cron expression with its time zone, or a period. The first ping is expected from now on.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: NewCronMonitor,
  returns: created({ data: CronMonitorView }),

  async handle(context) {
    const { body } = context
    const sent = checkIn(body)
    const errors = refuseSchedule(sent.settings)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const check = NewCheck.parse(sent)
    const [id] = await createMonitors(context, [passiveMonitor('cron', body, body.url, [check])], single).catch(
      (error: unknown) => {
        throw error instanceof Refusal && error.errors && error.code === 'invalid'
          ? invalid(plainPaths(error.errors))
          : error
      },
    )
    return answerCronMonitor(context, id!)
  },
})
