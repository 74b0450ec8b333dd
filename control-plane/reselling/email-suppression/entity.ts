import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** The types of mail that a reseller sends itself. */
export const EmailSuppression = defineEntity({
  name: 'EmailSuppression',
  tableName: 'email_suppressions',
  properties: {
    tenantId: p.uuid().primary(),
    types: p.array(),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
