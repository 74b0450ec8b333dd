import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { type RawBuilder, sql } from 'kysely'
import { uptimeKinds } from '#checks/index.ts'
import { among, type Db, prepared, queries, type Row, rows as rowsOf } from '#control-plane/db/queries.ts'
import {
  addJudgedTimes,
  type Change,
  type Interval,
  type JudgedHistory,
  type JudgedTime,
  merged,
  noTime,
  overridesOf,
  wholeOf,
  withRegionGaps,
} from './judged-time.ts'
import {
  gapsBetween,
  maintenanceIntervals,
  milliseconds,
  monitorGapIntervals,
  monitoringGaps,
  regionGapIntervals,
} from './verdict-intervals.ts'

/**
 * `uptimeKinds` as an SQL array, and the order in which the check is chosen whose response times stand for a monitor:
 * enabled ones first.
 */
const uptimeKindList = sql`array[${sql.join(uptimeKinds.map(kind => sql.lit(kind)))}]::varchar[]`
export const uptimeCheckOrder = sql`is_enabled desc, array_position(${uptimeKindList}, type), created_at, id`

// a lateral query for each monitor: a join may be planned as every monitor beside every check after a table has grown
const firstCheckOf = (monitor: Fragment): Fragment => sql`(
  select id from checks where monitor_id = ${monitor} and type = any(${uptimeKindList})
  order by ${uptimeCheckOrder} limit 1)`

type Fragment = RawBuilder<unknown>

/** The check of a monitor whose response times stand for it, if it has one. */
export async function findUptimeCheck(
  em: EntityManager,
  tenant: { id: string },
  monitorId: string,
): Promise<string | null> {
  const [row] = await rowsOf(em)<{ check_id: Row<'checks'>['id'] | null }>`
    select ${firstCheckOf(sql`m.id`)} as check_id from monitors m
    where m.tenant_id = ${tenant.id} and m.id = ${monitorId}`
  return row?.check_id ?? null
}

/**
 * What the time of a monitor between two moments is judged by: its changes, with the last one before them and those to
 * and from the gaps of its regions, the monitoring gaps, and maintenance. Also of a monitor that was removed since.
 */
export async function readHistory(
  em: EntityManager,
  tenant: { id: string },
  monitorId: string,
  within: Interval,
): Promise<JudgedHistory> {
  const [start, end] = momentsOf(within)
  const changes = await rowsOf(em)<Row<'monitor_changes', 'verdict'> & { at: number }>`
    select ${milliseconds('at')} as at, verdict from (
     (select at, verdict from monitor_changes
      where tenant_id = ${tenant.id} and monitor_id = ${monitorId} and at <= ${start} order by at desc limit 1)
     union all
     (select at, verdict from monitor_changes
      where tenant_id = ${tenant.id} and monitor_id = ${monitorId} and at > ${start} and at < ${end})
   ) v order by v.at`
  const regionGaps = await rowsOf(em, monitorGapIntervals(sql`${monitorId}::uuid`, start, end))
  return {
    changes: withRegionGaps(changes, regionGaps),
    monitoringGaps: await rowsOf(em, monitoringGaps(within)),
    maintenance: await rowsOf(em, maintenanceIntervals(sql`ms.monitor_id = ${monitorId}`, start, end)),
  }
}

const momentsOf = ({ from, to }: Interval): [start: Fragment, end: Fragment] => [
  sql`${new Date(from)}::timestamptz`,
  sql`${new Date(to)}::timestamptz`,
]

/** When a check was not measured as every region that it was asked from was away. */
export function readRegionGaps(em: EntityManager, checkId: string, within: Interval): Promise<Interval[]> {
  return rowsOf(em, regionGapIntervals(sql`r.check_id = ${checkId}`, ...momentsOf(within)))
}

/** The check whose response times stand for a monitor, and how the monitor's time was judged in each window. */
export interface Judged {
  check: string | null
  times: JudgedTime[]
}

/** Monitors read at once, and changes of each: a check that changes every second has millions a month. */
const monitorsAtOnce = 200
const changesAtOnce = 2_000
/** Monitors times windows that are judged before other requests go on. */
const judgedAtOnce = 500

/**
 * How the time of many monitors was judged in several windows. `monitors` null: all monitors of these tenants; ids may
 * be of monitors that were removed since. Monitors of other tenants are left out. `adjust` may replace the verdicts of
 * changes, not their moments; it is given the changes in order, each with the one that ends it unless that is at `to`
 * or later.
 */
export async function readJudgedTime(
  db: Db,
  tenants: readonly string[],
  monitors: readonly string[] | null,
  windows: readonly Interval[],
  adjust: (changes: readonly Change[], to: number) => readonly Change[] = changes => changes,
): Promise<Map<string, Judged>> {
  const judged = new Map<string, Judged>()
  const all = queries(db).selectFrom('monitors').where('tenant_id', '=', among(tenants)).select('id')
  const ids = monitors ?? (await all.execute()).map(({ id }) => id)
  if (ids.length === 0) return judged
  const { from, to } = wholeOf(windows)
  const pauseAfter = Math.max(1, Math.floor(judgedAtOnce / windows.length))
  for (let n = 0; n < ids.length; n += monitorsAtOnce) {
    const asked = await rowsOf(
      db,
      judgedOfMonitors(ids.slice(n, n + monitorsAtOnce), tenants, new Date(from), new Date(to)),
    )
    const gapPairs = asked.find(({ monitor_id }) => monitor_id === gapsRowId)?.changes ?? null
    const gaps = merged(intervalsIn(gapPairs))
    const onlyGaps = overridesOf(gaps, [])
    let rows = asked.filter(({ monitor_id }) => monitor_id !== gapsRowId)
    for (const { monitor_id, check_id } of rows) judged.set(monitor_id, { check: check_id, times: windows.map(noTime) })
    while (rows.length > 0) {
      const left: Unread[] = []
      for (const [index, row] of rows.entries()) {
        if (index > 0 && index % pauseAfter === 0) await yieldToEventLoop()
        const changes = pairsIn(row.changes).map(([at, verdict]) => ({ at, verdict }))
        const isAll = changes.length < changesAtOnce
        const seen = { from: row.since, to: isAll ? to : Math.max(row.since + 1, changes.at(-1)!.at) }
        const overrides = row.maintenance === null ? onlyGaps : overridesOf(gaps, intervalsIn(row.maintenance))
        // those beyond the changes that were read belong to the next of them
        const regionGaps = intervalsIn(row.region_gaps).filter(({ from }) => from < seen.to)
        const all = adjust(withRegionGaps(changes, regionGaps), to)
        addJudgedTimes(judged.get(row.monitor_id)!.times, all, overrides, windows, seen)
        if (!isAll) left.push({ ...row, since: seen.to })
      }
      rows =
        left.length === 0 ? [] : await rowsOf(db, changesOfEach(unfinished(left), sql`${new Date(to)}::timestamptz`))
    }
  }
  return judged
}

/** A monitor whose changes are read from a moment on. */
type Unread = { monitor_id: string; tenant_id: string; check_id: string | null; since: number }

interface JudgedRow extends Unread {
  /** Comma-separated, each with its milliseconds: a row for each change would take twice as long as all the rest. */
  changes: string | null
  /** In the same form: the beginnings and ends. */
  maintenance: string | null
  /** The same of the gaps of its regions. */
  region_gaps: string | null
}

const intervalsIn = (text: string | null): Interval[] => pairsIn(text).map(([from, to]) => ({ from, to: Number(to) }))

const pairsIn = (text: string | null): [number, string][] => (text ? text.split(',').map(readPair) : [])

function readPair(text: string): [number, string] {
  const space = text.indexOf(' ')
  return [Number(text.slice(0, space)), text.slice(space + 1)]
}

/** The id of one more row that has the monitoring gaps: they need no query of their own. */
const gapsRowId = '00000000-0000-0000-0000-000000000000'

/** SQL: the last change before the beginning, and those after it; the maintenance and the region gaps of that time. */
const changesOfEach = (monitors: Fragment, end: Fragment): RawBuilder<JudgedRow> => sql`
  with selected as materialized (${monitors})
  select s.monitor_id, s.tenant_id, s.check_id, ${milliseconds('s.since')} as since, (
    select string_agg(${milliseconds('at')} || ' ' || verdict, ',' order by at) from (
      (select at, verdict from monitor_changes
       where tenant_id = s.tenant_id and monitor_id = s.monitor_id and at <= s.since order by at desc limit 1)
      union all
      (select at, verdict from monitor_changes
       where tenant_id = s.tenant_id and monitor_id = s.monitor_id and at > s.since and at < ${end}
       order by at limit ${sql.lit(changesAtOnce)})
    ) v
  ) as changes, (
    select string_agg(b.from || ' ' || b.to, ',') from (
      ${maintenanceIntervals(sql`ms.monitor_id = s.monitor_id`, sql`s.since`, end)}
    ) b
  ) as maintenance, case when (
    -- asked once for all monitors: mostly there was none
    select exists (
      select 1 from region_gaps g where coalesce(g.ended_at, 'infinity') > (select min(since) from selected)
    )
  ) then (
    select string_agg(b.from || ' ' || b.to, ',' order by b.from) from (
      ${monitorGapIntervals(sql`s.monitor_id`, sql`s.since`, end)}
    ) b
  ) end as region_gaps
  from selected s`

// one that was removed since has its tenant in its changes
const judgedOfMonitors = prepared(
  'judged-of-monitors',
  (ids: readonly string[], tenants: readonly string[], from: Date, to: Date): RawBuilder<JudgedRow> => {
    const [start, end] = [sql`${from}::timestamptz`, sql`${to}::timestamptz`]
    const monitors = sql`
      select n.id as monitor_id, o.tenant_id, ${firstCheckOf(sql`n.id`)} as check_id, ${start} as since
      from unnest(${ids}::uuid[]) as n (id) cross join lateral (
        select coalesce(
          (select tenant_id from monitors where id = n.id),
          (select c.tenant_id from monitor_changes c
           where c.tenant_id = any(${tenants}::uuid[]) and c.monitor_id = n.id limit 1)
        ) as tenant_id
      ) o where o.tenant_id = any(${tenants}::uuid[])`
    return sql`${changesOfEach(monitors, end)}
      union all
      select ${sql.lit(gapsRowId)}::uuid, ${sql.lit(gapsRowId)}::uuid, null, 0,
        string_agg(b.from || ' ' || b.to, ','), null, null
      from (${gapsBetween(start, end)}) b`
  },
)
const unfinished = (left: readonly Unread[]): Fragment =>
  sql`select monitor_id, tenant_id, check_id, since
    from unnest(
      ${left.map(({ monitor_id }) => monitor_id)}::uuid[], ${left.map(({ tenant_id }) => tenant_id)}::uuid[],
      ${left.map(({ check_id }) => check_id)}::uuid[], ${left.map(({ since }) => new Date(since))}::timestamptz[]
    ) as t (monitor_id, tenant_id, check_id, since)`
