import { changesOf } from '#control-plane/base/changes.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite, refuseWithoutFeature } from './access.ts'
import { ScheduleChanges } from './input.ts'
import { mailDutyChanges, overridesAhead } from './notices/mail-changes.ts'
import { storeVersions } from './rotation-versions.ts'
import { examineSoon, findSchedule, lockSchedule, readRotations } from './rows.ts'
import { ScheduleView, viewSchedule } from './view.ts'
import { writeRotations } from './write.ts'

export const updateSchedule = endpoint({
  method: 'PATCH',
  path: '/on-call-schedules/{on_call_schedule}',
  summary: 'Update an on-call schedule',
  description:
    'Its rotations are sent whole. ' +
    'A rotation with its `id` stays and is changed, one without is added, and one that is left out is deleted. ' +
    'A changed rotation leaves the running shift and the past as they are: it counts from the next hand-off on ' +
    '(`counts_from`), and begins with the person after the one on duty. ' +
    'A `first_handoff_at` beyond it is waited for, and begins with the first person. ' +
    '`starts_at` and `ends_at` count at once. ' +
    'People whose shifts of the next 14 days change are mailed.',
  access: mayWrite,
  body: ScheduleChanges,
  returns: ok({ data: ScheduleView }),

  async handle(context) {
    const { em, tenant, params, body, now, audit } = context
    await refuseWithoutFeature(em, tenant)
    const before = await lockSchedule(em, tenant, params.on_call_schedule)
    const { id } = before
    const after = { name: body.name ?? before.name, timezone: body.timezone ?? before.timezone }
    const { before: rotationsBefore } = await storeVersions(em, tenant, before)
    const changed = (['name', 'timezone'] as const).filter(field => before[field] !== after[field])
    if (changed.length > 0 || body.rotations)
      await queries(em)
        .updateTable('on_call_schedules')
        .set({ name: after.name, timezone: after.timezone, updated_at: now.toISOString() })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', id)
        .execute()
    if (changed.includes('timezone') || body.rotations) await examineSoon(em, tenant, id)
    if (changed.length > 0)
      audit('on_call_schedule.updated', { type: 'on_call_schedule', id }, changesOf(changed, before, after))
    const rotations = body.rotations
      ? await writeRotations(context, id, body.rotations)
      : (await readRotations(em, tenant, [id])).get(id)
    const { after: rotationsAfter } = await storeVersions(em, tenant, { id, timezone: after.timezone })
    const overrides = await overridesAhead(context, id)
    await mailDutyChanges(context, after, {
      before: { rotations: rotationsBefore, overrides },
      after: { rotations: rotationsAfter, overrides },
    })
    return { data: viewSchedule(await findSchedule(em, tenant, id), { rotations, versions: rotationsAfter, now }) }
  },
})
