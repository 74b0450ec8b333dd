import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The robots\.txt is a web page\.$/, 'Die robots.txt ist eine Webseite.'],
  [/^The target gave no answer of use\.$/, 'Das Ziel hat keine brauchbare Antwort gegeben.'],
  [/^The robots\.txt has changed\.$/, 'Die robots.txt hat sich geändert.'],
  [/^robots\.txt keeps all crawlers out of the whole site\.$/, 'Die robots.txt sperrt alle Suchmaschinen aus.'],
  [
    /^robots\.txt lets crawlers in, though the site is meant to be closed\.$/,
    'Die robots.txt lässt Suchmaschinen ein, obwohl die Website geschlossen sein soll.',
  ],
  [/^robots\.txt keeps (.+) out of the whole site\.$/, 'Die robots.txt sperrt $1 von der ganzen Website aus.'],
  [/^robots\.txt keeps (.+) out of (.+)\.$/, 'Die robots.txt sperrt $1 von $2 aus.'],
  [/^robots\.txt lets (.+) in to (.+)\.$/, 'Die robots.txt lässt $1 zu $2.'],
  [
    /^The robots\.txt is longer than 500 KiB: crawlers do not read the rest\.$/,
    'Die robots.txt ist länger als 500 KiB: Suchmaschinen lesen den Rest nicht.',
  ],
  [
    /^The rules of robots\.txt are too many and too intricate to be followed\.$/,
    'Die Regeln der robots.txt sind zu viele und zu verschachtelt, um befolgt zu werden.',
  ],
  [/^There is no robots\.txt \(status (\d+)\)\.$/, 'Es gibt keine robots.txt (Status $1).'],
]
