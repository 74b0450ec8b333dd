import { Heap } from './heap.ts'

/**
 * Who holds how many of a number of places, by dynamic thresholds (Choudhury and Hahne, 1998): a key may take one more only
 * while it holds fewer than are free. So one key alone holds at most half of the places, two a third each, and a newcomer
 * always finds one.
 */
export class Shares {
  #places: number
  #total = 0
  readonly #held = new Map<string, number>()

  constructor(places: number) {
    this.#places = places
  }

  set places(places: number) {
    this.#places = places
  }

  get total(): number {
    return this.#total
  }

  get free(): number {
    return this.#places - this.#total
  }

  heldBy(key: string): number {
    return this.#held.get(key) ?? 0
  }

  mayTake(key: string): boolean {
    return this.heldBy(key) < this.free
  }

  take(key: string): void {
    this.#total++
    this.#held.set(key, this.heldBy(key) + 1)
  }

  release(key: string): void {
    const held = this.heldBy(key)
    if (held === 0) throw new Error(`No place is held by ${key}.`)
    this.#total--
    if (held === 1) this.#held.delete(key)
    else this.#held.set(key, held - 1)
  }
}

interface Flow<Item> {
  key: string
  items: Heap<{ at: number; item: Item }>
  /** Virtual time: when its next item starts, and when the last one that was taken ended. */
  at: number
  finish: number
}

/** Keys without items are remembered until virtual time has passed them, and looked through once there are so many. */
const leastIdle = 256

/**
 * Items of many keys, taken in turn by start-time fair queueing (Goyal, Vin and Cheng, 1996): whatever one key brings, the
 * next item of another waits for at most one item of each key. Items of one key go by their order.
 */
export class FairQueue<Item> {
  readonly #isGone: (item: Item) => boolean
  readonly #flows = new Map<string, Flow<Item>>()
  readonly #ready = new Heap<Flow<Item>>()
  #virtualTime = 0
  #lastFinish = 0
  #pushed = 0
  #tidyAt = leastIdle

  /** `isGone`: the item was withdrawn, or put elsewhere; it leaves the queue and costs its key nothing. */
  constructor(isGone: (item: Item) => boolean = () => false) {
    this.#isGone = isGone
  }

  /** Whether nothing waits, be it gone or not. */
  get isEmpty(): boolean {
    return this.#ready.size === 0
  }

  /** `order`: smaller first among the items of this key; in the order in which they come when left out. */
  push(key: string, item: Item, order: number = this.#pushed++): void {
    let flow = this.#flows.get(key)
    if (!flow) {
      if (this.#flows.size >= this.#tidyAt) this.#tidy()
      flow = { key, items: new Heap(), at: 0, finish: 0 }
      this.#flows.set(key, flow)
    }
    flow.items.push({ at: order, item })
    if (flow.items.size > 1) return
    flow.at = Math.max(this.#virtualTime, flow.finish)
    this.#ready.push(flow)
  }

  /** Takes items as long as it is asked for more. A key that may not take is passed over for the rest of this turn. */
  *take(mayTake: (key: string) => boolean = () => true): Generator<Item, void, void> {
    const passedOver: Flow<Item>[] = []
    try {
      for (let flow = this.#ready.pop(); flow; flow = this.#ready.pop()) {
        if (!mayTake(flow.key)) {
          passedOver.push(flow)
          continue
        }
        this.#dropGone(flow)
        if (flow.items.size === 0) continue
        const { item } = flow.items.pop()!
        this.#virtualTime = Math.max(this.#virtualTime, flow.at)
        flow.finish = flow.at + 1
        flow.at = flow.finish
        this.#lastFinish = Math.max(this.#lastFinish, flow.finish)
        if (flow.items.size > 0) this.#ready.push(flow)
        yield item
      }
    } finally {
      for (const flow of passedOver) {
        // what could not be used is not saved up
        flow.at = Math.max(flow.at, this.#virtualTime)
        this.#ready.push(flow)
      }
      // nobody waits: whoever comes next owes nothing
      if (this.#ready.size === 0) this.#virtualTime = this.#lastFinish
    }
  }

  #dropGone({ items }: Flow<Item>): void {
    for (let head = items.peek(); head && this.#isGone(head.item); head = items.peek()) items.pop()
  }

  #tidy(): void {
    for (const [key, { items, finish }] of this.#flows)
      if (items.size === 0 && finish <= this.#virtualTime) this.#flows.delete(key)
    this.#tidyAt = Math.max(leastIdle, 2 * this.#flows.size)
  }
}

interface Waiter {
  key: string
  isGone: boolean
  start(release: () => void): void
}

/** A number of places for work of many keys: by dynamic thresholds, and whoever waits for one has it in fair turn. */
export class FairSlots {
  readonly #shares: Shares
  readonly #waiting = new FairQueue<Waiter>(({ isGone }) => isGone)
  readonly #waitingBy = new Map<string, number>()
  #waitingTotal = 0

  constructor(slots: number) {
    this.#shares = new Shares(slots)
  }

  get waiting(): number {
    return this.#waitingTotal
  }

  /** What a key has under way and waiting. */
  countOf(key: string): number {
    return this.#shares.heldBy(key) + (this.#waitingBy.get(key) ?? 0)
  }

  /** A place, to be released once; undefined when this key may take none now. */
  tryTake(key: string): (() => void) | undefined {
    return this.#shares.mayTake(key) ? this.#take(key) : undefined
  }

  /** Waits for a place; rejects with the reason of the signal. */
  take(key: string, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        waiter.isGone = true
        this.#countWaiting(key, -1)
        reject(signal?.reason)
      }
      const waiter: Waiter = {
        key,
        isGone: false,
        start: release => {
          signal?.removeEventListener('abort', stop)
          this.#countWaiting(key, -1)
          resolve(release)
        },
      }
      signal?.addEventListener('abort', stop, { once: true })
      this.#countWaiting(key, 1)
      this.#waiting.push(key, waiter)
      this.#startNext()
    })
  }

  #take(key: string): () => void {
    this.#shares.take(key)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      this.#shares.release(key)
      this.#startNext()
    }
  }

  #startNext(): void {
    if (this.#waitingTotal === 0) return
    for (const { key, start } of this.#waiting.take(key => this.#shares.mayTake(key))) start(this.#take(key))
  }

  #countWaiting(key: string, by: 1 | -1): void {
    this.#waitingTotal += by
    const count = (this.#waitingBy.get(key) ?? 0) + by
    if (count === 0) this.#waitingBy.delete(key)
    else this.#waitingBy.set(key, count)
  }
}
