import { heartbeat } from '@temporalio/activity'

const beatMs = 2_000

/**
 * Sends heartbeats during the work, so that the work of a dead worker is repeated in seconds, not at the time limit.
 */
export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => heartbeat(), beatMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
