import type { Logger } from 'pino'
import type { Listener } from './listen.ts'
import { untraced } from './tracing.ts'

interface Options {
  /** From the end of one round to the start of the next. */
  everyMs: number
  round(): Promise<unknown>
  log: Pick<Logger, 'warn'>
  /** The log message of a failed round, such as `outbox read failure`. */
  failure: string
  /** The pause after a first failure; it doubles with each further one. */
  retryMs?: number
  /** A notice of the database that starts a round at once, as does a connection that was lost and is back. */
  wake?: { listener: Pick<Listener, 'on' | 'onMissed'>; notice: string }
}

/** The pause after repeated failures, where `everyMs` is not longer. */
const longestRetryMs = 2_000
const firstRetryMs = 60_000
/** Added to each pause at most, so that processes that started together do not stay in step. */
const jitter = 0.1

/**
 * Repeats a round, one at a time: after a pause, and at once when woken. A wake-up during a round makes another. A
 * failed round is logged at the 1st, 2nd, 4th, 8th … failure in a row and tried again with growing pauses. A stop waits
 * for the running round.
 */
export class Loop {
  readonly #options: Options
  readonly #wakeUps = new Set<NodeJS.Timeout>()
  #listening: (() => void)[] = []
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> | undefined
  #failures = 0
  #isAgain = false
  #isStarted = false
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  start({ atOnce = true } = {}): this {
    const { wake } = this.#options
    if (wake)
      this.#listening = [wake.listener.on(wake.notice, () => this.wake()), wake.listener.onMissed(() => this.wake())]
    this.#isStarted = true
    if (atOnce) this.wake()
    else this.#schedule()
    return this
  }

  /** The running round is the last. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const stopListening of this.#listening) stopListening()
    for (const wakeUp of this.#wakeUps) clearTimeout(wakeUp)
    clearTimeout(this.#timer)
    await this.#running
  }

  wake(): void {
    if (this.#isStopped) return
    this.#isAgain = true
    // whose call wakes it does not matter to the trace
    this.#running ??= untraced(() => Promise.resolve().then(() => this.#run()))
  }

  /** As `wake`, after a pause that nothing shortens. */
  wakeIn(ms: number): void {
    if (this.#isStopped) return
    const wakeUp = setTimeout(() => {
      this.#wakeUps.delete(wakeUp)
      this.wake()
    }, ms)
    this.#wakeUps.add(wakeUp.unref())
  }

  async #run(): Promise<void> {
    clearTimeout(this.#timer)
    try {
      while (this.#isAgain && !this.#isStopped) {
        this.#isAgain = false
        await this.#options.round()
        this.#failures = 0
      }
    } catch (error) {
      this.#fail(error)
    }
    // in the same step as the last check of `isAgain`, so that no wake-up is lost between the two
    this.#running = undefined
    this.#schedule()
  }

  #fail(error: unknown): void {
    const { log, failure } = this.#options
    const failures = ++this.#failures
    const isPowerOfTwo = (failures & (failures - 1)) === 0
    if (isPowerOfTwo && !this.#isStopped) log.warn({ err: error, failures }, failure)
  }

  #schedule(): void {
    if (!this.#isStarted || this.#isStopped) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.wake(), this.#pauseMs * (1 + jitter * Math.random())).unref()
  }

  get #pauseMs(): number {
    const { everyMs, retryMs = Math.min(everyMs, firstRetryMs) } = this.#options
    if (this.#failures === 0) return everyMs
    return Math.min(retryMs * 2 ** Math.min(this.#failures - 1, 20), Math.max(everyMs, longestRetryMs))
  }
}
