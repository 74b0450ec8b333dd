/** Caches a value and recomputes it once it is older than `forMs`. */
export function cached<T>(forMs: number, make: () => T): () => T {
  let value: T
  let until = Number.NEGATIVE_INFINITY
  return () => {
    const now = performance.now()
    if (now >= until) {
      value = make()
      until = now + forMs
    }
    return value
  }
}
