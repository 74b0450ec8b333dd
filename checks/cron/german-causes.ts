import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^No ping came: one was due at (.+)\.$/, 'Es kam kein Ping; erwartet wurde er um $1.'],
  [/^The job reported a failure\.$/, 'Der Job hat einen Fehlschlag gemeldet.'],
  [/^The job reported a failure \(exit code (-?\d+)\)\.$/, 'Der Job hat einen Fehlschlag gemeldet (Exitcode $1).'],
  [/^A run has taken longer than (\d+) minutes\.$/, 'Ein Lauf dauert länger als $1 Minuten.'],
]
