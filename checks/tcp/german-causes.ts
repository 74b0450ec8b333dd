import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [
    /^Port (\d+) is for (\w+): nothing may be sent\.$/,
    'Port $1 gehört zu einem Protokoll ($2), bei dem nichts gesendet werden darf.',
  ],
  [
    /^Port (\d+) is for (\w+): only (.+) may be sent, one to a line\.$/,
    'Port $1 gehört zu einem Protokoll ($2), bei dem nur $3 gesendet werden darf, je Zeile eines.',
  ],
  [/^The expected text did not come(?: in time)?\.$/, 'Der erwartete Text kam nicht.'],
]
