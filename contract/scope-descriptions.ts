import {
  manageableFamilies,
  type ResellerDomain,
  type ResellerScope,
  resellerDomains,
  type TenantFamily,
  type TenantScope,
  tenantFamilies,
} from './scopes.ts'

/** What the read scope and the write scope of a domain allow. */
type Descriptions = readonly [read: string, write: string]

const domainDescriptions: Record<ResellerDomain, Descriptions> = {
  teams: [
    'see managed teams with their summaries, usage, limits, templates, profiles, overview and reports',
    'create, change, pause, delete and restore managed teams, keep templates and profiles, and act inside a team ' +
      'by impersonation token',
  ],
  members: [
    'see members and invitations of managed teams',
    'add, change and remove members, invite people and reset their second factor',
  ],
  branding: [
    'see the branding of your account and of managed teams',
    'change the branding of your account and of managed teams',
  ],
  sso: [
    'see the Partner SSO configuration of managed teams',
    'change Partner SSO, rotate its secrets and make login links',
  ],
  portal: [
    'see portal settings, custom domains and suppressed e-mails',
    'change portal settings, custom domains and suppressed e-mails',
  ],
  'api-keys': [
    'see the API keys of managed teams, never their secrets',
    'make, change, rotate and revoke API keys of managed teams',
  ],
  webhooks: ['see your webhooks and what was delivered to them', 'make, change and delete your webhooks'],
  notifications: [
    'see notification channels and rules, escalation policies and on-call schedules of managed teams',
    'make, change and delete notification channels and rules, escalation policies and on-call schedules of ' +
      'managed teams',
  ],
  maintenance: [
    'see maintenance windows of managed teams',
    'plan, change and delete maintenance windows of managed teams',
  ],
  'status-pages': ['see status pages of managed teams', 'make, change and delete status pages of managed teams'],
  monitors: [
    'see monitors of managed teams, their checks and measurements',
    'make, change, switch, snooze and delete monitors and checks of managed teams, and run checks now',
  ],
  incidents: ['see incidents of managed teams', 'update, acknowledge and resolve incidents of managed teams'],
}

const familyDescriptions: Record<TenantFamily, Descriptions> = {
  monitors: ['see monitors and their measurements', 'make, change, switch and delete monitors'],
  checks: ['see checks and their results', 'make, change, switch, snooze and delete checks, and run checks now'],
  incidents: ['see incidents', 'update, acknowledge and resolve incidents'],
  notifications: ['see notification channels and rules', 'make, change and delete notification channels and rules'],
  escalation: [
    'see escalation policies and on-call schedules',
    'make, change and delete escalation policies and on-call schedules',
  ],
  'status-pages': ['see status pages', 'make, change and delete status pages'],
  maintenance: ['see maintenance windows', 'plan, change and delete maintenance windows'],
  team: ['see the people of the team and its invitations', 'invite people, change their roles and remove them'],
  settings: ['see settings, plan and audit log of the team', 'change the settings of the team'],
  billing: ['see invoices and payment details', 'change payment details and plan'],
}

export interface DescribedScope<Scope extends string> {
  value: Scope
  description: string
}

const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

export const describedResellerScopes: DescribedScope<ResellerScope>[] = resellerDomains.flatMap(domain => {
  const [read, write] = domainDescriptions[domain]
  return [
    { value: `${domain}:read` as const, description: sentence(read) },
    { value: `${domain}:write` as const, description: sentence(write) },
    { value: `${domain}:manage` as const, description: `${sentence(read)} ${sentence(write)}` },
  ]
})

export const describedTenantScopes: DescribedScope<TenantScope>[] = tenantFamilies.flatMap(
  (family): DescribedScope<TenantScope>[] => {
    const [read, write] = familyDescriptions[family]
    return [
      { value: `${family}:read`, description: sentence(read) },
      { value: `${family}:write`, description: sentence(write) },
      ...(manageableFamilies.includes(family)
        ? [{ value: `${family}:manage` as const, description: `${sentence(read)} ${sentence(write)}` }]
        : []),
    ]
  },
)
