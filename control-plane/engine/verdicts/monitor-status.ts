import { type Severity, takesDown } from '#contract/check.ts'
import type { CheckState, Coverage } from './core.ts'

export type MonitorStatus = 'up' | 'warning' | 'down'

export interface MonitorState {
  status: MonitorStatus | null
  reason: string | null
  coverage: Coverage
}

/**
 * The status of a monitor, from the verdicts of its checks. Only a critical or major check takes its monitor down; any
 * other failure is a warning. Checks without a verdict are ignored.
 */
export function monitorStateOf(checks: Iterable<{ state: CheckState; severity: Severity | null }>): MonitorState {
  let worst: CheckState | null = null
  let status: MonitorStatus | null = null
  let coverage: Coverage | null = null
  for (const { state, severity } of checks) {
    if (state.verdict === null) continue
    coverage = coverage === null || coverage === state.coverage ? state.coverage : 'partial'
    const counts: MonitorStatus = state.verdict === 'down' && !takesDown(severity) ? 'warning' : state.verdict
    if (status !== null && rank[counts] <= rank[status]) continue
    status = counts
    worst = state
  }
  return { status, reason: worst?.reason ?? null, coverage: coverage ?? 'none' }
}

const rank = { up: 0, warning: 1, down: 2 } as const
