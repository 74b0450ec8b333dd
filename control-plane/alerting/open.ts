import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryEnd, RetryLater } from '#contract/workflows.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Retries } from '#control-plane/base/quarantine/retries.ts'
import type { Services } from '#control-plane/http/services.ts'
import type { OutboxEvent } from '#control-plane/outbox/dispatcher.ts'
import { deleteExpiredDeliveries } from './deliveries/delete-expired.ts'
import type { Divert, DivertibleMail } from './deliveries/delivery.ts'
import { DeliveryWorker } from './deliveries/delivery-worker.ts'
import { EventRouter } from './dispatch/event-router.ts'
import { RuleBook } from './dispatch/rule-book.ts'
import { type Attach, MailWorker } from './mail/mail-worker.ts'
import { Mailer } from './mail/mailer.ts'

export interface Alerting {
  /** Routes an event of the outbox to channels. An event that is received again changes nothing. */
  receive(event: OutboxEvent): Promise<void>
  /** Sends a mail to its reseller's webhooks instead, where the reseller suppresses it. */
  divert: Divert
  /** Starts a retry, for the workflow of a delivery that failed. */
  retry(deliveryId: string): Promise<DeliveryEnd | RetryLater>
  /** Deliveries that this process has claimed. */
  claimed(): readonly string[]
  /** How quarantined rows are handled again. */
  retries: Retries
  close(): Promise<void>
}

const mailStopMs = 3_000
const tidyMs = 3_600_000

export function openAlerting(
  { platform, listener, log, guard, bounded, config, metrics, tracing }: Services,
  { hasWorkflows, attach }: { hasWorkflows: boolean; attach: Attach },
): Alerting {
  const book = new RuleBook({ platform, listener, log })
  const mailer = new Mailer({ platform, log, guard, config })
  const divert = (mail: DivertibleMail) => router.divert(mail)
  const deliveryWorker = new DeliveryWorker({
    platform,
    listener,
    log,
    guard,
    bounded,
    config,
    metrics,
    tracing,
    mailer,
    divert,
    hasWorkflows,
    ...(config.receivers && { receivers: config.receivers }),
  })
  const router: EventRouter = new EventRouter({ platform, book, deliveryWorker, config })
  const mails = new MailWorker({ platform, listener, log, metrics, tracing, config, mailer, divert, attach }).queue
  deliveryWorker.start()
  mails.start()
  const tidy = () => deleteExpiredDeliveries(platform, { isStopped: () => tidying.isStopped })
  const tidying: Loop = new Loop({ everyMs: tidyMs, round: tidy, log, failure: 'delivery deletion failure' })
  tidying.start({ atOnce: false })
  return {
    receive: event => router.route(event),
    divert,
    retry: id => deliveryWorker.retry(id),
    claimed: () => deliveryWorker.claimed,
    retries: {
      delivery: ids => deliveryWorker.retryQuarantined(ids),
      mail: ids => mails.retry(ids),
      notification_channel: ids => deliveryWorker.retryChannels(ids),
      notification_rule: ids => book.retry(ids),
      smtp_server: ids => mailer.retry(ids),
    },
    async close() {
      book.close()
      const stopped = Promise.all([deliveryWorker.stop(), mails.stop(), tidying.stop()])
      await Promise.race([stopped, sleep(mailStopMs, undefined, { ref: false })])
      // a mail whose server does not answer is sent again by the next process
      mailer.close()
      await stopped
    },
  }
}
