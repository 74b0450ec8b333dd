import { Heap } from './heap.ts'

/**
 * Counts the slots each key uses and admits by dynamic thresholds (Choudhury and Hahne, 1998): a key may take one more
 * only while it uses fewer than are free. So one key alone uses at most half of the slots, two keys a third each, and a
 * new key always finds one.
 */
export class Shares {
  #places: number
  #total = 0
  readonly #inUse = new Map<string, number>()

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

  inUseBy(key: string): number {
    return this.#inUse.get(key) ?? 0
  }

  mayTake(key: string): boolean {
    return this.inUseBy(key) < this.free
  }

  take(key: string): void {
    this.#total++
    this.#inUse.set(key, this.inUseBy(key) + 1)
  }

  release(key: string): void {
    const inUse = this.inUseBy(key)
    if (inUse === 0) throw new Error(`The key ${key} uses no slot.`)
    this.#total--
    if (inUse === 1) this.#inUse.delete(key)
    else this.#inUse.set(key, inUse - 1)
  }
}

interface Flow<Item> {
  key: string
  items: Heap<{ at: number; item: Item }>
  /** Virtual time: when its next item starts, and when the last item taken ended. */
  at: number
  finish: number
}

/** Idle keys are kept until virtual time has passed them, and removed once there are this many. */
const leastIdle = 256

/**
 * Items of many keys, ordered by start-time fair queueing (Goyal, Vin and Cheng, 1996): however many items one key
 * adds, the next item of another key waits for at most one item of each key. Items of one key follow their order.
 */
export class FairQueue<Item> {
  readonly #isWithdrawn: (item: Item) => boolean
  readonly #flows = new Map<string, Flow<Item>>()
  readonly #ready = new Heap<Flow<Item>>()
  #virtualTime = 0
  #lastFinish = 0
  #pushed = 0
  #tidyAt = leastIdle

  /** `isWithdrawn`: the item was withdrawn or queued elsewhere; it is dropped and costs its key nothing. */
  constructor(isWithdrawn: (item: Item) => boolean = () => false) {
    this.#isWithdrawn = isWithdrawn
  }

  /** Whether the queue has no items, withdrawn ones included. */
  get isEmpty(): boolean {
    return this.#ready.size === 0
  }

  /** `order`: smaller first among the items of this key; insertion order by default. */
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

  /** Yields items until the caller stops. A key that may not take is skipped for the rest of this iteration. */
  *take(mayTake: (key: string) => boolean = () => true): Generator<Item, void, void> {
    const passedOver: Flow<Item>[] = []
    try {
      for (let flow = this.#ready.pop(); flow; flow = this.#ready.pop()) {
        if (!mayTake(flow.key)) {
          passedOver.push(flow)
          continue
        }
        this.#dropWithdrawn(flow)
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
        // unused share does not accumulate
        flow.at = Math.max(flow.at, this.#virtualTime)
        this.#ready.push(flow)
      }
      // the queue is empty: the next key starts without debt
      if (this.#ready.size === 0) this.#virtualTime = this.#lastFinish
    }
  }

  #dropWithdrawn({ items }: Flow<Item>): void {
    for (let head = items.peek(); head && this.#isWithdrawn(head.item); head = items.peek()) items.pop()
  }

  #tidy(): void {
    for (const [key, { items, finish }] of this.#flows)
      if (items.size === 0 && finish <= this.#virtualTime) this.#flows.delete(key)
    this.#tidyAt = Math.max(leastIdle, 2 * this.#flows.size)
  }
}

interface Waiter {
  key: string
  isWithdrawn: boolean
  start(release: () => void): void
}

/** A number of slots shared by many keys by dynamic thresholds; waiting keys get slots in fair order. */
export class FairSlots {
  readonly #shares: Shares
  readonly #waiting = new FairQueue<Waiter>(({ isWithdrawn }) => isWithdrawn)
  readonly #waitingBy = new Map<string, number>()
  #waitingTotal = 0

  constructor(slots: number) {
    this.#shares = new Shares(slots)
  }

  get waiting(): number {
    return this.#waitingTotal
  }

  /** Slots that a key uses and waits for. */
  countOf(key: string): number {
    return this.#shares.inUseBy(key) + (this.#waitingBy.get(key) ?? 0)
  }

  /** A slot, to be released once; undefined when this key may not take one now. */
  tryTake(key: string): (() => void) | undefined {
    return this.#shares.mayTake(key) ? this.#take(key) : undefined
  }

  /** Waits for a slot; rejects with the reason of the signal. */
  take(key: string, signal?: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const stop = () => {
        waiter.isWithdrawn = true
        this.#countWaiting(key, -1)
        reject(signal?.reason)
      }
      const waiter: Waiter = {
        key,
        isWithdrawn: false,
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
    let isInUse = true
    return () => {
      if (!isInUse) return
      isInUse = false
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
