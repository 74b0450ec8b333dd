import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { among, type Db, queries, stamp, total } from '#control-plane/db/queries.ts'
import type { Rule } from './duty.ts'

export type ScheduleRow = InferResult<ReturnType<typeof selectSchedules>>[number]
export type RotationRow = InferResult<ReturnType<typeof selectRotations>>[number]
export type OverrideRow = InferResult<ReturnType<typeof selectOverrides>>[number]

/** The schedules of a team, to be filtered. */
export const selectSchedules = (db: Db, tenant: { id: string }) =>
  queries(db)
    .selectFrom('on_call_schedules as s')
    .where('s.tenant_id', '=', tenant.id)
    .select(['s.id', 's.name', 's.timezone'])
    .select(({ ref }) => [stamp(ref('s.created_at')).as('created_at'), stamp(ref('s.updated_at')).as('updated_at')])

/** A page of a team’s schedules, oldest first, and how many there are in all. */
export async function pageOfSchedules(
  em: EntityManager,
  tenant: { id: string },
  { page, per_page }: { page: number; per_page: number },
): Promise<{ rows: ScheduleRow[]; count: number }> {
  const counted = await queries(em)
    .selectFrom('on_call_schedules')
    .where('tenant_id', '=', tenant.id)
    .select(total)
    .executeTakeFirstOrThrow()
  const rows = await selectSchedules(em, tenant)
    .orderBy('s.created_at')
    .orderBy('s.id')
    .limit(per_page)
    .offset((page - 1) * per_page)
    .execute()
  return { rows, count: counted.total }
}

/** A schedule of this team, or a 404. */
export async function findSchedule(em: EntityManager, tenant: { id: string }, id: string): Promise<ScheduleRow> {
  const row = await selectSchedules(em, tenant).where('s.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('On-call schedule')
  return row
}

/** The same, and locks it: changes of one schedule, its rotations and its overrides are made one after the other. */
export async function lockSchedule(em: EntityManager, tenant: { id: string }, id: string): Promise<ScheduleRow> {
  const row = await selectSchedules(em, tenant).where('s.id', '=', id).forUpdate('s').executeTakeFirst()
  if (!row) throw notFound('On-call schedule')
  return row
}

/** Has a schedule examined at once, as what it says of who has duty has changed. */
export const examineSoon = (em: EntityManager, tenant: { id: string }, id: string): Promise<unknown> =>
  queries(em)
    .updateTable('on_call_schedules')
    .set({ watch_at: sql<string>`clock_timestamp()` })
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .execute()

const selectRotations = (db: Db, tenant: { id: string }, scheduleIds: readonly string[]) =>
  queries(db)
    .selectFrom('on_call_rotations as r')
    .where('r.tenant_id', '=', tenant.id)
    .where('r.schedule_id', '=', among(scheduleIds))
    .select(['r.id', 'r.schedule_id', 'r.name', 'r.position', 'r.handoff', 'r.shift_minutes', 'r.first_handoff_at'])
    .select(({ ref }) => [
      ref('r.restrictions').$castTo<Rule['restrictions']>().as('restrictions'),
      stamp(ref('r.starts_at')).as('starts_at'),
      stamp(ref('r.ends_at')).as('ends_at'),
      sql<string[]>`array(select u.user_id::text from on_call_rotation_users u
        where u.rotation_id = ${ref('r.id')} order by u.position)`.as('users'),
    ])
    .orderBy('r.position')
    .orderBy('r.id')

/** The rotations of schedules, each list in its order. */
export async function readRotations(
  db: Db,
  tenant: { id: string },
  scheduleIds: readonly string[],
): Promise<Map<string, RotationRow[]>> {
  return Map.groupBy(await selectRotations(db, tenant, scheduleIds).execute(), row => row.schedule_id)
}

/** The overrides of a team’s schedules, to be filtered and put in order. */
export const selectOverrides = (db: Db, tenant: { id: string }, scheduleIds: readonly string[]) =>
  queries(db)
    .selectFrom('on_call_overrides as o')
    .where('o.tenant_id', '=', tenant.id)
    .where('o.schedule_id', '=', among(scheduleIds))
    .select(['o.id', 'o.schedule_id', 'o.user_id', 'o.replaces_user_id', 'o.reason', 'o.created_by'])
    .select('o.policy_id as escalation_policy_id')
    .select(({ ref }) => [
      stamp(ref('o.starts_at')).as('starts_at'),
      stamp(ref('o.ends_at')).as('ends_at'),
      stamp(ref('o.created_at')).as('created_at'),
    ])
