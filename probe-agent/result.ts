import { limits, type Result } from '#contract/agent.ts'
import type { Fault, Phases } from '#contract/check.ts'
import type { CheckJob } from './job.ts'
import type { DueRun } from './schedule.ts'

export interface Outcome {
  at: number
  took: number
  phases: Phases
  seen?: Record<string, unknown> | undefined
  fault?: Fault | undefined
  excerpt?: string | undefined
  address?: string | undefined
  isUnreliable: boolean
}

const rounded = (ms: number) => Math.round(ms * 1_000) / 1_000
const phase = (ms: number | null) => (ms === null ? null : Math.max(0, rounded(ms)))

/**
 * One line of a batch. The spool parses shard, check, due and attempt at its start, so their order is part of the
 * format.
 */
export function writeResult(
  seq: number,
  { job, due, attempt, reason, request }: DueRun<CheckJob>,
  outcome: Outcome,
): string {
  const { at, took, phases, seen, fault, excerpt, address, isUnreliable } = outcome
  return JSON.stringify({
    seq,
    shard: job.shard,
    check: job.check,
    kind: job.kind,
    due,
    attempt,
    reason,
    request,
    at,
    took: Math.max(0, rounded(took)),
    phases: {
      dns: phase(phases.dns),
      connect: phase(phases.connect),
      tls: phase(phases.tls),
      first_byte: phase(phases.first_byte),
      total: phase(phases.total),
    },
    seen,
    fault,
    excerpt: excerpt?.slice(0, limits.excerptChars),
    address: address?.slice(0, 64),
    is_unreliable: isUnreliable || undefined,
  } satisfies Result)
}
