/** Whether a pattern with `*` for any characters fits the whole text: each part between two stars is looked for once, where the last one ended. */
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

/** A pattern that begins with a slash is held against path and query, any other against the whole address. */
export function isIgnored(url: URL, patterns: readonly string[]): boolean {
  const path = url.pathname + url.search
  return patterns.some(pattern => fits(pattern, pattern.startsWith('/') ? path : url.href))
}
