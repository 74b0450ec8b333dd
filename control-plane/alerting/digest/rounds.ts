import { every } from '#control-plane/kernel/every.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { sendDue } from './due.ts'
import { digests } from './send.ts'
import { monthlyReports } from './send-month.ts'

const everyMs = 60_000

/** Looks once a minute whose digest or report is due: the date stands in the row, and whoever looks next finds what was left. */
export function openDigestRounds(services: Pick<Services, 'platform' | 'config' | 'log'>): { close(): Promise<void> } {
  let isStopped = false
  const send = async () => {
    for (const kind of [digests, monthlyReports])
      await sendDue(services, kind, { isStopped: () => isStopped }).catch(error =>
        services.log.warn({ err: error }, `whose turn it is for ${kind.what} could not be seen; trying on`),
      )
  }
  const rounds = every(everyMs, send)
  rounds.begin()
  return {
    async close() {
      isStopped = true
      await rounds.stop()
    },
  }
}
