import { Loop } from '#control-plane/base/loop.ts'
import type { Retries } from '#control-plane/base/quarantine/retries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { reencrypt } from './re-encrypt.ts'

const everyMs = 3_600_000
/** Rows that were locked or changed during a pass are left to the next one. */
const againMs = 5_000

interface Keeping {
  retries: Retries
  stop(): Promise<void>
}

/** Re-encrypts stored secrets under the present key: at the start, when the key may be new, and every hour. */
export function keepSecrets(services: Pick<Services, 'platform' | 'log' | 'config' | 'metrics'>): Keeping {
  const round = async () => {
    const { left, unreadable } = await reencrypt(services, { isStopped: () => loop.isStopped })
    if (left > unreadable) loop.wakeIn(againMs)
  }
  const failure = 'secret re-encryption failure'
  const loop: Loop = new Loop({ everyMs, retryMs: againMs, round, log: services.log, failure }).start()
  return { retries: { stored_secret: () => loop.wake() }, stop: () => loop.stop() }
}
