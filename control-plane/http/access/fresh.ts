import type { Caller } from '#control-plane/base/caller.ts'
import { forbidden } from '#control-plane/base/refusal.ts'

/** Refuses a session whose person has no second factor although the team requires one, and whose grace is over. */
export function requireFactor({ mfaDueAt }: Caller, now: Date): void {
  if (mfaDueAt !== null && mfaDueAt <= now)
    throw forbidden('This team requires a second factor: set one up with POST /profile/mfa.', 'mfa_required')
}

/**
 * Refuses a session that is limited to its team. A shown link or a company's provider opened it: what it leaves behind
 * must not outlive it.
 */
export function requireOwnSession({ isLocked }: Caller): void {
  if (isLocked)
    throw forbidden('This session is limited to its team: sign in with your own account for this.', 'session_needed')
}

/** So long after proving to be present a person may do what is dangerous. */
export const freshMs = 600_000

/**
 * Refuses what is dangerous in the session of a browser whose person did not prove within ten minutes to be present:
 * the browser may be left open, or its cookie stolen. Other tokens are not asked.
 */
export function requireFresh({ isByCookie, reauthenticatedAt }: Caller, now: Date): void {
  if (!isByCookie) return
  if (reauthenticatedAt !== null && now.getTime() - reauthenticatedAt.getTime() <= freshMs) return
  throw forbidden('Confirm that it is you: POST /auth/step-up, then repeat this.', 'reauthentication_required')
}
