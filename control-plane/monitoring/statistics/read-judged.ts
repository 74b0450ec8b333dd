import type { EntityManager } from '@mikro-orm/postgresql'
import type { Run } from '#control-plane/tenancy/plans/run.ts'
import { type Change, type JudgedTime, judgedTimes, merged, type Stretch, wholeOf } from './judged-time.ts'
import { blindSpells, milliseconds } from './spells.ts'

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

/** A monitor, the check that stands for its uptime, and how its time was judged in each window. */
export interface Judged {
  check: string | null
  times: JudgedTime[]
}

/**
 * How the time of many monitors was judged in several windows. `monitors` null means all of the tenant's; of those named, others' are left out.
 * The changes of a check come as one text: to read a row for each of them, here and there, costs twice as much as all the rest.
 */
export async function readJudgedTime(
  run: Run,
  tenant: { id: string },
  monitors: readonly string[] | null,
  windows: readonly Stretch[],
): Promise<Map<string, Judged>> {
  if (monitors?.length === 0) return new Map()
  const { from, to } = wholeOf(windows)
  const [start, end] = [new Date(from), new Date(to)]
  const blind = merged(await run<Stretch>(blindSpells, [start, end]))
  const rows = await run<Row>(changesOfEach(monitors ? 'm.id = any(?::uuid[])' : 'true'), [
    ...[tenant.id, ...(monitors ? [`{${monitors.join()}}`] : [])],
    ...[tenant.id, start, tenant.id, start, end],
  ])
  return new Map(rows.map(({ monitor_id, check_id, changes }) => [monitor_id, { check: check_id, times: judgedTimes(changesIn(changes), blind, windows) }]))
}

interface Row {
  monitor_id: string
  check_id: string | null
  changes: string | null
}

const changesIn = (text: string | null): Change[] => (text ? text.split(',').map(readChange) : [])

function readChange(text: string): Change {
  const space = text.indexOf(' ')
  return { at: Number(text.slice(0, space)), verdict: text.slice(space + 1) }
}

const changesOfEach = (which: string) => `
  with target as materialized (${targets(which)})
  select t.monitor_id, t.check_id, (
    select string_agg(${milliseconds('at')} || ' ' || verdict, ',' order by at, id) from (
      (select at, id, verdict from verdict_changes where tenant_id = ? and check_id = t.check_id and at <= ?::timestamptz order by at desc, id desc limit 1)
      union all
      (select at, id, verdict from verdict_changes where tenant_id = ? and check_id = t.check_id and at > ?::timestamptz and at < ?::timestamptz)
    ) v
  ) as changes
  from target t`
