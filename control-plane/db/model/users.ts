import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

/** People, and the service users that act for a reseller in its teams. */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: p.uuid().primary(),
    name: p.string().length(255),
    email: p.string().columnType('citext'),
    passwordHash: p.text().nullable(),
    language: p.string().length(10).default('en'),
    isSuperAdmin: p.boolean().default(false),
    homeTenantId: p.uuid().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
    isService: p.boolean().default(false),
    timezone: p.string().length(64).default('UTC'),
    passwordChangedAt: timestamp().nullable(),
    digest: p.string().length(6).default('off'),
    digestAt: timestamp().nullable(),
    monthlyReport: p.boolean().default(false),
    monthlyReportAt: timestamp().nullable(),
    handoverMails: p.boolean().default(true),
    emailVerifiedAt: timestamp().nullable(),
    preferences: p.json<Record<string, unknown>>().defaultRaw("'{}'"),
    choseLocale: p.boolean().default(false),
  },
})

/** The authenticator of a user. */
export const SecondFactor = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factors',
  properties: {
    userId: p.uuid().primary(),
    secret: p.text(),
    lastStep: p.bigint('string').default('0'),
    recoveryHashes: p.array<Buffer>().columnType('bytea[]').defaultRaw("'{}'"),
    confirmedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
  },
})

/** A browser in which a code of the second factor is not asked for again, by the hash of its cookie. */
export const TrustedDevice = defineEntity({
  name: 'TrustedDevice',
  tableName: 'trusted_devices',
  properties: {
    id: p.uuid().primary(),
    userId: p.uuid(),
    secretHash: p.blob(),
    name: p.string().length(255),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    lastUsedAt: timestamp().nullable(),
    lastUsedIp: p.string().columnType('inet').nullable(),
    expiresAt: timestamp(),
  },
})

/** Devices that a user has signed in from, by a hash. */
export const KnownDevice = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_devices',
  properties: {
    userId: p.uuid().primary(),
    fingerprint: p.blob().primary(),
    lastSeenAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Networks that a user has signed in from, by a hash. */
export const KnownNetwork = defineEntity({
  name: 'KnownNetwork',
  tableName: 'known_networks',
  properties: {
    userId: p.uuid().primary(),
    fingerprint: p.blob().primary(),
    lastSeenAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Wrong passwords and codes by account and network. They matter for minutes: a crash of PostgreSQL may lose them. */
export const Guess = defineEntity({
  name: 'Guess',
  tableName: 'guesses',
  properties: {
    key: p.blob().primary(),
    times: p.array().columnType('timestamptz[]'),
    endsAt: timestamp(),
  },
})

/** Links in mails that let a user set a new password. */
export const PasswordReset = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_resets',
  properties: {
    tokenHash: p.blob().primary(),
    userId: p.uuid(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    expiresAt: timestamp(),
  },
})

/** Links in mails that sign a user in, in the browser that asked for them: by the hash of its form cookie. */
export const LoginLink = defineEntity({
  name: 'LoginLink',
  tableName: 'login_links',
  properties: {
    tokenHash: p.blob().primary(),
    userId: p.uuid(),
    email: p.string().columnType('citext'),
    browserHash: p.blob(),
    codeHash: p.blob(),
    codeGuesses: p.integer().default(0),
    next: p.text(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    expiresAt: timestamp(),
  },
})

/** An address that a user asked for and has not confirmed. */
export const EmailChange = defineEntity({
  name: 'EmailChange',
  tableName: 'email_changes',
  properties: {
    userId: p.uuid().primary(),
    email: p.string().columnType('citext'),
    tokenHash: p.blob(),
    expiresAt: timestamp(),
    requestedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** Links in the notices to a former address. Each cancels or reverts a change of address. */
export const EmailRevert = defineEntity({
  name: 'EmailRevert',
  tableName: 'email_reverts',
  properties: {
    tokenHash: p.blob().primary(),
    userId: p.uuid(),
    email: p.string().columnType('citext'),
    requestedAt: timestamp(),
    expiresAt: timestamp(),
    provenAt: timestamp().nullable(),
  },
})

/**
 * Links that prove an address. An address belongs to the account that has proven it; others may share it until then.
 */
export const EmailVerification = defineEntity({
  name: 'EmailVerification',
  tableName: 'email_verifications',
  properties: {
    userId: p.uuid().primary(),
    tokenHash: p.blob(),
    sentAt: p.array().columnType('timestamptz[]').defaultRaw("'{}'"),
    expiresAt: timestamp(),
  },
})
