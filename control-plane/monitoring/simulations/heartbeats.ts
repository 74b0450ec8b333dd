import type { EntityManager } from '@mikro-orm/postgresql'
import type { Pool } from 'pg'
import type { StoredResult } from '#analytics/queries/stored-results.ts'
import { noPhases } from '#contract/check.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { directRegion } from '#control-plane/engine/verdicts/quorum.ts'
import {
  type Beat,
  type Gap,
  type Outcome,
  type PingState,
  pingStates,
  receive,
  wake,
} from '#control-plane/monitoring/cron-monitors/heartbeat.ts'
import type { BeatRules } from '#control-plane/monitoring/cron-monitors/rules.ts'
import type { Stretch } from './moments.ts'
import type { Lane, Replay } from './replay.ts'

/** A ping as it is kept: the newest thousand are. */
export interface StoredPing {
  at: number
  state: PingState
  run_id: string | null
  exit_code: number | null
}

export interface Heard {
  pings: StoredPing[]
  /** When nobody could receive pings. */
  gaps: Gap[]
}

const ms = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`

/** What a job reported within a stretch, and when it could not. */
export async function readHeard(
  em: EntityManager,
  platform: Pool,
  checkId: string,
  { from, to }: Stretch,
): Promise<Heard> {
  const rows = await em.execute<(Row<'pings', 'state' | 'run_id' | 'exit_code'> & { at: number })[]>(
    `select ${ms('at')} as at, state, run_id, exit_code from pings where check_id = ? and at >= ? and at < ? order by number`,
    [checkId, new Date(from), new Date(to)],
  )
  // of no tenant, and so not for the tenant's own connection
  const { rows: gaps } = await platform.query<Gap>(
    `select ${ms('started_at')} as from, ${ms('ended_at')} as to from ingestion_gaps where ended_at >= $1 and started_at < $2 order by started_at`,
    [new Date(from), new Date(to)],
  )
  return {
    pings: rows.flatMap(({ state, ...ping }) =>
      pingStates.filter(known => known === state).map(known => ({ ...ping, state: known })),
    ),
    gaps,
  }
}

/**
 * Leads a heartbeat through its pings, and through the silence between them, by the same rules as when they came; what it says of the
 * job is taken in by a replay of its own. `pauses`: when nobody listened.
 */
export function replayHeartbeat(
  replay: Replay,
  lane: Lane,
  rules: BeatRules,
  { pings, gaps }: Heard,
  pauses: readonly Stretch[],
  to: number,
): void {
  const first = pings[0]
  if (!first) return
  const beat: Beat = {
    outcome: null,
    saidAt: null,
    armedBy: null,
    expectedAt: null,
    alertAfter: null,
    wakeAt: first.at,
    runs: {},
  }
  const edges = pauses.flatMap(({ from, to }) => [from, to]).sort((a, b) => a - b)
  let words = 0
  const around = (at: number) => ({
    isActive: !pauses.some(pause => at >= pause.from && at < pause.to),
    verdict: lane.state.verdict,
  })
  const hear = (says: Outcome['says'], now: number) => {
    if (!says || says.judgement.status === 'unknown') return
    const word: StoredResult = {
      region: directRegion,
      due: ++words,
      attempt: 0,
      at: says.at,
      receivedAt: now,
      outcome: says.judgement.status,
      isUnreliable: false,
      phases: noPhases,
      seen: undefined,
    }
    replay.take(word)
  }
  const liveUntil = (until: number) => {
    for (;;) {
      const edge = edges[0] ?? Number.POSITIVE_INFINITY
      const at = Math.min(beat.wakeAt ?? Number.POSITIVE_INFINITY, edge)
      if (at >= until) return
      if (at === edge) edges.shift()
      // whatever happens between words happens first
      replay.end(at)
      const known = gaps.filter(gap => gap.to <= at)
      hear(wake(beat, rules, at, around(at), known), at)
      if (beat.wakeAt !== null && beat.wakeAt <= at) beat.wakeAt = null
    }
  }
  for (const { at, state, run_id, exit_code } of pings) {
    liveUntil(at)
    replay.end(at)
    hear(receive(beat, rules, { state, runId: run_id, exitCode: exit_code }, at, around(at)).says, at)
  }
  liveUntil(to)
}
