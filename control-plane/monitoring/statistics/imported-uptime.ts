import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { queries } from '#control-plane/db/queries.ts'
import { daysOf, type Interval, merged, type Span, timeOf, uptimePct } from './judged-time.ts'

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
    incidents_count: z.int().meta({ description: 'Imported incidents that began in the known time of these days.' }),
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
  const down = ({ from, to }: Interval) =>
    outages.reduce((sum, outage) => sum + Math.max(0, Math.min(to, outage.to) - Math.max(from, outage.from)), 0)
  const figuresOf = (some: readonly Interval[]) => {
    const whole = some.reduce((sum, { from, to }) => sum + to - from, 0)
    const downMs = some.reduce((sum, window) => sum + down(window), 0)
    return {
      uptime_pct: uptimePct({ up: whole - downMs, warning: 0, down: downMs }) ?? 100,
      downtime_s: Math.round(downMs / 1_000),
      known_s: Math.round(whole / 1_000),
    }
  }
  return {
    formula: importedFormula,
    source: known.source,
    ...figuresOf(windows),
    incidents_count: rows.filter(({ from: at }) => windows.some(({ from, to }) => at >= from && at < to)).length,
    daily: windows.map(({ date, ...window }) => ({ date, ...figuresOf([window]) })),
  }
}
