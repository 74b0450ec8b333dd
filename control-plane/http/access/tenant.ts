import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import { grants, type ResellerScope, roleGrants, type TenantScope } from '#contract/scopes.ts'
import { Sentence } from '#contract/sentence.ts'
import type { Caller, TenantContext } from '#control-plane/base/caller.ts'
import { forbidden, malformed, notInPlan } from '#control-plane/base/refusal.ts'
import type { AccessLookup, AuthenticatedCaller } from './lookup.ts'

/** Any well-formed UUID of any version; one that is not ours is refused as unknown. */
export const nameableTenant = z.guid()
const notYours = () => forbidden('You do not manage this tenant.', 'tenant_not_managed')

/** Whether this caller may name another tenant; for all others the header is ignored. */
export const mayNameTenant = (caller: Caller) =>
  !caller.isLocked &&
  (caller.kind === 'ss' || caller.kind === 'sk' || caller.kind === 'rk') &&
  (caller.user?.isSuperAdmin === true || caller.tenant.isReseller)

/**
 * The tenant a request acts on: the caller's own, or the one named by `X-Tenant-Id`.
 * Not a UUID: 400. Unknown and foreign: the same 403, which reveals nothing.
 */
export async function enterTenant(
  keys: Pick<AccessLookup, 'tenant'>,
  { caller, managed }: AuthenticatedCaller,
  header: string | undefined,
): Promise<{ tenant: TenantContext; isNamed: boolean }> {
  if (header === undefined || !mayNameTenant(caller)) return { tenant: caller.tenant, isNamed: false }
  const isAnybodys = caller.user?.isSuperAdmin === true
  // found by this id
  if (managed && !isAnybodys) return { tenant: managed, isNamed: true }
  if (!nameableTenant.safeParse(header).success) throw malformed('X-Tenant-Id is not a valid UUID.')
  const tenant = isAnybodys ? await keys.tenant(header) : null
  if (!tenant) throw notYours()
  return { tenant, isNamed: true }
}

const readsOnly = ({ plan, featureOverrides }: TenantContext) =>
  effectiveLimits(plan, featureOverrides).api_access === 'read'

const readOnly = (plan: string) => notInPlan('api_access', plan, 'The plan allows API tokens to read only.')

/**
 * Sessions act by the role of their user, reseller tokens by their reseller scope, all others by scope and by the
 * plan's API access.
 */
export function checkTenantScope(caller: Caller, access: { tenant: TenantScope; reseller?: ResellerScope }): void {
  const refused = () =>
    forbidden(new Sentence('This token may not do this: it needs {scope}.', { scope: access.tenant }), 'missing_scope')
  switch (caller.kind) {
    case 'ss':
      if (caller.user?.isSuperAdmin || (caller.user && roleGrants(caller.user.role, access.tenant))) return
      throw refused()
    case 'rk':
      if (access.reseller && grants(caller.scopes, access.reseller)) return
      throw refused()
    case 'ik':
      if (caller.scopes.includes(access.tenant.endsWith(':read') ? 'read' : 'write')) return
      throw refused()
    default:
      if (!grants(caller.scopes, access.tenant)) throw refused()
      if (!access.tenant.endsWith(':read') && readsOnly(caller.tenant)) throw readOnly(caller.tenant.plan)
  }
}
