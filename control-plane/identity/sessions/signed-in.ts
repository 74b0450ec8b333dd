import type { Caller } from '#control-plane/base/caller.ts'
import { forbidden } from '#control-plane/base/refusal.ts'

/** The person of an own session: API keys, impersonation and sessions opened by a shown link are refused. */
export function signedIn({ kind, isLocked, user }: Caller): NonNullable<Caller['user']> {
  if (kind !== 'ss' || isLocked || !user) throw forbidden('Sign in with your own account for this.', 'session_needed')
  return user
}
