import { type Role, roles } from '#contract/scopes.ts'
import { Sentence } from '#contract/sentence.ts'
import { forbidden } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'

interface RoleLimits {
  /** The highest role this caller may give. */
  mayGive: Role
  /** The highest role a member may have for this caller to act on them. */
  mayActOn: Role
}

type Acting = Pick<RequestContext, 'caller' | 'tenant'> & { params: Record<string, string> }

/** A caller gives no role above their own. Resellers count as owners of their teams; impersonation does not. */
export function roleLimitsOf({ caller, tenant, params }: Acting): RoleLimits {
  if ('managed_team' in params) return { mayGive: 'owner', mayActOn: 'owner' }
  if (caller.impersonator || caller.tenant.id !== tenant.id) return { mayGive: 'member', mayActOn: 'admin' }
  const role = caller.user?.role ?? 'admin'
  return { mayGive: role, mayActOn: role }
}

// roles are listed from the highest down
const isWithin = (highest: Role, role: Role) => roles.indexOf(role) >= roles.indexOf(highest)

export function requireMayGive(acting: Acting, role: Role): void {
  if (!isWithin(roleLimitsOf(acting).mayGive, role))
    throw forbidden(new Sentence('You may not make anyone {role}.', { role }), 'role_too_high')
}

export function requireMayActOn(acting: Acting, role: Role): void {
  if (!isWithin(roleLimitsOf(acting).mayActOn, role))
    throw forbidden(new Sentence('You may not act on an {role}.', { role }), 'role_too_high')
}
