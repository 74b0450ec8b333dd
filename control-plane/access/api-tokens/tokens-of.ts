import type { TokenOwnership } from '#control-plane/access/tokens/general.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import { forbidden } from '#control-plane/base/refusal.ts'

/** The personal tokens of a person in an own session. Tokens and sessions opened by a shown link may not use them. */
export function tokensOf({ kind, isLocked, user, tenant }: Caller): TokenOwnership {
  if (kind !== 'ss' || isLocked || !user) throw forbidden('Sign in with your own account for this.', 'session_needed')
  return { noun: 'api_token', holder: { kind: 'sk', tenantId: tenant.id, userId: user.id } }
}

export const byRole =
  'Its scopes must be within those of your role, and it never does more than your present role allows.'
