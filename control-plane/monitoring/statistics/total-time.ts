import type { Run } from '#control-plane/tenancy/plans/run.ts'
import { type JudgedTime, merged, type Stretch } from './judged-time.ts'
import { blindSpells, standingOrder, uptimeKindList } from './read-judged.ts'

type Total = Pick<JudgedTime, 'up' | 'warning' | 'down'>

/** Spells of one verdict that began and ended between the same edges: how many, and the sums of their beginnings and ends in milliseconds. */
interface Group {
  verdict: string
  began: number
  ended: number
  spells: number
  starts: number
  ends: number
}

/** The judged time of all of the tenant's monitors together, in each window, in whole milliseconds. */
export async function readTotalTime(run: Run, tenant: { id: string }, windows: readonly Stretch[]): Promise<Total[]> {
  const whole = { from: Math.min(...windows.map(window => window.from)), to: Math.max(...windows.map(window => window.to)) }
  const [start, end] = [new Date(whole.from), new Date(whole.to)]
  const blind = cutTo(whole, merged(await run<Stretch>(blindSpells, [start, end])))
  const edges = [...new Set([whole, ...windows, ...blind].flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b).map(edge => edge - whole.from)
  const places = `{${edges.join()}}`
  const groups = await run<Group>(spellsOfAll, [
    tenant.id,
    ...[start, end, start, tenant.id, start, end],
    ...[end, start, tenant.id, start, tenant.id, start, end, start],
    ...[places, places],
  ])
  const [up, warning, down] = (['up', 'warning', 'down'] as const).map(verdict => {
    const since = heldSince(
      groups.filter(group => group.verdict === verdict),
      edges,
    )
    const heldIn = ({ from, to }: Stretch) => (since.get(from - whole.from) ?? 0) - (since.get(to - whole.from) ?? 0)
    return windows.map(window => heldIn(window) - cutTo(window, blind).reduce((sum, spell) => sum + heldIn(spell), 0))
  })
  return windows.map((_, n) => ({ up: up?.[n] ?? 0, warning: warning?.[n] ?? 0, down: down?.[n] ?? 0 }))
}

const cutTo = (within: Stretch, stretches: readonly Stretch[]): Stretch[] =>
  stretches.map(({ from, to }) => ({ from: Math.max(from, within.from), to: Math.min(to, within.to) })).filter(({ from, to }) => from < to)

/** From each edge on, how long the verdict of these spells held, on all monitors together. */
function heldSince(groups: readonly Group[], edges: readonly number[]): Map<number, number> {
  const later = edges.map(() => ({ ms: 0, count: 0 }))
  const add = (place: number, ms: number, count: number) => {
    const known = later[place - 1]
    if (!known) return
    known.ms += ms
    known.count += count
  }
  for (const { began, ended, spells, starts, ends } of groups) {
    add(ended, ends, spells)
    add(began, -starts, -spells)
  }
  const since = new Map<number, number>()
  let [ms, count] = [0, 0]
  for (let place = edges.length - 1; place >= 0; place--) {
    ms += later[place]?.ms ?? 0
    count += later[place]?.count ?? 0
    since.set(edges[place] ?? 0, ms - count * (edges[place] ?? 0))
  }
  return since
}

const after = (moment: string) => `round(date_part('epoch', ${moment} - ?::timestamptz) * 1000)`
/** A check is judged once it is there; the hour is for clocks that differ. */
const wasThere = `s.created_at < ?::timestamptz + interval '1 hour'`

/**
 * Spells are read in the order of the index. What held before the first change is looked up by itself, for checks that were there by then;
 * `in (…) is true` is looked up in a table of hashes, where a join may be planned as every change beside every check.
 */
const spellsOfAll = `
  with standing as materialized (
    select distinct on (monitor_id) id, created_at from checks where tenant_id = ? and type = any(${uptimeKindList}) order by monitor_id, ${standingOrder}
  ),
  later as (
    select verdict, ${after('at')} as starts, ${after('lead(at, 1, ?::timestamptz) over (partition by check_id order by at, id)')} as ends
    from verdict_changes where tenant_id = ? and at > ?::timestamptz and at < ?::timestamptz and (check_id in (select id from standing)) is true
  ),
  earlier as (
    select v.verdict, 0 as starts, ${after('coalesce(n.at, ?::timestamptz)')} as ends
    from standing s cross join lateral (
      select verdict from verdict_changes where tenant_id = ? and check_id = s.id and at <= ?::timestamptz order by at desc, id desc limit 1
    ) v left join lateral (
      select at from verdict_changes where tenant_id = ? and check_id = s.id and at > ?::timestamptz and at < ?::timestamptz order by at, id limit 1
    ) n on true
    where ${wasThere}
  )
  select verdict, width_bucket(starts, ?::float8[]) as began, width_bucket(ends, ?::float8[]) as ended,
    count(*)::int as spells, sum(starts) as starts, sum(ends) as ends
  from (select * from later union all select * from earlier) p where verdict in ('up', 'warning', 'down') group by 1, 2, 3`
