import { every } from '#control-plane/base/every.ts'
import type { Retries } from '#control-plane/base/quarantine/retries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { reencrypt } from './re-encrypt.ts'

const everyMs = 3_600_000
/** What somebody held or changed during a pass is left to the next. */
const againMs = 5_000

interface Keeping {
  retries: Retries
  stop(): Promise<void>
}

/** Sees to it that all stored secrets are under the present key: at the start, which may have brought another, and every hour. */
export function keepSecrets(services: Pick<Services, 'platform' | 'log' | 'config' | 'metrics'>): Keeping {
  let isStopped = false
  let again: NodeJS.Timeout | undefined
  const pass = async () => {
    const { left, unreadable } = await reencrypt(services, { isStopped: () => isStopped })
    if (left > unreadable && !isStopped) again = setTimeout(() => rounds.begin(), againMs).unref()
  }
  const rounds = every(everyMs, pass, error => {
    if (isStopped) return
    services.log.warn({ err: error }, 'secret re-encryption failure')
    again = setTimeout(() => rounds.begin(), againMs).unref()
  })
  rounds.begin()
  return {
    retries: { stored_secret: () => rounds.begin() },
    async stop() {
      isStopped = true
      clearTimeout(again)
      await rounds.stop()
    },
  }
}
