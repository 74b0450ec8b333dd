import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The site could not be crawled\.$/, 'Die Website konnte nicht durchsucht werden.'],
  [/^Over http on secure pages: (.+)\.$/, 'Über http auf sicheren Seiten: $1.'],
  [/^(\d+) pages? found, fewer than (\d+)\.$/, '$1 Seiten gefunden, weniger als $2.'],
  [/^(\d+) pages? in error, more than (\d+)\.$/, '$1 Seiten mit Fehlern, mehr als $2.'],
]
