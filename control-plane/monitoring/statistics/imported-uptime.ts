import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { wholeSeconds } from '#contract/time.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { type Db, queries, type Row, rows } from '#control-plane/db/queries.ts'
import { monitorRecordSql } from '#control-plane/engine/monitor-record.ts'
import { daysOf, type Interval, type JudgedTime, merged, type Span, timeOf, uptimePct } from './judged-time.ts'

/**
 * The name of the formula: `100 * up / (up + down)`, where a day, in UTC, is down while an imported incident lasts and
 * up in the rest of the time of which the source lists all incidents. No quorum judged it, and maintenance and pauses
 * at the source are not known: so it stands by itself and is never added to `uptimeFormula`.
 */
export const importedFormula = 'imported_incidents_1'

const figures = {
  uptime_pct: z.number(),
  downtime_s: z.int(),
  known_s: z.int().meta({ description: 'The time of which the source lists all incidents.' }),
}

export const ImportedUptime = z
  .object({
    formula: z.literal(importedFormula).meta({
      description:
        '`100 * up / (up + down)`: down while an imported incident lasted, up in the rest of the known time. It is ' +
        'never mixed with the uptime of our own results.',
    }),
    source: z.string(),
    ...figures,
    incidents_count: z.int().meta({ description: 'Imported incidents that lasted in the known time of these days.' }),
    daily: z.array(z.object({ date: z.iso.date(), ...figures })),
  })
  .meta({ id: 'ImportedUptime' })

interface Wanted {
  tenant: { id: string }
  monitorId: string
  /** Our own judgements in the period: a day that has any is not taken from what was imported. */
  spans: readonly Span[]
  period: Interval
}

/** The uptime of the days of a period without results of our own, by imported incidents; null: nothing was imported. */
export async function readImported(
  em: EntityManager,
  { tenant, monitorId, spans, period }: Wanted,
): Promise<z.output<typeof ImportedUptime> | null> {
  const db = queries(em)
  const ms = (column: 'known_from' | 'known_until' | 'started_at' | 'resolved_at') =>
    sql<number>`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`
  const known = await db
    .selectFrom('imported_histories')
    .where('tenant_id', '=', tenant.id)
    .where('monitor_id', '=', monitorId)
    .select(['source', ms('known_from').as('from'), ms('known_until').as('to')])
    .executeTakeFirst()
  if (!known) return null
  const windows = daysOf(period.from, period.to).flatMap(({ date, from, to }) => {
    const own = timeOf(spans, from, to)
    const window = { date, from: Math.max(from, known.from), to: Math.min(to, known.to) }
    return window.from < window.to && own.up + own.warning + own.down === 0 ? [window] : []
  })
  if (windows.length === 0) return null
  const rows = await db
    .selectFrom('incidents')
    .where('tenant_id', '=', tenant.id)
    .where('monitor_id', '=', monitorId)
    .where('imported_from', '=', known.source)
    .where('started_at', '<', sql<string>`${new Date(period.to)}`)
    .where('resolved_at', '>', sql<string>`${new Date(period.from)}`)
    .select([ms('started_at').as('from'), ms('resolved_at').as('to')])
    .execute()
  const outages = merged(rows)
  return {
    formula: importedFormula,
    source: known.source,
    ...figuresOf(windows, outages),
    incidents_count: countIn(windows, rows),
    daily: windows.map(({ date, ...window }) => ({ date, ...figuresOf([window], outages) })),
  }
}

/** The figures of windows of one monitor, in which these outages lasted; they do not overlap. */
function figuresOf(windows: readonly Interval[], outages: readonly Interval[]) {
  const known = windows.reduce((sum, { from, to }) => sum + to - from, 0)
  const down = windows.reduce((sum, window) => sum + downIn(window, outages), 0)
  return {
    uptime_pct: uptimePct({ up: known - down, warning: 0, down }) ?? 100,
    downtime_s: wholeSeconds(down),
    known_s: wholeSeconds(known),
  }
}

const downIn = ({ from, to }: Interval, outages: readonly Interval[]) =>
  outages.reduce((sum, outage) => sum + Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from)), 0)

const countIn = (windows: readonly Interval[], incidents: readonly Interval[]) =>
  incidents.filter(incident => windows.some(({ from, to }) => incident.from < to && incident.to > from)).length

const monthFigures = {
  ...figures,
  incidents_count: z.int().meta({ description: 'Imported incidents that lasted in the known time.' }),
}

/** What was imported of the past of the monitors of a team, in a month. */
export const ImportedMonth = z
  .object({
    formula: z.literal(importedFormula),
    ...monthFigures,
    monitors: z.array(
      z.object({
        monitor_id: z.uuid(),
        monitor_name: z.string(),
        source: z.string(),
        days_count: z.int().meta({ description: 'Days of which the source reports and we have no results.' }),
        ...monthFigures,
      }),
    ),
  })
  .meta({ id: 'ImportedMonth' })

/** Whether a source reports of any time within a month, of any monitor of a team. */
export async function hasImported(db: Db, tenant: { id: string }, month: { from: Date; to: Date }): Promise<boolean> {
  const known = queries(db)
    .selectFrom('imported_histories')
    .where('tenant_id', '=', tenant.id)
    .where('known_from', '<', month.to.toISOString())
    .where('known_until', '>', month.from.toISOString())
  return (await known.select('monitor_id').limit(1).executeTakeFirst()) !== undefined
}

interface MonthWanted {
  tenant: { id: string }
  /** Days, in UTC, as far as they lie in the month. */
  days: readonly Interval[]
  /** Our own judged time of each of these days by monitor: a day that has any is not taken from what was imported. */
  own: ReadonlyMap<string, readonly JudgedTime[]>
}

/** By imported incidents, the days of a month without results of our own, of each monitor; null: there are none. */
export async function readImportedMonth(
  db: Db,
  { tenant, days, own }: MonthWanted,
): Promise<z.output<typeof ImportedMonth> | null> {
  const [first, last] = [days[0], days.at(-1)]
  if (!first || !last) return null
  const [from, to] = [new Date(first.from), new Date(last.to)]
  const histories = await rows(db)<Row<'monitors', 'id' | 'name'> & Row<'imported_histories', 'source'> & Interval>`
    select m.id, m.name, h.source, (extract(epoch from h.known_from) * 1000)::float8 as "from",
     (extract(epoch from h.known_until) * 1000)::float8 as "to"
   from imported_histories h cross join lateral ${monitorRecordSql('h.monitor_id')} m
   where h.tenant_id = ${tenant.id} and h.known_from < ${to} and h.known_until > ${from}
   order by ${namesOf('m.name')}, m.id`
  if (histories.length === 0) return null
  const incidents = Map.groupBy(
    await rows(db)<Row<'incidents', 'monitor_id'> & Interval>`
      select i.monitor_id, (extract(epoch from i.started_at) * 1000)::float8 as "from",
       (extract(epoch from i.resolved_at) * 1000)::float8 as "to"
     from incidents i join imported_histories h on h.monitor_id = i.monitor_id and h.source = i.imported_from
     where i.tenant_id = ${tenant.id} and i.started_at < ${to} and i.resolved_at > ${from}`,
    ({ monitor_id }) => monitor_id,
  )
  const monitors = histories.flatMap(({ id, name, source, ...known }) => {
    const windows = days.flatMap((day, index) => {
      const window = { from: Math.max(day.from, known.from), to: Math.min(day.to, known.to) }
      const time = own.get(id)?.[index]
      const isOwn = time !== undefined && time.up + time.warning + time.down > 0
      return window.from < window.to && !isOwn ? [window] : []
    })
    if (windows.length === 0) return []
    const ofMonitor = incidents.get(id) ?? []
    const shown = {
      ...{ monitor_id: id, monitor_name: name, source, days_count: windows.length },
      ...figuresOf(windows, merged(ofMonitor)),
      incidents_count: countIn(windows, ofMonitor),
    }
    return [shown]
  })
  if (monitors.length === 0) return null
  const sum = (of: 'downtime_s' | 'known_s' | 'incidents_count') => monitors.reduce((all, each) => all + each[of], 0)
  const [down, known] = [sum('downtime_s'), sum('known_s')]
  return {
    formula: importedFormula,
    uptime_pct: uptimePct({ up: known - down, warning: 0, down }) ?? 100,
    downtime_s: down,
    known_s: known,
    incidents_count: sum('incidents_count'),
    monitors,
  }
}
