import { isOwnFault } from '#contract/check.ts'
import type { LinkKind } from '#contract/crawl.ts'

export interface Answered {
  kind: LinkKind
  status: number | null
  fault: string | null
  skipped: string | null
}

/**
 * Broken: an error response or none. Links that were not requested, or that refuse robots only, do not count as broken.
 */
export function isBroken({ kind, status, fault, skipped }: Answered, tolerated: readonly number[]): boolean {
  if (skipped !== null) return false
  if (fault !== null) return !isOwnFault(fault) // a fault of the agent says nothing about a link
  return status !== null && status >= 400 && !(kind === 'external' && tolerated.includes(status))
}

const transient = new Set([408, 425, 429, 500, 502, 503, 504])

/** A fault that may be transient is retried once before it is reported. */
export const isTransient = ({ status, fault }: Pick<Answered, 'status' | 'fault'>): boolean =>
  fault !== null || (status !== null && transient.has(status))
