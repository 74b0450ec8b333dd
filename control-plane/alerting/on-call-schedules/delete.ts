import { refuseWhileCalled } from '#control-plane/alerting/escalation-policies/targets.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { mayWrite } from './access.ts'
import { lockSchedule } from './rows.ts'

export const deleteSchedule = endpoint({
  method: 'DELETE',
  path: '/on-call-schedules/{on_call_schedule}',
  summary: 'Delete an on-call schedule',
  description:
    'With its rotations and overrides. ' +
    'A schedule that an escalation policy calls is refused with the names of the policies.',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const { id, name, timezone } = await lockSchedule(em, tenant, params.on_call_schedule)
    await refuseWhileCalled(em, tenant, { schedule_id: id })
    await queries(em).deleteFrom('on_call_schedules').where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
    audit('on_call_schedule.deleted', { type: 'on_call_schedule', id }, { name, timezone })
  },
})
