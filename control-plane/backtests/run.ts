import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { serverHistory } from '#analytics/queries/server-history.ts'
import { planResults, storedResults } from '#analytics/queries/stored-results.ts'
import { agent } from '#checks/agent/kind.ts'
import { cron } from '#checks/cron/kind.ts'
import { isKindName } from '#checks/index.ts'
import { severities } from '#contract/check.ts'
import type { Limits } from '#contract/plans.ts'
import { Sentence } from '#contract/sentence.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { directRules, timeoutOf } from '#control-plane/engine/assignments/assigned.ts'
import { decryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { effectiveInterval } from '#control-plane/engine/assignments/interval.ts'
import { type CheckRules, freshnessMs } from '#control-plane/engine/verdicts/core.ts'
import type { Services } from '#control-plane/http/services.ts'
import { regionsOf } from '#control-plane/monitoring/checks/next-run.ts'
import type { CheckRow } from '#control-plane/monitoring/checks/row.ts'
import type { MonitorRow } from '#control-plane/monitoring/monitors/row.ts'
import { rulesOf } from '#control-plane/passive/heartbeats/rules.ts'
import { kindOf, rulesWith, type SettingChange, settingsWith } from './changes.ts'
import { type JobReports, readJobReports, replayHeartbeat } from './heartbeats.ts'
import { type Interval, momentsOf } from './moments.ts'
import {
  type Change,
  type EligibilityHistory,
  type RealIncident,
  readChanges,
  readDown,
  readEligibilities,
  readMonitoringGaps,
} from './read.ts'
import { Judge, PreviousResults, SeenReader } from './rejudge.ts'
import { Replay, type Timeline, Variant } from './replay.ts'
import { replayServer } from './servers.ts'

/** The most results that one backtest replays. */
export const maxResults = 3_000_000
const leastWarmUpMs = 3_600_000
const longestWarmUpMs = 14 * 86_400_000

/** What is known of a check before its results are read. */
export interface CheckHistory {
  check: CheckRow
  rules: CheckRules
  /** Results are replayed from here on, so that the state at the beginning of the period is right. */
  startsAt: number
  changes: readonly Change[]
  parentsDown: Interval[]
  eligibilities: EligibilityHistory
  /** Of a job: its pings. */
  reports: JobReports | null
  /** Read for servers, whose silence counts. */
  monitoringGaps: Interval[]
}

export async function readHistory(
  em: EntityManager,
  { platform }: Pick<Services, 'platform'>,
  {
    monitor,
    check,
    limits,
    incidents,
    period,
  }: { monitor: MonitorRow; check: CheckRow; limits: Limits; incidents: readonly RealIncident[]; period: Interval },
): Promise<CheckHistory> {
  const severity = severities.find(known => known === check.severity) ?? null
  const isHeartbeat = check.type === cron.name
  const intervalMs = 1_000 * effectiveInterval(check, limits)
  const runRules: CheckRules = {
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
  const rules = isHeartbeat || isServer ? directRules(severity) : runRules
  const warmUpMs = Math.max(leastWarmUpMs, 2 * freshnessMs(rules))
  // an incident that is already open is replayed from its beginning
  const openAt = incidents
    .filter(incident => incident.check_id === check.id && incident.started_at <= period.from)
    .map(incident => incident.started_at)
  const startsAt = Math.max(Math.min(period.from, ...openAt) - warmUpMs, period.from - longestWarmUpMs)
  const span = { from: startsAt, to: period.to }
  return {
    check,
    rules,
    startsAt,
    changes: await readChanges(em, check.id, span),
    parentsDown: await readDown(em, monitor.depends_on, span),
    eligibilities: await readEligibilities(em, span),
    reports: isHeartbeat ? await readJobReports(em, platform, check.id, span) : null,
    monitoringGaps: isServer ? await readMonitoringGaps(em, span) : [],
  }
}

/** The backtest of one check: by the settings of today, by all changes, and by each change alone. */
export interface CheckBacktest {
  check: CheckRow
  results: number
  unchanged: Timeline
  changed: Timeline
  alone: Timeline[]
  /** Confirmation runs that only the changed settings would have requested, and that were not made. */
  missingRuns: number
  /** Results that could not be judged again. */
  notRejudged: number
}

type BacktestDeps = Pick<Services, 'clickhouse' | 'config'>

/** Replays a check's results once, with a variant for each set of rules. `resultsLeft`: how many there may be. */
export async function runCheck(
  { clickhouse, config }: BacktestDeps,
  {
    tenant,
    history,
    changes,
    to,
    resultsLeft,
  }: {
    tenant: { id: string }
    history: CheckHistory
    changes: readonly SettingChange[]
    to: number
    resultsLeft: number
  },
): Promise<CheckBacktest> {
  const { check, rules, startsAt, eligibilities } = history
  if (check.type === agent.name) return runServer({ clickhouse, config }, { tenant, history, changes, to, resultsLeft })
  if (history.reports) return runHeartbeat(config, { history, reports: history.reports, changes, to })
  const kind = kindOf(check)!
  const back = new PreviousResults()
  const judges: Judge[] = []
  const variantOf = (some: readonly SettingChange[]) => {
    const settings = settingsWith(check, some, config)
    const judge =
      settings === undefined
        ? undefined
        : (judges.find(known => isDeepStrictEqual(known.settings, settings)) ?? new Judge(kind, settings, back))
    if (judge && !judges.includes(judge)) judges.push(judge)
    return new Variant(rulesWith(rules, some), startsAt, judge?.rejudge)
  }
  const own = changes.filter(change => change.check === null || change.check === check.id)
  const unchanged = variantOf([])
  const changed = own.length > 0 ? variantOf(own) : unchanged
  const alone = changes.map(change =>
    !own.includes(change) ? unchanged : own.length === 1 ? changed : variantOf([change]),
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
  if (plan.rows > resultsLeft) throw tooManyResults()
  const replay = new Replay([...new Set([unchanged, changed, ...alone])], {
    startsAt,
    eligibilities: eligibilities.first,
    moments: momentsOf({
      eligibilities: eligibilities.later,
      changes: history.changes,
      parentsDown: history.parentsDown,
    }),
    parentsDown: history.parentsDown,
  })
  for await (const results of storedResults(clickhouse, of, plan.spans, reader?.read))
    for (const result of results) replay.take(result)
  replay.end(to)
  return {
    check,
    results: plan.rows,
    unchanged,
    changed,
    alone,
    missingRuns: Math.max(0, changed.missingRuns - unchanged.missingRuns),
    notRejudged: Math.max(0, ...judges.map(({ notRejudged }) => notRejudged)),
  }
}

/** Replays a job: each set of rules separately, since the rules decide what silence means. */
function runHeartbeat(
  config: BacktestDeps['config'],
  {
    history,
    reports,
    changes,
    to,
  }: { history: CheckHistory; reports: JobReports; changes: readonly SettingChange[]; to: number },
): CheckBacktest {
  const { check, rules, startsAt, parentsDown } = history
  const moments = momentsOf({ eligibilities: [], changes: history.changes, parentsDown })
  const pauses = pausesIn(history.changes)
  const run = (some: readonly SettingChange[]) => {
    const variant = new Variant(rules, startsAt)
    const settings = settingsWith(check, some, config) ?? decryptSettings(config, check.id, check)
    replayHeartbeat(
      new Replay([variant], { startsAt, eligibilities: new Map(), moments, parentsDown }),
      variant,
      rulesOf(JSON.stringify(settings)),
      reports,
      pauses,
      to,
    )
    return variant
  }
  const own = changes.filter(change => change.check === check.id)
  const unchanged = run([])
  return {
    check,
    results: reports.pings.length,
    unchanged,
    changed: own.length > 0 ? run(own) : unchanged,
    alone: changes.map(change => (own.includes(change) ? run([change]) : unchanged)),
    missingRuns: 0,
    notRejudged: 0,
  }
}

/** Replays a server. */
async function runServer(
  { clickhouse, config }: BacktestDeps,
  {
    tenant,
    history: { check, rules, startsAt, changes: verdictChanges, parentsDown, monitoringGaps },
    changes,
    to,
    resultsLeft,
  }: {
    tenant: { id: string }
    history: CheckHistory
    changes: readonly SettingChange[]
    to: number
    resultsLeft: number
  },
): Promise<CheckBacktest> {
  const own = changes.filter(change => change.check === check.id)
  const settingsBy = (some: readonly SettingChange[]) =>
    agent.settings.parse(settingsWith(check, some, config) ?? decryptSettings(config, check.id, check))
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
    most: resultsLeft + 1,
  }
  const stored = await serverHistory(clickhouse, span)
  if (stored.minutes.length > resultsLeft) throw tooManyResults()
  const moments = momentsOf({ eligibilities: [], changes: verdictChanges, parentsDown })
  const run = async (some: readonly SettingChange[]) => {
    const variant = new Variant(rules, startsAt)
    const replay = new Replay([variant], { startsAt, eligibilities: new Map(), moments, parentsDown })
    await replayServer(replay, settingsBy(some), { ...stored, pauses: pausesIn(verdictChanges), monitoringGaps }, to)
    return variant
  }
  const unchanged = await run([])
  const changed = own.length > 0 ? await run(own) : unchanged
  const alone: Timeline[] = []
  for (const change of changes)
    alone.push(!own.includes(change) ? unchanged : own.length === 1 ? changed : await run([change]))
  return { check, results: stored.minutes.length, unchanged, changed, alone, missingRuns: 0, notRejudged: 0 }
}

const tooManyResults = () =>
  invalid(
    { from: [new Sentence('A backtest replays at most {n} results: ask for a shorter time.', { n: maxResults })] },
    'too_many_looks',
  )

function pausesIn(changes: readonly Change[]): Interval[] {
  const pauses: Interval[] = []
  for (const { at, verdict } of changes) {
    const last = pauses.at(-1)
    const isPaused = last?.to === Number.POSITIVE_INFINITY
    if (verdict === 'paused' && !isPaused) pauses.push({ from: at, to: Number.POSITIVE_INFINITY })
    else if (verdict !== 'paused' && isPaused && last) last.to = at
  }
  return pauses
}
