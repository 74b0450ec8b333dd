import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The name servers did not answer in time\.$/, 'Die Nameserver haben nicht rechtzeitig geantwortet.'],
  [
    /^The name servers failed to answer for the (\S+) records\.$/,
    'Die Nameserver konnten zu den $1-Records nicht antworten.',
  ],
  [/^The (\S+) records lack (.+)\.$/, 'In den $1-Records fehlt $2.'],
  [/^The (\S+) records hold (.+)\.$/, 'In den $1-Records steht unerwartet $2.'],
  [/^The name has no (.+) record\.$/, 'Der Name hat keinen Record vom Typ $1.'],
  [/^The (.+) records changed\.$/, 'Die $1-Records haben sich geändert.'],
  [/^A name server of the check refuses to be asked\.$/, 'Ein Nameserver der Prüfung lehnt Anfragen ab.'],
]
