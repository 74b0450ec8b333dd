import { every } from '#control-plane/base/every.ts'
import type { Retries } from '#control-plane/base/quarantine/retries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { retryDue, sendDue } from './due.ts'
import { digests } from './send.ts'
import { monthlyReports } from './send-month.ts'

const everyMs = 60_000

interface DigestRounds {
  /** How mails that were put off are written once more. */
  retries: Retries
  close(): Promise<void>
}

/** Looks once a minute whose digest or report is due: the date stands in the row, and whoever looks next finds what was left. */
export function openDigestRounds(services: Pick<Services, 'platform' | 'config' | 'log'>): DigestRounds {
  let isStopped = false
  const send = async () => {
    for (const kind of [digests, monthlyReports])
      await sendDue(services, kind, { isStopped: () => isStopped }).catch(error =>
        services.log.warn({ err: error }, `whose turn it is for ${kind.what} could not be seen; trying on`),
      )
  }
  const rounds = every(everyMs, send)
  rounds.begin()
  const retry = (kind: typeof digests) => async (people: string[]) => {
    await retryDue(services, kind, people)
    rounds.begin()
  }
  return {
    retries: { digest: retry(digests), monthly_report: retry(monthlyReports) },
    async close() {
      isStopped = true
      await rounds.stop()
    },
  }
}
