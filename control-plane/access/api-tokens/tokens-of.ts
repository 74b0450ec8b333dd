import type { TokenOwnership } from '#control-plane/access/tokens/general.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import { forbidden } from '#control-plane/base/refusal.ts'

/** A person's own tokens, for whoever signed in by themselves: a token makes none of these, and neither does a session opened by a link. */
export function tokensOf({ kind, isLocked, user, tenant }: Caller): TokenOwnership {
  if (kind !== 'ss' || isLocked || !user) throw forbidden('Sign in with your own account for this.', 'session_needed')
  return { noun: 'api_token', holder: { kind: 'sk', tenantId: tenant.id, userId: user.id } }
}

export const byRole =
  'Its scopes lie within what your role covers, and it never does more than your role covers at that moment.'
