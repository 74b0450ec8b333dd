import { stamp, wholeSeconds } from '#contract/time.ts'
import { type Db, type Row, rows, stamp as stampColumn } from '#control-plane/db/queries.ts'
import { incidentSeconds } from '#control-plane/engine/incident-duration.ts'
import { besideMonitorRecord } from '#control-plane/engine/monitor-record.ts'
import { type Month, monthNamed } from '#control-plane/identity/digest/month.ts'
import { momentOf, shownAt } from '#control-plane/identity/digest/morning.ts'
import { isOwnWithin } from '#control-plane/monitoring/incidents/within.ts'
import { readBudgets } from '#control-plane/monitoring/objectives/read.ts'
import { dayMs, type Interval, type JudgedTime, uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readJudgedTime } from '#control-plane/monitoring/statistics/read-judged.ts'
import { formulaOf } from '#control-plane/monitoring/statistics/uptime-formula.ts'
import type { Outage } from './content.ts'
import { monitorsOf } from './monitors-of.ts'

const mostIncidents = 10

/**
 * The statistics of a team for a month and the month before: each monitor, the lowest uptime first. Incidents that
 * overlap the month count; durations are cut to it. `days`: intervals within the month whose judged time is returned
 * for each monitor.
 */
export async function readMonth(db: Db, tenant: { id: string }, month: Month, days: readonly Interval[] = []) {
  // of a month so far too: the clock of the database may be a moment ahead, and a monitor made just now has its row
  const { to: end } = monthNamed(month.month, month.timezone)
  const before = monthNamed(month.month, month.timezone, -1)
  const monitors = await monitorsOf(db, tenant, { from: before.from, madeBefore: end })
  const months = [month, before].map(({ from, to }) => ({ from: from.getTime(), to: to.getTime() }))
  const judged = await readJudgedTime(
    db,
    [tenant.id],
    monitors.map(({ id }) => id),
    [...months, ...days],
  )
  const budgets = await readBudgets(db, tenant, monitors, month.to)
  const [tallies, talliesBefore] = [await tally(db, tenant, month), await tally(db, tenant, before)]

  const shown = monitors.flatMap(({ id, name, url, is_removed }) => {
    const [time = nothing, timeBefore = nothing] = judged.get(id)?.times ?? []
    // a removed monitor is a part of the months in which it was judged or failed
    if (is_removed && time.up + time.warning + time.down === 0 && !tallies.has(id)) return []
    return {
      monitor_id: id,
      check_id: judged.get(id)?.check ?? null,
      monitor_name: name,
      monitor_url: url,
      is_removed,
      ...figuresOf(time, tallies.get(id)),
      maintenance_s: wholeSeconds(time.maintenance),
      no_data_s: wholeSeconds(time.no_data),
      longest_s: tallies.get(id)?.longest_s ?? 0,
      mtta_s: tallies.get(id)?.mtta_s ?? null,
      mttr_s: tallies.get(id)?.mttr_s ?? null,
      before: figuresOf(timeBefore, talliesBefore.get(id)),
      slo: budgets.get(id) ?? null,
      days: judged.get(id)?.times.slice(months.length) ?? [],
    }
  })
  const total = (window: number, of: Map<string, Tally>) =>
    figuresOf(summed(monitors.map(({ id }) => judged.get(id)?.times[window] ?? nothing)), {
      incidents: [...of.values()].reduce((sum, { incidents }) => sum + incidents, 0),
    })
  return {
    month: month.month,
    timezone: month.timezone,
    from: stamp(month.from),
    to: stamp(month.to),
    formula_version: await formulaOf(db, month.from),
    monitors_count: shown.length,
    ...total(0, tallies),
    before: { month: before.month, ...total(1, talliesBefore) },
    monitors: shown.sort((a, b) => (a.uptime_pct ?? 101) - (b.uptime_pct ?? 101)),
    incidents: await longestIncidents(db, tenant, month),
  }
}
export type MonthContent = Awaited<ReturnType<typeof readMonth>>

const nothing: JudgedTime = { up: 0, warning: 0, down: 0, maintenance: 0, paused: 0, no_data: 0 }

const summed = (times: readonly JudgedTime[]) =>
  times.reduce(
    (sum, { up, warning, down }) => ({ up: sum.up + up, warning: sum.warning + warning, down: sum.down + down }),
    { up: 0, warning: 0, down: 0 },
  )

const figuresOf = (time: Pick<JudgedTime, 'up' | 'warning' | 'down'>, tally: { incidents: number } | undefined) => ({
  uptime_pct: uptimePct(time),
  downtime_s: wholeSeconds(time.down),
  incidents_count: tally?.incidents ?? 0,
})

type Tally = Row<'incidents', 'monitor_id'> & {
  incidents: number
  longest_s: number
  mtta_s: number | null
  mttr_s: number | null
}

async function tally(db: Db, tenant: { id: string }, { from, to }: Month): Promise<Map<string, Tally>> {
  const tallies = await rows(db)<Tally>`select i.monitor_id, count(*)::int as incidents,
      max(${incidentSeconds({ from, to })}) as longest_s,
      floor(extract(epoch from avg(i.acknowledged_at - i.started_at)))::int as mtta_s,
      floor(avg(${incidentSeconds()}) filter (where i.resolved_at is not null))::int as mttr_s
    from incidents i where i.tenant_id = ${tenant.id} and ${isOwnWithin({ from, to })} group by i.monitor_id`
  return new Map(tallies.map(row => [row.monitor_id, row]))
}

const longestIncidents = (db: Db, tenant: { id: string }, { from, to }: Month): Promise<Outage[]> =>
  rows(db)`select i.title, m.name as monitor_name,
      ${stampColumn('i.started_at')} as started_at, ${stampColumn('i.resolved_at')} as resolved_at,
      ${incidentSeconds({ from, to })} as duration_s
    from incidents i ${besideMonitorRecord}
    where i.tenant_id = ${tenant.id} and ${isOwnWithin({ from, to })}
    order by duration_s desc, i.started_at, i.id limit ${mostIncidents}`

/** The days of a month as its zone counts them: one may have 23 hours, or 25. */
export function daysOfMonth({ from, to, timezone }: Month): (Interval & { date: string })[] {
  const days: (Interval & { date: string })[] = []
  // the middle of a day: midnight may not exist where summer time begins
  const first = Math.floor((shownAt(from.getTime(), timezone) + dayMs / 2) / dayMs) * dayMs
  for (let shown = first, start = from.getTime(); start < to.getTime(); shown += dayMs) {
    const end = Math.min(to.getTime(), momentOf(shown + dayMs, timezone))
    days.push({ date: new Date(shown).toISOString().slice(0, 10), from: start, to: end })
    start = end
  }
  return days
}
