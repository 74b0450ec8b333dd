import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The browser was not given the page\.$/, 'Der Browser hat die Seite nicht bekommen.'],
  [/^The browser does not trust the certificate\.$/, 'Der Browser vertraut dem Zertifikat nicht.'],
]
