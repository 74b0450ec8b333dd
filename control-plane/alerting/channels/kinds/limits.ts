/**
 * The limits of vendors, in UTF-16 units unless named bytes. Longer texts are cut, as the vendor would refuse the
 * message.
 */
export const limits = {
  slack: { header: 150, text: 3_000, field: 2_000, fields: 10 },
  discord: {
    title: 256,
    description: 4_096,
    fieldName: 256,
    fieldValue: 1_024,
    fields: 25,
    footer: 2_048,
    embed: 6_000,
  },
  teams: { bytes: 28_000 },
  pagerduty: { summary: 1_024, dedupKey: 255, source: 255, detail: 2_000, linkText: 255 },
  telegram: { text: 4_096 },
} as const

/** Cuts a text to a number of UTF-16 units, and never inside a character. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  if (most <= 0) return ''
  const end = text.slice(0, most - 1)
  return `${end.isWellFormed() ? end : end.slice(0, -1)}…`
}

/** Escapes a text and cuts it to a number of units, and never inside an escape. */
export function cutEscaped(text: string, most: number, escapeText: (text: string) => string): string {
  let kept = cut(text, most)
  for (let escaped = escapeText(kept); ; escaped = escapeText(kept)) {
    if (escaped.length <= most) return escaped
    kept = cut(text, Math.min(kept.length - 1, Math.floor((kept.length * most) / escaped.length)))
  }
}

/** The first lines that fit into a length, followed by `…` if others are left out. */
export function cutLines(lines: readonly string[], most: number): string[] {
  const lengthOf = (some: readonly string[]) => some.join('\n').length
  if (lengthOf(lines) <= most) return [...lines]
  const mark = '…'
  for (let count = lines.length - 1; count > 0; count--) {
    const kept = [...lines.slice(0, count), mark]
    if (lengthOf(kept) <= most) return kept
  }
  return most > 0 ? [cut(`${lines[0] ?? ''}${mark}`, most)] : []
}

/** Calls `make` with shorter and shorter lengths until the result fits into a number of bytes. */
export function withinBytes<Made>(most: number, lengths: readonly number[], make: (longest: number) => Made): Made {
  const sizeOf = (made: Made) => Buffer.byteLength(JSON.stringify(made))
  const [longest = 0, ...shorter] = lengths
  const made = make(longest)
  return sizeOf(made) <= most || shorter.length === 0 ? made : withinBytes(most, shorter, make)
}
