import type { GermanCauses } from '#contract/german-causes.ts'

export const germanCauses: GermanCauses = [
  [/^The dates of the certificate cannot be read\.$/, 'Die Daten des Zertifikats sind nicht lesbar.'],
  [/^The target showed no certificate\.$/, 'Das Ziel hat kein Zertifikat gezeigt.'],
  [/^The certificate expired on (.+)\.$/, 'Das Zertifikat ist am $1 abgelaufen.'],
  [/^The certificate is valid only from (.+)\.$/, 'Das Zertifikat gilt erst ab $1.'],
  [
    /^The server does not send the certificate of (.+), so not everybody can trust its own\.$/,
    'Der Server sendet das Zertifikat von $1 nicht mit.',
  ],
  [
    /^A certificate the server sends with its own has expired\.$/,
    'Ein Zertifikat der mitgesendeten Kette ist abgelaufen.',
  ],
  [/^The certificate expires today\.$/, 'Das Zertifikat läuft heute ab.'],
  [/^The certificate expires in 1 day\.$/, 'Das Zertifikat läuft in 1 Tag ab.'],
  [/^The certificate expires in (\d+) days\.$/, 'Das Zertifikat läuft in $1 Tagen ab.'],
  [/^The certificate of (.+) has a weak key \((.+)\)\.$/, 'Das Zertifikat von $1 hat einen schwachen Schlüssel ($2).'],
  [
    /^The certificate of (.+) has a weak signature \((.+)\)\.$/,
    'Das Zertifikat von $1 hat eine schwache Signatur ($2).',
  ],
]
