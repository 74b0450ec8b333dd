import { type Role, roles } from '#contract/scopes.ts'
import { forbidden } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'

interface Standing {
  /** The highest role this caller may give. */
  gives: Role
  /** The highest role a member may have for this caller to act on them. */
  reaches: Role
}

type Acting = Pick<RequestContext, 'caller' | 'tenant'> & { params: Record<string, string> }

/** Nobody raises anyone above themselves. Resellers found their teams, so they stand as owners there; who acts in a team's name does not. */
export function standingOf({ caller, tenant, params }: Acting): Standing {
  if ('managed_team' in params) return { gives: 'owner', reaches: 'owner' }
  if (caller.impersonator || caller.tenant.id !== tenant.id) return { gives: 'member', reaches: 'admin' }
  const role = caller.user?.role ?? 'admin'
  return { gives: role, reaches: role }
}

// roles are listed from the highest down
const isWithin = (highest: Role, role: Role) => roles.indexOf(role) >= roles.indexOf(highest)

export function refuseGiving(acting: Acting, role: Role): void {
  if (!isWithin(standingOf(acting).gives, role)) throw forbidden(`You may not make anyone ${role}.`, 'role_too_high')
}

export function refuseReaching(acting: Acting, role: Role): void {
  if (!isWithin(standingOf(acting).reaches, role)) throw forbidden(`You may not act on an ${role}.`, 'role_too_high')
}
