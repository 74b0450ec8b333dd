import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The program "ping" failed unexpectedly\.$/, 'Das Programm „ping“ ist unerwartet gescheitert.'],
  [/^The target has no address\.$/, 'Das Ziel hat keine Adresse.'],
  [/^The host did not answer(?: in time)?\.$/, 'Der Host hat nicht geantwortet.'],
  [/^(\d+) % of (\d+) packets were lost\.$/, '$1 % von $2 Paketen gingen verloren.'],
]
