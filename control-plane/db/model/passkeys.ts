import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

/** A passkey of a person, for the pages of one domain. */
export const Passkey = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    rpId: p.string().length(253),
    credentialId: p.blob(),
    publicKey: p.blob(),
    counter: p.bigint('string').default('0'),
    isBackupEligible: p.boolean().default(false),
    isBackedUp: p.boolean().default(false),
    transports: p.array().defaultRaw("'{}'"),
    aaguid: p.uuid(),
    name: p.string().length(100),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
    lastUsedAt: timestamp().nullable(),
  },
})

/** Challenges that a browser is to sign, by a hash. They matter for minutes: a crash of PostgreSQL may lose them. */
export const PasskeyChallenge = defineEntity({
  name: 'PasskeyChallenge',
  tableName: 'passkey_challenges',
  properties: {
    challengeHash: p.blob().primary(),
    purpose: p.string().length(8).default('sign_in'),
    userId: p.uuid().nullable(),
    rpId: p.string().length(253),
    expiresAt: timestamp(),
  },
})
