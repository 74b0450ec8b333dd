import type { EntityManager } from '@mikro-orm/postgresql'
import { among, queries, type Row } from '#control-plane/db/queries.ts'
import { type Ineligibility, ineligibilities } from '#control-plane/engine/agents/region.ts'
import type { Eligibility } from '#control-plane/engine/verdicts/core.ts'
import type { Flaps, Holder } from './alerts.ts'
import type { Stretch } from './moments.ts'

/** A stored incident, as far as it is compared with one of the backtest. Times are milliseconds. */
export type RealIncident = Row<'incidents', 'id' | 'number' | 'resolution'> & {
  check_id: string
  started_at: number
  confirmed_at: number
  resolved_at: number | null
  held_by: Holder | null
  regions: string[]
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** Incidents of these checks that were open at some time of a stretch, oldest first. */
export const readIncidents = (em: EntityManager, monitorId: string, { from, to }: Stretch): Promise<RealIncident[]> =>
  em.execute<RealIncident[]>(
    `select id, number, check_id, ${ms('started_at')} as started_at, ${ms('confirmed_at')} as confirmed_at, ${ms('resolved_at')} as resolved_at, resolution,
       coalesce(suppressed_by, case when notified_at is null then 'snooze' end) as held_by,
       case when jsonb_typeof(quorum->'failed') = 'array' then array(select jsonb_array_elements_text(quorum->'failed')) else '{}' end as regions
     from incidents where monitor_id = ? and check_id is not null and started_at < ? and (resolved_at is null or resolved_at > ?) order by started_at, id`,
    [monitorId, new Date(to), new Date(from)],
  )

export type Change = Row<'verdict_changes', 'verdict'> & { at: number }

/** A check's changes of verdict within a stretch, with the one that held before it. */
export const readChanges = (em: EntityManager, checkId: string, { from, to }: Stretch): Promise<Change[]> =>
  em.execute<Change[]>(
    `select ${ms('at')} as at, verdict from (
       (select at, id, verdict from verdict_changes where check_id = ? and at <= ? order by at desc, id desc limit 1)
       union all
       (select at, id, verdict from verdict_changes where check_id = ? and at > ? and at < ?)
     ) v order by v.at, v.id`,
    [checkId, new Date(from), checkId, new Date(from), new Date(to)],
  )

/** When some monitor of these was down by a check that can take it down. */
export async function readDown(em: EntityManager, monitorIds: readonly string[], stretch: Stretch): Promise<Stretch[]> {
  if (monitorIds.length === 0) return []
  const checks = await queries(em)
    .selectFrom('checks')
    .where('monitor_id', '=', among(monitorIds))
    .where('severity', 'in', ['critical', 'major'])
    .where('is_enabled', '=', true)
    .select('id')
    .execute()
  const stretches: Stretch[] = []
  for (const { id } of checks) {
    let from: number | null = null
    for (const { at, verdict } of await readChanges(em, id, stretch)) {
      if (verdict === 'down') from ??= at
      else if (from !== null) {
        stretches.push({ from, to: at })
        from = null
      }
    }
    if (from !== null) stretches.push({ from, to: Number.POSITIVE_INFINITY })
  }
  return stretches
}

export interface Standings {
  /** As they were when the stretch begins. */
  first: Map<string, Eligibility>
  later: { at: number; region: string; why: Ineligibility | null }[]
  /** Since when they are written down at all; null: not yet. */
  knownSince: number | null
}

/** Which regions had a say. */
export async function readStandings(em: EntityManager, { from, to }: Stretch): Promise<Standings> {
  const rows = await em.execute<(Row<'region_eligibilities', 'region' | 'reason'> & { at: number })[]>(
    `select region, ${ms('at')} as at, reason from (
       (select distinct on (region) region, at, id, reason from region_eligibilities where at <= ? order by region, at desc, id desc)
       union all
       (select region, at, id, reason from region_eligibilities where at > ? and at < ?)
     ) s order by s.at, s.id`,
    [new Date(from), new Date(from), new Date(to)],
  )
  const [oldest] = await em.execute<{ at: number | null }[]>(`select ${ms('min(at)')} as at from region_eligibilities`)
  const first = new Map<string, Eligibility>()
  const later: Standings['later'] = []
  for (const { region, at, reason } of rows) {
    const why = ineligibilities.find(known => known === reason) ?? null
    if (at <= from) first.set(region, { why, since: at })
    else later.push({ at, region, why })
  }
  return { first, later, knownSince: oldest?.at ?? null }
}

/** When we heard of nobody. */
export const readMonitoringGaps = (em: EntityManager, { from, to }: Stretch): Promise<Stretch[]> =>
  em.execute<Stretch[]>(
    `select ${ms('started_at')} as from, ${ms('ended_at')} as to from monitoring_gaps where ended_at > ? and started_at < ? order by started_at`,
    [new Date(from), new Date(to)],
  )

/** How long of a stretch we were blind ourselves. */
export async function readBlindMs(em: EntityManager, { from, to }: Stretch): Promise<number> {
  const [found] = await em.execute<{ ms: number }[]>(
    `select coalesce(sum(${ms('(least(ended_at, ?) - greatest(started_at, ?))')}), 0)::float8 as ms from monitoring_gaps where ended_at > ? and started_at < ?`,
    [new Date(to), new Date(from), new Date(from), new Date(to)],
  )
  return found?.ms ?? 0
}

/** When a monitor flapped, and people were told that it did. */
export const readFlaps = (em: EntityManager, monitorId: string, { from, to }: Stretch): Promise<Flaps[]> =>
  em.execute<Flaps[]>(
    `select ${ms('notified_at')} as "toldAt", ${ms('ended_at')} as "endedAt" from flappings
     where monitor_id = ? and forwarded_at < ? and (ended_at is null or ended_at > ?) order by started_at, id`,
    [monitorId, new Date(to), new Date(from)],
  )

/** When checks were snoozed, by the audit trail: each until it was over by itself, ended by hand, or set anew. */
export async function readSnoozes(
  em: EntityManager,
  tenant: { id: string },
  checkIds: readonly string[],
  { from, to }: Stretch,
): Promise<Map<string, Stretch[]>> {
  const rows = await em.execute<
    { check_id: NonNullable<Row<'audit_entries'>['entity_id']>; at: number; minutes: number | null }[]
  >(
    `select entity_id as check_id, ${ms('created_at')} as at, case action when 'check.snoozed' then (changes->>'minutes')::float8 end as minutes from audit_entries
     where tenant_id = ? and entity_type = 'check' and entity_id = any(array[?]::uuid[]) and action in ('check.snoozed', 'check.unsnoozed')
       and created_at > ?::timestamptz - interval '1 day' and created_at < ? order by created_at, id`,
    [tenant.id, checkIds, new Date(from), new Date(to)],
  )
  const snoozes = new Map<string, Stretch[]>(checkIds.map(id => [id, []]))
  for (const { check_id, at, minutes } of rows) {
    const known = snoozes.get(check_id)
    const last = known?.at(-1)
    if (last && last.to > at) last.to = at
    if (minutes !== null) known?.push({ from: at, to: at + minutes * 60_000 })
  }
  return snoozes
}
