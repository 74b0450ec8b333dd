import { Mailer } from '#control-plane/alerting/mail/mailer.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { Retries } from '#control-plane/base/quarantine/retries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { deleteExpiredSubscribers, rehashAddresses } from './delete-expired.ts'
import { messageQueue } from './queue.ts'
import type { SendDeps } from './send.ts'

const tidyMs = 3_600_000

interface Subscribing {
  retries: Retries
  close(): Promise<void>
}

/** Sends messages to subscribers, by connections of its own: alerts never wait for them. */
export function openSubscribing(services: Services, divert: SendDeps['divert']): Subscribing {
  const { platform, listener, log, config, guard } = services
  const mailer = new Mailer({ platform, log, guard, config })
  const deps = { platform, listener, log, config, guard, mailer, divert }
  const [mails, requests] = [messageQueue('mail', deps), messageQueue('http', deps)]
  mails.start()
  requests.start()
  const tidying: Loop = new Loop({
    everyMs: tidyMs,
    async round() {
      await rehashAddresses(platform, config, log)
      await deleteExpiredSubscribers(platform)
    },
    log,
    failure: 'subscriber deletion failure',
  }).start()
  return {
    retries: {
      subscriber_message: ids => mails.retry(ids, requests),
    },
    async close() {
      await Promise.all([mails.stop(), requests.stop(), tidying.stop()])
      mailer.close()
    },
  }
}
