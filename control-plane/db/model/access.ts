import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

/** The membership of a user in a team, with a role. */
export const Membership = defineEntity({
  name: 'Membership',
  tableName: 'memberships',
  properties: {
    userId: p.uuid().primary(),
    tenantId: p.uuid().primary(),
    role: p.string().length(20),
    createdAt: timestamp().defaultRaw('now()'),
    isService: p.boolean().default(false),
    invitedBy: p.uuid().nullable(),
    updatedAt: timestamp().defaultRaw('now()'),
    disabledAt: timestamp().nullable(),
  },
})

/** API tokens, keys and sessions, by their hash. */
export const Token = defineEntity({
  name: 'Token',
  tableName: 'tokens',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    userId: p.uuid().nullable(),
    kind: p.string().length(3),
    name: p.string().length(255),
    hash: p.blob(),
    scopes: p.array().defaultRaw("'{}'"),
    isActive: p.boolean().default(true),
    expiresAt: timestamp().nullable(),
    diesAt: timestamp().nullable(),
    lastUsedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('now()'),
    rotatedFrom: p.uuid().nullable(),
    createdBy: p.uuid().nullable(),
    impersonatedBy: p.uuid().nullable(),
    impersonatingTenantId: p.uuid().nullable(),
    tail: p.string().length(4).default(''),
    allowedIps: p.array().nullable(),
    lastUsedIp: p.string().columnType('inet').nullable(),
    rotatedAt: timestamp().nullable(),
    isLocked: p.boolean().default(false),
    isBrowser: p.boolean().default(false),
    authMethod: p.string().length(12).nullable(),
    ssoSid: p.string().length(255).nullable(),
    reauthenticatedAt: timestamp().nullable(),
    updatedAt: timestamp().defaultRaw('now()'),
  },
})

/** Invitations to a team. The mailed link has a token of its own. */
export const Invitation = defineEntity({
  name: 'Invitation',
  tableName: 'invitations',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    email: p.string().columnType('citext'),
    role: p.string().length(20),
    status: p.string().length(10).default('pending'),
    tokenHash: p.blob().nullable(),
    invitedBy: p.uuid().nullable(),
    expiresAt: timestamp(),
    acceptedAt: timestamp().nullable(),
    acceptedBy: p.uuid().nullable(),
    resentCount: p.integer().default(0),
    resentAt: p.array().columnType('timestamptz[]').defaultRaw("'{}'"),
    createdAt: timestamp().defaultRaw('now()'),
    updatedAt: timestamp().defaultRaw('now()'),
    mailHash: p.blob().nullable(),
  },
})

/** Tokens of directories, by their hash. */
export const ScimToken = defineEntity({
  name: 'ScimToken',
  tableName: 'scim_tokens',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    name: p.string().length(255),
    hash: p.blob(),
    tail: p.string().length(4).default(''),
    createdBy: p.uuid().nullable(),
    lastUsedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})

/** What a directory says of a member, beside what the account and the membership say. */
export const ScimUser = defineEntity({
  name: 'ScimUser',
  tableName: 'scim_users',
  properties: {
    tenantId: p.uuid().primary(),
    userId: p.uuid().primary(),
    userName: p.string().columnType('citext').nullable(),
    externalId: p.string().length(255).nullable(),
    displayName: p.string().length(255).nullable(),
    formattedName: p.string().length(255).nullable(),
    givenName: p.string().length(255).nullable(),
    familyName: p.string().length(255).nullable(),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
