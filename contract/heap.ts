/** A binary heap, smallest `at` first. It cannot remove items: the caller ignores replaced ones. */
export class Heap<Item extends { at: number }> {
  readonly #items: Item[] = []

  get size() {
    return this.#items.length
  }

  peek(): Item | undefined {
    return this.#items[0]
  }

  push(item: Item) {
    const items = this.#items
    let at = items.length
    items.push(item)
    while (at > 0) {
      const parent = (at - 1) >> 1
      const above = items[parent]!
      if (above.at <= item.at) break
      items[at] = above
      at = parent
    }
    items[at] = item
  }

  pop(): Item | undefined {
    const items = this.#items
    const top = items[0]
    const last = items.pop()
    if (!last || items.length === 0) return top
    let at = 0
    for (;;) {
      let child = 2 * at + 1
      if (child >= items.length) break
      if (child + 1 < items.length && items[child + 1]!.at < items[child]!.at) child++
      const below = items[child]!
      if (below.at >= last.at) break
      items[at] = below
      at = child
    }
    items[at] = last
    return top
  }
}
