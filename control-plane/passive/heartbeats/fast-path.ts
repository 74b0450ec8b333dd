import { sql } from 'kysely'
import type { Pool } from 'pg'
import { prepared, rows } from '#control-plane/db/queries.ts'
import { goesOnSql } from '#control-plane/tenancy/team-states/state.ts'
import { type Beat, receive } from './heartbeat.ts'
import { isActiveSql, moment, storePingsSql } from './row.ts'
import type { BeatRules } from './rules.ts'

/**
 * Nearly every ping is a plain `ok` of a job that is up and stays so. The rules compute the next state in this process,
 * and one statement writes it where the stored heartbeat is up and has the same rules, without reading it first. All
 * other pings take the normal path.
 */
export interface FastPathPing {
  address: string
  method: string
  ip: string
  /** What was read of the address with an earlier ping. */
  known: KnownAddress
}

export interface KnownAddress {
  check: string
  tenant: string
  rules: BeatRules
  /** The hash of the settings that the rules were parsed from. */
  settingsHash: string
}

export const settingsHashSql = sql`jsonb_hash_extended(c.settings, 0)`

const take = prepared(
  'take-usual-pings',
  (
    now: number,
    addresses: readonly string[],
    hashes: readonly string[],
    armedBy: readonly (string | null)[],
    expectedAt: readonly (number | null)[],
    alertAfter: readonly (number | null)[],
    methods: readonly string[],
    ips: readonly (string | null)[],
  ) => sql<{ place: number }>`
  with asked as (
    select * from unnest(${addresses}::uuid[], ${hashes}::bigint[], ${armedBy}::text[], ${expectedAt}::float8[],
      ${alertAfter}::float8[], ${methods}::text[], ${ips}::inet[])
      with ordinality as r(address, settings_hash, armed_by, expected_at, alert_after, method, ip, place)
  ), found as materialized (
    -- limit 1 makes the planner use the keys, whatever it believes about the number of rows
    select r.*, x.* from asked r cross join lateral (
      select a.check_id, a.ends_at is not null as is_former_url
      from ping_addresses a join checks c on c.id = a.check_id join monitors m on m.id = c.monitor_id
        join tenants t on t.id = c.tenant_id
      where a.id = r.address and (a.ends_at is null or a.ends_at > clock_timestamp()) and ${goesOnSql('pings')}
        and c.verdict = 'up' and ${settingsHashSql} = r.settings_hash and ${isActiveSql}
      limit 1
    ) x
  ), moved as (
    update heartbeats h set armed_by = r.armed_by, expected_at = ${moment('r.expected_at')},
      alert_after = ${moment('r.alert_after')}, pings = h.pings + 1,
      last_ping_at = ${moment(sql`${now}::float8`)}, last_state = 'ok'
    from found r
    where h.check_id = r.check_id and h.outcome = 'up' and h.runs = '{}' and h.wake_at <= ${moment('r.alert_after')}
      and h.last_ping_at <= ${moment(sql`${now}::float8`)}
    returning r.place, h.check_id, h.tenant_id, h.pings as number, h.last_ping_at as at, h.last_state as state,
      r.method, null as run_id, null::int as exit_code, null::bigint as duration_ms, null as output, r.ip,
      r.is_former_url
  ), kept as (${storePingsSql(sql`moved`)})
  select place::int from moved`,
)

/** When each ping was stored, in milliseconds; null: it takes the normal path. At most one ping of each heartbeat is stored. */
export async function takeOnFastPath(
  pool: Pool,
  pings: readonly FastPathPing[],
  now: number,
): Promise<(number | null)[]> {
  // all transactions lock rows in the same order, or two batches could wait for each other
  const inOrder = pings
    .map((ping, index) => ({ ...ping, index, beat: wellAfter(ping.known.rules, now) }))
    .sort((a, b) => (a.known.check < b.known.check ? -1 : 1))
  const column = <Value>(of: (ping: (typeof inOrder)[number]) => Value) => inOrder.map(of)
  const stored = await rows(
    pool,
    take(
      now,
      column(({ address }) => address),
      column(({ known }) => known.settingsHash),
      column(({ beat }) => beat.armedBy),
      column(({ beat }) => beat.expectedAt),
      column(({ beat }) => beat.alertAfter),
      column(({ method }) => method),
      column(({ ip }) => ip || null),
    ),
  )
  const taken: (number | null)[] = pings.map(() => null)
  for (const { place } of stored) taken[inOrder[place - 1]!.index] = now
  return taken
}

/** The state of a heartbeat that is up after a plain `ok`. */
function wellAfter(rules: BeatRules, at: number): Beat {
  const beat: Beat = {
    outcome: 'up',
    reportedAt: null,
    armedBy: null,
    expectedAt: null,
    alertAfter: null,
    wakeAt: null,
    runs: {},
  }
  receive(beat, rules, { state: 'ok', runId: null, exitCode: null }, at, { isActive: true, verdict: 'up' })
  return beat
}
