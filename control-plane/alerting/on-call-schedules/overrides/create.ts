import { Sentence } from '#contract/sentence.ts'
import { mayWrite, refuseWithoutFeature } from '#control-plane/alerting/on-call-schedules/access.ts'
import { limits, NewOverride } from '#control-plane/alerting/on-call-schedules/input.ts'
import { validateMembers } from '#control-plane/alerting/on-call-schedules/members.ts'
import { changeOverrides } from '#control-plane/alerting/on-call-schedules/notices/mail-changes.ts'
import { validatePolicy } from '#control-plane/alerting/on-call-schedules/policy.ts'
import { lockSchedule } from '#control-plane/alerting/on-call-schedules/rows.ts'
import { OverrideView, viewOverride } from '#control-plane/alerting/on-call-schedules/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { addOverrides, refuseOver } from './add.ts'
import { refuseOffDuty } from './on-duty.ts'

export const createOverride = endpoint({
  method: 'POST',
  path: '/on-call-schedules/{on_call_schedule}/overrides',
  summary: 'Create an override',
  description:
    'A person takes over for a time. ' +
    'Of several overrides at one time the newest decides. One that is limited to an escalation policy counts only ' +
    'where that policy calls, and ends with it. ' +
    'A person who is replaced has duty in the time, at least for a part of it. ' +
    new Sentence('A schedule has at most {n} overrides that are not over.', { n: limits.overrides }),
  access: mayWrite,
  body: NewOverride,
  returns: created({ data: OverrideView }),

  async handle(context) {
    const { em, tenant, params, body, now } = context
    await refuseWithoutFeature(em, tenant)
    refuseOver(body, now, 'ends_at')
    const schedule = await lockSchedule(em, tenant, params.on_call_schedule)
    await validateMembers(em, tenant, [
      { field: 'user_id', id: body.user_id },
      ...(body.replaces_user_id === null ? [] : [{ field: 'replaces_user_id', id: body.replaces_user_id }]),
    ])
    await validatePolicy(em, tenant, body.escalation_policy_id, { isLocked: true })
    if (body.replaces_user_id !== null) {
      const { starts_at, ends_at, replaces_user_id: userId, escalation_policy_id: policyId } = body
      const replaced = { field: 'replaces_user_id', userId, starts_at, ends_at, policyId, isShared: true }
      await refuseOffDuty(context, schedule, replaced)
    }
    const [row] = await changeOverrides(context, schedule, () => addOverrides(context, schedule.id, [body]))
    return { data: viewOverride(row!) }
  },
})
