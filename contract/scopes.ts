/** The twelve domains of reseller tokens (`rk-`), each with `:read`, `:write` and `:manage`. */
export const resellerDomains = {
  teams: 'managed teams, summaries, usage, overrides, templates, profiles, overview and reports',
  members: 'members and invitations',
  branding: 'branding',
  sso: 'Partner SSO and login links',
  portal: 'portal settings, custom domains and e-mail suppression',
  'api-keys': 'API keys of managed teams',
  webhooks: 'reseller webhooks and their delivery logs',
  notifications: 'notification channels and rules of managed teams',
  maintenance: 'maintenance windows',
  'status-pages': 'status pages',
  monitors: 'monitors, checks and time series',
  incidents: 'incidents',
} as const
export type ResellerDomain = keyof typeof resellerDomains

/** The ten families of a tenant's own tokens (`sk-`, `svc-`, and what a session may do). */
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
export const manageableFamilies: readonly TenantFamily[] = ['monitors', 'checks', 'incidents', 'notifications', 'status-pages', 'team', 'settings']

export type Level = 'read' | 'write' | 'manage'
export type ResellerScope = `${ResellerDomain}:${Level}`
export type TenantScope = `${TenantFamily}:${Level}`

export const resellerScopes = (Object.keys(resellerDomains) as ResellerDomain[]).flatMap(domain => [
  `${domain}:read` as const,
  `${domain}:write` as const,
  `${domain}:manage` as const,
])

/** Whether a token's scopes cover the one needed. `manage` holds `read` and `write` of its own domain, nothing else does. */
export function grants(scopes: readonly string[], needed: ResellerScope | TenantScope): boolean {
  const domain = needed.slice(0, needed.lastIndexOf(':'))
  return scopes.includes(needed) || scopes.includes(`${domain}:manage`)
}

/** What a person's role in a team covers: viewers read, members write, admins and owners manage. */
export const roles = ['owner', 'admin', 'member', 'viewer'] as const
export type Role = (typeof roles)[number]

export function roleGrants(role: Role, needed: TenantScope): boolean {
  if (role === 'owner' || role === 'admin') return true
  if (needed.endsWith(':read')) return true
  return role === 'member' && needed.endsWith(':write') && !needed.startsWith('team:') && !needed.startsWith('settings:') && !needed.startsWith('billing:')
}
