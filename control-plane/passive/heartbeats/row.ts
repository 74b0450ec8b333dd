import { type RawBuilder, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { isQuarantinedSql } from '#control-plane/base/quarantine/quarantine.ts'
import { BadRowError } from '#control-plane/base/quarantine/reason.ts'
import { columnOf, type Part, prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { isPausedByMaintenanceSql } from '#control-plane/engine/suppression/maintenance.ts'
import { insertReportsSql, notifyReportsSql, type PushedReport } from '#control-plane/engine/verdicts/pushed-reports.ts'
import type { Beat, BeatContext } from './heartbeat.ts'

/** A stored heartbeat, locked by the reader. Times are milliseconds. */
export type StoredBeat = Row<'heartbeats', 'check_id' | 'tenant_id' | 'armed_by' | 'runs' | 'pings' | 'last_state'> &
  Row<'checks', 'verdict'> & {
    outcome: Beat['outcome']
    reported_at: number | null
    expected_at: number | null
    alert_after: number | null
    wake_at: number | null
    last_ping_at: number | null
    settings: string
    is_active: boolean
    is_quarantined: boolean
  }

const ms = (column: string) =>
  sql`extract(epoch from ${sql.ref(column)})::float8 * 1000 as ${sql.ref(column.slice(column.indexOf('.') + 1))}`

/** Whether a check is active, for checks `c`, monitors `m` and tenants `t`. */
export const isActiveSql = sql`(c.is_enabled and m.is_enabled and not m.held_by_plan and t.paused_at is null
  and not ${isPausedByMaintenanceSql('m')})`

/** Columns of `StoredBeat`, for heartbeats `h`, their checks `c`, monitors `m` and tenants `t`. */
export const selectBeats = sql`
  h.check_id, h.tenant_id, h.outcome, ${ms('h.reported_at')}, h.armed_by, ${ms('h.expected_at')},
  ${ms('h.alert_after')}, ${ms('h.wake_at')}, h.runs,
  h.pings, ${ms('h.last_ping_at')}, h.last_state, c.settings::text as settings, c.verdict,
  ${isActiveSql} as is_active, ${isQuarantinedSql('heartbeat', 'h.check_id')} as is_quarantined`
export const joinBeats = sql`
  join checks c on c.id = h.check_id join monitors m on m.id = h.monitor_id join tenants t on t.id = h.tenant_id`

export function beatOf(row: StoredBeat): Beat {
  if (typeof row.runs !== 'object' || row.runs === null || Object.values(row.runs).some(at => typeof at !== 'number'))
    throw new BadRowError('The runs of the heartbeat cannot be read.')
  return {
    outcome: row.outcome,
    reportedAt: row.reported_at,
    armedBy: row.armed_by,
    expectedAt: row.expected_at,
    alertAfter: row.alert_after,
    wakeAt: row.wake_at,
    runs: row.runs,
  }
}
export const contextOf = ({ is_active, verdict }: StoredBeat): BeatContext => ({ isActive: is_active, verdict })

/** A ping as it is stored. */
export interface StoredPing {
  check_id: string
  tenant_id: string
  number: number
  at_ms: number
  state: string
  method: string
  run_id: string | null
  exit_code: number | null
  duration_ms: number | null
  output: string | null
  ip: string | null
  is_former_url: boolean
}

export interface BeatChange {
  check_id: string
  beat: Beat
  pings: number
  lastPingAt: number | null
  lastState: string | null
}

export const moment = (column: Part): RawBuilder<string> => sql`to_timestamp(${columnOf(column)} / 1000.0)`

/** Stored pings of one monitor: the newest replace the oldest. */
export const maxStoredPings = 1_000

/** Stores the rows of `source` as pings. */
export const storePingsSql = (source: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  insert into pings as p (
    check_id, place, tenant_id, number, at, state, method, run_id, exit_code, duration_ms, output, ip, is_former_url
  )
  select r.check_id, (r.number % ${sql.lit(maxStoredPings)})::smallint, r.tenant_id, r.number, r.at, r.state,
    r.method, r.run_id,
    r.exit_code, r.duration_ms, r.output, r.ip, r.is_former_url
  from ${source} r
  on conflict (check_id, place) do update set number = excluded.number, at = excluded.at, state = excluded.state,
    method = excluded.method, run_id = excluded.run_id, exit_code = excluded.exit_code,
    duration_ms = excluded.duration_ms, output = excluded.output, ip = excluded.ip,
    is_former_url = excluded.is_former_url`

const pingColumns = sql`check_id uuid, tenant_id uuid, number bigint, at_ms float8, state text, method text,
  run_id text,
  exit_code int, duration_ms bigint, output text, ip inet, is_former_url boolean`

const write = prepared(
  'write-beats',
  (beats: string, pings: string, reports: string) => sql`
  with beats as (
    update heartbeats h set outcome = r.outcome, reported_at = ${moment('r.reported_at')}, armed_by = r.armed_by,
      expected_at = ${moment('r.expected_at')}, alert_after = ${moment('r.alert_after')},
      wake_at = ${moment('r.wake_at')}, runs = r.runs, pings = r.pings,
      last_ping_at = ${moment('r.last_ping_at')}, last_state = r.last_state
    from json_to_recordset(${beats}::json) as r(check_id uuid, outcome text, reported_at float8, armed_by text,
      expected_at float8, alert_after float8, wake_at float8, runs jsonb, pings bigint, last_ping_at float8,
      last_state text)
    where h.check_id = r.check_id
  ), kept as (
    ${storePingsSql(sql`(
      select g.*, ${moment('g.at_ms')} as at
      from json_to_recordset(${pings}::json) as g(${pingColumns})
    )`)}
  ), said as (${insertReportsSql(reports)})
  select ${notifyReportsSql} from said limit 1`,
)

/** Stores changed heartbeats, their pings and pushed reports: one statement, in the caller's transaction. */
export async function writeBeats(
  client: PoolClient,
  changes: readonly BeatChange[],
  pings: readonly StoredPing[],
  reports: readonly PushedReport[],
): Promise<void> {
  const beats = changes.map(({ check_id, beat, pings: count, lastPingAt, lastState }) => ({
    check_id,
    outcome: beat.outcome,
    reported_at: beat.reportedAt,
    armed_by: beat.armedBy,
    expected_at: beat.expectedAt,
    alert_after: beat.alertAfter,
    wake_at: beat.wakeAt,
    runs: beat.runs,
    pings: count,
    last_ping_at: lastPingAt,
    last_state: lastState,
  }))
  await rows(client, write(JSON.stringify(beats), JSON.stringify(pings), JSON.stringify(reports)))
}

const storeUnreadable = prepared(
  'keep-unread-pings',
  (pings: string) => sql`
    with given as (
      select g.*, ${moment('g.at_ms')} as at
      from json_to_recordset(${pings}::json) as g(${pingColumns})
    ), noted as (
      update heartbeats h set pings = l.number, last_ping_at = l.at, last_state = l.state
      from (select distinct on (check_id) * from given order by check_id, number desc) l where h.check_id = l.check_id
    )
    ${storePingsSql(sql`given`)}`,
)

/** Stores pings of heartbeats whose rules cannot be parsed. They change no outcome. */
export const storePings = (client: PoolClient, pings: readonly StoredPing[]): Promise<unknown> =>
  rows(client, storeUnreadable(JSON.stringify(pings)))
