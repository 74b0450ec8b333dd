import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from '#control-plane/db/columns.ts'

/** Who confirmed to get mail from a team's channels. */
export const MailRecipient = defineEntity({
  name: 'MailRecipient',
  tableName: 'mail_recipients',
  properties: {
    tenantId: p.uuid().primary(),
    email: p.string().columnType('citext').primary(),
    tokenHash: p.blob().nullable(),
    requestedAt: p.array().columnType('timestamptz[]').defaultRaw("'{}'"),
    confirmedAt: timestamp().nullable(),
    unsubscribedAt: timestamp().nullable(),
    createdAt: timestamp().defaultRaw('clock_timestamp()'),
    refusedAt: timestamp().nullable(),
  },
})

/** How many mails a team sends in a day. */
export const MailBudget = defineEntity({
  name: 'MailBudget',
  tableName: 'mail_budgets',
  properties: {
    tenantId: p.uuid().primary(),
    day: p.date().primary(),
    sent: p.integer().default(0),
    keptBack: p.integer().default(0),
    wasTaken: p.boolean().default(true),
    notifiedAt: timestamp().nullable(),
  },
})

/** Which address a team, or a visitor of its pages, had asked whether it wants its mail. */
export const MailQuestion = defineEntity({
  name: 'MailQuestion',
  tableName: 'mail_questions',
  properties: {
    id: p.bigint('string').primary().autoincrement(),
    tenantId: p.uuid(),
    addressHash: p.blob(),
    askedBy: p.text(),
    askedAt: timestamp().defaultRaw('clock_timestamp()'),
  },
})
