import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import type { Payload } from '#contract/events.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { type Db, queries, rows, stamp } from '#control-plane/db/queries.ts'
import { type FieldsSql, insertEventsSql, wakeSql } from '#control-plane/outbox/emit.ts'

export const states = ['scheduled', 'active', 'completed', 'cancelled'] as const

export type WindowRow = InferResult<ReturnType<typeof selectWindows>>[number]

/** Windows of a tenant. Monitors and pages that were deleted since are left out. */
export const selectWindows = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('maintenance_windows as w')
    .where('w.tenant_id', '=', tenant.id)
    .select([
      'w.id',
      'w.title',
      'w.description',
      'w.tags',
      'w.is_all',
      'w.starts_at',
      'w.timezone',
      'w.duration_minutes',
      'w.rrule',
      'w.until',
      'w.mode',
      'w.exclude_from_uptime',
      'w.notify_on_create',
      'w.notify_on_start',
      'w.notify_on_end',
      'w.state',
    ])
    .select(({ ref }) => [
      ref('w.notify_before_minutes').$castTo<number[]>().as('notify_before_minutes'),
      sql<string[]>`array(select m.id from monitors m where m.tenant_id = w.tenant_id and m.id = any(w.monitor_ids)
        order by array_position(w.monitor_ids, m.id))`.as('monitor_ids'),
      sql<string[]>`array(select s.id from status_pages s
        where s.tenant_id = w.tenant_id and s.id = any(w.status_page_ids)
        order by array_position(w.status_page_ids, s.id))`.as('status_page_ids'),
      stamp(ref('w.next_starts_at')).as('next_starts_at'),
      stamp(ref('w.next_ends_at')).as('next_ends_at'),
      stamp(ref('w.actual_started_at')).as('actual_started_at'),
      stamp(ref('w.actual_ended_at')).as('actual_ended_at'),
      stamp(ref('w.last_planned_at')).as('last_planned_at'),
      stamp(ref('w.created_at')).as('created_at'),
      stamp(ref('w.updated_at')).as('updated_at'),
    ])

export async function findWindow(em: EntityManager, tenant: { id: string }, id: string): Promise<WindowRow> {
  const row = await selectWindows(em, tenant).where('w.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Maintenance window')
  return row
}

/** A window that is not over, locked: changes of its state wait for each other here. */
export async function lockWindow(em: EntityManager, tenant: { id: string }, id: string): Promise<WindowRow> {
  const row = await selectWindows(em, tenant).where('w.id', '=', id).forUpdate('w').executeTakeFirst()
  if (!row) throw notFound('Maintenance window')
  if (row.state === 'completed' || row.state === 'cancelled')
    throw invalid({ state: ['This window is over: it is read-only.'] }, 'window_over')
  return row
}

/** As `lockWindow`, for what only a window does that has not begun. */
export async function lockScheduled(em: EntityManager, tenant: { id: string }, id: string): Promise<WindowRow> {
  const row = await lockWindow(em, tenant, id)
  if (row.state === 'active') throw invalid({ state: ['This window is active: stop it first.'] }, 'window_active')
  return row
}

/** As `lockWindow`, for what only an active window does. */
export async function lockActive(em: EntityManager, tenant: { id: string }, id: string): Promise<WindowRow> {
  const row = await lockWindow(em, tenant, id)
  if (row.state !== 'active') throw invalid({ state: ['This window is not active.'] }, 'window_not_active')
  return row
}

/** An occurrence at other times than planned; `started` and `ended` are null when it is left out. */
export interface WindowException {
  /** RFC 3339, as the other times. */
  planned: string
  started: string | null
  ended: string | null
}

export const leftOutExceptions = (leftOut: readonly Date[]): WindowException[] =>
  leftOut.map(planned => ({ planned: planned.toISOString(), started: null, ended: null }))

/** Keeps which starts of the rule are left out after one that was planned for `plannedAt`, instead of those before. */
export async function leaveOut(
  em: EntityManager,
  { tenant, id, plannedAt }: { tenant: { id: string }; id: string; plannedAt: Date },
  leftOut: readonly Date[],
): Promise<void> {
  const later = leftOut.filter(start => start > plannedAt)
  await queries(em)
    .updateTable('maintenance_windows')
    .set(({ ref }) => ({
      exceptions: sql`coalesce((select jsonb_agg(e order by n)
        from jsonb_array_elements(${ref('exceptions')}) with ordinality as x(e, n)
        where (e ->> 'planned')::timestamptz <= ${plannedAt.toISOString()}::timestamptz), '[]')
        || ${JSON.stringify(leftOutExceptions(later))}::jsonb`,
    }))
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .execute()
}

export type WindowEvent =
  | 'maintenance.scheduled'
  | 'maintenance.started'
  | 'maintenance.ended'
  | 'maintenance.cancelled'

const payload: FieldsSql<Payload<WindowEvent>> = {
  maintenance_window_id: 'w.id',
  title: 'w.title',
  description: 'w.description',
  mode: 'w.mode',
  starts_at: stamp(sql<string>`case when w.state = 'active' then w.actual_started_at else w.next_starts_at end`),
  ends_at: stamp('w.next_ends_at'),
  timezone: 'w.timezone',
  is_recurring: sql`w.rrule is not null`,
  monitor_ids: sql`to_jsonb(w.monitor_ids)`,
  tags: sql`to_jsonb(w.tags)`,
  all: 'w.is_all',
}

/** Emits one event for each row `w`, a window. */
export const insertWindowEventsSql = (name: WindowEvent) =>
  insertEventsSql({ name, tenant: 'w.tenant_id', payload, from: sql`from w` })

/** Publishes an event of a window as its row is. */
export const emitWindow = (db: Db, tenant: { id: string }, event: WindowEvent, id: string): Promise<unknown> =>
  rows(db)`with w as (
    select * from maintenance_windows where tenant_id = ${tenant.id} and id = ${id}
  ), emitted as (${insertWindowEventsSql(event)})
  select ${wakeSql} from emitted`
