import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^1 link broken\./, '1 Link ist kaputt.'],
  [/^(\d+) links broken\./, '$1 Links sind kaputt.'],
]
