import type { EntityManager } from '@mikro-orm/postgresql'
import { type Expression, sql } from 'kysely'
import { downSeverities } from '#contract/check.ts'
import { among, columnOf, queries, type Row, rows } from '#control-plane/db/queries.ts'
import { type Ineligibility, ineligibilities } from '#control-plane/engine/agents/region.ts'
import type { Eligibility } from '#control-plane/engine/verdicts/core.ts'
import { merged, withRegionGaps } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readRegionGaps } from '#control-plane/monitoring/statistics/read-judged.ts'
import type { FlappingInterval, SuppressionCause } from './alerts.ts'
import type { Interval, Maintenance } from './moments.ts'

/** The fields of a stored incident that are compared with the backtest. Times are milliseconds. */
export type RealIncident = Row<'incidents', 'id' | 'number' | 'resolution'> & {
  check_id: string
  started_at: number
  confirmed_at: number
  resolved_at: number | null
  suppressed_by: SuppressionCause | null
  regions: string[]
}

const ms = (moment: Expression<unknown> | string) =>
  sql<number>`(extract(epoch from ${columnOf(moment)}) * 1000)::float8`

/** Incidents of a monitor that were open within a period, oldest first. */
export const readIncidents = (em: EntityManager, monitorId: string, { from, to }: Interval): Promise<RealIncident[]> =>
  rows(em)<RealIncident>`select id, number, check_id, ${ms('started_at')} as started_at,
     ${ms('confirmed_at')} as confirmed_at, ${ms('resolved_at')} as resolved_at, resolution,
     coalesce(suppressed_by, case when notified_at is null then 'snooze' end) as suppressed_by,
     case when jsonb_typeof(quorum->'failed') = 'array'
       then array(select jsonb_array_elements_text(quorum->'failed')) else '{}' end as regions
   from incidents
   where monitor_id = ${monitorId}
     and check_id in (select c.id from checks c where c.monitor_id = incidents.monitor_id)
     and started_at < ${new Date(to)} and (resolved_at is null or resolved_at > ${new Date(from)})
   order by started_at, id`

export type Change = Row<'verdict_changes', 'verdict'> & { at: number }

/** A check's changes of verdict within a period, and the last one before it; with the gaps of its regions. */
export async function readChanges(
  em: EntityManager,
  checkId: string,
  { from, to }: Interval,
): Promise<readonly Change[]> {
  const [start, end] = [new Date(from), new Date(to)]
  const changes = await rows(em)<Change>`select ${ms('at')} as at, verdict from (
     (select at, id, verdict from verdict_changes where check_id = ${checkId} and at <= ${start}
      order by at desc, id desc limit 1)
     union all
     (select at, id, verdict from verdict_changes where check_id = ${checkId} and at > ${start} and at < ${end})
   ) v order by v.at, v.id`
  return withRegionGaps(changes, await readRegionGaps(em, checkId, { from, to }))
}

/** When one of these monitors was down by a critical or major check. */
export async function readDown(
  em: EntityManager,
  monitorIds: readonly string[],
  period: Interval,
): Promise<Interval[]> {
  if (monitorIds.length === 0) return []
  const checks = await queries(em)
    .selectFrom('checks')
    .where('monitor_id', '=', among(monitorIds))
    .where('severity', 'in', downSeverities)
    .where('is_enabled', '=', true)
    .select('id')
    .execute()
  const intervals: Interval[] = []
  for (const { id } of checks) {
    let from: number | null = null
    for (const { at, verdict } of await readChanges(em, id, period)) {
      if (verdict === 'down') from ??= at
      else if (from !== null) {
        intervals.push({ from, to: at })
        from = null
      }
    }
    if (from !== null) intervals.push({ from, to: Number.POSITIVE_INFINITY })
  }
  return intervals
}

export interface EligibilityHistory {
  /** At the beginning of the period. */
  first: Map<string, Eligibility>
  later: { at: number; region: string; why: Ineligibility | null }[]
  /** When the first change of any region was stored; null: none was. */
  knownSince: number | null
}

/** Which regions were eligible, and when that changed. */
export async function readEligibilities(em: EntityManager, { from, to }: Interval): Promise<EligibilityHistory> {
  const known = await rows(em)<Row<'region_eligibilities', 'region' | 'reason'> & { at: number }>`
    select region, ${ms('at')} as at, reason from (
     (select distinct on (region) region, at, id, reason from region_eligibilities where at <= ${new Date(from)}
      order by region, at desc, id desc)
     union all
     (select region, at, id, reason from region_eligibilities where at > ${new Date(from)} and at < ${new Date(to)})
   ) s order by s.at, s.id`
  const [oldest] = await rows(em)<{ at: number | null }>`select ${ms(sql`min(at)`)} as at from region_eligibilities`
  const first = new Map<string, Eligibility>()
  const later: EligibilityHistory['later'] = []
  for (const { region, at, reason } of known) {
    const why = ineligibilities.find(known => known === reason) ?? null
    if (at <= from) first.set(region, { why, since: at })
    else later.push({ at, region, why })
  }
  return { first, later, knownSince: oldest?.at ?? null }
}

/** The monitoring gaps of a period. */
export const readMonitoringGaps = (em: EntityManager, { from, to }: Interval): Promise<Interval[]> =>
  rows(em)<Interval>`select ${ms('started_at')} as from, ${ms('ended_at')} as to from monitoring_gaps
   where ended_at > ${new Date(from)} and started_at < ${new Date(to)} order by started_at`

/** How much of a period lies in monitoring gaps. */
export async function readMonitoringGapMs(em: EntityManager, { from, to }: Interval): Promise<number> {
  const [start, end] = [new Date(from), new Date(to)]
  const within = sql`least(ended_at, ${end}) - greatest(started_at, ${start})`
  const [found] = await rows(em)<{ ms: number }>`
    select coalesce(sum(${ms(within)}), 0)::float8 as ms from monitoring_gaps
    where ended_at > ${start} and started_at < ${end}`
  return found?.ms ?? 0
}

/** When a monitor flapped, and when people were notified of it. */
export const readFlappings = (
  em: EntityManager,
  monitorId: string,
  { from, to }: Interval,
): Promise<FlappingInterval[]> =>
  rows(em)<FlappingInterval>`
    select ${ms('notified_at')} as "notifiedAt", ${ms('ended_at')} as "endedAt" from flappings
   where monitor_id = ${monitorId} and forwarded_at < ${new Date(to)}
     and (ended_at is null or ended_at > ${new Date(from)})
   order by started_at, id`

/** When a monitor was in maintenance within a period. */
export async function readMaintenance(
  em: EntityManager,
  monitorId: string,
  { from, to }: Interval,
): Promise<Maintenance> {
  const [start, end] = [new Date(from), new Date(to)]
  const spans = await rows(em)<Interval & Row<'maintenance_spans', 'is_excluded'>>`
    select ${ms('started_at')} as from, ${ms(sql`least(ended_at, ${end})`)} as to, is_excluded
    from maintenance_spans
    where monitor_id = ${monitorId} and started_at < ${end} and coalesce(ended_at, 'infinity') > ${start}`
  return { all: merged(spans), excluded: merged(spans.filter(({ is_excluded }) => is_excluded)) }
}

/** When checks were snoozed, by the audit log: each snooze until it ended, was ended by hand, or was replaced. */
export async function readSnoozes(
  em: EntityManager,
  tenant: { id: string },
  checkIds: readonly string[],
  { from, to }: Interval,
): Promise<Map<string, Interval[]>> {
  const found = await rows(em)<{ check_id: string; at: number; minutes: number | null }>`
    select entity_id as check_id, ${ms('created_at')} as at,
     case action when 'check.snoozed' then (changes->>'minutes')::float8 end as minutes
   from audit_entries
   where tenant_id = ${tenant.id} and entity_type = 'check' and entity_id = ${among(checkIds)}
     and action in ('check.snoozed', 'check.unsnoozed')
     and created_at > ${new Date(from)}::timestamptz - interval '1 day' and created_at < ${new Date(to)}
   order by created_at, id`
  const snoozes = new Map<string, Interval[]>(checkIds.map(id => [id, []]))
  for (const { check_id, at, minutes } of found) {
    const known = snoozes.get(check_id)
    const last = known?.at(-1)
    if (last && last.to > at) last.to = at
    if (minutes !== null) known?.push({ from: at, to: at + minutes * 60_000 })
  }
  return snoozes
}
