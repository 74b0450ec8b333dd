import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The application answered with status (\d+)\.$/, 'Die Anwendung hat mit Status $1 geantwortet.'],
  [/^The application reports that it has failed\.$/, 'Die Anwendung meldet, dass sie gestört ist.'],
  [/^The application reports that it is unwell\.$/, 'Die Anwendung meldet Probleme.'],
  [
    /^The answer is no report of health in any form that is known\.$/,
    'Die Antwort ist kein Zustandsbericht in einer bekannten Form.',
  ],
  [/^The report is longer than a megabyte\.$/, 'Der Bericht ist länger als ein Megabyte.'],
  [/^The report is (\d+) minutes old\.$/, 'Der Bericht ist $1 Minuten alt.'],
]
