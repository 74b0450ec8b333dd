import { FairQueue } from '#contract/fair-queue.ts'
import { splitIsolated } from './each-isolated.ts'
import { untraced } from './tracing.ts'

interface Waiting<Item, Result> {
  item: Item
  resolve(result: Result): void
  reject(error: unknown): void
}

interface Options<Item> {
  /** Items in one batch. */
  largest?: number
  /** Batches that run side by side. */
  atOnce?: number
  /** From the start of one batch to the start of the next, unless enough items for a whole batch wait. */
  everyMs?: number
  /** Waiting items are taken in turn by this key. Without it they are taken in order of arrival. */
  keyOf?: (item: Item) => string
}

/**
 * Turns work that is requested item by item into one call for many. Items that arrive while calls are running make up
 * the next batch. Where a batch fails, its halves are tried apart, down to the item at fault. No result is kept for
 * later items.
 */
export class Batch<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>
  readonly #largest: number
  readonly #atOnce: number
  readonly #everyMs: number
  readonly #keyOf: (item: Item) => string
  readonly #waiting = new FairQueue<Waiting<Item, Result>>()
  #waitingCount = 0
  #running = 0
  #isScheduled = false
  #ranAt = -Infinity
  #idle: (() => void)[] = []

  /** `work` returns the results in the order of its items. */
  constructor(
    work: (items: readonly Item[]) => Promise<readonly Result[]>,
    { largest = 200, atOnce = 2, everyMs = 0, keyOf = () => '' }: Options<Item> = {},
  ) {
    this.#work = work
    this.#largest = largest
    this.#atOnce = atOnce
    this.#everyMs = everyMs
    this.#keyOf = keyOf
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(this.#keyOf(item), { item, resolve, reject })
      this.#waitingCount++
      this.#schedule()
    })
  }

  /** Resolves once no item waits and no batch runs. */
  async idle(): Promise<void> {
    while (this.#waitingCount + this.#running > 0) await new Promise<void>(resolve => this.#idle.push(resolve))
  }

  #schedule(): void {
    if (this.#isScheduled || this.#running >= this.#atOnce || this.#waitingCount === 0) return
    this.#isScheduled = true
    const early = this.#ranAt + this.#everyMs - performance.now()
    // even without a pace: after everything else that this tick adds
    // a batch is of many callers: it belongs to the trace of none
    const run = () => untraced(() => this.#run())
    if (early > 0 && this.#waitingCount < this.#largest) setTimeout(run, early)
    else setImmediate(run)
  }

  #run(): void {
    this.#isScheduled = false
    this.#ranAt = performance.now()
    while (this.#waitingCount > 0 && this.#running < this.#atOnce) void this.#runOne(this.#take())
  }

  #take(): Waiting<Item, Result>[] {
    const batch: Waiting<Item, Result>[] = []
    for (const waiting of this.#waiting.take()) {
      batch.push(waiting)
      if (batch.length === this.#largest) break
    }
    this.#waitingCount -= batch.length
    return batch
  }

  async #runOne(batch: Waiting<Item, Result>[]): Promise<void> {
    this.#running++
    const work = async (some: readonly Waiting<Item, Result>[]) => {
      const results = await this.#work(some.map(({ item }) => item))
      some.forEach(({ resolve }, index) => {
        resolve(results[index]!)
      })
    }
    try {
      await splitIsolated(batch, work, ({ reject }, error) => reject(error))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
    this.#running--
    this.#schedule()
    if (this.#waitingCount + this.#running === 0) for (const resolve of this.#idle.splice(0)) resolve()
  }
}
