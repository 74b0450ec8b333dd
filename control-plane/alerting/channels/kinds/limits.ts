/** What receivers take, in characters: whatever is longer is cut, for a message cut short is better than one refused. */
export const limits = {
  slack: { header: 150, field: 1_900, text: 3_000 },
  discord: { title: 256, description: 4_000, value: 1_000, fields: 12 },
  teams: { title: 500, value: 1_500 },
  pagerduty: { summary: 1_024, dedupKey: 255, detail: 2_000 },
  telegram: { text: 4_096 },
} as const

/** At most so many UTF-16 units, no character cut in half. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  const end = text.slice(0, most - 1)
  return `${end.isWellFormed() ? end : end.slice(0, -1)}…`
}
