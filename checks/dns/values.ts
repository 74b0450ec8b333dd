import { digestOf } from '#checks/cut.ts'

/**
 * The records of one type, as many as fit into this many characters of JSON, then a line with the number of all and
 * their digest. So lists that are too long to be kept still differ where their values do. `first` are kept before the
 * others.
 */
export function bounded(values: readonly string[], maxChars: number, first: readonly string[] = []): string[] {
  if (JSON.stringify(values).length <= maxChars) return [...values]
  const wanted = new Set(first)
  const sorted = [...values.filter(value => wanted.has(value)), ...values.filter(value => !wanted.has(value))]
  const kept: string[] = []
  let chars = 2 + 120
  for (const value of sorted) {
    chars += JSON.stringify(value).length + 1
    if (chars > maxChars) break
    kept.push(value)
  }
  return [...kept.toSorted(), `… ${values.length} values in all, SHA-256 ${digestOf(values.join('\n'))}`]
}
