/** Made anew once it is older than that. */
export function kept<T>(forMs: number, make: () => T): () => T {
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
