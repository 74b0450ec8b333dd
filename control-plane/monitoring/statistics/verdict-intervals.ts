import { type Expression, type RawBuilder, sql } from 'kysely'
import { columnOf, type Db, rows } from '#control-plane/db/queries.ts'
import { type Interval, type JudgedTime, judgements, merged, wholeOf } from './judged-time.ts'

/**
 * Intervals of one verdict that began and ended between the same edges: their number, and the sums of their beginnings
 * and ends in milliseconds.
 */
export interface VerdictIntervals {
  verdict: string
  began: number
  ended: number
  intervals: number
  starts: number
  ends: number
}

/** A part of a statement. */
type Fragment = RawBuilder<unknown>

/** How time is cut for some windows: at their beginnings and ends, and at those of monitoring gaps. */
export interface Cut {
  whole: Interval
  windows: readonly (Interval & { gaps: readonly Interval[] })[]
  /** Milliseconds after the beginning of the whole. */
  edges: readonly number[]
}

export const milliseconds = (moment: Expression<unknown> | string): RawBuilder<number> =>
  sql<number>`round(date_part('epoch', ${columnOf(moment)}) * 1000)`

/** SQL: the monitoring gaps that touch the time between two moments. */
export const monitoringGaps = ({ from, to }: Interval): RawBuilder<Interval> =>
  gapsBetween(sql`${new Date(from)}`, sql`${new Date(to)}`)

export const gapsBetween = (start: Fragment, end: Fragment): RawBuilder<Interval> =>
  sql`select ${milliseconds('started_at')} as from, ${milliseconds('ended_at')} as to
    from monitoring_gaps where ended_at > ${start} and started_at < ${end} order by started_at`

/**
 * SQL: when monitors were in maintenance that does not count towards uptime, cut to the time between two moments. Spans
 * of several windows may overlap. Uptime is read by this alone. `of`: a condition on `ms`.
 */
export const maintenanceSql = (of: Fragment, start: Fragment, end: Fragment): Fragment => sql`
  select ms.monitor_id, greatest(ms.started_at, ${start}) as started_at, least(ms.ended_at, ${end}) as ended_at
  from maintenance_spans ms
  where ${of} and ms.is_excluded and ms.started_at < ${end} and coalesce(ms.ended_at, 'infinity') > ${start}`

/** The same as intervals in milliseconds. */
export const maintenanceIntervals = (of: Fragment, start: Fragment, end: Fragment): RawBuilder<Interval> =>
  sql`select ${milliseconds('d.started_at')} as from, ${milliseconds('d.ended_at')} as to
   from (${maintenanceSql(of, start, end)}) d order by 1`

/**
 * SQL: when checks were not measured as every region that they were asked from was away, cut to the time between two
 * moments. Such a time ends with the regions' return, or with the check's next change. `of`: a condition on `r`.
 */
export const regionGapsSql = (of: Fragment, start: Fragment, end: Fragment): Fragment => sql`
  select r.check_id, greatest(g.started_at, ${start}) as started_at, least(g.ended_at, n.at, ${end}) as ended_at
  from check_regions r
  join region_gaps g on g.shard = r.shard and g.regions = r.regions
    and g.started_at >= r.since and g.started_at < coalesce(r.ended_at, 'infinity')
  cross join lateral (
    select v.verdict from verdict_changes v
    where v.tenant_id = r.tenant_id and v.check_id = r.check_id and v.at <= g.started_at
    order by v.at desc, v.id desc limit 1
  ) b
  left join lateral (
    select v.at from verdict_changes v
    where v.tenant_id = r.tenant_id and v.check_id = r.check_id and v.at > g.started_at
    order by v.at, v.id limit 1
  ) n on true
  where ${of} and g.started_at < ${end} and coalesce(g.ended_at, 'infinity') > ${start}
    and coalesce(n.at, 'infinity') > ${start} and b.verdict in ('up', 'warning', 'down')`

/**
 * SQL: when nothing of a monitor was measured as the regions of all its judged checks were away. A check whose regions
 * alone are away keeps its last verdict as long as another one is measured. `gaps`: SQL of `regionGapsSql` with the
 * monitor of each check.
 */
export const monitorGapsSql = (gaps: Fragment): Fragment => sql`
  with gaps as materialized (${gaps}), moments as (
    select monitor_id, started_at as at from gaps
    union select monitor_id, ended_at from gaps
    union select v.monitor_id, v.at from gaps g
      join verdict_changes v on v.monitor_id = g.monitor_id and v.at > g.started_at and v.at < g.ended_at
  )
  select p.monitor_id, p.at as started_at, p.until as ended_at
  from (select m.*, lead(m.at) over (partition by m.monitor_id order by m.at) as until from moments m) p
  where p.until is not null
    and exists (select 1 from gaps g where g.monitor_id = p.monitor_id and g.started_at <= p.at and g.ended_at > p.at)
    and not exists (
      select 1 from ${checksOfSql(sql`p.monitor_id`)} c cross join lateral (
        select v.verdict from verdict_changes v where v.check_id = c.id and v.at <= p.at
        order by v.at desc, v.id desc limit 1
      ) l
      where l.verdict in ('up', 'warning', 'down') and not exists (
        select 1 from gaps g where g.check_id = c.id and g.started_at <= p.at and g.ended_at > p.at
      )
    )`

/** SQL: the checks of a monitor, with those that were removed. `monitor`: its id. */
const checksOfSql = (monitor: Fragment): Fragment => sql`(
  select id from checks where monitor_id = ${monitor}
  union all
  select check_id from verdict_changes where monitor_id = ${monitor} and verdict = 'removed')`

/** The gaps of one monitor as intervals in milliseconds. */
export const monitorGapIntervals = (monitor: Fragment, start: Fragment, end: Fragment): RawBuilder<Interval> => {
  const gaps = sql`select g.*, ${monitor} as monitor_id
    from (${regionGapsSql(sql`r.check_id in ${checksOfSql(monitor)}`, start, end)}) g`
  return sql`select ${milliseconds('u.started_at')} as from, ${milliseconds('u.ended_at')} as to
    from (${monitorGapsSql(gaps)}) u order by 1`
}

/** The same as intervals in milliseconds. */
export const regionGapIntervals = (of: Fragment, start: Fragment, end: Fragment): RawBuilder<Interval> =>
  sql`select ${milliseconds('u.started_at')} as from, ${milliseconds('u.ended_at')} as to
    from (${regionGapsSql(of, start, end)}) u order by 1`

export async function cutFor(db: Db, windows: readonly Interval[]): Promise<Cut> {
  const whole = wholeOf(windows)
  const gaps = within(whole, merged(await rows(db, monitoringGaps(whole))))
  const edges = [...new Set([whole, ...windows, ...gaps].flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  return {
    whole,
    windows: windows.map(window => ({ ...window, gaps: within(window, gaps) })),
    edges: edges.map(edge => edge - whole.from),
  }
}

const within = (bounds: Interval, intervals: readonly Interval[]): Interval[] =>
  intervals
    .map(({ from, to }) => ({ from: Math.max(from, bounds.from), to: Math.min(to, bounds.to) }))
    .filter(({ from, to }) => from < to)

/** Whole milliseconds after the beginning of the whole, in SQL. */
export const msAfterStart = (moment: Fragment, start: Fragment): Fragment =>
  sql`round(date_part('epoch', ${moment} - ${start}) * 1000)`

/**
 * The columns of `VerdictIntervals` for rows with `verdict`, `starts`, `ends` and `sign`, grouped by the first three.
 * `sign`: 1, or -1 for an interval that is taken away from another.
 */
export const intervalColumns = ({ edges }: Cut): Fragment => sql`
  verdict, width_bucket(starts, ${edges}::float8[]) as began, width_bucket(ends, ${edges}::float8[]) as ended,
  sum(sign)::int as intervals, sum(sign * starts) as starts, sum(sign * ends) as ends`

/** How the time of each window was judged. `no_data` is right only for intervals of one monitor. */
export function timesIn({ whole, windows, edges }: Cut, intervals: readonly VerdictIntervals[]): JudgedTime[] {
  const since = new Map(
    [...Map.groupBy(intervals, ({ verdict }) => verdict)].map(([verdict, same]) => [verdict, msSince(same, edges)]),
  )
  return windows.map(window => {
    const msOf = (verdict: string, { from, to }: Interval) => {
      const known = since.get(verdict)
      return (known?.get(from - whole.from) ?? 0) - (known?.get(to - whole.from) ?? 0)
    }
    const time: JudgedTime = { up: 0, warning: 0, down: 0, maintenance: 0, paused: 0, no_data: window.to - window.from }
    for (const verdict of judgements)
      if (verdict !== 'no_data') {
        time[verdict] = msOf(verdict, window) - window.gaps.reduce((sum, gap) => sum + msOf(verdict, gap), 0)
        time.no_data -= time[verdict]
      }
    return time
  })
}

/** From each edge on, the sum of the milliseconds of these intervals. */
function msSince(groups: readonly VerdictIntervals[], edges: readonly number[]): Map<number, number> {
  const at = edges.map(() => ({ ms: 0, count: 0 }))
  const add = (place: number, ms: number, count: number) => {
    const known = at[place - 1]
    if (!known) return
    known.ms += ms
    known.count += count
  }
  for (const { began, ended, intervals, starts, ends } of groups) {
    add(ended, ends, intervals)
    add(began, -starts, -intervals)
  }
  const since = new Map<number, number>()
  let [ms, count] = [0, 0]
  for (const [place, edge] of [...edges.entries()].reverse()) {
    ms += at[place]?.ms ?? 0
    count += at[place]?.count ?? 0
    since.set(edge, ms - count * edge)
  }
  return since
}
