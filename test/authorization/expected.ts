import type { Operation } from './operations.ts'
import type { Principal } from './principals.ts'

/**
 * The access policy, written again from the specification (Authentication 3 to 8; Errors) and independent of the
 * guards: a difference in any cell reveals an error in one of them.
 */

/** Whose data a request asks for, as it stands to the reseller who manages the team. */
export const targets = ['own', 'sister', 'foreign', 'deleted', 'unknown', 'malformed'] as const
export type Target = (typeof targets)[number]

export type Verdict = 'in' | 400 | 401 | 403 | 404

/** `a:manage` holds `a:read` and `a:write`; nothing else holds anything but itself. */
export const holds = (scopes: readonly string[], needed: string) =>
  scopes.some(scope => scope === needed || scope === needed.replace(/:(read|write)$/, ':manage'))

const roleMay: Record<string, (needed: string) => boolean> = {
  owner: () => true,
  admin: () => true,
  member: needed =>
    needed.endsWith(':read') || (needed.endsWith(':write') && !/^(team|settings|billing):/.test(needed)),
  viewer: needed => needed.endsWith(':read'),
}

export function expected(principal: Principal, operation: Operation, target: Target): Verdict {
  const { kind, relation } = principal
  if (operation.guard === 'public') return 'in'
  if (operation.guard === 'scim') return principal.isDirectory ? 'in' : 401
  if (kind === null) return 401
  if (operation.guard === 'server-agent') return 401 // no token of a person or a team opens it
  if (relation === 'suspended') return 403
  if (operation.needsFresh && principal.browser?.isFresh === false) return 403
  switch (operation.guard) {
    case 'reseller':
      return maysReseller(principal, operation) ? 'in' : 403
    case 'managed-team': {
      if (!maysReseller(principal, operation)) return 403
      if (target === 'deleted' || target === 'unknown' || target === 'malformed') return 404
      return (target === 'foreign') === (relation === 'rival') ? 'in' : 403
    }
    case 'super-admin':
      return relation === 'operator' && kind === 'ss' ? 'in' : 403
    case 'session':
      return kind === 'ik' && operation.isRefusedUnderImpersonation ? 403 : 'in'
    case 'tenant':
      return inTenant(principal, operation, target)
  }
}

/**
 * A reseller token, of a tenant that is a reseller, with the scope: all three. The browser of an administrator of the
 * reseller stands in for one with every scope.
 */
const maysReseller = ({ kind, relation, role, browser, scopes }: Principal, { resellerScope }: Operation) =>
  (relation === 'reseller' || relation === 'rival') &&
  resellerScope !== undefined &&
  (kind === 'rk'
    ? suffices(scopes, resellerScope)
    : browser !== undefined && !browser.isLocked && (role === 'owner' || role === 'admin'))

/** `any` asks for a reseller token and for no scope. */
export const suffices = (scopes: readonly string[], needed: string) =>
  needed.split(' ').some(each => each === 'any' || holds(scopes, each))

function inTenant(principal: Principal, operation: Operation, target: Target): Verdict {
  const { kind, relation, role, scopes, browser } = principal
  const { isRefusedUnderImpersonation: isRefused, tenantScope = '', resellerScope } = operation
  if (kind === 'ik' && isRefused) return 403
  const readsHeader =
    kind !== 'ik' &&
    kind !== 'svc' &&
    !browser?.isLocked &&
    (relation === 'operator' || relation === 'reseller' || relation === 'rival')
  if (readsHeader && target !== 'own') {
    if (target === 'malformed') return 400
    if (target === 'deleted' || target === 'unknown') return 403
    if (relation === 'reseller' && target === 'foreign') return 403
    if (relation === 'rival' && target === 'sister') return 403
    if (isRefused) return 403
  }
  switch (kind) {
    case 'ss':
      return relation === 'operator' || roleMay[role ?? '']?.(tenantScope) ? 'in' : 403
    case 'rk':
      return resellerScope !== undefined && holds(scopes, resellerScope) ? 'in' : 403
    case 'ik':
      return scopes.includes(tenantScope.endsWith(':read') ? 'read' : 'write') ? 'in' : 403
    default:
      return holds(scopes, tenantScope) && (role === undefined || roleMay[role]?.(tenantScope)) ? 'in' : 403
  }
}
