import { sql } from 'kysely'
import type { Pool } from 'pg'
import { resultsSince } from '#analytics/queries/results-since.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { isPolled } from '#importers/source.ts'
import { MigrationOptions } from './options.ts'
import type { MigrationRow } from './row.ts'
import { sourceNamed } from './sources.ts'

export const conditionNames = [
  'shadow_hours',
  'results_per_monitor',
  'divergence_percent',
  'source_polled',
  'channels_tested',
  'heartbeats_switched',
] as const

export interface Condition {
  name: (typeof conditionNames)[number]
  is_met: boolean
  /** The present value; null where there is none to measure. */
  value: number | null
  wanted: number | null
  explanation: string
}

interface Measured {
  monitors: number
  unexplained: number
  jobs: number
  jobs_silent: number
  channels: number
  channels_proven: number
}

const measures = (rowId: string, tenantId: string) => sql<Measured>`
  select
  (select count(*)::int from imported_monitors o join monitors m on m.id = o.monitor_id
    where o.migration_id = ${rowId} and m.is_enabled) as monitors,
  (select count(distinct d.monitor_id)::int from migration_divergences d
    where d.migration_id = ${rowId} and d.ended_at is null and d.polls >= 2
    and d.verdict = 'unexplained') as unexplained,
  (select count(*)::int from imported_monitors o join monitors m on m.id = o.monitor_id
    where o.migration_id = ${rowId} and m.is_enabled and m.type = 'cron') as jobs,
  (select count(*)::int from imported_monitors o join monitors m on m.id = o.monitor_id
    join heartbeats h on h.monitor_id = m.id
    where o.migration_id = ${rowId} and m.is_enabled and m.type = 'cron' and h.last_ping_at is null) as jobs_silent,
  (select count(*)::int from notification_channels c
    where c.tenant_id = ${tenantId} and c.owner_user_id is null and c.is_enabled) as channels,
  (select count(*)::int from notification_channels c
    where c.tenant_id = ${tenantId} and c.owner_user_id is null and c.is_enabled and exists (
      select 1 from deliveries d where d.channel_id = c.id and d.status = 'delivered')) as channels_proven`

/** Each condition of a cutover with its present value. */
export async function readinessOf(
  { platform, clickhouse }: { platform: Pool; clickhouse: Services['clickhouse'] },
  row: MigrationRow,
): Promise<Condition[]> {
  const options = MigrationOptions.parse(row.options)
  const found = (await rows(platform, measures(row.id, row.tenant_id)))[0]!
  const hours = row.shadow_at === null ? 0 : (row.now_ms - Date.parse(row.shadow_at)) / 3_600_000
  const least = await leastResults({ platform, clickhouse }, row)
  const percent = found.monitors === 0 ? 0 : (100 * found.unexplained) / found.monitors
  const isAsked = isPolled(sourceNamed(row.provider), row)
  const pollAgeMin = row.polled_at === null ? null : (row.now_ms - Date.parse(row.polled_at)) / 60_000
  return [
    {
      name: 'shadow_hours',
      is_met: hours >= options.min_shadow_hours,
      value: round(hours),
      wanted: options.min_shadow_hours,
      explanation: 'Hours in which our checks ran beside the old provider.',
    },
    {
      name: 'results_per_monitor',
      is_met: least === null || least >= options.min_results,
      value: least,
      wanted: options.min_results,
      explanation: 'Results in shadow of the monitor that has the fewest. Jobs are not counted.',
    },
    {
      name: 'divergence_percent',
      is_met: percent <= options.max_divergence_percent,
      value: round(percent),
      wanted: options.max_divergence_percent,
      explanation: 'Share of monitors with an open divergence that nothing explains.',
    },
    {
      name: 'source_polled',
      is_met: !isAsked || (pollAgeMin !== null && pollAgeMin < 30 && row.poll_failure === null),
      value: pollAgeMin === null ? null : round(pollAgeMin),
      wanted: isAsked ? 30 : null,
      explanation: isAsked
        ? (row.poll_failure ?? 'Minutes since the old provider was asked.')
        : 'This source cannot be asked for its present statuses: compare them yourself.',
    },
    {
      name: 'channels_tested',
      is_met: found.channels > 0 && found.channels_proven === found.channels,
      value: found.channels_proven,
      wanted: Math.max(1, found.channels),
      explanation: 'Enabled channels that have delivered a notification, such as a test.',
    },
    {
      name: 'heartbeats_switched',
      is_met: found.jobs_silent === 0,
      value: found.jobs - found.jobs_silent,
      wanted: found.jobs,
      explanation: 'Jobs that have sent a ping here, to their new address or to their old one.',
    },
  ]
}

/** The fewest results of a running monitor with checks that we run; null if there is none. */
async function leastResults(
  { platform, clickhouse }: { platform: Pool; clickhouse: Services['clickhouse'] },
  row: MigrationRow,
): Promise<number | null> {
  if (row.shadow_at === null) return 0
  const found = await rows(platform)<Row<'monitors', 'id'>>`
    select m.id from imported_monitors o join monitors m on m.id = o.monitor_id
    where o.migration_id = ${row.id} and m.is_enabled and not m.held_by_plan and m.type in ('website', 'host')`
  if (found.length === 0) return null
  const counted = await resultsSince(clickhouse, { tenant: row.tenant_id, from: new Date(row.shadow_at) })
  const totals = new Map(counted.map(each => [each.monitor_id, each.total]))
  return found.reduce((least, { id }) => Math.min(least, totals.get(id) ?? 0), Number.MAX_SAFE_INTEGER)
}

export const isReady = (conditions: readonly Condition[]): boolean => conditions.every(({ is_met }) => is_met)

const round = (value: number) => Math.round(value * 10) / 10
