import type { GermanCauses } from '#contract/german-causes.ts'

/** How a connection fails. */
export const germanCauses: GermanCauses = [
  [/^The connection was refused\.$/, 'Die Verbindung wurde abgelehnt.'],
  [/^The connection was reset\.$/, 'Die Verbindung wurde abgebrochen.'],
  [/^The connection (?:timed out|was not made in time)\.$/, 'Die Verbindung kam nicht rechtzeitig zustande.'],
  [/^There is no route to the target\.$/, 'Zum Ziel führt kein Weg im Netz.'],
  [/^The TLS handshake did not end in time\.$/, 'Der TLS-Handshake endete nicht rechtzeitig.'],
  [/^The TLS handshake failed \((.+)\)\.$/, 'Der TLS-Handshake ist gescheitert ($1).'],
  [/^The TLS connection failed \((.+)\)\.$/, 'Die TLS-Verbindung ist gescheitert ($1).'],
  [/^The target demands a certificate of its client\.$/, 'Das Ziel verlangt ein Zertifikat vom Client.'],
  [/^The connection failed unexpectedly \((.+)\)\.$/, 'Die Verbindung ist unerwartet gescheitert ($1).'],
  [/^The check failed unexpectedly \((.+)\)\.$/, 'Die Prüfung ist unerwartet gescheitert ($1).'],
  [/^The target does not speak TLS\.$/, 'Das Ziel spricht kein TLS.'],
  [/^The target speaks no TLS version of today\.$/, 'Das Ziel spricht keine heutige TLS-Version.'],
  [/^The name does not exist\.$/, 'Den Namen gibt es im DNS nicht.'],
  [/^The name has no address\.$/, 'Der Name hat im DNS keine Adresse.'],
  [/^The target has no (IPv\d) address\.$/, 'Das Ziel hat keine $1-Adresse.'],
  [/^The name servers of this name failed to answer\.$/, 'Die Nameserver dieses Namens konnten nicht antworten.'],
  [/^The name was not resolved in time\.$/, 'Der Name wurde nicht rechtzeitig aufgelöst.'],
  [/^The target is not a public address\.$/, 'Das Ziel ist keine öffentliche Adresse.'],
  [/^The name is for internal use\.$/, 'Der Name ist für den inneren Gebrauch.'],
  [/^The name leads to an address that is not public\.$/, 'Der Name führt zu einer Adresse, die nicht öffentlich ist.'],
  [
    /^This port is for another protocol than that of the web\.$/,
    'Dieser Port gehört zu einem anderen Protokoll als dem des Webs.',
  ],
  [/^The certificate has expired\.$/, 'Das Zertifikat ist abgelaufen.'],
  [/^The certificate is not valid yet\.$/, 'Das Zertifikat gilt noch nicht.'],
  [/^The certificate is revoked\.$/, 'Das Zertifikat ist widerrufen.'],
  [/^The certificate is self-signed\.$/, 'Das Zertifikat ist selbst signiert.'],
  [/^The certificate is not made for this host\.$/, 'Das Zertifikat ist nicht für diesen Host ausgestellt.'],
  [/^The certificate is not trusted \((.+)\)\.$/, 'Dem Zertifikat wird nicht vertraut ($1).'],
  [
    /^The certificate chain is incomplete or not trusted\.$/,
    'Die Zertifikatskette ist unvollständig oder nicht vertrauenswürdig.',
  ],
  [
    /^The certificate chain ends in an authority that is not trusted\.$/,
    'Die Zertifikatskette endet bei einer Stelle, der nicht vertraut wird.',
  ],
]
