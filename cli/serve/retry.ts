import { setTimeout as sleep } from 'node:timers/promises'

const firstMs = 200
const longestMs = 3_000

/** Retries until success or the signal; returns whether it succeeded. `mayRetry` throws permanent errors. */
export async function retryUntilDone(
  work: () => Promise<unknown>,
  { signal, onFailure }: { signal: AbortSignal; onFailure(error: unknown): void },
): Promise<boolean> {
  for (let waitMs = firstMs; !signal.aborted; waitMs = Math.min(longestMs, waitMs * 2)) {
    try {
      await work()
      return true
    } catch (error) {
      onFailure(error)
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }
  return false
}
