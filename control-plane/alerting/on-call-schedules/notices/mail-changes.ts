import { daysAfter } from '#contract/time.ts'
import type { Schedule } from '#control-plane/alerting/on-call-schedules/duty.ts'
import { readOverrides } from '#control-plane/alerting/on-call-schedules/plans.ts'
import { readVersions } from '#control-plane/alerting/on-call-schedules/rotation-versions.ts'
import { examineSoon, type ScheduleRow } from '#control-plane/alerting/on-call-schedules/rows.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { noticeDays } from './duty-changes.ts'
import { dutyChangeMails } from './write.ts'

type Context = Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'now' | 'services' | 'mail'>

/** The overrides that count on the days of which people are mailed. */
export async function overridesAhead(
  { em, tenant, now }: Pick<Context, 'em' | 'tenant' | 'now'>,
  scheduleId: string,
): Promise<Schedule['overrides']> {
  const span = { from: now, to: daysAfter(now, noticeDays) }
  return (await readOverrides(em, tenant, [scheduleId], span)).get(scheduleId) ?? []
}

/** Mails the people whose shifts a request changes, except the person who sends it. */
export async function mailDutyChanges(
  { em, tenant, caller, now, services, mail }: Context,
  { name, timezone }: Pick<ScheduleRow, 'name' | 'timezone'>,
  { before, after }: { before: Schedule; after: Schedule },
): Promise<void> {
  const schedule = { tenant_id: tenant.id, team_name: tenant.name, name, timezone }
  const change = { before, after, now, changedBy: caller.user?.id ?? null }
  const mails = await dutyChangeMails(em, services.config, schedule, change)
  for (const { recipient, data } of mails) mail('on_call_handover', recipient, data)
}

/** Changes the overrides of a locked schedule, and mails the people whose shifts that changes. */
export async function changeOverrides<Result>(
  context: Context,
  schedule: ScheduleRow,
  change: () => Promise<Result>,
): Promise<Result> {
  const { em, tenant, now } = context
  const rotations = (await readVersions(em, tenant, [schedule], now)).get(schedule.id) ?? []
  const before = { rotations, overrides: await overridesAhead(context, schedule.id) }
  const result = await change()
  await examineSoon(em, tenant, schedule.id)
  const after = { rotations, overrides: await overridesAhead(context, schedule.id) }
  await mailDutyChanges(context, schedule, { before, after })
  return result
}
