import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^(\d+) pages? found, fewer than (\d+)\.$/, '$1 Seiten gefunden, weniger als $2.'],
  [/^(\d+) pages? in error, more than (\d+)\.$/, '$1 Seiten mit Fehlern, mehr als $2.'],
]
