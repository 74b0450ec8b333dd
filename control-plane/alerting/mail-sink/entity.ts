import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** Mail kept for the operator when no mail server is configured. */
export const MailSinkMessage = defineEntity({
  name: 'MailSinkMessage',
  tableName: 'mail_sink_messages',
  properties: {
    id: p.uuid().primary(),
    tenantId: p.uuid(),
    recipients: p.array(),
    subject: p.text(),
    body: p.text(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    type: p.string().length(60).nullable(),
    sender: p.text().nullable(),
    html: p.text().nullable(),
    isEncrypted: p.boolean().default(false),
  },
})
