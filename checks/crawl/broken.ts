import type { LinkKind } from '#contract/crawl.ts'

export interface Answered {
  kind: LinkKind
  status: number | null
  fault: string | null
  skipped: string | null
}

/** Trouble of our own says nothing of a link. */
const ours = new Set(['resolver_unavailable', 'unsupported', 'overloaded', 'internal'])

/** Leads nowhere: an error for an answer, or none. What we did not ask for, or what says no to robots only, is not known to be broken. */
export function isBroken({ kind, status, fault, skipped }: Answered, tolerated: readonly number[]): boolean {
  if (skipped !== null) return false
  if (fault !== null) return !ours.has(fault)
  return status !== null && status >= 400 && !(kind === 'external' && tolerated.includes(status))
}

const passing = new Set([408, 425, 429, 500, 502, 503, 504])

/** Trouble that may be gone in a moment is asked for once more before it is told. */
export const isPassing = ({ status, fault }: Pick<Answered, 'status' | 'fault'>): boolean =>
  fault !== null || (status !== null && passing.has(status))
