import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** How people of a managed team sign in by links of its reseller. */
export const PartnerSso = defineEntity({
  name: 'PartnerSso',
  tableName: 'partner_sso',
  properties: {
    tenantId: p.uuid().primary(),
    isEnabled: p.boolean().nullable(),
    secret: p.text().nullable(),
    hidePasswordLogin: p.boolean().default(false),
    autoRegister: p.boolean().nullable(),
    autoLinkExistingUsers: p.boolean().nullable(),
    linksValidFrom: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Links that were used, by their `jti`. */
export const PartnerSsoUse = defineEntity({
  name: 'PartnerSsoUse',
  tableName: 'partner_sso_uses',
  properties: {
    tenantId: p.uuid().primary(),
    jti: p.string().length(128).primary(),
    expiresAt: timestamp().defaultRaw('clock_timestamp()'),
    usedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Members who were registered by a link, or linked to one later. */
export const PartnerSsoPerson = defineEntity({
  name: 'PartnerSsoPerson',
  tableName: 'partner_sso_people',
  properties: {
    tenantId: p.uuid().primary(),
    userId: p.uuid().primary(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
