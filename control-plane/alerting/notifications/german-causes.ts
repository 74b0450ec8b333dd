/**
 * The causes of checks with their German translations. A cause is stored as an English sentence. A sentence without
 * translation is shown in English.
 */
const sentences: readonly (readonly [english: RegExp, german: string])[] = [
  // how a connection fails
  [/^The connection was refused\.$/, 'Die Verbindung wurde abgelehnt.'],
  [/^The connection was reset\.$/, 'Die Verbindung wurde abgebrochen.'],
  [/^The connection (?:timed out|was not made in time)\.$/, 'Die Verbindung kam nicht rechtzeitig zustande.'],
  [/^There is no route to the target\.$/, 'Zum Ziel führt kein Weg im Netz.'],
  [/^The TLS handshake did not end in time\.$/, 'Der TLS-Handshake endete nicht rechtzeitig.'],
  [/^The TLS handshake failed \((.+)\)\.$/, 'Der TLS-Handshake ist gescheitert ($1).'],
  [/^The target does not speak TLS\.$/, 'Das Ziel spricht kein TLS.'],
  [/^The target speaks no TLS version of today\.$/, 'Das Ziel spricht keine heutige TLS-Version.'],
  [/^The name does not exist\.$/, 'Den Namen gibt es im DNS nicht.'],
  [/^The name has no address\.$/, 'Der Name hat im DNS keine Adresse.'],
  [/^The target has no address\.$/, 'Das Ziel hat keine Adresse.'],
  [/^The target has no (IPv\d) address\.$/, 'Das Ziel hat keine $1-Adresse.'],
  [/^The name servers of this name failed to answer\.$/, 'Die Nameserver dieses Namens konnten nicht antworten.'],
  [/^The name was not resolved in time\.$/, 'Der Name wurde nicht rechtzeitig aufgelöst.'],
  [/^The name servers did not answer in time\.$/, 'Die Nameserver haben nicht rechtzeitig geantwortet.'],
  [/^The target is not a public address\.$/, 'Das Ziel ist keine öffentliche Adresse.'],
  // web
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
  [/^The site answered with status (\d+)\.$/, 'Die Website hat mit Status $1 geantwortet.'],
  [/^The application answered with status (\d+)\.$/, 'Die Anwendung hat mit Status $1 geantwortet.'],
  [/^The keyword is not in the answer\.$/, 'Das Stichwort fehlt in der Antwort.'],
  [/^The keyword is not in the first megabyte of the answer\.$/, 'Das Stichwort fehlt im ersten Megabyte der Antwort.'],
  [/^The unwanted keyword is in the answer\.$/, 'Das unerwünschte Stichwort steht in der Antwort.'],
  [/^Expected (.+), but it is empty\.$/, 'Erwartet war $1, es ist aber leer.'],
  [/^Expected (.+), but it is (".*")\.$/, 'Erwartet war $1, es ist aber $2.'],
  [/^The answer took (\d+) ms, more than (\d+) ms\.$/, 'Die Antwort dauerte $1 ms, mehr als $2 ms.'],
  [/^The site redirects in a circle\.$/, 'Die Website leitet im Kreis weiter.'],
  [/^The site redirected more than (\d+) times\.$/, 'Die Website hat mehr als $1-mal weitergeleitet.'],
  [/^The site redirected from https to http\.$/, 'Die Website hat von https auf http weitergeleitet.'],
  [/^(\d+) redirects are more than (\d+)\.$/, '$1 Weiterleitungen sind mehr als $2.'],
  [/^The redirects lead in a circle, back to (.+)\.$/, 'Die Weiterleitungen führen im Kreis, zurück zu $1.'],
  [
    /^The redirects end at (.+), which answers with status (\d+)\.$/,
    'Die Weiterleitungen enden bei $1; dort kommt Status $2.',
  ],
  [/^The redirects end at (.+) instead of (.+)\.$/, 'Die Weiterleitungen enden bei $1 statt bei $2.'],
  [/^The redirects end at (.+), no longer at (.+)\.$/, 'Die Weiterleitungen enden bei $1, nicht mehr bei $2.'],
  [/^A redirect leads from https to (.+)\.$/, 'Eine Weiterleitung führt von https zu $1.'],
  [/^The site redirects in a circle, or too often\.$/, 'Die Website leitet im Kreis oder zu oft weiter.'],
  [
    /^The site redirected to something that is no web address\.$/,
    'Die Website hat an etwas weitergeleitet, das keine Webadresse ist.',
  ],
  [/^Redirect (\d+) leads nowhere: (.+)$/, 'Weiterleitung $1 führt ins Leere: $2'],
  [/^The target gave no answer of use\.$/, 'Das Ziel hat keine brauchbare Antwort gegeben.'],
  [/^The target sent too many interim answers\.$/, 'Das Ziel hat zu viele Zwischenantworten gesendet.'],
  [/^The trailers of the answer are too large\.$/, 'Der Nachspann der Antwort ist zu groß.'],
  [
    /^The answer is in a coding that was not asked for\.$/,
    'Die Antwort ist in einer Kodierung, die nicht verlangt war.',
  ],
  [/^The answer could not be decompressed\.$/, 'Die Antwort ließ sich nicht entpacken.'],
  [/^The browser was not given the page\.$/, 'Der Browser hat die Seite nicht bekommen.'],
  [/^The browser does not trust the certificate\.$/, 'Der Browser vertraut dem Zertifikat nicht.'],
  // certificates
  [/^The target showed no certificate\.$/, 'Das Ziel hat kein Zertifikat gezeigt.'],
  [/^The certificate has expired\.$/, 'Das Zertifikat ist abgelaufen.'],
  [/^The certificate expired on (.+)\.$/, 'Das Zertifikat ist am $1 abgelaufen.'],
  [/^The certificate is not valid yet\.$/, 'Das Zertifikat gilt noch nicht.'],
  [/^The certificate is valid only from (.+)\.$/, 'Das Zertifikat gilt erst ab $1.'],
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
  // domains and DNS
  [/^The domain (\S+) expires today\.$/, 'Die Domain $1 läuft heute ab.'],
  [/^The domain (\S+) expires in 1 day\.$/, 'Die Domain $1 läuft in 1 Tag ab.'],
  [/^The domain (\S+) expires in (\d+) days\.$/, 'Die Domain $1 läuft in $2 Tagen ab.'],
  [/^The domain expires in (\d+) days\.$/, 'Die Domain läuft in $1 Tagen ab.'],
  [/^The domain (\S+) expired on (.+)\.$/, 'Die Domain $1 ist am $2 abgelaufen.'],
  [/^The domain (\S+) is not registered\.$/, 'Die Domain $1 ist nicht registriert.'],
  [
    /^The domain (\S+) was deleted and is in its redemption period\.$/,
    'Die Domain $1 wurde gelöscht und kann noch zurückgeholt werden.',
  ],
  [/^The domain (\S+) is about to be deleted\.$/, 'Die Domain $1 wird in Kürze gelöscht.'],
  [
    /^The domain (\S+) was taken out of the DNS by its (?:registry|registrar) \((.+)\)\.$/,
    'Die Domain $1 wurde aus dem DNS genommen ($2).',
  ],
  [/^The (\S+) records lack (.+)\.$/, 'In den $1-Records fehlt $2.'],
  [/^The (\S+) records hold (.+)\.$/, 'In den $1-Records steht unerwartet $2.'],
  [/^The name has no (.+) record\.$/, 'Der Name hat keinen Record vom Typ $1.'],
  [/^The (.+) records changed\.$/, 'Die $1-Records haben sich geändert.'],
  [/^A name server of the check refuses to be asked\.$/, 'Ein Nameserver der Prüfung lehnt Anfragen ab.'],
  // other reachability
  [/^The expected text did not come(?: in time)?\.$/, 'Der erwartete Text kam nicht.'],
  [/^The host did not answer(?: in time)?\.$/, 'Der Host hat nicht geantwortet.'],
  [/^(\d+) % of (\d+) packets were lost\.$/, '$1 % von $2 Paketen gingen verloren.'],
  // jobs and servers
  [/^No ping came: one was due at (.+)\.$/, 'Es kam kein Ping; erwartet wurde er um $1.'],
  [/^The job reported a failure\.$/, 'Der Job hat einen Fehlschlag gemeldet.'],
  [/^The job reported a failure \(exit code (-?\d+)\)\.$/, 'Der Job hat einen Fehlschlag gemeldet (Exitcode $1).'],
  [/^A run has taken longer than (\d+) minutes\.$/, 'Ein Lauf dauert länger als $1 Minuten.'],
  [/^Nothing was heard of the server for (\d+) minutes\.$/, 'Vom Server kam seit $1 Minuten keine Meldung.'],
  // contents
  [/^(.+) is missing\.$/, '$1 fehlt.'],
  [/^(.+) are missing\.$/, '$1 fehlen.'],
  [
    /^The security headers are graded (\S), worse than (\S)\.$/,
    'Die Sicherheits-Header haben die Note $1, schlechter als $2.',
  ],
  [
    /^The grade of the security headers dropped from (\S) to (\S)\.$/,
    'Die Note der Sicherheits-Header ist von $1 auf $2 gefallen.',
  ],
  [/^The robots\.txt has changed\.$/, 'Die robots.txt hat sich geändert.'],
  [/^robots\.txt keeps all crawlers out of the whole site\.$/, 'Die robots.txt sperrt alle Suchmaschinen aus.'],
  [/^There is no robots\.txt \(status (\d+)\)\.$/, 'Es gibt keine robots.txt (Status $1).'],
  [/^There is no sitemap\.$/, 'Es gibt keine Sitemap.'],
  [/^The sitemap is (?:empty|malformed XML)\.$/, 'Die Sitemap ist leer oder fehlerhaft.'],
  [/^Addresses of the sitemap are broken: (\d+), such as (.+)\.$/, '$1 Adressen der Sitemap sind kaputt, etwa $2.'],
  [/^(.+): (\d+), such as (.+)\.$/, 'Fehler der Sitemap, $2-mal, etwa $3 ($1).'],
  [/^(\d+) pages? found, fewer than (\d+)\.$/, '$1 Seiten gefunden, weniger als $2.'],
  [/^(\d+) pages? in error, more than (\d+)\.$/, '$1 Seiten mit Fehlern, mehr als $2.'],
  [/^1 link broken\./, '1 Link ist kaputt.'],
  [/^(\d+) links broken\./, '$1 Links sind kaputt.'],
  [/^(.+) (?:is|are) on (.+)\.$/, '$1 steht auf $2.'],
  [/^The application reports that it has failed\.$/, 'Die Anwendung meldet, dass sie gestört ist.'],
  [/^The application reports that it is unwell\.$/, 'Die Anwendung meldet Probleme.'],
  [
    /^The answer is no report of health in any form that is known\.$/,
    'Die Antwort ist kein Zustandsbericht in einer bekannten Form.',
  ],
  [/^The report is longer than a megabyte\.$/, 'Der Bericht ist länger als ein Megabyte.'],
  [/^The report is (\d+) minutes old\.$/, 'Der Bericht ist $1 Minuten alt.'],
  [/^The target failed\.$/, 'Das Ziel ist gestört.'],
]

/** What a server's thresholds are about. */
const metrics: readonly (readonly [english: RegExp, german: string])[] = [
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

export function germanCause(english: string): string {
  if (isThreshold.test(english))
    return metrics.reduce((text, [pattern, german]) => text.replace(pattern, german), english)
  const known = sentences.find(([pattern]) => pattern.test(english))
  return known ? english.replace(...known) : english
}
