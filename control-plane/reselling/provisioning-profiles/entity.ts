import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'
import type { ProfileFields } from './input.ts'

/** Settings that a reseller provisions teams with. */
export const ProvisioningProfile = defineEntity({
  name: 'ProvisioningProfile',
  tableName: 'provisioning_profiles',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    plan: p.string().length(20).$type<ProfileFields['plan']>(),
    trialDays: p.integer().nullable(),
    featureOverrides: p.json<ProfileFields['feature_overrides']>(),
    branding: p.json<ProfileFields['branding']>(),
    monitorTemplateId: p.uuid().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})
