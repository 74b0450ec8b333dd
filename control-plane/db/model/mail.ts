import { defineEntity, p } from '@mikro-orm/core'
import { timestamp } from './columns.ts'

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

/** Which monthly report was mailed to whom. */
export const MonthlyReportMail = defineEntity({
  name: 'MonthlyReportMail',
  tableName: 'monthly_report_mails',
  properties: {
    tenantId: p.uuid().primary(),
    userId: p.uuid().primary(),
    month: p.string().columnType('char(7)').primary(),
  },
})
