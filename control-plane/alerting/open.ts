import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryEnd, RetryLater } from '#contract/workflows.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Retries } from '#control-plane/base/quarantine/retries.ts'
import type { Services } from '#control-plane/http/services.ts'
import type { OutboxEvent } from '#control-plane/outbox/dispatcher.ts'
import { DeliveryWorker } from './deliveries/delivery-worker.ts'
import { tidyDeliveries } from './deliveries/tidy.ts'
import { createEventRouter, type EventRouter } from './dispatch/event-router.ts'
import { RuleBook } from './dispatch/rule-book.ts'
import { MailWorker } from './mail/mail-worker.ts'
import { Mailer } from './mail/mailer.ts'

export interface Alerting {
  /** For the outbox: hears an event and hands it on. Hearing it twice does no harm. */
  hear(event: OutboxEvent): Promise<void>
  /** For whoever sends mail: whether its reseller has it instead. */
  divert: EventRouter['divert']
  /** For the durable process of a delivery that failed. */
  retry(deliveryId: string): Promise<DeliveryEnd | RetryLater>
  /** Deliveries that this process has claimed. */
  claimed(): readonly string[]
  /** How rows that were put off are handled once more. */
  retries: Retries
  close(): Promise<void>
}

const mailStopMs = 3_000
const tidyMs = 3_600_000

export function openAlerting(
  { platform, listener, log, guard, config, metrics }: Services,
  { hasWorkflows }: { hasWorkflows: boolean },
): Alerting {
  const book = new RuleBook({ platform, listener, log })
  const mailer = new Mailer({ platform, log, guard, config })
  const deliveryWorker = new DeliveryWorker({
    platform,
    log,
    guard,
    config,
    mailer,
    divert: mail => divert(mail),
    hasWorkflows,
    ...(config.receivers && { receivers: config.receivers }),
  })
  const { hear, divert } = createEventRouter({ platform, book, deliveryWorker, config })
  const mailWorker = new MailWorker({ platform, listener, log, metrics, config, mailer, divert })
  const stopListening = listener.on('deliveries', () => deliveryWorker.sweep())
  deliveryWorker.start()
  mailWorker.start()
  const tidy = () => tidyDeliveries(platform, { isStopped: () => tidying.isStopped })
  const tidying: Loop = new Loop({ everyMs: tidyMs, round: tidy, log, failure: 'delivery deletion failure' })
  tidying.start({ atOnce: false })
  return {
    hear,
    divert,
    retry: id => deliveryWorker.retry(id),
    claimed: () => deliveryWorker.claimed,
    retries: {
      delivery: ids => deliveryWorker.retryQuarantined(ids),
      mail: ids => mailWorker.retry(ids),
      notification_channel: ids => deliveryWorker.retryChannels(ids),
      notification_rule: ids => book.retry(ids),
      smtp_server: ids => mailer.retry(ids),
    },
    async close() {
      stopListening()
      book.close()
      const stopped = Promise.all([deliveryWorker.stop(), mailWorker.stop(), tidying.stop()])
      await Promise.race([stopped, sleep(mailStopMs, undefined, { ref: false })])
      // what a server still holds up is sent anew by whoever starts next
      mailer.close()
      await stopped
    },
  }
}
