import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^(\d+) redirects are more than (\d+)\.$/, '$1 Weiterleitungen sind mehr als $2.'],
  [/^The redirects lead in a circle, back to (.+)\.$/, 'Die Weiterleitungen führen im Kreis, zurück zu $1.'],
  [
    /^The redirects end at (.+), which answers with status (\d+)\.$/,
    'Die Weiterleitungen enden bei $1; dort kommt Status $2.',
  ],
  [/^The redirects end at (.+) instead of (.+)\.$/, 'Die Weiterleitungen enden bei $1 statt bei $2.'],
  [/^The redirects end at (.+), no longer at (.+)\.$/, 'Die Weiterleitungen enden bei $1, nicht mehr bei $2.'],
  [/^A redirect leads from https to (.+)\.$/, 'Eine Weiterleitung führt von https zu $1.'],
  [/^Redirect (\d+) leads nowhere: (.+)$/, 'Weiterleitung $1 führt ins Leere: $2'],
]
