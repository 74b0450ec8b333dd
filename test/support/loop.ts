import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** No operation blocks the event loop for longer, in milliseconds of processor time. */
export const mostBlockedMs = 50

const everyMs = 2
const msOf = ({ user, system }: NodeJS.CpuUsage) => (user + system) / 1_000

/**
 * Watches for how long the event loop of this thread is blocked. It counts the processor time
 * of this thread between two timers: what others do to the machine meanwhile does not count.
 */
export class LoopWatch {
  readonly #timer: NodeJS.Timeout
  #last = process.threadCpuUsage()
  #longest = 0

  constructor() {
    this.#timer = setInterval(() => this.#measure(), everyMs).unref()
  }

  /** The longest time since the last call, in milliseconds. */
  take(): number {
    this.#measure()
    const longest = this.#longest
    this.#longest = 0
    return longest
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #measure(): void {
    const now = process.threadCpuUsage()
    this.#longest = Math.max(this.#longest, msOf(now) - msOf(this.#last))
    this.#last = now
  }
}

/**
 * The longest time for which some work blocks the event loop, the best of five attempts: the first may compile code,
 * and any may collect garbage of others.
 */
export async function blockedBy(work: () => unknown, attempts = 5): Promise<number> {
  const watch = new LoopWatch()
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < attempts && least > mostBlockedMs; n++) {
    await sleep(2 * everyMs)
    watch.take()
    await work()
    await sleep(2 * everyMs)
    least = Math.min(least, watch.take())
  }
  watch.stop()
  return least
}

/** The environment of a process whose event loop is watched from outside, by `blockedIn`. */
export const watchedLoop = (socket: string): Record<string, string> => ({
  LOOP_SOCKET: socket,
  NODE_OPTIONS: `--import=${join(import.meta.dirname, 'loop-server.ts')}`,
})

/** For how many milliseconds the event loop of a process was blocked at the longest since the call before. */
export const blockedIn = (socket: string, pid: number): Promise<number> =>
  new Promise((resolve, reject) => {
    // a connection kept alive may end just when it is asked
    request({ socketPath: `${socket}-${pid}`, path: '/', agent: false }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', chunk => (text += chunk))
      answer.on('end', () => resolve(Number(text)))
    })
      .on('error', reject)
      .end()
  })
