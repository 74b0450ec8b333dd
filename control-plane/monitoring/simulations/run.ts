import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { serverHistory } from '#analytics/queries/server-history.ts'
import { planResults, storedResults } from '#analytics/queries/stored-results.ts'
import { agent } from '#checks/agent/kind.ts'
import { cron } from '#checks/cron/kind.ts'
import { isKindName } from '#checks/index.ts'
import { severities } from '#contract/check.ts'
import type { Limits } from '#contract/plans.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { directRules, timeoutOf } from '#control-plane/engine/assignments/assigned.ts'
import { openSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { effectiveInterval } from '#control-plane/engine/assignments/interval.ts'
import { type CheckRules, freshnessMs } from '#control-plane/engine/verdicts/core.ts'
import type { Services } from '#control-plane/http/services.ts'
import type { CheckRow } from '#control-plane/monitoring/checks/row.ts'
import { regionsOf } from '#control-plane/monitoring/checks/turns.ts'
import { rulesOf } from '#control-plane/monitoring/cron-monitors/rules.ts'
import type { MonitorRow } from '#control-plane/monitoring/monitors/row.ts'
import { kindOf, rulesWith, type SettingChange, settingsWith } from './changes.ts'
import { type Heard, readHeard, replayHeartbeat } from './heartbeats.ts'
import { momentsOf, type Stretch } from './moments.ts'
import {
  type Change,
  type RealIncident,
  readChanges,
  readDown,
  readMonitoringGaps,
  readStandings,
  type Standings,
} from './read.ts'
import { Judge, LookBack, SeenReader } from './rejudge.ts'
import { type Course, Lane, Replay } from './replay.ts'
import { replayServer } from './servers.ts'

/** Looks that one simulation goes through, at most. */
export const maxLooks = 3_000_000
const leastWarmUpMs = 3_600_000
const longestWarmUpMs = 14 * 86_400_000

/** What is known of a check and its time before its looks are read. */
export interface CheckHistory {
  check: CheckRow
  rules: CheckRules
  /** Looks are taken in from here on, so that everything stands as it stood when the stretch begins. */
  startsAt: number
  changes: Change[]
  parentsDown: Stretch[]
  standings: Standings
  /** Of a job that reports: what it told. */
  heard: Heard | null
  /** When we heard of nobody; asked where silence counts. */
  blind: Stretch[]
}

export async function readHistory(
  em: EntityManager,
  { platform }: Pick<Services, 'platform'>,
  {
    monitor,
    check,
    limits,
    incidents,
    stretch,
  }: { monitor: MonitorRow; check: CheckRow; limits: Limits; incidents: readonly RealIncident[]; stretch: Stretch },
): Promise<CheckHistory> {
  const severity = severities.find(known => known === check.severity) ?? null
  const isHeartbeat = check.type === cron.name
  const intervalMs = 1_000 * effectiveInterval(check, limits)
  const looked: CheckRules = {
    regions: regionsOf(check, limits),
    policy: monitor.region_policy,
    confirmations: monitor.confirmations,
    recoveryConfirmations: monitor.recovery_confirmations,
    severity,
    intervalMs,
    timeoutMs: isKindName(check.type)
      ? timeoutOf(check.type, check.settings, monitor.timeout * 1_000, intervalMs)
      : intervalMs,
  }
  const isServer = check.type === agent.name
  const rules = isHeartbeat || isServer ? directRules(severity) : looked
  const warmUpMs = Math.max(leastWarmUpMs, 2 * freshnessMs(rules))
  // what was open already is followed from its beginning
  const openAt = incidents
    .filter(incident => incident.check_id === check.id && incident.started_at <= stretch.from)
    .map(incident => incident.started_at)
  const startsAt = Math.max(Math.min(stretch.from, ...openAt) - warmUpMs, stretch.from - longestWarmUpMs)
  const around = { from: startsAt, to: stretch.to }
  return {
    check,
    rules,
    startsAt,
    changes: await readChanges(em, check.id, around),
    parentsDown: await readDown(em, monitor.depends_on, around),
    standings: await readStandings(em, around),
    heard: isHeartbeat ? await readHeard(em, platform, check.id, around) : null,
    blind: isServer ? await readMonitoringGaps(em, around) : [],
  }
}

/** What came of one check's looks: by the settings of today, by all the changes, and by each of them alone. */
export interface CheckOutcome {
  check: CheckRow
  looks: number
  unchanged: Course
  changed: Course
  alone: Course[]
  /** Looks that the changed settings would have asked for, and today's would not, and that nobody made. */
  unmade: number
  /** Looks that could not be judged again. */
  left: number
}

type Known = Pick<Services, 'clickhouse' | 'config'>

/** Goes through a check's looks once, with a lane for each set of rules. `looksLeft`: how many there may be. */
export async function runCheck(
  { clickhouse, config }: Known,
  {
    tenant,
    history,
    changes,
    to,
    looksLeft,
  }: {
    tenant: { id: string }
    history: CheckHistory
    changes: readonly SettingChange[]
    to: number
    looksLeft: number
  },
): Promise<CheckOutcome> {
  const { check, rules, startsAt, standings } = history
  if (check.type === agent.name) return runServer({ clickhouse, config }, { tenant, history, changes, to, looksLeft })
  if (history.heard) return runHeartbeat(config, { history, heard: history.heard, changes, to })
  const kind = kindOf(check)!
  const back = new LookBack()
  const judges: Judge[] = []
  const laneOf = (some: readonly SettingChange[]) => {
    const settings = settingsWith(check, some, config)
    const judge =
      settings === undefined
        ? undefined
        : (judges.find(known => isDeepStrictEqual(known.settings, settings)) ?? new Judge(kind, settings, back))
    if (judge && !judges.includes(judge)) judges.push(judge)
    return new Lane(rulesWith(rules, some), startsAt, judge?.rejudge)
  }
  const own = changes.filter(change => change.check === null || change.check === check.id)
  const unchanged = laneOf([])
  const changed = own.length > 0 ? laneOf(own) : unchanged
  const alone = changes.map(change =>
    !own.includes(change) ? unchanged : own.length === 1 ? changed : laneOf([change]),
  )

  const of = {
    tenant: tenant.id,
    monitor: check.monitor_id,
    check: check.id,
    regions: rules.regions,
    from: new Date(startsAt),
    to: new Date(to),
  }
  const reader = judges.length > 0 ? new SeenReader(kind) : undefined
  const plan = await planResults(clickhouse, of, reader !== undefined)
  if (plan.rows > looksLeft) throw tooManyLooks()
  const replay = new Replay([...new Set([unchanged, changed, ...alone])], {
    startsAt,
    standings: standings.first,
    moments: momentsOf({ standings: standings.later, changes: history.changes, parentsDown: history.parentsDown }),
    parentsDown: history.parentsDown,
  })
  for await (const looks of storedResults(clickhouse, of, plan.spans, reader?.read))
    for (const look of looks) replay.take(look)
  replay.end(to)
  return {
    check,
    looks: plan.rows,
    unchanged,
    changed,
    alone,
    unmade: Math.max(0, changed.unmade - unchanged.unmade),
    left: Math.max(0, ...judges.map(({ left }) => left)),
  }
}

/** The same for a job that reports: each set of rules hears its pings by itself, as silence is told by the rules. */
function runHeartbeat(
  config: Known['config'],
  {
    history,
    heard,
    changes,
    to,
  }: { history: CheckHistory; heard: Heard; changes: readonly SettingChange[]; to: number },
): CheckOutcome {
  const { check, rules, startsAt, parentsDown } = history
  const moments = momentsOf({ standings: [], changes: history.changes, parentsDown })
  const pauses = pausesIn(history.changes)
  const run = (some: readonly SettingChange[]) => {
    const lane = new Lane(rules, startsAt)
    const settings = settingsWith(check, some, config) ?? openSettings(config, check.id, check)
    replayHeartbeat(
      new Replay([lane], { startsAt, standings: new Map(), moments, parentsDown }),
      lane,
      rulesOf(JSON.stringify(settings)),
      heard,
      pauses,
      to,
    )
    return lane
  }
  const own = changes.filter(change => change.check === check.id)
  const unchanged = run([])
  return {
    check,
    looks: heard.pings.length,
    unchanged,
    changed: own.length > 0 ? run(own) : unchanged,
    alone: changes.map(change => (own.includes(change) ? run([change]) : unchanged)),
    unmade: 0,
    left: 0,
  }
}

/** The same for a server that tells of itself. */
async function runServer(
  { clickhouse, config }: Known,
  {
    tenant,
    history: { check, rules, startsAt, changes: lived, parentsDown, blind },
    changes,
    to,
    looksLeft,
  }: {
    tenant: { id: string }
    history: CheckHistory
    changes: readonly SettingChange[]
    to: number
    looksLeft: number
  },
): Promise<CheckOutcome> {
  const own = changes.filter(change => change.check === check.id)
  const settingsBy = (some: readonly SettingChange[]) =>
    agent.settings.parse(settingsWith(check, some, config) ?? openSettings(config, check.id, check))
  const metrics = [
    ...new Set(
      [[], own, ...own.map(change => [change])].flatMap(some =>
        settingsBy(some).thresholds.map(({ metric }) => metric),
      ),
    ),
  ]
  const span = {
    tenant: tenant.id,
    monitor: check.monitor_id,
    metrics,
    from: new Date(startsAt),
    to: new Date(to),
    most: looksLeft + 1,
  }
  const told = await serverHistory(clickhouse, span)
  if (told.minutes.length > looksLeft) throw tooManyLooks()
  const moments = momentsOf({ standings: [], changes: lived, parentsDown })
  const run = async (some: readonly SettingChange[]) => {
    const lane = new Lane(rules, startsAt)
    const replay = new Replay([lane], { startsAt, standings: new Map(), moments, parentsDown })
    await replayServer(replay, settingsBy(some), { ...told, pauses: pausesIn(lived), blind }, to)
    return lane
  }
  const unchanged = await run([])
  const changed = own.length > 0 ? await run(own) : unchanged
  const alone: Course[] = []
  for (const change of changes)
    alone.push(!own.includes(change) ? unchanged : own.length === 1 ? changed : await run([change]))
  return { check, looks: told.minutes.length, unchanged, changed, alone, unmade: 0, left: 0 }
}

const tooManyLooks = () =>
  invalid(
    { from: [`At most ${maxLooks} looks can be gone through at once: ask for a shorter time.`] },
    'too_many_looks',
  )

function pausesIn(changes: readonly Change[]): Stretch[] {
  const pauses: Stretch[] = []
  for (const { at, verdict } of changes) {
    const last = pauses.at(-1)
    const isPaused = last?.to === Number.POSITIVE_INFINITY
    if (verdict === 'paused' && !isPaused) pauses.push({ from: at, to: Number.POSITIVE_INFINITY })
    else if (verdict !== 'paused' && isPaused && last) last.to = at
  }
  return pauses
}
