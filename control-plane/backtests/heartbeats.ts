import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { StoredResult } from '#analytics/queries/stored-results.ts'
import { noPhases } from '#contract/check.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { directRegion } from '#control-plane/engine/verdicts/quorum.ts'
import {
  type Beat,
  type Gap,
  type Outcome,
  type PingState,
  pingStates,
  receive,
  wake,
} from '#control-plane/passive/heartbeats/heartbeat.ts'
import type { BeatRules } from '#control-plane/passive/heartbeats/rules.ts'
import type { Interval } from './moments.ts'
import type { Replay, Variant } from './replay.ts'

/** A stored ping: the newest thousand of a job are. */
export interface StoredPing {
  at: number
  state: PingState
  run_id: string | null
  exit_code: number | null
}

export interface JobReports {
  pings: StoredPing[]
  /** The ingestion gaps. */
  gaps: Gap[]
}

const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::float8`

/** The pings of a job within a period, and when they could not be received. */
export async function readJobReports(
  em: EntityManager,
  platform: Pool,
  checkId: string,
  { from, to }: Interval,
): Promise<JobReports> {
  const pings = await rows(em)<Row<'pings', 'state' | 'run_id' | 'exit_code'> & { at: number }>`
    select ${ms('at')} as at, state, run_id, exit_code from pings
   where check_id = ${checkId} and at >= ${new Date(from)} and at < ${new Date(to)} order by number`
  // ingestion gaps belong to no tenant, so the tenant's own connection cannot read them
  const gaps = await rows(platform)<Gap>`
    select ${ms('started_at')} as from, ${ms('ended_at')} as to from ingestion_gaps
    where ended_at >= ${new Date(from)} and started_at < ${new Date(to)} order by started_at`
  return {
    pings: pings.flatMap(({ state, ...ping }) =>
      pingStates.filter(known => known === state).map(known => ({ ...ping, state: known })),
    ),
    gaps,
  }
}

/**
 * Replays a heartbeat through its pings and the silence between them by the given rules, and passes what it reports to
 * `replay`. `pauses`: when the check was paused.
 */
export function replayHeartbeat(
  replay: Replay,
  variant: Variant,
  rules: BeatRules,
  { pings, gaps }: JobReports,
  pauses: readonly Interval[],
  to: number,
): void {
  const first = pings[0]
  if (!first) return
  const beat: Beat = {
    outcome: null,
    reportedAt: null,
    armedBy: null,
    expectedAt: null,
    alertAfter: null,
    wakeAt: first.at,
    runs: {},
  }
  const edges = pauses.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b)
  let reports = 0
  const context = (at: number) => ({
    isActive: !pauses.some(pause => at >= pause.from && at < pause.to),
    verdict: variant.state.verdict,
  })
  const takeReport = (report: Outcome['report'], now: number) => {
    if (!report || report.judgement.status === 'unknown') return
    const result: StoredResult = {
      region: directRegion,
      due: ++reports,
      attempt: 0,
      at: report.at,
      receivedAt: now,
      outcome: report.judgement.status,
      isUnreliable: false,
      phases: noPhases,
      seen: undefined,
    }
    replay.take(result)
  }
  const liveUntil = (until: number) => {
    for (;;) {
      const edge = edges[0] ?? Number.POSITIVE_INFINITY
      const at = Math.min(beat.wakeAt ?? Number.POSITIVE_INFINITY, edge)
      if (at >= until) return
      if (at === edge) edges.shift()
      // moments before this one come first
      replay.end(at)
      const known = gaps.filter(gap => gap.to <= at)
      takeReport(wake(beat, rules, at, context(at), known), at)
      if (beat.wakeAt !== null && beat.wakeAt <= at) beat.wakeAt = null
    }
  }
  for (const { at, state, run_id, exit_code } of pings) {
    liveUntil(at)
    replay.end(at)
    takeReport(receive(beat, rules, { state, runId: run_id, exitCode: exit_code }, at, context(at)).report, at)
  }
  liveUntil(to)
}
