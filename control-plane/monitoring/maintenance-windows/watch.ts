import { type RawBuilder, sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import type { BoundedRunner } from '#bounded/runner.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { type BadRow, isQuarantinedSql, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { wakeSql } from '#control-plane/outbox/emit.ts'
import { deleteExpiredWindows } from './delete-expired.ts'
import { sendNotices } from './notices.ts'
import { insertWindowEventsSql, leftOutExceptions, type WindowEvent, type WindowException } from './row.ts'
import { plannedAfter } from './rule.ts'

interface Dependencies {
  platform: Pool
  bounded: Pick<BoundedRunner, 'run'>
  log: Pick<Logger, 'warn' | 'error'>
}

const everyMs = 1_000
const tidyEveryMs = 3_600_000
const windowsAtOnce = 2_000
const plansAtOnce = 100

/** Windows `w` in a state whose moment has come, and the statement that moves all of them and publishes it. */
const move = (name: string, event: WindowEvent, due: RawBuilder<unknown>, change: RawBuilder<unknown>) =>
  prepared(
    name,
    () => sql<{ moved: number }>`
  with w as (
    select w.* from maintenance_windows w join tenants t on t.id = w.tenant_id
    where ${due} and t.deleted_at is null
    limit ${sql.lit(windowsAtOnce)} for update of w skip locked
  ), moved as (
    update maintenance_windows stored set ${change}, updated_at = clock_timestamp() from w where stored.id = w.id
  ), published as (
    ${insertWindowEventsSql(event)}
  )
  select count(*)::int as moved, count(${wakeSql})::int as notified from published`,
  )

const begin = move(
  'maintenance-begin',
  'maintenance.started',
  sql`w.state = 'scheduled' and w.next_ends_at is not null and w.next_starts_at <= clock_timestamp()`,
  sql`state = 'active', actual_started_at = clock_timestamp(), actual_ended_at = null`,
)

// one that recurs is planned afterwards: a rule that cannot be read does not keep its window active
const end = move(
  'maintenance-end',
  'maintenance.ended',
  sql`w.state = 'active' and w.next_ends_at <= clock_timestamp()`,
  sql`state = case when w.rrule is null then 'completed' else 'scheduled' end, actual_ended_at = clock_timestamp(),
   next_starts_at = case when w.rrule is not null then w.next_starts_at end, next_ends_at = null`,
)

const unplanned = prepared(
  'maintenance-unplanned',
  (only: readonly string[] | null) => sql<Unplanned>`
    select w.id, w.tenant_id, w.starts_at, w.timezone, w.duration_minutes, w.rrule, w.until,
      coalesce(w.next_starts_at, w.updated_at) as planned_at, coalesce(w.actual_ended_at, w.updated_at) as ended_at,
      clock_timestamp() as now
    from maintenance_windows w
    where w.state = 'scheduled' and w.next_ends_at is null
      and case when ${only}::uuid[] is null then not ${isQuarantinedSql('maintenance_window', 'w.id')}
        else w.id = any(${only}::uuid[]) end
    order by w.id limit ${sql.lit(plansAtOnce)} for update of w skip locked`,
)

const plan = prepared(
  'maintenance-plan',
  (plans: string) => sql`
    update maintenance_windows w set state = case when r.starts_at is null then 'completed' else 'scheduled' end,
      next_starts_at = r.starts_at, next_ends_at = r.ends_at, exceptions = w.exceptions || r.left_out
    from json_to_recordset(${plans}::json) as r(id uuid, starts_at timestamptz, ends_at timestamptz, left_out jsonb)
    where w.id = r.id`,
)

type Unplanned = Row<
  'maintenance_windows',
  'id' | 'tenant_id' | 'starts_at' | 'timezone' | 'duration_minutes' | 'rrule' | 'until'
> & { planned_at: string; ended_at: string; now: string }

/**
 * Whether there is anything to do, in one statement for four: a change of no row costs a hundred times as much, as the
 * table's triggers run for each statement.
 */
const due = prepared(
  'maintenance-due',
  () => sql<Due>`
    select exists (select from maintenance_windows
      where state = 'scheduled' and next_ends_at is not null and next_starts_at <= clock_timestamp()) as begins,
    exists (select from maintenance_windows where state = 'active' and next_ends_at <= clock_timestamp()) as ends,
    exists (select from maintenance_windows where state = 'scheduled' and next_ends_at is null) as unplanned,
    exists (select from maintenance_notices where due_at <= clock_timestamp()) as notices`,
)

type Due = Record<'begins' | 'ends' | 'unplanned' | 'notices', boolean>

/**
 * Starts and ends windows whose moment has come by the database's clock, plans the next occurrence of others, and sends
 * the mails that are due.
 */
export async function moveWindows(dependencies: Dependencies): Promise<void> {
  const { platform } = dependencies
  const [is] = await rows(platform, due())
  if (!is) return
  for (const [statement, hasSome] of [
    [begin, is.begins],
    [end, is.ends],
  ] as const)
    for (let moved = hasSome ? windowsAtOnce : 0; moved === windowsAtOnce; )
      moved = (await rows(platform, statement()))[0]?.moved ?? 0
  // one that has ended in this round is planned as well
  const hasUnplanned = is.unplanned || is.ends
  for (let planned = hasUnplanned ? plansAtOnce : 0; planned === plansAtOnce; )
    planned = await planWindows(dependencies, null)
  // last, so that a window that begins drops its reminders; beginning and ending make notices of their own
  if (is.notices || is.begins || is.ends) await sendNotices(platform)
}

/** Computes the next occurrence of windows that have none. `only`: of these, although they are in quarantine. */
async function planWindows(dependencies: Dependencies, only: readonly string[] | null): Promise<number> {
  const quarantine = new Quarantine(dependencies)
  const bad: BadRow[] = []
  const planned = await inTransaction(dependencies.platform, client =>
    planSome(client, dependencies.bounded, only, bad),
  )
  await quarantine.add('maintenance_window', bad)
  const isBad = new Set(bad.map(({ key }) => key))
  if (only)
    await quarantine.release(
      'maintenance_window',
      only.filter(id => !isBad.has(id)),
    )
  return planned
}

async function planSome(
  client: PoolClient,
  bounded: Dependencies['bounded'],
  only: readonly string[] | null,
  bad: BadRow[],
): Promise<number> {
  const found = await rows(client, unplanned(only))
  const plans: { id: string; starts_at: Date | null; ends_at: Date | null; left_out: WindowException[] }[] = []
  const ofTenants = [...Map.groupBy(found, ({ tenant_id }) => tenant_id)]
  await Promise.all(
    ofTenants.map(([tenantId, windows]) =>
      eachIsolated(
        windows,
        async row => {
          const over = { plannedAt: new Date(row.planned_at), endedAt: new Date(row.ended_at) }
          const { occurrence: next, leftOut } = await plannedAfter({ bounded, tenantId }, row, over, new Date(row.now))
          const left_out = leftOutExceptions(leftOut)
          plans.push({ id: row.id, starts_at: next?.startsAt ?? null, ends_at: next?.endsAt ?? null, left_out })
        },
        ({ id, tenant_id }, error) => bad.push({ key: id, tenant: tenant_id, error }),
      ),
    ),
  )
  if (plans.length > 0) await rows(client, plan(JSON.stringify(plans)))
  return found.length
}

interface WindowWatch {
  /** Computes the next occurrence of windows that were put into quarantine. */
  retry(windows: readonly string[]): Promise<unknown>
  stop(): Promise<void>
}

/** Moves windows every second, and deletes old ones every hour. Any number of processes may do so. */
export function watchWindows(dependencies: Dependencies): WindowWatch {
  const round = () => moveWindows(dependencies)
  const tidy = () => deleteExpiredWindows(dependencies.platform)
  const { log } = dependencies
  const loops = [
    new Loop({ everyMs, round, log, failure: 'maintenance window failure' }),
    new Loop({ everyMs: tidyEveryMs, round: tidy, log, failure: 'maintenance window deletion failure' }),
  ].map(loop => loop.start())
  return {
    retry: windows => planWindows(dependencies, windows),
    async stop() {
      await Promise.all(loops.map(loop => loop.stop()))
    },
  }
}
