import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

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
