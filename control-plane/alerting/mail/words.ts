const longest = 300
const longestLink = 2_000
const mostRows = 50

/** Texts of users as single lines: without line breaks, and without characters that change the direction of text. */
export function clean(value: unknown, name = ''): unknown {
  if (typeof value === 'string') {
    const line = value
      .toWellFormed()
      .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
      .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
      .trim()
    return cut(line, name.endsWith('_url') ? longestLink : longest)
  }
  if (Array.isArray(value)) return value.slice(0, mostRows).map(each => clean(each))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, clean(each, key)]))
  return value
}

export const cut = (text: string, most: number) =>
  text.length <= most
    ? text
    : `${text
        .slice(0, most - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')}…`
