import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The target gave no answer of use\.$/, 'Das Ziel hat keine brauchbare Antwort gegeben.'],
  [/^The robots\.txt has changed\.$/, 'Die robots.txt hat sich geändert.'],
  [/^robots\.txt keeps all crawlers out of the whole site\.$/, 'Die robots.txt sperrt alle Suchmaschinen aus.'],
  [/^There is no robots\.txt \(status (\d+)\)\.$/, 'Es gibt keine robots.txt (Status $1).'],
]
