import type { Services } from '#control-plane/kernel/services.ts'
import { sendDigests } from './send.ts'

const everyMs = 60_000

/** Looks once a minute whose digest is due: the date stands in the row, and whoever looks next finds what was left. */
export function openDigestRounds(services: Pick<Services, 'platform' | 'config' | 'log'>): { close(): Promise<void> } {
  let isStopped = false
  let running: Promise<unknown> | undefined
  const round = () => {
    running ??= sendDigests(services, () => isStopped)
      .catch(error => services.log.warn({ err: error }, 'digests that are due could not be written; trying on'))
      .finally(() => {
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
