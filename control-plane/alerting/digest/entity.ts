import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** A month as it was mailed; `content` and `details` are written and read in `sent-month.ts`. */
export const SentMonth = defineEntity({
  name: 'SentMonth',
  tableName: 'sent_months',
  properties: {
    tenantId: p.uuid().primary(),
    month: p.string().columnType('char(7)').primary(),
    timezone: p.string().length(64).primary(),
    sentAt: timestamp(),
    formulaVersion: p.integer(),
    content: p.json<Record<string, unknown>>(),
    details: p.json<Record<string, unknown>>().nullable(),
  },
})
