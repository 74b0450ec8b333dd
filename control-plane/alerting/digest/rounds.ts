import type { Services } from '#control-plane/kernel/services.ts'
import { sendDue } from './due.ts'
import { digests } from './send.ts'
import { monthlyReports } from './send-month.ts'

const everyMs = 60_000

/** Looks once a minute whose digest or report is due: the date stands in the row, and whoever looks next finds what was left. */
export function openDigestRounds(services: Pick<Services, 'platform' | 'config' | 'log'>): { close(): Promise<void> } {
  let isStopped = false
  let running: Promise<unknown> | undefined
  const send = async () => {
    for (const kind of [digests, monthlyReports])
      await sendDue(services, kind, { isStopped: () => isStopped }).catch(error =>
        services.log.warn({ err: error }, `whose turn it is for ${kind.what} could not be seen; trying on`),
      )
  }
  const round = () => {
    running ??= send().finally(() => {
      running = undefined
    })
  }
  const timer = setInterval(round, everyMs)
  round()
  return {
    async close() {
      isStopped = true
      clearInterval(timer)
      await running
    },
  }
}
