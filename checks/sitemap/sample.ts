/** Samples addresses from a stream without holding the others: those that come first when shuffled by a seed. */
export class Sample {
  readonly #size: number
  readonly #seed: string
  readonly #kept: { rank: number; url: URL }[] = []

  constructor(size: number, seed: string) {
    this.#size = size
    this.#seed = seed
  }

  offer(url: URL): void {
    const rank = hash(this.#seed + url.href)
    const last = this.#kept.at(-1)
    if (this.#size === 0 || (this.#kept.length === this.#size && last && rank >= last.rank)) return
    if (this.#kept.some(each => each.rank === rank && each.url.href === url.href)) return
    const place = this.#kept.findIndex(each => each.rank > rank)
    this.#kept.splice(place < 0 ? this.#kept.length : place, 0, { rank, url })
    if (this.#kept.length > this.#size) this.#kept.pop()
  }

  get urls(): URL[] {
    return this.#kept.map(({ url }) => url)
  }
}

/** FNV-1a: fast, and uniform enough for sampling. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  return value >>> 0
}
