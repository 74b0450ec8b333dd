import type { Receivers } from '#control-plane/alerting/channels/kinds/kind.ts'
import type { Mailer } from '#control-plane/alerting/mail/mailer.ts'
import { retryAfterS } from '#control-plane/base/queue/queue.ts'
import type { MailRecipient } from '#control-plane/base/side-effects.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'

/** A channel as deliveries use it: its secrets stay encrypted until an attempt. */
export type Channel = Row<'notification_channels', 'id' | 'type' | 'config' | 'secrets'> & { tenantId: string }

/** A mail that is about to be sent. */
export interface DivertibleMail {
  /** The id of its outbox row, null if it has none: the same row is diverted once. */
  id: string | null
  tenantId: string
  type: string
  recipient: MailRecipient
  /** The data of its template, and the name of the brand. */
  templateData: Record<string, unknown>
  createdAt: Date
}

/** Sends a mail to webhooks of the reseller that suppresses it, and returns those deliveries; false: none does. */
export type Divert = (mail: DivertibleMail) => Promise<string[] | false>

export type AttemptDeps = Pick<Services, 'bounded' | 'config' | 'guard' | 'log' | 'platform'> & {
  receivers?: Receivers
  /** Kept between mails; opened for a single attempt where it is left out. */
  mailer?: Mailer
  /** Left out: mail is never diverted to a reseller, as in the test of a channel. */
  divert?: Divert
}

/** One message to one channel, claimed by this process. */
export interface Delivery {
  id: string
  channel: Channel
  event: string
  body: string
  /**
   * The monitor, storm or team that the message is about. Messages about the same subject are sent in the order of
   * their events, also when the first has to be retried.
   */
  subject: string | null
  /** Attempts made since the delivery was created or last replayed. */
  attempts: number
  /** When this process claimed it, by the monotonic clock. */
  claimedAt: number
  /** The trace of its event, where that is recorded. */
  traceparent?: string | undefined
  /** It is a day old: an unreadable row or channel now makes it fail instead of being put off. */
  isLate?: boolean
}

/** How long a claim lasts. The claims of a killed process expire. */
export const claimS = 30
/**
 * After how many seconds a delivery that was handed over is claimed again, though it is settled with what it was handed
 * to: that sends nothing, and hands it over again.
 */
export const handedS = 86_400
/**
 * How long a delivery is queued behind an earlier one about the same subject: at most until that one has made all its
 * attempts, each of ten seconds at most.
 */
export const queuedAtMostS = retryAfterS.reduce((sum, wait) => sum + wait, 0) + (retryAfterS.length + 1) * 10 + 10
