import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^Two servers report with this token: (\S+) and (\S+)\.$/, 'Mit diesem Token melden sich zwei Server: $1 und $2.'],
  [
    /^Values arrive (\d+) minutes late: the server’s clock is slow, or something delays them\.$/,
    'Werte kommen $1 Minuten zu spät an: Die Uhr des Servers geht nach, oder etwas hält sie auf.',
  ],
  [/^Nothing was heard of the server for (\d+) minutes\.$/, 'Vom Server kam seit $1 Minuten keine Meldung.'],
]

/** What a server's thresholds are about. */
const metrics: GermanCauses = [
  [/\bload over (\d+) minutes/gi, 'Last über $1 Minuten'],
  [/\bmemory in use/gi, 'belegter Arbeitsspeicher'],
  [/\bdisk in use/gi, 'belegter Platz'],
  [/\bdisk reads/gi, 'Lesen von Datenträgern'],
  [/\bdisk writes/gi, 'Schreiben auf Datenträger'],
  [/\breceived traffic/gi, 'eingehender Verkehr'],
  [/\bsent traffic/gi, 'ausgehender Verkehr'],
  [/^memory\b|(?<=, )memory\b/gi, 'Arbeitsspeicher'],
  [/^disk\b|(?<=, )disk\b/gi, 'Datenträger'],
  [/^load\b|(?<=, )load\b/gi, 'Last'],
  [/^temperature\b|(?<=, )temperature\b/gi, 'Temperatur'],
  [/ of (\S+) above /g, ' ($1) über '],
  [/ above /g, ' über '],
  [/ for 1 minute \(/g, ' seit 1 Minute ('],
  [/ for (\d+) minutes \(/g, ' seit $1 Minuten ('],
  [/ and (\d+) more\.$/g, ' und $1 weitere.'],
]
const isThreshold = /^.+ above .+ for \d+ minutes? \(.+\)(?: and \d+ more)?\.$/

/** The sentence about exceeded thresholds in German; null: the sentence is about something else. */
export const germanThresholds = (english: string): string | null =>
  isThreshold.test(english) ? metrics.reduce((text, [pattern, german]) => text.replace(pattern, german), english) : null
