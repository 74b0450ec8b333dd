import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

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
