import { splitIsolated } from '#control-plane/base/each-isolated.ts'

interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/** Work that is asked for one by one and done many at once: what comes while a batch is under way makes up the next one. */
export class Gather<Item, Result> {
  readonly #work: (items: Item[]) => Promise<readonly Result[]>
  readonly #most: number
  #waiting: Waiting<Item, Result>[] = []
  #running: Promise<void> | undefined

  constructor(work: (items: Item[]) => Promise<readonly Result[]>, most = 500) {
    this.#work = work
    this.#most = most
  }

  /** The work answers in the order in which it was given its items. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  async idle(): Promise<void> {
    while (this.#running) await this.#running
  }

  async #workOn(some: readonly Waiting<Item, Result>[]): Promise<void> {
    const results = await this.#work(some.map(({ item }) => item))
    some.forEach(({ resolve }, index) => {
      resolve(results[index]!)
    })
  }

  async #run(): Promise<void> {
    // what is asked for in the same turn goes together
    await new Promise(resolve => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#most)
      try {
        // what is wrong with one item is no other's fault
        await splitIsolated(
          batch,
          some => this.#workOn(some),
          ({ reject }, error) => reject(error),
        )
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    // in the same step as the look at what waits: what comes a moment later would wait for the next to come
    this.#running = undefined
  }
}
