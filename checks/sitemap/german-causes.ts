import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^There is no sitemap\.$/, 'Es gibt keine Sitemap.'],
  [/^The sitemap is (?:empty|malformed XML)\.$/, 'Die Sitemap ist leer oder fehlerhaft.'],
  [/^Addresses of the sitemap are broken: (\d+), such as (.+)\.$/, '$1 Adressen der Sitemap sind kaputt, etwa $2.'],
  [/^(.+): (\d+), such as (.+)\.$/, 'Fehler der Sitemap, $2-mal, etwa $3 ($1).'],
]
