import { mayWrite } from '#control-plane/alerting/on-call-schedules/access.ts'
import { lockSchedule, selectOverrides } from '#control-plane/alerting/on-call-schedules/rows.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'

export const deleteOverride = endpoint({
  method: 'DELETE',
  path: '/on-call-schedules/{on_call_schedule}/overrides/{override}',
  summary: 'Delete an override',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const { id: scheduleId } = await lockSchedule(em, tenant, params.on_call_schedule)
    const row = await selectOverrides(em, tenant, [scheduleId]).where('o.id', '=', params.override).executeTakeFirst()
    if (!row) throw notFound('Override')
    const { id, user_id, replaces_user_id, starts_at, ends_at } = row
    await queries(em).deleteFrom('on_call_overrides').where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
    audit(
      'on_call_schedule.override_deleted',
      { type: 'on_call_schedule', id: scheduleId },
      { override_id: id, user_id, replaces_user_id, starts_at, ends_at },
    )
  },
})
