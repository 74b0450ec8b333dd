/** The fresh results of one owner, oldest first. */
export class FreshQueue<Entry extends { bytes: number }> {
  /** Undefined: of the shards without an owner. */
  readonly owner: object | undefined
  /** Of its results in memory, those that were taken and not acknowledged included. */
  bytes = 0
  #entries: Entry[] = []
  #head = 0

  constructor(owner: object | undefined) {
    this.owner = owner
  }

  get size() {
    return this.#entries.length - this.#head
  }

  *[Symbol.iterator](): Generator<Entry> {
    for (let index = this.#head; index < this.#entries.length; index++) yield this.#entries[index]!
  }

  push(entry: Entry) {
    this.#entries.push(entry)
    this.bytes += entry.bytes
  }

  /** The oldest, at least one if there is any. */
  take(maxRecords: number, maxBytes: number): Entry[] {
    const taken: Entry[] = []
    let bytes = 0
    while (this.#head < this.#entries.length && taken.length < maxRecords) {
      const entry = this.#entries[this.#head]!
      if (taken.length > 0 && bytes + entry.bytes > maxBytes) break
      this.#head++
      taken.push(entry)
      bytes += entry.bytes
    }
    if (this.#head === this.#entries.length) this.replace([])
    else if (this.#head > 10_000) this.replace(this.#entries.slice(this.#head))
    return taken
  }

  takeAll(): Entry[] {
    const entries = this.#entries.slice(this.#head)
    this.replace([])
    return entries
  }

  /** Removes those for which `isKept` is false; it is called oldest first. */
  keep(isKept: (entry: Entry) => boolean) {
    this.replace(this.takeAll().filter(isKept))
  }

  /** Sets the entries; the bytes stay as they are. */
  replace(entries: Entry[]) {
    this.#entries = entries
    this.#head = 0
  }
}
