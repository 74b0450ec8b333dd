/**
 * Whether a pattern with `*` for any characters matches the whole text. Linear: each part between two stars is searched
 * once, from the end of the previous one.
 */
export function fits(pattern: string, text: string): boolean {
  const [first = '', ...others] = pattern.split('*')
  const last = others.pop()
  if (last === undefined) return text === pattern
  if (!text.startsWith(first)) return false
  let place = first.length
  for (const part of others) {
    const found = text.indexOf(part, place)
    if (found < 0) return false
    place = found + part.length
  }
  return text.length - last.length >= place && text.endsWith(last)
}

/** A pattern that begins with a slash is matched against path and query, any other against the whole address. */
export function isIgnored(url: URL, patterns: readonly string[]): boolean {
  const path = url.pathname + url.search
  return patterns.some(pattern => fits(pattern, pattern.startsWith('/') ? path : url.href))
}
