import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** A team's own mail server. */
export const SmtpConfig = defineEntity({
  name: 'SmtpConfig',
  tableName: 'smtp_configs',
  properties: {
    tenantId: p.uuid().primary(),
    host: p.string().length(255),
    port: p.integer(),
    encryption: p.string().length(3),
    username: p.string().length(255).nullable(),
    password: p.text().nullable(),
    fromAddress: p.string().length(254).nullable(),
    fromName: p.string().length(100).nullable(),
    failingSince: timestamp().nullable(),
    failure: p.string().length(20).nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    updatedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
