import { sql } from 'kysely'
import { z } from 'zod'
import { type CronSettings, cron } from '#checks/cron/kind.ts'
import { aliasProviders, shownAlias } from '#contract/ping-alias.ts'
import { stamp } from '#contract/time.ts'
import { fixed, type Row } from '#control-plane/db/queries.ts'
import { isWatched } from '#control-plane/engine/state/state.ts'
import { checkSeverities } from '#control-plane/monitoring/checks/input.ts'
import { ownFields, viewOwn } from '#control-plane/monitoring/monitors/own.ts'
import { joinStates, type MonitorRow, selectMonitors } from '#control-plane/monitoring/monitors/row.ts'
import { expectedPings, pingStates } from './heartbeat.ts'
import { rulesOf } from './rules.ts'

const time = z.string().meta({ format: 'date-time' })
const settings = cron.settings.shape

export const CronMonitorView = z
  .object({
    id: z.uuid(),
    check_id: z.uuid(),
    ...ownFields('the first ping'),
    url: z.string(),
    severity: z.enum(checkSeverities),
    schedule_kind: settings.schedule_kind.unwrap(),
    schedule: z.string().nullable(),
    timezone: z.string(),
    period_minutes: z.int().nullable(),
    grace_minutes: z.int(),
    max_run_minutes: z.int().nullable(),
    fail_keyword: z.string().nullable(),
    ping_url: z.url().meta({ description: 'A secret of the job: the URL alone allows pings.' }),
    former_ping_urls: z
      .array(z.object({ ping_url: z.url(), ends_at: time }))
      .meta({ description: 'Rotated URLs that still work, and until when.' }),
    imported_ping_addresses: z
      .array(z.object({ provider: z.enum(aliasProviders), path: z.string(), created_at: time }))
      .meta({
        description:
          'Addresses that the job had at another provider: a ping to one counts once its host name leads here. The ' +
          'secret in the path is not stored and not shown.',
      }),
    pings_total: z.int(),
    last_ping_at: time.nullable(),
    last_state: z.enum(pingStates).meta({ id: 'PingState' }).nullable(),
    running_since: time.nullable().meta({ description: 'When the oldest unfinished run began.' }),
    alert_after: time.nullable().meta({ description: 'When silence opens an incident.' }),
    next_expected: z
      .array(time)
      .meta({ description: 'The next three expected pings, unless one comes early; none while paused.' }),
  })
  .meta({ id: 'CronMonitor' })

/** A monitor of a job beside its heartbeat. Times of the heartbeat are milliseconds. */
export type CronMonitorRow = MonitorRow &
  Row<'checks', 'severity'> &
  Row<'heartbeats', 'check_id' | 'armed_by' | 'runs' | 'pings' | 'last_state'> & {
    check_enabled: Row<'checks'>['is_enabled']
    settings: string
    expected_at: number | null
    alert_after: number | null
    last_ping_at: number | null
    addresses: (Row<'ping_addresses', 'id'> & { ends_at: number | null })[]
    aliases: { kind: string; created_at: number }[] | null
  }

const ms = (column: 'expected_at' | 'alert_after' | 'last_ping_at') =>
  sql`extract(epoch from ${sql.ref(`h.${column}`)})::float8 * 1000 as ${sql.ref(column)}`

export const selectCronMonitors = fixed(sql`
  ${selectMonitors}, c.id as check_id, c.is_enabled as check_enabled, c.severity, c.settings::text as settings,
  h.armed_by, ${ms('expected_at')}, ${ms('alert_after')}, h.runs, h.pings, ${ms('last_ping_at')}, h.last_state,
  (select json_agg(
     json_build_object('id', a.id, 'ends_at', extract(epoch from a.ends_at) * 1000) order by a.created_at desc
   ) from ping_addresses a
   where a.check_id = h.check_id and (a.ends_at is null or a.ends_at > clock_timestamp())) as addresses,
  (select json_agg(
     json_build_object('kind', a.kind, 'created_at', extract(epoch from a.created_at) * 1000) order by a.created_at
   ) from ping_aliases a where a.check_id = h.check_id) as aliases`)
export const fromCronMonitors = sql`
  from monitors m join heartbeats h on h.monitor_id = m.id join checks c on c.id = h.check_id ${joinStates}`

export const pingUrl = (origin: string, address: string) => `${origin}/api/ping/${address}`

const moment = (atMs: number | null) => stamp(atMs === null ? null : new Date(atMs))

export function viewCronMonitor(
  row: CronMonitorRow,
  { origin, now }: { origin: string; now: Date },
): z.input<typeof CronMonitorView> {
  const rules = rulesOf(row.settings)
  const isActive = isWatched(row.state) && row.check_enabled
  // a heartbeat that was armed by former rules is about to be armed again
  const isArmed = isActive && row.armed_by === rules.key
  const runs = Object.values(row.runs)
  return {
    ...viewOwn(row),
    check_id: row.check_id,
    severity: checkSeverities.find(severity => severity === row.severity) ?? 'warning',
    ...shown(rules.settings),
    ping_url: pingUrl(origin, row.addresses.find(address => address.ends_at === null)?.id ?? ''),
    former_ping_urls: row.addresses.flatMap(({ id, ends_at }) =>
      ends_at === null ? [] : [{ ping_url: pingUrl(origin, id), ends_at: stamp(new Date(ends_at)) }],
    ),
    imported_ping_addresses: (row.aliases ?? []).flatMap(({ kind, created_at }) => {
      const shown = shownAlias(kind)
      return shown ? [{ ...shown, created_at: stamp(new Date(created_at)) }] : []
    }),
    pings_total: Number(row.pings),
    last_ping_at: moment(row.last_ping_at),
    last_state: pingStates.find(state => state === row.last_state) ?? null,
    running_since: runs.length > 0 ? moment(Math.min(...runs)) : null,
    alert_after: moment(isArmed ? row.alert_after : null),
    next_expected: isActive
      ? expectedPings({ expectedAt: isArmed ? row.expected_at : null }, rules, now.getTime(), 3).map(at =>
          stamp(new Date(at)),
        )
      : [],
  }
}

const shown = (of: CronSettings) => ({
  ...of,
  schedule: of.schedule_kind === 'cron' ? of.schedule : null,
  period_minutes: of.schedule_kind === 'simple' ? of.period_minutes : null,
})
