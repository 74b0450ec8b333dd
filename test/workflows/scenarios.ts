import type { RetryLater, Workflows } from '#contract/workflows.ts'
import { rowChanged, unsnoozed } from '#contract/workflows.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** What a step answers: a word, a time to wait, or that it fails and is asked again. */
type Answer = string | RetryLater | 'fails'

export interface Scenario {
  name: string
  workflow: keyof Workflows
  /** With the moment this long after the start, or before it. */
  inMs: number
  answers: Record<string, Answer[]>
  /** Sent after so many answers. */
  signals?: { after: number; name: string }[]
}

const wait = (ms: number): RetryLater => ({ againInMs: ms })

/** Every way through every process: recorded once, replayed on every run. */
export const scenarios: Scenario[] = [
  { name: 'snooze-ended', workflow: 'snoozeEnd', inMs: hourMs, answers: { endSnooze: ['ended'] } },
  { name: 'snooze-over-already', workflow: 'snoozeEnd', inMs: -hourMs, answers: { endSnooze: ['ended'] } },
  { name: 'snooze-made-anew', workflow: 'snoozeEnd', inMs: hourMs, answers: { endSnooze: ['superseded'] } },
  {
    name: 'snooze-asked-again',
    workflow: 'snoozeEnd',
    inMs: hourMs,
    answers: { endSnooze: ['fails', 'fails', 'ended'] },
  },
  {
    name: 'snooze-ended-by-hand',
    workflow: 'snoozeEnd',
    inMs: hourMs,
    answers: { endSnooze: [] },
    signals: [{ after: 0, name: unsnoozed }],
  },

  {
    name: 'trial-to-its-end',
    workflow: 'trial',
    inMs: 14 * dayMs,
    answers: { advanceTrial: [wait(11 * dayMs), wait(2 * dayMs), wait(dayMs), 'expired'] },
  },
  {
    name: 'trial-shorter-than-reminders',
    workflow: 'trial',
    inMs: dayMs,
    answers: { advanceTrial: [wait(dayMs), 'expired'] },
  },
  { name: 'trial-over-already', workflow: 'trial', inMs: -dayMs, answers: { advanceTrial: ['expired'] } },
  {
    name: 'trial-extended',
    workflow: 'trial',
    inMs: 5 * dayMs,
    answers: { advanceTrial: [wait(2 * dayMs), wait(2 * dayMs), wait(dayMs), 'superseded'] },
  },
  {
    name: 'trial-cleared-and-told',
    workflow: 'trial',
    inMs: 14 * dayMs,
    answers: { advanceTrial: [wait(11 * dayMs), 'superseded'] },
    signals: [{ after: 1, name: rowChanged }],
  },
  {
    name: 'trial-told-of-no-change',
    workflow: 'trial',
    inMs: 2 * dayMs,
    answers: { advanceTrial: [wait(dayMs), wait(dayMs), wait(dayMs), 'expired'] },
    signals: [{ after: 1, name: rowChanged }],
  },
  {
    name: 'trial-woken-too-early',
    workflow: 'trial',
    inMs: dayMs,
    answers: { advanceTrial: [wait(dayMs), wait(700), wait(3), 'expired'] },
  },
  {
    name: 'trial-database-away',
    workflow: 'trial',
    inMs: 2 * dayMs,
    answers: { advanceTrial: ['fails', wait(dayMs), 'fails', 'fails', wait(dayMs), 'fails', 'expired'] },
  },

  {
    name: 'purge-after-thirty-days',
    workflow: 'teamPurge',
    inMs: 0,
    answers: { purgeTeam: [wait(30 * dayMs), 'purged'], eraseResults: ['erased'], dropErasedFiles: ['gone'] },
  },
  {
    name: 'purge-restored',
    workflow: 'teamPurge',
    inMs: 0,
    answers: { purgeTeam: [wait(30 * dayMs), 'kept'], eraseResults: [] },
  },
  {
    name: 'purge-restored-and-told',
    workflow: 'teamPurge',
    inMs: 0,
    answers: { purgeTeam: [wait(30 * dayMs), 'kept'], eraseResults: [] },
    signals: [{ after: 1, name: rowChanged }],
  },
  {
    name: 'purge-too-early',
    workflow: 'teamPurge',
    inMs: 0,
    answers: { purgeTeam: [wait(30 * dayMs), wait(40), 'purged'], eraseResults: ['erased'], dropErasedFiles: ['gone'] },
  },
  {
    name: 'purge-stores-away',
    workflow: 'teamPurge',
    inMs: 0,
    answers: {
      purgeTeam: ['fails', wait(30 * dayMs), 'fails', 'purged'],
      eraseResults: ['fails', 'fails', 'erased'],
      dropErasedFiles: ['fails', 'gone'],
    },
  },
  {
    name: 'purge-overdue',
    workflow: 'teamPurge',
    inMs: -31 * dayMs,
    answers: { purgeTeam: ['purged'], eraseResults: ['erased'], dropErasedFiles: ['gone'] },
  },

  {
    name: 'grace-ended',
    workflow: 'tokenGrace',
    inMs: 24 * hourMs,
    answers: { endGrace: [wait(24 * hourMs), 'ended'] },
  },
  {
    name: 'grace-token-deleted',
    workflow: 'tokenGrace',
    inMs: hourMs,
    answers: { endGrace: [wait(hourMs), 'superseded'] },
  },
  {
    name: 'grace-database-away',
    workflow: 'tokenGrace',
    inMs: hourMs,
    answers: { endGrace: [wait(hourMs), 'fails', 'ended'] },
  },
  {
    name: 'grace-told',
    workflow: 'tokenGrace',
    inMs: hourMs,
    answers: { endGrace: [wait(hourMs), 'superseded'] },
    signals: [{ after: 1, name: rowChanged }],
  },

  {
    name: 'invitation-expired',
    workflow: 'invitationExpiry',
    inMs: 7 * dayMs,
    answers: { expireInvitation: [wait(7 * dayMs), 'expired'] },
  },
  {
    name: 'invitation-taken-up',
    workflow: 'invitationExpiry',
    inMs: 7 * dayMs,
    answers: { expireInvitation: [wait(7 * dayMs), 'superseded'] },
  },
  {
    name: 'invitation-database-away',
    workflow: 'invitationExpiry',
    inMs: 7 * dayMs,
    answers: { expireInvitation: ['fails', wait(7 * dayMs), 'expired'] },
  },
  {
    name: 'invitation-revoked-and-told',
    workflow: 'invitationExpiry',
    inMs: 7 * dayMs,
    answers: { expireInvitation: [wait(7 * dayMs), 'superseded'] },
    signals: [{ after: 1, name: rowChanged }],
  },

  {
    name: 'billing-due',
    workflow: 'billing',
    inMs: 30 * dayMs,
    answers: { advanceBilling: [wait(30 * dayMs), 'done'] },
  },
  { name: 'billing-overdue', workflow: 'billing', inMs: -dayMs, answers: { advanceBilling: ['done'] } },
  {
    name: 'billing-paid-meanwhile',
    workflow: 'billing',
    inMs: 14 * dayMs,
    answers: { advanceBilling: [wait(14 * dayMs), 'superseded'] },
  },
  {
    name: 'billing-database-away',
    workflow: 'billing',
    inMs: dayMs,
    answers: { advanceBilling: ['fails', wait(dayMs), 'fails', wait(3), 'done'] },
  },

  {
    name: 'delivery-to-the-last-retry',
    workflow: 'deliveryRetry',
    inMs: 0,
    answers: { retryDelivery: [wait(10_000), wait(60_000), wait(300_000), 'failed'] },
  },
  {
    name: 'delivery-arrived',
    workflow: 'deliveryRetry',
    inMs: 0,
    answers: { retryDelivery: [wait(10_000), 'delivered'] },
  },
  {
    name: 'delivery-taken-by-others',
    workflow: 'deliveryRetry',
    inMs: 0,
    answers: { retryDelivery: [wait(10_000), wait(30_000), 'superseded'] },
  },
  {
    name: 'delivery-database-away',
    workflow: 'deliveryRetry',
    inMs: 0,
    answers: { retryDelivery: ['fails', wait(10_000), 'fails', 'delivered'] },
  },

  {
    name: 'migration-to-the-cutover',
    workflow: 'migration',
    inMs: 0,
    answers: { advanceMigration: [wait(1), wait(hourMs), wait(60_000), wait(60_000), 'done'] },
  },
  {
    name: 'migration-told-by-signal',
    workflow: 'migration',
    inMs: 0,
    answers: { advanceMigration: [wait(hourMs), wait(hourMs), 'done'] },
    signals: [
      { after: 1, name: rowChanged },
      { after: 2, name: rowChanged },
    ],
  },
  {
    name: 'migration-continued',
    workflow: 'migration',
    inMs: 0,
    answers: { advanceMigration: [wait(60_000), 'continued'] },
  },
  {
    name: 'migration-deleted',
    workflow: 'migration',
    inMs: 0,
    answers: { advanceMigration: [wait(hourMs), 'superseded'] },
  },
  {
    name: 'migration-database-away',
    workflow: 'migration',
    inMs: 0,
    answers: { advanceMigration: ['fails', wait(1), 'fails', 'fails', wait(60_000), 'done'] },
  },
]
