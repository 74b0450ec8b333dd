import { sql } from 'kysely'
import type { Pool } from 'pg'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { Cause, State } from '#control-plane/engine/state/rules.ts'
import { judgedSpans, timeOf, uptimePct, withRegionGaps } from '#control-plane/monitoring/statistics/judged-time.ts'
import { maintenanceSql, regionGapsSql } from '#control-plane/monitoring/statistics/verdict-intervals.ts'
import { goesOnSql } from '#control-plane/tenancy/team-states/state.ts'

export interface BadgeStatus {
  tenantId: string
  isDown: boolean
  uptimePct: number | null
}

type BadgeRow = Row<'checks', 'tenant_id' | 'verdict'> & {
  state: State
  cause: Cause | null
  starts: number
  ends: number
  changes: [at: number, verdict: string][] | null
  gaps: Pair[] | null
  maintenance: Pair[] | null
  region_gaps: Pair[] | null
}
type Pair = [from: number, to: number]

/** The days that a badge shows. For a paused monitor they end with the beginning of the pause. */
const windowDays = 30

const statusOf = prepared(
  'badge',
  (monitorId: string, now: Date) => sql<BadgeRow>`
    with found as (
      select c.id, c.monitor_id, c.tenant_id, c.verdict,
        s.state, s.cause
      from monitors m join tenants t on t.id = m.tenant_id join checks c on c.monitor_id = m.id
      cross join lateral (select o.state, o.cause from monitor_states(t.id) o where o.monitor_id = m.id) s
      where m.id = ${monitorId} and ${goesOnSql('badges')} and c.type = 'uptime' and c.is_enabled
      order by c.created_at, c.id limit 1
    ), newest as (
      select v.at, v.verdict from found f, lateral (
        select at, verdict from verdict_changes where check_id = f.id order by at desc, id desc limit 1
      ) v
    ), period as (
      select p.ends - make_interval(days => ${sql.lit(windowDays)}) as starts, p.ends
      from (select coalesce((select at from newest where verdict = 'paused'), ${now}::timestamptz) as ends) p
    )
    select f.tenant_id, f.state, f.cause, f.verdict,
      extract(epoch from p.starts)::float8 * 1000 as starts, extract(epoch from p.ends)::float8 * 1000 as ends,
      (select json_agg(json_build_array(extract(epoch from v.at) * 1000, v.verdict) order by v.at, v.id) from (
         (select id, at, verdict from verdict_changes where check_id = f.id and at <= p.starts
          order by at desc, id desc limit 1)
         union all
         (select id, at, verdict from verdict_changes where check_id = f.id and at > p.starts and at < p.ends)
       ) v) as changes,
      (select json_agg(json_build_array(extract(epoch from b.started_at) * 1000, extract(epoch from b.ended_at) * 1000))
       from monitoring_gaps b where b.ended_at > p.starts and b.started_at < p.ends) as gaps,
      (select json_agg(json_build_array(extract(epoch from b.started_at) * 1000, extract(epoch from b.ended_at) * 1000))
       from (${maintenanceSql(sql`ms.monitor_id = f.monitor_id`, sql`p.starts`, sql`p.ends`)}) b) as maintenance,
      (select json_agg(json_build_array(extract(epoch from b.started_at) * 1000, extract(epoch from b.ended_at) * 1000)
         order by b.started_at)
       from (${regionGapsSql(sql`r.check_id = f.id`, sql`p.starts`, sql`p.ends`)}) b) as region_gaps
    from found f, period p`,
)

const exist = prepared(
  'badge-monitors',
  (ids: readonly string[]) => sql<Row<'monitors', 'id'>>`
    select m.id from monitors m join tenants t on t.id = m.tenant_id
    where m.id = any(${ids}::uuid[]) and ${goesOnSql('badges')}`,
)

/**
 * Which of these monitors exist, in their order. Asked before a status is read: strangers may ask for any id, and many
 * such requests share this one statement.
 */
export async function areMonitors(platform: Pool, ids: readonly string[]): Promise<boolean[]> {
  const stored = await rows(platform, exist(ids))
  const found = new Set(stored.map(({ id }) => id))
  return ids.map(id => found.has(id))
}

/** The status that a badge shows; null: the monitor does not exist, its tenant is deleted, or its uptime check is off. */
export async function readBadgeStatus(platform: Pool, monitorId: string, now: Date): Promise<BadgeStatus | null> {
  const [row] = await rows(platform, statusOf(monitorId, now))
  if (!row) return null
  const changes = withRegionGaps(
    (row.changes ?? []).map(([at, verdict]) => ({ at, verdict })),
    intervalsOf(row.region_gaps),
  )
  const [monitoringGaps, maintenance] = [intervalsOf(row.gaps), intervalsOf(row.maintenance)]
  const judged = timeOf(judgedSpans({ changes, monitoringGaps, maintenance }, row.starts, row.ends))
  return {
    tenantId: row.tenant_id,
    // the check may be down where another makes its monitor so, and as a warning; but only while its verdict is current
    isDown: row.verdict === 'down' && judgedStates.has(row.state),
    uptimePct: row.cause === 'no_region' ? null : uptimePct(judged),
  }
}

const judgedStates: ReadonlySet<State> = new Set(['down', 'degraded', 'up'])

const intervalsOf = (pairs: Pair[] | null) => (pairs ?? []).map(([from, to]) => ({ from, to }))

export const statusTtlMs = 60_000
