import type { Caller } from '#control-plane/base/caller.ts'
import { forbidden } from '#control-plane/base/refusal.ts'

const sessionNeeded = () => forbidden('Sign in with your own account for this.', 'session_needed')

/** The person of an own session: API keys, impersonation and sessions opened by a shown link are refused. */
export function signedIn(caller: Caller): NonNullable<Caller['user']> {
  if (caller.isLocked) throw sessionNeeded()
  return personOfSession(caller)
}

/** The person of any session, also of one that is limited to its team: for what belongs to the person in that team. */
export function personOfSession({ kind, user }: Caller): NonNullable<Caller['user']> {
  if (kind !== 'ss' || !user) throw sessionNeeded()
  return user
}

/** Refuses a session that is limited to its team what concerns the account of its person. */
export function refuseLimited({ isLocked }: Caller): void {
  if (isLocked) throw sessionNeeded()
}
