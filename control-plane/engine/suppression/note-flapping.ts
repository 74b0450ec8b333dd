import { type RawBuilder, sql } from 'kysely'
import { type Db, prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { isQuietSql, wasQuietSql } from './maintenance.ts'
import type { SuppressionRules } from './rules.ts'
import { flapsSince, outageSwing, type Swing } from './swings.ts'

const ms = (column: RawBuilder<unknown>) => sql`(extract(epoch from ${column}) * 1000)::float8`

/**
 * Recent changes of checks, of the last seconds. `moves`: SQL for the changes of a check `c`, each with its time and
 * whether it recovered by itself.
 */
const recentMoves = (checks: string, moves: RawBuilder<unknown>) => sql<Moved>`
  select c.id as check_id, ${ms(sql`clock_timestamp()`)} as now,
    exists (select 1 from flappings f where f.monitor_id = c.monitor_id and f.ended_at is null) as is_flapping,
    (select coalesce(json_agg(json_build_array(${ms(sql`s.at`)}, s.came_back)), '[]') from (${moves}) s) as moves
  from json_to_recordset(${checks}::json) as r(check_id uuid) join checks c on c.id = r.check_id
  join monitors m on m.id = c.monitor_id
  where not ${isQuietSql('m')}`

const outages = prepared('suppression-outages', (checks: string, seconds: number) =>
  recentMoves(
    checks,
    sql`
  select i.started_at as at, i.resolution is not distinct from 'recovered' as came_back from incidents i
  where i.monitor_id = c.monitor_id and i.check_id = c.id
  and i.started_at > clock_timestamp() - ${seconds}::float8 * interval '1 second'
    and not ${wasQuietSql('i.suppressed_by')}`,
  ),
)

const wavers = prepared('suppression-wavers', (checks: string, seconds: number) =>
  recentMoves(
    checks,
    sql`
  select v.at, false as came_back from verdict_changes v
  where v.check_id = c.id and v.verdict in ('warning', 'up')
  and v.at > clock_timestamp() - ${seconds}::float8 * interval '1 second'`,
  ),
)

const begin = prepared(
  'suppression-flaps',
  (flaps: string) => sql`
    insert into flappings (id, tenant_id, monitor_id, check_id, started_at, last_change_at)
    select distinct on (c.monitor_id) gen_random_uuid(), c.tenant_id, c.monitor_id, c.id,
      coalesce(to_timestamp(r.began_at / 1000.0), clock_timestamp()), clock_timestamp()
    from json_to_recordset(${flaps}::json) as r(check_id uuid, began_at float8) join checks c on c.id = r.check_id
    order by c.monitor_id, r.began_at
    on conflict (monitor_id) where ended_at is null do update set last_change_at = excluded.last_change_at`,
)

interface Moved {
  check_id: Row<'checks', 'id'>['id']
  now: number
  is_flapping: boolean
  moves: [at: number, cameBack: boolean][]
}

async function note(
  db: Db,
  of: 'outages' | 'wavers',
  checks: readonly { check_id: string }[],
  { flapping }: SuppressionRules,
): Promise<void> {
  if (checks.length === 0) return
  const keys = JSON.stringify(checks.map(({ check_id }) => ({ check_id })))
  const moved = await rows(db, (of === 'outages' ? outages : wavers)(keys, flapping.withinS))
  const flaps = moved.flatMap(({ check_id, now, is_flapping, moves }) => {
    const swings: Swing[] = moves.map(([at, cameBack]) => outageSwing(at, cameBack))
    const began_at = flapsSince(swings, flapping, now)
    return began_at !== null || is_flapping ? { check_id, began_at } : []
  })
  if (flaps.length > 0) await rows(db, begin(JSON.stringify(flaps)))
}

/** Records flapping of checks that have just recovered. */
export const noteFlapping = (db: Db, rows: readonly { check_id: string }[], rules: SuppressionRules): Promise<void> =>
  note(db, 'outages', rows, rules)

/** Warnings that come and go make a monitor flap as much as outages do. */
export const noteWavering = (db: Db, rows: readonly { check_id: string }[], rules: SuppressionRules): Promise<void> =>
  note(db, 'wavers', rows, rules)
