import type { Run } from '#control-plane/tenancy/plans/run.ts'
import type { Interval, JudgedTime } from './judged-time.ts'
import {
  cutFor,
  edgesOf,
  intervalColumns,
  maintenanceSql,
  monitorGapsSql,
  msAfterStart,
  regionGapsSql,
  timesIn,
  type VerdictIntervals,
} from './verdict-intervals.ts'

type Total = Pick<JudgedTime, 'up' | 'warning' | 'down'>

/** The judged time of all of the tenant's monitors together, in each window, in whole milliseconds. */
export async function readTotalTime(run: Run, tenant: { id: string }, windows: readonly Interval[]): Promise<Total[]> {
  const cut = await cutFor(run, windows)
  const [start, end] = [new Date(cut.whole.from), new Date(cut.whole.to)]
  const gapPairs = await run<VerdictIntervals>(intervalsOfAll, [
    tenant.id,
    ...[start, end, start, tenant.id, start, end],
    ...[end, start, tenant.id, start, tenant.id, start, end],
    ...[start, start, start, end, tenant.id, end, start],
    ...[start, end, tenant.id, end, start, start],
    ...[edgesOf(cut), edgesOf(cut)],
  ])
  return timesIn(cut, gapPairs).map(({ up, warning, down }) => ({ up, warning, down }))
}

/**
 * Changes are read in the order of the index. The verdict before the first change is read separately. `in (…) is true`
 * uses a hash table, where a join may be planned as every change beside every monitor.
 */
const nextChange = 'lead(at, 1, ?::timestamptz) over (partition by monitor_id order by at)'
const gapsOfChecks = `
  select g.*, coalesce(
    (select c.monitor_id from checks c where c.id = g.check_id),
    (select v.monitor_id from verdict_changes v where v.check_id = g.check_id limit 1)
  ) as monitor_id
  from (${regionGapsSql('r.tenant_id = ?', '?::timestamptz', '?::timestamptz')}) g`
const intervalsOfAll = `
  with selected as materialized (
    select id as monitor_id from monitors where tenant_id = ?
  ),
  later as (
    select monitor_id, verdict, ${msAfterStart('at')} as starts, ${msAfterStart(nextChange)} as ends
    from monitor_changes
    where tenant_id = ? and at > ?::timestamptz and at < ?::timestamptz
      and (monitor_id in (select monitor_id from selected)) is true
  ),
  earlier as (
    select s.monitor_id, v.verdict, 0 as starts, ${msAfterStart('coalesce(n.at, ?::timestamptz)')} as ends
    from selected s cross join lateral (
      select verdict from monitor_changes where tenant_id = ? and monitor_id = s.monitor_id and at <= ?::timestamptz
      order by at desc limit 1
    ) v left join lateral (
      select at from monitor_changes
      where tenant_id = ? and monitor_id = s.monitor_id and at > ?::timestamptz and at < ?::timestamptz
      order by at limit 1
    ) n on true
  ),
  judged as materialized (
    select * from (select * from later union all select * from earlier) p where verdict in ('up', 'warning', 'down')
  ),
  -- not judged whatever the verdict was: in maintenance, or while the regions of all its checks were away
  unjudged as materialized (
    select d.monitor_id, ${msAfterStart('lower(d.span)')} as starts, ${msAfterStart('upper(d.span)')} as ends from (
      select monitor_id, unnest(range_agg(tstzrange(started_at, ended_at))) as span
      from (
        ${maintenanceSql('ms.tenant_id = ?', '?::timestamptz', '?::timestamptz')}
        union all
        select * from (${monitorGapsSql(gapsOfChecks)}) g
      ) s group by monitor_id
    ) d
  )
  select ${intervalColumns} from (
    select verdict, starts, ends, 1 as sign from judged
    union all
    select j.verdict, greatest(j.starts, m.starts), least(j.ends, m.ends), -1
    from judged j join unjudged m on m.monitor_id = j.monitor_id and m.starts < j.ends and m.ends > j.starts
  ) p group by 1, 2, 3`
