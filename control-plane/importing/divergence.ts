import type { Evidence } from '#control-plane/db/model/shapes.ts'
import type { TheirStatus } from '#importers/source.ts'

export const divergenceKinds = ['state', 'latency', 'missed', 'extra'] as const
export type DivergenceKind = (typeof divergenceKinds)[number]
export const divergenceVerdicts = ['region', 'threshold', 'maintenance', 'interval', 'unexplained'] as const
export type DivergenceVerdict = (typeof divergenceVerdicts)[number]

/** Our side of a monitor at the moment of a poll. */
export interface OurStatus {
  monitor_id: string
  status: string | null
  status_reason: string | null
  status_changed_at: string | null
  check_interval: number
  failing_regions: string[]
  is_in_maintenance: boolean
  response_ms: number | null
  /** A limit on the response time, beyond which the result is a warning. */
  degraded_after_ms: number | null
}

export interface Found {
  kind: DivergenceKind
  ours: Evidence
  theirs: Evidence
  verdict: DivergenceVerdict
  explanation: string
}

const isFailing = (status: string) => status === 'down'
/** Below this many milliseconds a ratio says nothing. */
const quietMs = 100

/**
 * Compares both sides of one monitor; null where they agree or one of them has nothing to say yet.
 *
 * | theirs | ours          | kind                                  |
 * |--------|---------------|---------------------------------------|
 * | down   | up, warning   | `missed`                              |
 * | up     | down          | `extra`                               |
 * | paused | up, down, …   | `state`; and the other way round      |
 * | up     | up            | `latency`, if one side is much slower |
 *
 * A warning of ours beside their `up` is no divergence: most providers have no warnings.
 */
export function compare(theirs: TheirStatus, ours: OurStatus, latencyFactor: number): Found | null {
  if (theirs.status === 'unknown' || ours.status === null) return null
  const sides = {
    ours: {
      status: ours.status,
      reason: ours.status_reason,
      since: ours.status_changed_at,
      response_ms: ours.response_ms,
    },
    theirs: {
      status: theirs.status,
      reason: theirs.reason ?? null,
      since: theirs.since ?? null,
      response_ms: theirs.response_ms ?? null,
    },
  }
  const kind = kindOf(theirs, ours, latencyFactor)
  return kind === null ? null : { kind, ...sides, ...explain(kind, ours) }
}

function kindOf(theirs: TheirStatus, ours: OurStatus, latencyFactor: number): DivergenceKind | null {
  const status = ours.status ?? ''
  if ((theirs.status === 'paused') !== (status === 'paused')) return 'state'
  if (theirs.status === 'paused') return null
  if (isFailing(theirs.status) !== isFailing(status)) {
    return isFailing(theirs.status) ? 'missed' : 'extra'
  }
  const [one, other] = [theirs.response_ms ?? null, ours.response_ms]
  if (one === null || other === null || isFailing(status)) return null
  const [fast, slow] = one < other ? [one, other] : [other, one]
  return slow > quietMs && slow > fast * latencyFactor ? 'latency' : null
}

function explain(kind: DivergenceKind, ours: OurStatus): Pick<Found, 'verdict' | 'explanation'> {
  if (ours.is_in_maintenance)
    return { verdict: 'maintenance', explanation: 'A maintenance window of ours covers the monitor.' }
  if (kind === 'latency')
    return {
      verdict: 'region',
      explanation: 'Times depend on where they are measured: our regions lie elsewhere than those of the old provider.',
    }
  if (kind === 'missed' && ours.failing_regions.length > 0)
    return {
      verdict: 'region',
      explanation: `It fails from ${ours.failing_regions.join(', ')}, which is not enough of our regions to be down.`,
    }
  if (kind === 'missed' && ours.status === 'warning')
    return {
      verdict: 'threshold',
      explanation: 'Ours is a warning: what the old provider counts as down lies within the limits of our check.',
    }
  if (ours.status_changed_at !== null && kind !== 'state') {
    const ageS = (Date.now() - Date.parse(ours.status_changed_at)) / 1_000
    if (ageS < 2 * ours.check_interval)
      return {
        verdict: 'interval',
        explanation: 'Ours changed within the last two intervals: the two sides are checked at different moments.',
      }
  }
  if (kind === 'extra' && ours.degraded_after_ms !== null && (ours.response_ms ?? 0) > ours.degraded_after_ms)
    return { verdict: 'threshold', explanation: 'The answer is slower than the limit of our check.' }
  return { verdict: 'unexplained', explanation: 'Nothing that is known of both sides explains it.' }
}
