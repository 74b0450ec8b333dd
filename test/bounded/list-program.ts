/** Numbers up to one, of which each is made when it is asked for. */
export function* run({
  count,
  endlessAt,
}: {
  count: number
  endlessAt?: number
}): Generator<{ n: number; atMs: number }> {
  for (let n = 0; n < count; n++) {
    while (n === endlessAt);
    yield { n, atMs: Date.now() }
  }
}
