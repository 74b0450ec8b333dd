import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The expected text did not come(?: in time)?\.$/, 'Der erwartete Text kam nicht.'],
]
