import type { EntityManager } from '@mikro-orm/postgresql'
import type { Run } from '#control-plane/tenancy/plans/run.ts'
import { type Change, type JudgedTime, type Stretch, timeOf } from './judged-time.ts'

/** A monitor's uptime is that of its uptime check, or of the first of these kinds it has; enabled ones before others. */
const uptimeKinds = ['uptime', 'tcp', 'ping', 'dns', 'ssl', 'cron'] as const
/** The kinds as an array, and how a monitor's checks of these kinds come one before the other. */
export const uptimeKindList = `array[${uptimeKinds.map(kind => `'${kind}'`).join(', ')}]::varchar[]`
export const standingOrder = `is_enabled desc, array_position(${uptimeKindList}, type), created_at, id`

// each monitor asks for its checks by itself: a join may be planned as every monitor beside every check while a table has just grown
const targets = (which: string) => `
  select m.id as monitor_id, c.id as check_id
  from monitors m left join lateral (
    select id from checks where tenant_id = m.tenant_id and monitor_id = m.id and type = any(${uptimeKindList})
    order by ${standingOrder} limit 1
  ) c on true
  where m.tenant_id = ? and ${which}`

/** The check that stands for a monitor's uptime, if it has one. */
export async function findUptimeCheck(em: EntityManager, tenant: { id: string }, monitorId: string): Promise<string | null> {
  const rows = await em.execute<{ check_id: string | null }[]>(targets('m.id = ?'), [tenant.id, monitorId])
  return rows[0]?.check_id ?? null
}

const milliseconds = (moment: string) => `round(extract(epoch from ${moment}) * 1000)::float8`

/** Our own blind spells that touch what lies between two moments. */
export const blindSpells = `select ${milliseconds('started_at')} as from, ${milliseconds('ended_at')} as to
  from blind_spells where ended_at > ? and started_at < ? order by started_at`

/** One check's changes of verdict between two moments, with the one that held before them, and our own blind spells. */
export async function readChanges(em: EntityManager, checkId: string, { from, to }: Stretch): Promise<{ changes: Change[]; blindSpells: Stretch[] }> {
  const [start, end] = [new Date(from), new Date(to)]
  const changes = await em.execute<Change[]>(
    `select ${milliseconds('at')} as at, verdict from (
       (select at, id, verdict from verdict_changes where check_id = ? and at <= ? order by at desc, id desc limit 1)
       union all
       (select at, id, verdict from verdict_changes where check_id = ? and at > ? and at < ?)
     ) v order by v.at, v.id`,
    [checkId, start, checkId, start, end],
  )
  return { changes, blindSpells: await em.execute<Stretch[]>(blindSpells, [start, end]) }
}

interface Row {
  monitor_id: string
  check_id: string | null
  window: number | null
  up: number
  warning: number
  down: number
  maintenance: number
  paused: number
}

/** A monitor, the check that stands for its uptime, and how its time was judged in each window. */
export interface Judged {
  check: string | null
  times: JudgedTime[]
}

/**
 * The same sum as `timeOf(judgedSpans(…))`, made in the database for many monitors and several windows at once.
 * `monitors` null means all of the tenant's; of those named, others' are left out.
 */
export async function readJudgedTime(
  run: Run,
  tenant: { id: string },
  monitors: readonly string[] | null,
  windows: readonly Stretch[],
): Promise<Map<string, Judged>> {
  if (monitors?.length === 0) return new Map()
  const asked = judgedTime(monitors, tenant, windows)
  const rows = await run<Row>(
    `${asked.sql} select t.monitor_id, t.check_id, k.n as window, ${['up', 'warning', 'down', 'maintenance', 'paused'].map(sumOf).join(', ')}
     from target t left join kept k on k.monitor_id = t.monitor_id group by t.monitor_id, t.check_id, k.n`,
    asked.values,
  )
  const judged = new Map<string, Judged>()
  for (const row of rows) {
    const known = judged.get(row.monitor_id) ?? { check: row.check_id, times: windows.map(window => timeOf([{ verdict: 'no_data', ...window }])) }
    judged.set(row.monitor_id, known)
    if (row.window === null) continue
    const { up, warning, down, maintenance, paused } = row
    const { from, to } = windows[row.window]!
    known.times[row.window] = { up, warning, down, maintenance, paused, no_data: Math.max(0, to - from - up - warning - down - maintenance - paused) }
  }
  return judged
}

const sumOf = (verdict: string) => `coalesce(sum(k.ms) filter (where k.verdict = '${verdict}'), 0)::float8 as ${verdict}`

/** What is kept of each monitor's time in each window, as pieces to be summed: the blind ones are taken off again. */
const keptTime = (which: string) => `
  with target as (${targets(which)}),
  change as (
    select t.monitor_id, greatest(v.at, ?::timestamptz) as at, v.id, v.verdict
    from target t cross join lateral (
      (select at, id, verdict from verdict_changes where check_id = t.check_id and at <= ?::timestamptz order by at desc, id desc limit 1)
      union all
      (select at, id, verdict from verdict_changes where check_id = t.check_id and at > ?::timestamptz and at < ?::timestamptz)
    ) v
  ),
  span as (
    select monitor_id, verdict, at as starts, lead(at, 1, ?::timestamptz) over (partition by monitor_id order by at, id) as ends from change
  ),
  blind as materialized (
    select unnest(range_agg(tstzrange(greatest(started_at, ?::timestamptz), least(ended_at, ?::timestamptz)))) as spell
    from blind_spells where ended_at > ?::timestamptz and started_at < ?::timestamptz
  ),
  period as (
    select w.n, w.from, w.to from jsonb_to_recordset(?::jsonb) as w(n int, "from" timestamptz, "to" timestamptz)
  ),
  piece as (
    select s.monitor_id, p.n, s.verdict, greatest(s.starts, p.from) as starts, least(s.ends, p.to) as ends
    from span s join period p on s.starts < p.to and s.ends > p.from
  ),
  kept as (
    select monitor_id, n, verdict, date_part('epoch', ends - starts) * 1000 as ms from piece
    union all
    select p.monitor_id, p.n, p.verdict, -date_part('epoch', least(p.ends, upper(b.spell)) - greatest(p.starts, lower(b.spell))) * 1000
    from blind b join piece p on lower(b.spell) < p.ends and upper(b.spell) > p.starts
  )`

function judgedTime(monitors: readonly string[] | null, tenant: { id: string }, windows: readonly Stretch[]): { sql: string; values: unknown[] } {
  const from = new Date(Math.min(...windows.map(window => window.from)))
  const to = new Date(Math.max(...windows.map(window => window.to)))
  const periods = JSON.stringify(windows.map((window, n) => ({ n, from: new Date(window.from), to: new Date(window.to) })))
  return {
    sql: keptTime(monitors ? 'm.id = any(array[?]::uuid[])' : 'true'),
    values: [tenant.id, ...(monitors ? [monitors] : []), ...[from, from, from, to], to, ...[from, to, from, to], periods],
  }
}
