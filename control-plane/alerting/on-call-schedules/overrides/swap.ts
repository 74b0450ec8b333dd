import { z } from 'zod'
import { mayWrite, refuseWithoutFeature } from '#control-plane/alerting/on-call-schedules/access.ts'
import { NewSwap } from '#control-plane/alerting/on-call-schedules/input.ts'
import { validateMembers } from '#control-plane/alerting/on-call-schedules/members.ts'
import { changeOverrides } from '#control-plane/alerting/on-call-schedules/notices/mail-changes.ts'
import { lockSchedule } from '#control-plane/alerting/on-call-schedules/rows.ts'
import { OverrideView, viewOverride } from '#control-plane/alerting/on-call-schedules/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { addOverrides, refuseOver } from './add.ts'
import { refuseOffDuty } from './on-duty.ts'

export const swapShifts = endpoint({
  method: 'POST',
  path: '/on-call-schedules/{on_call_schedule}/swap',
  summary: 'Swap the shifts of two people',
  description:
    'Creates two overrides: in each of the two times one person takes over the duty of the other. ' +
    'No third person has duty in them.',
  access: mayWrite,
  body: NewSwap,
  returns: created({ data: z.array(OverrideView) }),

  async handle(context) {
    const { em, tenant, params, body, now } = context
    await refuseWithoutFeature(em, tenant)
    const { first, second, reason } = body
    refuseOver(first, now, 'first.ends_at')
    refuseOver(second, now, 'second.ends_at')
    const schedule = await lockSchedule(em, tenant, params.on_call_schedule)
    await validateMembers(em, tenant, [
      { field: 'first.user_id', id: first.user_id },
      { field: 'second.user_id', id: second.user_id },
    ])
    await refuseOffDuty(context, schedule, { ...first, userId: first.user_id, field: 'first.user_id' })
    await refuseOffDuty(context, schedule, { ...second, userId: second.user_id, field: 'second.user_id' })
    const overrides = [
      { ...first, user_id: second.user_id, replaces_user_id: first.user_id, escalation_policy_id: null, reason },
      { ...second, user_id: first.user_id, replaces_user_id: second.user_id, escalation_policy_id: null, reason },
    ]
    const rows = await changeOverrides(context, schedule, () => addOverrides(context, schedule.id, overrides))
    return { data: rows.map(viewOverride) }
  },
})
