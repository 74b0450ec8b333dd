import { z } from 'zod'
import { grants, type ResellerScope, resellerDomains } from '#contract/scopes.ts'
import { Sentence } from '#contract/sentence.ts'
import type { Caller, TenantContext } from '#control-plane/base/caller.ts'
import { forbidden, notFound } from '#control-plane/base/refusal.ts'
import type { AccessLookup, AuthenticatedCaller } from './lookup.ts'

const uuid = z.uuid()

const everyScope = resellerDomains.map((domain): ResellerScope => `${domain}:manage`)

/**
 * In the console an owner or administrator of a reseller acts by the session of the browser, as if by a reseller token
 * with every scope that no one ever sees: it ends with the session, and the audit trail has the person.
 */
export function asReseller(caller: Caller): Caller {
  const { isByCookie, isLocked, tenant, user } = caller
  const isAdministrator = user?.role === 'owner' || user?.role === 'admin'
  if (!isByCookie || isLocked || !tenant.isReseller || !isAdministrator) return caller
  return { ...caller, kind: 'rk', scopes: everyScope }
}

/** Reseller endpoints need a reseller's account and a reseller token with the scope. Any other token is refused. */
export function enterReseller(caller: Caller, scope: ResellerScope | 'any' | readonly ResellerScope[]): void {
  if (caller.kind !== 'rk') throw forbidden('This endpoint needs a reseller token.', 'reseller_token_needed')
  if (!caller.tenant.isReseller) throw forbidden('Your account is not a reseller account.', 'not_a_reseller')
  if (scope === 'any') return
  const scopes = typeof scope === 'string' ? [scope] : scope
  if (!scopes.some(each => grants(caller.scopes, each)))
    throw forbidden(
      new Sentence('This token may not do this: it needs {scope}.', { scope: scopes.join(' or ') }),
      'missing_scope',
    )
}

/** The team with the id in the path: 404 if unknown or no UUID, 403 if of another reseller. */
export async function enterManagedTeam(
  keys: Pick<AccessLookup, 'managedTeam'>,
  { caller, managed }: AuthenticatedCaller,
  id: string,
): Promise<TenantContext> {
  if (managed) return managed
  const team = uuid.safeParse(id).success ? await keys.managedTeam(id) : null
  if (!team) throw notFound('Managed team')
  if (team.resellerId !== caller.tenant.id) throw forbidden('You do not manage this team.', 'team_not_managed')
  return team.tenant
}
