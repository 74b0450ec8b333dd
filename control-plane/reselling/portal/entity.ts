import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

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
