import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** How a team, or each team of a reseller, appears to its users. */
export const Branding = defineEntity({
  name: 'Branding',
  tableName: 'brandings',
  properties: {
    tenantId: p.uuid().primary(),
    brandName: p.string().length(100).nullable(),
    alertPrefix: p.string().length(50).nullable(),
    logoUrl: p.string().length(500).nullable(),
    logoUrlDark: p.string().length(500).nullable(),
    symbolUrl: p.string().length(500).nullable(),
    faviconUrl: p.string().length(500).nullable(),
    footerUrl: p.string().length(500).nullable(),
    privacyUrl: p.string().length(500).nullable(),
    imprintUrl: p.string().length(500).nullable(),
    upgradeUrl: p.string().length(500).nullable(),
    supportUrl: p.string().length(500).nullable(),
    primaryColor: p.string().length(7).nullable(),
    secondaryColor: p.string().length(7).nullable(),
    footerText: p.string().length(200).nullable(),
    hidePoweredBy: p.boolean().nullable(),
    notificationFromName: p.string().length(100).nullable(),
    upsellMode: p.string().length(10).nullable(),
    upsellCta: p.string().length(10).nullable(),
    planLabels: p.json<Record<string, string>>().nullable(),
    upsellOffers: p.json<unknown>().nullable(),
    upsellThreshold: p.double().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})
