/** Domains of reseller tokens (`rk-`), each with `:read`, `:write` and `:manage`. */
export const resellerDomains = [
  'teams',
  'members',
  'branding',
  'sso',
  'portal',
  'api-keys',
  'webhooks',
  'notifications',
  'maintenance',
  'status-pages',
  'monitors',
  'incidents',
] as const
export type ResellerDomain = (typeof resellerDomains)[number]

/** Families of tenant scopes (`sk-` and `svc-` tokens, sessions). */
export const tenantFamilies = [
  'monitors',
  'checks',
  'incidents',
  'notifications',
  'escalation',
  'status-pages',
  'maintenance',
  'team',
  'settings',
  'billing',
] as const
export type TenantFamily = (typeof tenantFamilies)[number]

/** Families that also offer `:manage`. */
export const manageableFamilies: readonly TenantFamily[] = [
  'monitors',
  'checks',
  'incidents',
  'notifications',
  'status-pages',
  'team',
  'settings',
]

export type Level = 'read' | 'write' | 'manage'
export type ResellerScope = `${ResellerDomain}:${Level}`
export type TenantScope = `${TenantFamily}:${Level}`

export const resellerScopes = resellerDomains.flatMap(domain => [
  `${domain}:read` as const,
  `${domain}:write` as const,
  `${domain}:manage` as const,
])

export const tenantScopes = tenantFamilies.flatMap((family): TenantScope[] => [
  `${family}:read`,
  `${family}:write`,
  ...(manageableFamilies.includes(family) ? [`${family}:manage` as const] : []),
])

/** Whether a token's scopes cover the one needed. `manage` includes `read` and `write` of its own domain. */
export function grants(scopes: readonly string[], needed: ResellerScope | TenantScope): boolean {
  const domain = needed.slice(0, needed.lastIndexOf(':'))
  return scopes.includes(needed) || scopes.includes(`${domain}:manage`)
}

/** What a role in a team covers: viewers read, members write, admins and owners manage. */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

export function roleGrants(role: Role, needed: TenantScope): boolean {
  if (role === 'owner' || role === 'admin') return true
  if (needed.endsWith(':read')) return true
  return (
    role === 'member' &&
    needed.endsWith(':write') &&
    !needed.startsWith('team:') &&
    !needed.startsWith('settings:') &&
    !needed.startsWith('billing:')
  )
}

/** The scopes of a person's token that the person's role covers. */
export function withinRole(role: Role, scopes: readonly string[]): string[] {
  const parts = tenantScopes.filter(scope => grants(scopes, scope))
  return parts.filter(scope => roleGrants(role, scope))
}

/**
 * The domains a reseller token needs to grant a family: a key made for a team grants no more than the reseller token
 * itself may do in it.
 */
const domainsOf: Record<TenantFamily, readonly ResellerDomain[]> = {
  monitors: ['monitors'],
  checks: ['monitors'],
  incidents: ['incidents'],
  notifications: ['notifications'],
  escalation: ['notifications'],
  'status-pages': ['status-pages'],
  maintenance: ['maintenance'],
  team: ['members'],
  settings: ['teams', 'branding', 'sso', 'portal', 'api-keys'],
  billing: ['teams'],
}

/** Whether a reseller token's scopes cover what a tenant's scope allows. */
export function resellerCovers(scopes: readonly string[], needed: TenantScope): boolean {
  const family = tenantFamilies.find(name => needed.startsWith(`${name}:`))
  const level = (['read', 'write', 'manage'] as const).find(name => needed.endsWith(`:${name}`))
  return (
    family !== undefined &&
    level !== undefined &&
    domainsOf[family].every(domain => grants(scopes, `${domain}:${level}`))
  )
}
