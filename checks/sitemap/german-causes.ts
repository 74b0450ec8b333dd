import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^There is no sitemap\.$/, 'Es gibt keine Sitemap.'],
  [/^The sitemap is (?:empty|malformed XML)\.$/, 'Die Sitemap ist leer oder fehlerhaft.'],
  [/^The sitemap cannot be had: the server fails\.$/, 'Die Sitemap ist nicht zu bekommen: der Server ist gestört.'],
  [/^What is there is no sitemap\.$/, 'Was dort liegt, ist keine Sitemap.'],
  [
    /^The sitemap declares a document type, which it must not\.$/,
    'Die Sitemap erklärt einen Dokumenttyp, was sie nicht darf.',
  ],
  [/^The sitemap cannot be unpacked\.$/, 'Die Sitemap lässt sich nicht entpacken.'],
  [/^The sitemap is larger than 50 MB\.$/, 'Die Sitemap ist größer als 50 MB.'],
  [/^The sitemap has more than 50,000 entries\.$/, 'Die Sitemap hat mehr als 50.000 Einträge.'],
  [/^An index of sitemaps names another index\.$/, 'Ein Verzeichnis von Sitemaps nennt ein weiteres Verzeichnis.'],
  [/^Addresses of the sitemap are broken: (\d+), such as (.+)\.$/, '$1 Adressen der Sitemap sind kaputt, etwa $2.'],
  [/^(.+): (\d+), such as (.+)\.$/, 'Fehler der Sitemap, $2-mal, etwa $3 ($1).'],
]
