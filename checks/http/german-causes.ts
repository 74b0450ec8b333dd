import type { GermanCauses } from '#contract/german-causes.ts'

/** How a page or another answer fails, in any kind of check. */
export const germanCauses: GermanCauses = [
  [/^There was no answer in time\.$/, 'Es kam nicht rechtzeitig eine Antwort.'],
  [/^The answer did not end in time\.$/, 'Die Antwort endete nicht rechtzeitig.'],
  [/^The (?:run|look) did not end within (\d+) ms\.$/, 'Die Prüfung endete nicht innerhalb von $1 ms.'],
  [/^The target closed the connection without an answer\.$/, 'Das Ziel hat die Verbindung ohne Antwort geschlossen.'],
  [
    /^The target closed the connection before the end of its answer\.$/,
    'Das Ziel hat die Verbindung vor dem Ende seiner Antwort geschlossen.',
  ],
  [/^The target does not speak HTTP(?:\/1\.1)?\.$/, 'Das Ziel spricht kein HTTP.'],
  [
    /^The headers of the answer are (too large|malformed)\.$/,
    'Die Kopfzeilen der Antwort sind zu groß oder fehlerhaft.',
  ],
  [/^The (?:length|chunks) of the answer (?:is|are) malformed\.$/, 'Die Antwort ist fehlerhaft.'],
  [/^The chunks of the answer are too small\.$/, 'Die Antwort kommt in zu kleinen Stücken.'],
  [/^The answer took (\d+) ms, more than (\d+) ms\.$/, 'Die Antwort dauerte $1 ms, mehr als $2 ms.'],
  [/^The site redirects in a circle\.$/, 'Die Website leitet im Kreis weiter.'],
  [/^The site redirected more than (\d+) times\.$/, 'Die Website hat mehr als $1-mal weitergeleitet.'],
  [/^The site redirected from https to http\.$/, 'Die Website hat von https auf http weitergeleitet.'],
  [
    /^The site redirected to something that is no web address\.$/,
    'Die Website hat an etwas weitergeleitet, das keine Webadresse ist.',
  ],
  [
    /^The site redirected to an address that is not public\.$/,
    'Die Website hat zu einer Adresse weitergeleitet, die nicht öffentlich ist.',
  ],
  [/^The site redirected to two addresses at once\.$/, 'Die Website hat an zwei Adressen zugleich weitergeleitet.'],
  [/^The answer is encoded too many times\.$/, 'Die Antwort ist zu oft kodiert.'],
  [/^The target sent too many interim answers\.$/, 'Das Ziel hat zu viele Zwischenantworten gesendet.'],
  [/^The trailers of the answer are too large\.$/, 'Der Nachspann der Antwort ist zu groß.'],
  [/^The answer could not be decompressed\.$/, 'Die Antwort ließ sich nicht entpacken.'],
  [/^The target failed\.$/, 'Das Ziel ist gestört.'],
]
