import { Mailer } from '#control-plane/alerting/mail/mailer.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import type { Retries } from '#control-plane/base/quarantine/retries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { waitWith } from './queue.ts'
import type { SendDeps } from './send.ts'
import { rehashAddresses, tidySubscribers } from './tidy.ts'
import { SubscriberWorker } from './worker.ts'

const tidyMs = 3_600_000

interface Subscribing {
  retries: Retries
  close(): Promise<void>
}

/** Sends messages to subscribers, by connections of its own: alerts never wait for them. */
export function openSubscribing(services: Services, divert: SendDeps['divert']): Subscribing {
  const { platform, listener, log, config, guard } = services
  const mailer = new Mailer({ platform, log, guard, config })
  const quarantine = new Quarantine(services)
  const workers = (['mail', 'http'] as const).map(
    queue => new SubscriberWorker(queue, { platform, listener, log, config, guard, mailer, divert }),
  )
  for (const worker of workers) worker.start()
  const tidying: Loop = new Loop({
    everyMs: tidyMs,
    async round() {
      await rehashAddresses(platform, config, log)
      await tidySubscribers(platform)
    },
    log,
    failure: 'subscriber deletion failure',
  }).start()
  return {
    retries: {
      async subscriber_message(ids) {
        await waitWith(platform, ids, 0)
        await quarantine.release('subscriber_message', ids)
        for (const worker of workers) worker.wake()
      },
    },
    async close() {
      await Promise.all([...workers.map(worker => worker.stop()), tidying.stop()])
      mailer.close()
    },
  }
}
