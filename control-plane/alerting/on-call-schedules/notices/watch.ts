import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import { daysAfter } from '#contract/time.ts'
import { dutiesOf, horizonDays, onCallAt } from '#control-plane/alerting/on-call-schedules/duty.ts'
import { readOverrides } from '#control-plane/alerting/on-call-schedules/plans.ts'
import { storeVersions } from '#control-plane/alerting/on-call-schedules/rotation-versions.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { isQuarantinedSql, putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { json, prepared, queries, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { type Gap, newGaps } from './gaps.ts'
import { type DueSchedule, dutyChangeMails, mailHandover, warnOfGaps } from './write.ts'

export type WatchDeps = Pick<Services, 'platform' | 'config' | 'log'>

const everyMs = 1_000
const gapDays = 7
/** A schedule is examined at least this often: its zone, its plan and the days ahead change without a row. */
const longestMs = 3_600_000

const isDue = sql`s.watch_at <= clock_timestamp() and t.deleted_at is null`
/** Most rounds find none, and end with this statement. */
const anyDue = prepared(
  'any-on-call-due',
  () => sql<{ is_due: boolean }>`
    select exists (select from on_call_schedules s join tenants t on t.id = s.tenant_id
    where ${isDue}) as is_due`,
)

const due = prepared(
  'on-call-due',
  () => sql<DueSchedule>`
    select s.id, s.tenant_id, s.name, s.timezone, s.on_duty_user_id, s.knows_duty, s.warned_gaps,
      t.name as team_name, t.plan, t.feature_overrides, clock_timestamp() as now,
      ${isQuarantinedSql('on_call_schedule', 's.id')} as is_quarantined
    from on_call_schedules s join tenants t on t.id = s.tenant_id
    where ${isDue}
    order by s.watch_at limit 1 for update of s skip locked`,
)

/**
 * Examines the schedules that are due, each in one transaction with its mails and the date of the next examination:
 * gaps of the next days are warned of, and people who come on or go off duty are mailed. Several processes may do so.
 */
export async function examineSchedules(deps: WatchDeps, isStopped: () => boolean = () => false): Promise<void> {
  const [stored] = await rows(deps.platform, anyDue())
  if (!stored?.is_due) return
  const quarantine = new Quarantine(deps)
  for (let row: DueSchedule | undefined; !isStopped(); ) {
    let isHandled = false
    const examine = async () => {
      await inTransaction(deps.platform, async client => {
        row = (await rows(client, due()))[0]
        if (row) await examineOne(deps, client, row)
      })
      isHandled = true
    }
    await eachIsolated([null], examine, async (_, error) => {
      if (!row) throw error
      const { id, tenant_id } = row
      await quarantine.putOff(
        'on_call_schedule',
        [{ key: id, tenant: tenant_id, error }],
        client =>
          rows(client)`update on_call_schedules
          set watch_at = clock_timestamp() + interval '${sql.lit(putOffS)} seconds' where id = ${id}`,
      )
    })
    if (!row) return
    if (isHandled && row.is_quarantined) await quarantine.release('on_call_schedule', [row.id])
    row = undefined
  }
}

async function examineOne({ config }: WatchDeps, client: PoolClient, row: DueSchedule): Promise<void> {
  const { id, tenant_id, plan, feature_overrides } = row
  const now = new Date(row.now)
  const latest = new Date(now.getTime() + longestMs)
  const store = (values: { watch_at: string; knows_duty: boolean; on_duty_user_id: string | null; gaps: Gap[] }) =>
    queries(client)
      .updateTable('on_call_schedules')
      .set({
        watch_at: values.watch_at,
        knows_duty: values.knows_duty,
        on_duty_user_id: values.on_duty_user_id,
        warned_gaps: json(values.gaps),
      })
      .where('id', '=', id)
      .execute()
  const { before, after } = await storeVersions(client, { id: tenant_id }, row)
  if (!effectiveLimits(plan, feature_overrides).on_call_schedules) {
    await store({ watch_at: latest.toISOString(), knows_duty: false, on_duty_user_id: null, gaps: [] })
    return
  }
  const span = { from: now, to: daysAfter(now, horizonDays) }
  const overrides = (await readOverrides(client, { id: tenant_id }, [id], span)).get(id) ?? []
  const schedule = { rotations: after, overrides }
  // what the API changed was stored and mailed by it: here people have left, or are disabled or enabled
  const change = { before: { rotations: before, overrides }, after: schedule, now, changedBy: null }
  for (const mail of await dutyChangeMails(client, config, row, change))
    await addMail(client, config, { tenantId: tenant_id, type: 'on_call_handover', ...mail })
  const { duty, until } = onCallAt(schedule, now.getTime())
  const gaps = dutiesOf(schedule, now.getTime(), daysAfter(now, gapDays).getTime())
    .filter(({ userId }) => userId === null)
    .map(({ from, to }) => ({ from, to }))
  const found = newGaps(gaps, row.warned_gaps)
  if (found.length > 0) await warnOfGaps(client, row, found)
  if (row.knows_duty && duty.userId !== row.on_duty_user_id)
    await mailHandover(client, config, row, { begins: duty.userId, ends: row.on_duty_user_id, until })
  await store({
    watch_at: new Date(Math.min(until ?? Number.POSITIVE_INFINITY, latest.getTime())).toISOString(),
    knows_duty: true,
    on_duty_user_id: duty.userId,
    gaps,
  })
}

interface ScheduleWatch {
  /** Examines schedules that were put into quarantine. */
  retry(schedules: readonly string[]): Promise<void>
  stop(): Promise<void>
}

export function watchSchedules(deps: WatchDeps): ScheduleWatch {
  const round = () => examineSchedules(deps, () => loop.isStopped)
  const loop: Loop = new Loop({ everyMs, round, log: deps.log, failure: 'on-call schedule failure' }).start()
  return {
    async retry(schedules) {
      await rows(deps.platform)`
        update on_call_schedules set watch_at = clock_timestamp() where id = any(${schedules}::uuid[])`
      loop.wake()
    },
    stop: () => loop.stop(),
  }
}
