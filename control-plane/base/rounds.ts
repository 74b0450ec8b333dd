import type { Listener } from './listen.ts'

interface Options {
  /** The notice that says there is work. */
  notice: string
  listener: Pick<Listener, 'on' | 'onMissed'>
  /** In case a notice was lost, or nobody gave one. */
  everyMs: number
  /** Takes what work there is. */
  round(): Promise<void>
  onFailure(error: unknown): void
}

/** Work taken in rounds, one at a time: at once when told of some, and every so often in case nobody told. Told during a round, it makes another. */
export class Rounds {
  readonly #options: Options
  #timer: NodeJS.Timeout | undefined
  #listening: (() => void)[] = []
  #running: Promise<void> | undefined
  #isAgain = false
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  start({ atOnce = true } = {}): void {
    const { listener, notice, everyMs } = this.#options
    this.#listening = [listener.on(notice, () => this.wake()), listener.onMissed(() => this.wake())]
    this.#timer = setInterval(() => this.wake(), everyMs)
    if (atOnce) this.wake()
  }

  /** The round under way is the last. */
  async stop(): Promise<void> {
    this.#isStopped = true
    for (const stop of this.#listening) stop()
    clearInterval(this.#timer)
    await this.#running
  }

  wake(): void {
    if (this.#isStopped) return
    this.#isAgain = true
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined
    })
  }

  async #run(): Promise<void> {
    try {
      while (this.#isAgain && !this.#isStopped) {
        this.#isAgain = false
        await this.#options.round()
      }
    } catch (error) {
      this.#options.onFailure(error)
    }
  }
}
