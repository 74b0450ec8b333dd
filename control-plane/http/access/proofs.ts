import { roleGrants, type TenantScope } from '#contract/scopes.ts'
import type { Caller, TenantContext } from '#control-plane/base/caller.ts'
import { forbidden } from '#control-plane/base/refusal.ts'
import { affected } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { isLoopbackHost } from '#egress/deny.ts'

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

/**
 * Refuses what only operators may do to one without a second factor, whatever token is sent: an authenticator, or a
 * passkey that opened the session or confirmed it. Not asked where the installation is reached by this machine alone,
 * so that a first start needs none.
 */
export async function requireOperatorFactor(
  { config, platform }: Pick<Services, 'config' | 'platform'>,
  { authMethod, user }: Pick<Caller, 'authMethod' | 'user'>,
): Promise<void> {
  if (authMethod === 'passkey' || isLoopbackHost(new URL(config.baseUrl).hostname)) return
  const rowCount = await affected(platform)`
    select 1 from second_factors where user_id = ${user?.id} and confirmed_at is not null`
  if (rowCount !== 1)
    throw forbidden(
      'Operators need a second factor: set one up with POST /profile/mfa, or sign in with a passkey.',
      'operator_factor_needed',
    )
}

/** Whether an operator does in this tenant what the role there does not allow, or is in a tenant of others. */
export const actsAsOperator = (
  { kind, user, tenant: own }: Caller,
  tenant: TenantContext,
  scope: TenantScope,
): boolean => user?.isSuperAdmin === true && (tenant.id !== own.id || (kind === 'ss' && !roleGrants(user.role, scope)))
