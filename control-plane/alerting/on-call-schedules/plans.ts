import type { Db } from '#control-plane/db/queries.ts'
import type { Override, Schedule } from './duty.ts'
import { readVersions } from './rotation-versions.ts'
import { type OverrideRow, type ScheduleRow, selectOverrides } from './rows.ts'

interface Span {
  from: Date
  to: Date
  policyId?: string | null | undefined
}

/**
 * Schedules as `duty.ts` takes them, by id, from the begin of a span on and with its overrides. Four statements,
 * however many schedules.
 */
export async function readPlans(
  db: Db,
  tenant: { id: string },
  schedules: readonly Pick<ScheduleRow, 'id' | 'timezone'>[],
  span: Span,
): Promise<Map<string, Schedule>> {
  const ids = schedules.map(({ id }) => id)
  const rotations = await readVersions(db, tenant, schedules, span.from)
  const overrides = await readOverrides(db, tenant, ids, span)
  return new Map(ids.map(id => [id, { rotations: rotations.get(id) ?? [], overrides: overrides.get(id) ?? [] }]))
}

/** The overrides of a span, by schedule: those that always count, and those of the policy that calls. */
export async function readOverrides(
  db: Db,
  tenant: { id: string },
  schedules: readonly string[],
  { from, to, policyId = null }: Span,
): Promise<Map<string, Override[]>> {
  const overrides = await selectOverrides(db, tenant, schedules)
    .where('o.starts_at', '<', to.toISOString())
    .where('o.ends_at', '>', from.toISOString())
    .where(({ or, eb }) =>
      or([eb('o.policy_id', 'is', null), ...(policyId === null ? [] : [eb('o.policy_id', '=', policyId)])]),
    )
    .orderBy('o.created_at')
    .orderBy('o.id')
    .execute()
  const bySchedule = Map.groupBy(overrides, row => row.schedule_id)
  return new Map([...bySchedule].map(([schedule, rows]) => [schedule, rows.map(overrideOf)]))
}

const overrideOf = (row: OverrideRow): Override => ({
  id: row.id,
  userId: row.user_id,
  replacesUserId: row.replaces_user_id,
  policyId: row.escalation_policy_id,
  startsAt: Date.parse(row.starts_at),
  endsAt: Date.parse(row.ends_at),
})
