import { Loop } from '#control-plane/base/loop.ts'
import type { Retries } from '#control-plane/base/quarantine/retries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { retryDue, sendDue } from './due.ts'
import { digests } from './send.ts'
import { monthlyReports } from './send-month.ts'

const everyMs = 60_000

interface DigestRounds {
  /** How quarantined mails are written again. */
  retries: Retries
  close(): Promise<void>
}

/** Writes the digests and reports that are due, once a minute. The date is stored, so any process can continue. */
export function openDigestRounds(services: Pick<Services, 'platform' | 'config' | 'log'>): DigestRounds {
  const open = (kind: typeof digests) => {
    const round = () => sendDue(services, kind, { isStopped: () => loop.isStopped })
    const failure = `${kind.kind.replace('_', ' ')} failure`
    const loop: Loop = new Loop({ everyMs, round, log: services.log, failure }).start()
    const retry = async (people: string[]) => {
      await retryDue(services, kind, people)
      loop.wake()
    }
    return { retry, stop: () => loop.stop() }
  }
  const [digest, monthly] = [open(digests), open(monthlyReports)]
  return {
    retries: { digest: digest.retry, monthly_report: monthly.retry },
    async close() {
      await Promise.all([digest.stop(), monthly.stop()])
    },
  }
}
