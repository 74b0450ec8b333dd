/**
 * Whether a pattern with `*` for any characters fits the whole text. Keeps one place to return to and never more,
 * so that no pattern takes longer than its length times that of the text.
 */
export function fits(pattern: string, text: string): boolean {
  let [at, place] = [0, 0]
  let star = -1
  let restart = 0
  while (place < text.length) {
    if (pattern[at] === '*') {
      star = at++
      restart = place
    } else if (at < pattern.length && pattern[at] === text[place]) {
      at++
      place++
    } else if (star >= 0) {
      at = star + 1
      place = ++restart
    } else return false
  }
  while (pattern[at] === '*') at++
  return at === pattern.length
}

/** A pattern that begins with a slash is held against path and query, any other against the whole address. */
export function isIgnored(url: URL, patterns: readonly string[]): boolean {
  const path = url.pathname + url.search
  return patterns.some(pattern => fits(pattern, pattern.startsWith('/') ? path : url.href))
}
