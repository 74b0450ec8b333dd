import { heartbeat } from '@temporalio/activity'

const beatMs = 2_000

/** Says at short intervals that the work goes on, so that a worker that died with it is replaced in seconds and not at the time limit. */
export async function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => heartbeat(), beatMs)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
