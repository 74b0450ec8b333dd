import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

/** The identity provider of a team. */
export const SsoConfig = defineEntity({
  name: 'SsoConfig',
  tableName: 'sso_configs',
  properties: {
    tenantId: p.uuid().primary(),
    protocol: p.string().length(4).default('oidc'),
    issuer: p.string().length(1000),
    clientId: p.string().length(255),
    clientSecret: p.text().nullable(),
    scopes: p.array().defaultRaw("'{openid,email,profile}'"),
    groupsClaim: p.string().length(100).nullable(),
    roleMap: p.json<Record<string, string>>().defaultRaw("'{}'"),
    defaultRole: p.string().length(20).default('member'),
    isJit: p.boolean().default(true),
    isEnabled: p.boolean().default(false),
    isEnforced: p.boolean().default(false),
    breakGlassUserId: p.uuid().nullable(),
    signInUrl: p.string().length(1000).nullable(),
    certificates: p.array().defaultRaw("'{}'"),
    emailAttribute: p.string().length(255).nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** An e-mail domain of a team, proven by a TXT record. */
export const SsoDomain = defineEntity({
  name: 'SsoDomain',
  tableName: 'sso_domains',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    domain: p.string().length(240),
    txtToken: p.string().length(43),
    attempts: p.integer().default(0),
    lastError: p.string().length(20).nullable(),
    verifiedAt: timestamp().nullable(),
    restartedAt: timestamp().defaultRaw('clock_timestamp()'),
    lastCheckedAt: timestamp().nullable(),
    nextCheckAt: timestamp().defaultRaw('clock_timestamp()').nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** The person behind an account of a provider, in one team. */
export const SsoIdentity = defineEntity({
  name: 'SsoIdentity',
  tableName: 'sso_identities',
  properties: {
    tenantId: p.uuid().primary(),
    issuer: p.string().length(1000).primary(),
    subject: p.string().length(255).primary(),
    userId: p.uuid(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    lastLoginAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** A sign-in that has begun and not ended, to the app or to a status page; or the ticket that a page has yet to take. */
export const SsoLogin = defineEntity({
  name: 'SsoLogin',
  tableName: 'sso_logins',
  properties: {
    stateHash: p.blob().primary(),
    browserHash: p.blob(),
    tenantId: p.uuid(),
    issuer: p.string().length(1000),
    expiresAt: timestamp(),
    answer: p.json<unknown>().nullable(),
    statusPageId: p.uuid().nullable(),
    returnTo: p.string().length(500).nullable(),
    admittedAt: timestamp().nullable(),
  },
})

/** A logout token of a provider that was taken. */
export const SsoLogoutToken = defineEntity({
  name: 'SsoLogoutToken',
  tableName: 'sso_logout_tokens',
  properties: {
    tenantId: p.uuid().primary(),
    jtiHash: p.blob().primary(),
    expiresAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** How a sign-in ended. */
export const SsoAttempt = defineEntity({
  name: 'SsoAttempt',
  tableName: 'sso_attempts',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    userId: p.uuid().nullable(),
    outcome: p.string().length(40),
    detail: p.string().length(500).nullable(),
    requestId: p.string().length(64).nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

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

/** Whether the members of a team need a second factor, since when, and how long they have to set one up. */
export const SecurityPolicy = defineEntity({
  name: 'SecurityPolicy',
  tableName: 'security_policies',
  properties: {
    tenantId: p.uuid().primary(),
    mfaRequiredAt: timestamp().nullable(),
    mfaGraceDays: p.integer().default(7),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
