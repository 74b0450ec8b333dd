import { type DomainState, isServed } from '#control-plane/tenancy/portal-hosts/states.ts'

/** What is wrong with the DNS records of a hostname. `taken`: another team has verified the hostname. */
export const dnsProblems = [
  'txt_missing',
  'txt_wrong',
  'cname_missing',
  'cname_wrong',
  'dns_unanswered',
  'taken',
] as const
export type DnsProblem = (typeof dnsProblems)[number]

interface Before {
  state: DomainState
  /** Checks without a success since the last change of state. */
  attempts: number
  /** When it entered its state. */
  state_changed_at: Date
}

interface After {
  state: DomainState
  attempts: number
  last_error: DnsProblem | null
  /** Seconds until the next check; null: none. */
  nextS: number | null
}

const daily = 86_400
const hourly = 3_600
/** How many checks in a row must miss a record of a domain that is served. */
export const graceChecks = 2
/** How long a domain may wait for its records. */
export const expiryDays = 14
const firstWaitS = 60

/**
 * The state after a check. A domain that is served fails when two checks in a row miss a record; name servers that did
 * not answer say nothing of the records. A domain that is not served is checked after a minute, then ever less often,
 * and expires after fourteen days.
 */
export function afterCheck({ state, attempts, state_changed_at }: Before, found: DnsProblem | null, now: Date): After {
  if (found === null)
    return { state: isServed(state) ? state : 'verified', attempts: 0, last_error: null, nextS: daily }
  if (isServed(state)) {
    if (found === 'dns_unanswered' || found === 'taken') return { state, attempts, last_error: found, nextS: hourly }
    return attempts + 1 < graceChecks
      ? { state, attempts: attempts + 1, last_error: found, nextS: hourly }
      : { state: 'failed', attempts: 0, last_error: found, nextS: hourly }
  }
  if (now.getTime() - state_changed_at.getTime() > expiryDays * daily * 1_000)
    return { state: 'expired', attempts: 0, last_error: found, nextS: null }
  const nextS = Math.min(firstWaitS * 2 ** Math.min(attempts, 10), hourly)
  return { state, attempts: attempts + 1, last_error: found, nextS }
}
