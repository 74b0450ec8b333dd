import { mayWrite } from '#control-plane/alerting/on-call-schedules/access.ts'
import { changeOverrides } from '#control-plane/alerting/on-call-schedules/notices/mail-changes.ts'
import { lockSchedule, selectOverrides } from '#control-plane/alerting/on-call-schedules/rows.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'

export const deleteOverride = endpoint({
  method: 'DELETE',
  path: '/on-call-schedules/{on_call_schedule}/overrides/{override}',
  summary: 'Delete an override',
  description: 'One that has begun ends now, and one that is over is refused: they say who had duty.',
  access: mayWrite,
  returns: noContent,

  async handle(context) {
    const { em, tenant, params, now, audit } = context
    const schedule = await lockSchedule(em, tenant, params.on_call_schedule)
    const row = await selectOverrides(em, tenant, [schedule.id]).where('o.id', '=', params.override).executeTakeFirst()
    if (!row) throw notFound('Override')
    const { id, user_id, replaces_user_id, starts_at, ends_at } = row
    if (Date.parse(ends_at) <= now.getTime()) throw invalid({ override: ['Is over, and says who had duty.'] })
    const db = queries(em)
    const end = db.updateTable('on_call_overrides').set({ ends_at: now.toISOString() })
    const remove = db.deleteFrom('on_call_overrides')
    await changeOverrides<unknown>(context, schedule, () =>
      Date.parse(starts_at) < now.getTime()
        ? end.where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
        : remove.where('tenant_id', '=', tenant.id).where('id', '=', id).execute(),
    )
    audit(
      'on_call_schedule.override_deleted',
      { type: 'on_call_schedule', id: schedule.id },
      { override_id: id, user_id, replaces_user_id, starts_at, ends_at },
    )
  },
})
