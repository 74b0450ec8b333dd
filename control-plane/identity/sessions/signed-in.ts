import type { Caller } from '#control-plane/base/caller.ts'
import { forbidden } from '#control-plane/base/refusal.ts'

/** The person who has signed in themselves: no key, no stand-in, no session opened by somebody else's link. */
export function signedIn({ kind, isLocked, user }: Caller): NonNullable<Caller['user']> {
  if (kind !== 'ss' || isLocked || !user) throw forbidden('Sign in with your own account for this.', 'session_needed')
  return user
}
