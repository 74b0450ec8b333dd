import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

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
