import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** Settings that a reseller provisions teams with. */
export const ProvisioningProfile = defineEntity({
  name: 'ProvisioningProfile',
  tableName: 'provisioning_profiles',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    plan: p.string().length(20),
    trialDays: p.integer().nullable(),
    featureOverrides: p.json<Record<string, unknown>>(),
    branding: p.json<Record<string, unknown>>(),
    monitorTemplateId: p.uuid().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})
