import { sql } from 'kysely'
import { type Db, rows } from '#control-plane/db/queries.ts'
import type { Interval, JudgedTime } from './judged-time.ts'
import {
  type Cut,
  cutFor,
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
export async function readTotalTime(db: Db, tenant: { id: string }, windows: readonly Interval[]): Promise<Total[]> {
  const cut = await cutFor(db, windows)
  const gapPairs = await rows(db, intervalsOfAll(tenant, cut))
  return timesIn(cut, gapPairs).map(({ up, warning, down }) => ({ up, warning, down }))
}

/**
 * Changes are read in the order of the index. The verdict before the first change is read separately. `in (…) is true`
 * uses a hash table, where a join may be planned as every change beside every monitor.
 */
function intervalsOfAll(tenant: { id: string }, cut: Cut) {
  const [start, end] = [cut.whole.from, cut.whole.to].map(ms => sql`${new Date(ms)}::timestamptz`) as [Moment, Moment]
  const nextChange = sql`lead(at, 1, ${end}) over (partition by monitor_id order by at)`
  const ms = (moment: Moment) => msAfterStart(moment, start)
  const gapsOfChecks = sql`
    select g.*, coalesce(
      (select c.monitor_id from checks c where c.id = g.check_id),
      (select v.monitor_id from verdict_changes v where v.check_id = g.check_id limit 1)
    ) as monitor_id
    from (${regionGapsSql(sql`r.tenant_id = ${tenant.id}`, start, end)}) g`
  return sql<VerdictIntervals>`
  with selected as materialized (
    select id as monitor_id from monitors where tenant_id = ${tenant.id}
  ),
  later as (
    select monitor_id, verdict, ${ms(sql`at`)} as starts, ${ms(nextChange)} as ends
    from monitor_changes
    where tenant_id = ${tenant.id} and at > ${start} and at < ${end}
      and (monitor_id in (select monitor_id from selected)) is true
  ),
  earlier as (
    select s.monitor_id, v.verdict, 0 as starts, ${ms(sql`coalesce(n.at, ${end})`)} as ends
    from selected s cross join lateral (
      select verdict from monitor_changes
      where tenant_id = ${tenant.id} and monitor_id = s.monitor_id and at <= ${start}
      order by at desc limit 1
    ) v left join lateral (
      select at from monitor_changes
      where tenant_id = ${tenant.id} and monitor_id = s.monitor_id and at > ${start} and at < ${end}
      order by at limit 1
    ) n on true
  ),
  judged as materialized (
    select * from (select * from later union all select * from earlier) p where verdict in ('up', 'warning', 'down')
  ),
  -- not judged whatever the verdict was: in maintenance, or while the regions of all its checks were away
  unjudged as materialized (
    select d.monitor_id, ${ms(sql`lower(d.span)`)} as starts, ${ms(sql`upper(d.span)`)} as ends from (
      select monitor_id, unnest(range_agg(tstzrange(started_at, ended_at))) as span
      from (
        ${maintenanceSql(sql`ms.tenant_id = ${tenant.id}`, start, end)}
        union all
        select * from (${monitorGapsSql(gapsOfChecks)}) g
      ) s group by monitor_id
    ) d
  )
  select ${intervalColumns(cut)} from (
    select verdict, starts, ends, 1 as sign from judged
    union all
    select j.verdict, greatest(j.starts, m.starts), least(j.ends, m.ends), -1
    from judged j join unjudged m on m.monitor_id = j.monitor_id and m.starts < j.ends and m.ends > j.starts
  ) p group by 1, 2, 3`
}

type Moment = ReturnType<typeof msAfterStart>
