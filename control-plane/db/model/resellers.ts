import { defineEntity, p } from '@mikro-orm/core'
import type { Overrides, Plan } from '#contract/plans.ts'
import { timestamp } from './columns.ts'
import type { ClosedMonitor, ProfileBranding, TemplateVariable } from './shapes.ts'

/** Teams as their reseller sees them. Triggers copy name, slug, plan and pause from the tenant, for its lists. */
export const ManagedTeam = defineEntity({
  name: 'ManagedTeam',
  tableName: 'managed_teams',
  properties: {
    id: p.uuid().primary(),
    resellerId: p.uuid(),
    tenantId: p.uuid(),
    label: p.string().length(255).nullable(),
    externalRef: p.string().length(255).nullable(),
    metadata: p.json<Record<string, unknown>>().defaultRaw("'{}'"),
    pausedReason: p.string().length(50).nullable(),
    trialEndsAt: timestamp().nullable(),
    deletedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
    publicId: p
      .string()
      .length(20)
      .defaultRaw(
        "('VT-'::text || substr(upper(translate(encode(uuid_send(gen_random_uuid()), 'base64'::text), " +
          "'+/=01IOilo'::text, ''::text)), 1, 8))",
      ),
    name: p.string().length(255),
    slug: p.string().length(100),
    plan: p.string().length(20),
    pausedAt: timestamp().nullable(),
    searchText: p.text().nullable().generated("lower(name || E'\\n' || coalesce(label, '')) stored"),
    trialSetAt: timestamp().nullable(),
    trialReminded: p.smallint().nullable(),
    trialExpiredAt: timestamp().nullable(),
    planAfterTrial: p.string().length(20).nullable(),
  },
})

/** Purged tenants. Only their ids and dates are kept. */
export const PurgedTenant = defineEntity({
  name: 'PurgedTenant',
  tableName: 'purged_tenants',
  properties: {
    tenantId: p.uuid().primary(),
    managedTeamId: p.uuid(),
    resellerId: p.uuid(),
    deletedAt: timestamp(),
    purgedAt: timestamp().defaultRaw('clock_timestamp()'),
    resultsErasedAt: timestamp().nullable(),
  },
})

/** What a team or reseller has chosen for its portal. */
export const Portal = defineEntity({
  name: 'Portal',
  tableName: 'portals',
  properties: {
    tenantId: p.uuid().primary(),
    slug: p.string().length(100).nullable(),
    isEnabled: p.boolean().default(true),
    supportEmail: p.string().length(255).nullable(),
    signUpEnabled: p.boolean().default(false),
    signUpPlan: p.string().length(20).nullable(),
    signUpProfileId: p.uuid().nullable(),
    signUpDomains: p.array().columnType('text[]').defaultRaw("'{}'"),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** A sign-up whose address is not proven yet. */
export const SignUp = defineEntity({
  name: 'SignUp',
  tableName: 'sign_ups',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    email: p.string().length(255),
    name: p.string().length(255),
    teamName: p.string().length(255),
    language: p.string().length(5),
    tokenHash: p.blob(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    expiresAt: timestamp(),
  },
})

/** A proof of work that was used. */
export const UsedChallenge = defineEntity({
  name: 'UsedChallenge',
  tableName: 'used_challenges',
  properties: { signature: p.blob().primary(), endsAt: timestamp() },
})

/** Sets of monitors that a reseller provisions teams with. */
export const MonitorTemplate = defineEntity({
  name: 'MonitorTemplate',
  tableName: 'monitor_templates',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    monitors: p.json<ClosedMonitor[]>(),
    variables: p.json<TemplateVariable[]>(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})

/** Settings that a reseller provisions teams with. */
export const ProvisioningProfile = defineEntity({
  name: 'ProvisioningProfile',
  tableName: 'provisioning_profiles',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    plan: p.string().length(20).$type<Plan>(),
    trialDays: p.integer().nullable(),
    featureOverrides: p.json<Overrides>(),
    branding: p.json<ProfileBranding>(),
    monitorTemplateId: p.uuid().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})

/** The types of mail that a reseller sends itself. */
export const EmailSuppression = defineEntity({
  name: 'EmailSuppression',
  tableName: 'email_suppressions',
  properties: {
    tenantId: p.uuid().primary(),
    types: p.array(),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
