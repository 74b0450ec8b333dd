import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { EntityManager } from '@mikro-orm/postgresql'
import { uptimeKinds } from '#checks/index.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { Run } from '#control-plane/tenancy/plans/run.ts'
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
  maintenanceIntervalsSql,
  milliseconds,
  monitorGapIntervalsSql,
  monitoringGapsSql,
  regionGapIntervalsSql,
} from './verdict-intervals.ts'

/**
 * `uptimeKinds` as an SQL array, and the order in which the check is chosen whose response times stand for a monitor:
 * enabled ones first.
 */
const uptimeKindList = `array[${uptimeKinds.map(kind => `'${kind}'`).join(', ')}]::varchar[]`
export const uptimeCheckOrder = `is_enabled desc, array_position(${uptimeKindList}, type), created_at, id`

// a lateral query for each monitor: a join may be planned as every monitor beside every check after a table has grown
const firstCheckOf = (monitor: string) => `(
  select id from checks where monitor_id = ${monitor} and type = any(${uptimeKindList})
  order by ${uptimeCheckOrder} limit 1)`

/** The check of a monitor whose response times stand for it, if it has one. */
export async function findUptimeCheck(
  em: EntityManager,
  tenant: { id: string },
  monitorId: string,
): Promise<string | null> {
  const rows = await em.execute<{ check_id: Row<'checks'>['id'] | null }[]>(
    `select ${firstCheckOf('m.id')} as check_id from monitors m where m.tenant_id = ? and m.id = ?`,
    [tenant.id, monitorId],
  )
  return rows[0]?.check_id ?? null
}

/**
 * What the time of a monitor between two moments is judged by: its changes, with the last one before them and those to
 * and from the gaps of its regions, the monitoring gaps, and maintenance. Also of a monitor that was removed since.
 */
export async function readHistory(
  em: EntityManager,
  tenant: { id: string },
  monitorId: string,
  { from, to }: Interval,
): Promise<JudgedHistory> {
  const [start, end] = [new Date(from), new Date(to)]
  const changes = await em.execute<(Row<'monitor_changes', 'verdict'> & { at: number })[]>(
    `select ${milliseconds('at')} as at, verdict from (
       (select at, verdict from monitor_changes where tenant_id = ? and monitor_id = ? and at <= ?
        order by at desc limit 1)
       union all
       (select at, verdict from monitor_changes where tenant_id = ? and monitor_id = ? and at > ? and at < ?)
     ) v order by v.at`,
    [tenant.id, monitorId, start, tenant.id, monitorId, start, end],
  )
  const monitoringGaps = await em.execute<Interval[]>(monitoringGapsSql, [start, end])
  const maintenance = await em.execute<Interval[]>(maintenanceOfMonitor, [start, end, monitorId, end, start])
  const regionGaps = await em.execute<Interval[]>(regionGapsOfMonitor, [
    ...[monitorId, start, end, monitorId, monitorId],
    ...[end, start, start],
  ])
  return { changes: withRegionGaps(changes, regionGaps), monitoringGaps, maintenance }
}

const maintenanceOfMonitor = maintenanceIntervalsSql('ms.monitor_id = ?', '?::timestamptz', '?::timestamptz')
const regionGapsOfMonitor = monitorGapIntervalsSql('?::uuid', '?::timestamptz', '?::timestamptz')

const regionGapsOfCheck = regionGapIntervalsSql('r.check_id = ?', '?::timestamptz', '?::timestamptz')

/** When a check was not measured as every region that it was asked from was away. */
export function readRegionGaps(em: EntityManager, checkId: string, { from, to }: Interval): Promise<Interval[]> {
  const [start, end] = [new Date(from), new Date(to)]
  return em.execute<Interval[]>(regionGapsOfCheck, [start, end, checkId, end, start, start])
}

/** The check whose response times stand for a monitor, and how the monitor's time was judged in each window. */
export interface Judged {
  check: string | null
  times: JudgedTime[]
}

const allOf = 'select id from monitors where tenant_id = any(?::uuid[])'
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
  run: Run,
  tenants: readonly string[],
  monitors: readonly string[] | null,
  windows: readonly Interval[],
  adjust: (changes: readonly Change[], to: number) => readonly Change[] = changes => changes,
): Promise<Map<string, Judged>> {
  const judged = new Map<string, Judged>()
  const owners = arrayOf(tenants)
  const ids = monitors ?? (await run<Row<'monitors', 'id'>>(allOf, [owners])).map(({ id }) => id)
  if (ids.length === 0) return judged
  const { from, to } = wholeOf(windows)
  const pauseAfter = Math.max(1, Math.floor(judgedAtOnce / windows.length))
  for (let n = 0; n < ids.length; n += monitorsAtOnce) {
    const named = arrayOf(ids.slice(n, n + monitorsAtOnce))
    const [start, end] = [new Date(from), new Date(to)]
    const asked = await run<JudgedRow>(withMonitoringGaps(changesOfEach(whole)), [
      ...[start, named, owners, owners],
      ...[end, end, end, end, end],
      ...[start, end],
    ])
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
        left.length === 0
          ? []
          : await run<JudgedRow>(changesOfEach(unfinished), [...columnsOf(left), end, end, end, end, end])
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

/** The text form of an array in PostgreSQL. */
const arrayOf = (values: readonly (string | null)[]) => `{${values.join()}}`

const intervalsIn = (text: string | null): Interval[] => pairsIn(text).map(([from, to]) => ({ from, to: Number(to) }))

const pairsIn = (text: string | null): [number, string][] => (text ? text.split(',').map(readPair) : [])

function readPair(text: string): [number, string] {
  const space = text.indexOf(' ')
  return [Number(text.slice(0, space)), text.slice(space + 1)]
}

// one that was removed since has its tenant in its changes
const whole = `select n.id as monitor_id, o.tenant_id, ${firstCheckOf('n.id')} as check_id, ?::timestamptz as since
  from unnest(?::uuid[]) as n (id) cross join lateral (
    select coalesce(
      (select tenant_id from monitors where id = n.id),
      (select c.tenant_id from monitor_changes c where c.tenant_id = any(?::uuid[]) and c.monitor_id = n.id limit 1)
    ) as tenant_id
  ) o where o.tenant_id = any(?::uuid[])`
const unfinished = `select monitor_id, tenant_id, check_id, since
  from unnest(?::uuid[], ?::uuid[], ?::uuid[], ?::timestamptz[]) as t (monitor_id, tenant_id, check_id, since)`
const columnsOf = (rows: readonly Unread[]) => [
  arrayOf(rows.map(({ monitor_id }) => monitor_id)),
  arrayOf(rows.map(({ tenant_id }) => tenant_id)),
  arrayOf(rows.map(({ check_id }) => check_id)),
  arrayOf(rows.map(({ since }) => new Date(since).toISOString())),
]

/** The id of one more row that has the monitoring gaps: they need no query of their own. */
const gapsRowId = '00000000-0000-0000-0000-000000000000'
const withMonitoringGaps = (changes: string) => `${changes}
  union all
  select '${gapsRowId}', '${gapsRowId}', null, 0, string_agg(b.from || ' ' || b.to, ','), null, null
  from (${monitoringGapsSql}) b`

/** SQL: the last change before the beginning, and those after it; the maintenance and the region gaps of that time. */
const changesOfEach = (monitors: string) => `
  with selected as materialized (${monitors})
  select s.monitor_id, s.tenant_id, s.check_id, ${milliseconds('s.since')} as since, (
    select string_agg(${milliseconds('at')} || ' ' || verdict, ',' order by at) from (
      (select at, verdict from monitor_changes
       where tenant_id = s.tenant_id and monitor_id = s.monitor_id and at <= s.since order by at desc limit 1)
      union all
      (select at, verdict from monitor_changes
       where tenant_id = s.tenant_id and monitor_id = s.monitor_id and at > s.since and at < ?::timestamptz
       order by at limit ${changesAtOnce})
    ) v
  ) as changes, (
    select string_agg(b.from || ' ' || b.to, ',') from (
      ${maintenanceIntervalsSql('ms.monitor_id = s.monitor_id', 's.since', '?::timestamptz')}
    ) b
  ) as maintenance, case when (
    -- asked once for all monitors: mostly there was none
    select exists (
      select 1 from region_gaps g where coalesce(g.ended_at, 'infinity') > (select min(since) from selected)
    )
  ) then (
    select string_agg(b.from || ' ' || b.to, ',' order by b.from) from (
      ${monitorGapIntervalsSql('s.monitor_id', 's.since', '?::timestamptz')}
    ) b
  ) end as region_gaps
  from selected s`
