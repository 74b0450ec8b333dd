/**
 * What the modules refuse, beside what every endpoint can say. The English sentence is the key, as in `german.ts`; a
 * test finds a sentence that has no translation.
 */
export const germanOfModules: Readonly<Record<string, string>> = {
  // requests, tokens, people
  'Too many requests of this kind are in work. Send it again.':
    'Zu viele Anfragen dieser Art sind in Arbeit. Senden Sie es noch einmal.',
  'Too many requests of this kind are in work for this team. Send it again.':
    'Zu viele Anfragen dieser Art dieses Teams sind in Arbeit. Senden Sie es noch einmal.',
  'This team is suspended. Contact the operator of this service.':
    'Dieses Team ist gesperrt. Wenden Sie sich an den Betreiber dieses Dienstes.',
  'This could not be done in time. Send it again.':
    'Das war in der verfügbaren Zeit nicht möglich. Senden Sie es noch einmal.',
  'A stored secret cannot be decrypted at the moment. Set it again, or contact the operator.':
    'Ein gespeichertes Geheimnis kann zurzeit nicht entschlüsselt werden. Setzen Sie es neu, oder wenden Sie ' +
    'sich an den Betreiber.',
  'The JSON holds too many values.': 'Das JSON enthält zu viele Werte.',
  'Prove the address of your account first, or use the link of the mail.':
    'Bestätigen Sie zuerst die Adresse Ihres Kontos, oder nutzen Sie den Link der E-Mail.',
  'Another account has proven this address: accept with its password.':
    'Ein anderes Konto hat diese Adresse bestätigt: Nehmen Sie mit dessen Passwort an.',
  'Is needed for a new account.': 'Wird für ein neues Konto benötigt.',
  'At most {n} invitations are made a day.': 'Höchstens {n} Einladungen am Tag sind möglich.',
  'This address was invited often enough today.': 'Diese Adresse wurde heute schon oft genug eingeladen.',
  'Is {status} already.': 'Ist bereits {status}.',
  'Was sent again {n} times within 24 hours.': 'Wurde innerhalb von 24 Stunden {n}-mal erneut gesendet.',
  'This person also belongs to others, who rely on the second factor.':
    'Diese Person gehört auch zu anderen Teams, die sich auf den zweiten Faktor verlassen.',
  'Must not be after the end of the token you use: {time}.':
    'Darf nicht nach dem Ende des Tokens liegen, das Sie benutzen: {time}.',
  'This token lives longer than the one you use.': 'Dieses Token gilt länger als das, das Sie benutzen.',
  'This token has been rotated already: rotate the one that replaced it.':
    'Dieses Token wurde bereits erneuert: Erneuern Sie das, das es ersetzt hat.',
  'The person who created this token does not administer the team any more: an administrator must create another.':
    'Wer dieses Token erstellt hat, verwaltet das Team nicht mehr: Erstellen Sie als Administrator ein anderes.',
  'At most {n} new addresses of a team get mail in 24 hours.':
    'Höchstens {n} neue Adressen eines Teams erhalten in 24 Stunden Mails.',
  'Too many mails were sent to this address lately.': 'An diese Adresse gingen zuletzt zu viele Mails.',
  'At most {limit} new addresses are asked in 24 hours; {left} are left.':
    'Höchstens {limit} neue Adressen werden in 24 Stunden gefragt; {left} sind übrig.',
  'Is verified already.': 'Ist bereits bestätigt.',
  'At most {n} links are sent an hour.': 'Höchstens {n} Links in der Stunde werden gesendet.',
  'This address has another account meanwhile.': 'Diese Adresse hat inzwischen ein anderes Konto.',
  'This person cannot be erased by you: others depend on them.':
    'Sie können diese Person nicht löschen: Andere hängen von ihr ab.',
  'Operators are not erased; they cease to be operators first.':
    'Betreiber werden nicht gelöscht; sie müssen zuerst aufhören, Betreiber zu sein.',
  'Make another member owner first, in each team that would have none.':
    'Machen Sie zuerst ein anderes Mitglied zum Inhaber, in jedem Team, das sonst keinen hätte.',
  'Begin with POST /profile/mfa.': 'Beginnen Sie mit POST /profile/mfa.',
  'Is on already: switch it off first.': 'Ist bereits eingeschaltet: Schalten Sie es zuerst aus.',
  'This form is no longer valid. Open the page again, with cookies on.':
    'Dieses Formular gilt nicht mehr. Öffnen Sie die Seite noch einmal, mit erlaubten Cookies.',
  'Must be another than the current one.': 'Muss ein anderes als das jetzige sein.',
  'Only a session can sign out; other tokens are deleted where they were made.':
    'Nur eine Sitzung kann sich abmelden; andere Tokens werden dort gelöscht, wo sie gemacht wurden.',
  'This person is protected: a directory of another team may not change them.':
    'Diese Person ist geschützt: Das Verzeichnis eines anderen Teams darf sie nicht ändern.',
  'Only a token that an owner created may act on an owner.':
    'Nur ein Token, das ein Inhaber erzeugt hat, darf einen Inhaber ändern.',
  'The plan does not include single sign-on and provisioning.':
    'Der Tarif enthält kein Single Sign-on und keine Bereitstellung.',
  'A team has at most {n} of these tokens: delete one first.':
    'Ein Team hat höchstens {n} dieser Tokens: Löschen Sie zuerst eines.',
  'The plan does not include single sign-on.': 'Der Tarif enthält kein Single Sign-on.',
  'A team has at most {n} domains.': 'Ein Team hat höchstens {n} Domains.',
  'Is needed at first.': 'Wird beim ersten Mal benötigt.',
  'Is needed with SAML.': 'Wird bei SAML benötigt.',
  'Must start with https://.': 'Muss mit https:// beginnen.',
  'Needs is_enabled.': 'Braucht is_enabled.',
  'Is needed while single sign-on is enforced.': 'Wird benötigt, solange Single Sign-on Pflicht ist.',
  'Is needed for role_map.': 'Wird für role_map benötigt.',
  'Must be an owner of this team who has a password.': 'Muss ein Inhaber dieses Teams sein, der ein Passwort hat.',
  // alerting
  'At most {n} contact methods.': 'Höchstens {n} Kontaktwege.',
  'The address of the account stays: disable it instead.':
    'Die Adresse des Kontos bleibt: Schalten Sie sie stattdessen aus.',
  'Must have one address.': 'Muss genau eine Adresse haben.',
  'Is the address of your account: change it in your profile.':
    'Ist die Adresse Ihres Kontos: Ändern Sie sie in Ihrem Profil.',
  'It is still under way, or its payload is not kept.': 'Ist noch unterwegs, oder der Inhalt wird nicht aufbewahrt.',
  'The policy has no such step.': 'Die Richtlinie hat diesen Schritt nicht.',
  'Names a step twice.': 'Nennt einen Schritt zweimal.',
  'The plan does not include on-call schedules.': 'Der Tarif enthält keine Bereitschaftspläne.',
  'A team has at most {n} on-call schedules.': 'Ein Team hat höchstens {n} Bereitschaftspläne.',
  'A schedule has at most {n} overrides that are not over.':
    'Ein Bereitschaftsplan hat höchstens {n} Vertretungen, die noch nicht vorbei sind.',
  '{who} is not on duty from {from} to {to} ({zone}).': '{who} hat von {from} bis {to} keine Bereitschaft ({zone}).',
  'Is over, and says who had duty.': 'Ist vorbei und sagt, wer Bereitschaft hatte.',
  'Must be later than from.': 'Muss nach from liegen.',
  'The schedule has no such rotation.': 'Der Bereitschaftsplan hat diese Rotation nicht.',
  'Names a rotation twice.': 'Nennt eine Rotation zweimal.',
  'At most {n} new addresses are asked a day.': 'Höchstens {n} neue Adressen am Tag werden gefragt.',
  'Is no recipient of this channel.': 'Ist kein Empfänger dieses Kanals.',
  'Was asked {n} times within seven days.': 'Wurde innerhalb von sieben Tagen {n}-mal gefragt.',
  'This rule and its channel are one webhook: make another rule for another channel.':
    'Diese Regel und ihr Kanal sind ein Webhook: Legen Sie für einen anderen Kanal eine andere Regel an.',
  'Only a reseller’s own rules are filtered by team.':
    'Nur die eigenen Regeln eines Resellers werden nach Team gefiltert.',
  'Names a header twice.': 'Nennt einen Header zweimal.',
  'A GET request has no body.': 'Eine GET-Anfrage hat keinen Inhalt.',
  // agents and regions
  'Is no signature of the token by this key.': 'Ist keine Signatur des Tokens mit diesem Schlüssel.',
  'This token is for another region.': 'Dieses Token ist für eine andere Region.',
  'This region does not run that check.': 'Diese Region führt diese Prüfung nicht aus.',
  'The database is not reachable at the moment.': 'Die Datenbank ist zurzeit nicht erreichbar.',
  'This process is not ready for agents.': 'Dieser Prozess ist nicht bereit für Agents.',
  'Another agent holds this region.': 'Ein anderer Agent hält diese Region.',
  'The shards are being divided.': 'Die Shards werden gerade aufgeteilt.',
  'This agent speaks to one ingest process, and several are active: upgrade it to the version of the control plane.':
    'Dieser Agent spricht mit einem Ingest-Prozess, und mehrere sind aktiv: Er braucht die Version der Control Plane.',
  'Too many batches are in work.': 'Zu viele Stapel sind in Arbeit.',
  'An answer has at most {n} points: take a coarser resolution, a shorter span or fewer metrics.':
    'Eine Antwort hat höchstens {n} Punkte: Wählen Sie eine gröbere Auflösung, eine kürzere Zeitspanne oder ' +
    'weniger Metriken.',
  'The program cannot be put together here.': 'Das Programm kann hier nicht zusammengestellt werden.',
  'This monitor has no agent check.': 'Dieser Monitor hat keine Agent-Prüfung.',
  'The JSON is nested too deep.': 'Das JSON ist zu tief verschachtelt.',
  'The body is no export of metrics: {why}.': 'Der Inhalt ist kein Export von Metriken: {why}.',
  'A token is for one server, and this export has several: send each with its own token.':
    'Ein Token ist für einen Server, und dieser Export enthält mehrere: Senden Sie jeden mit seinem eigenen ' +
    'Token.',
  'A batch has at most {n} values.': 'Ein Stapel hat höchstens {n} Werte.',
  'A batch has at most {n} samples.': 'Ein Stapel hat höchstens {n} Messungen.',
  'A batch has at most {n} different series.': 'Ein Stapel hat höchstens {n} verschiedene Reihen.',
  'Line {n} is one of too many that are empty.': 'Zeile {n} ist eine von zu vielen leeren.',
  'Line 1 is not valid JSON.': 'Zeile 1 ist kein gültiges JSON.',
  '{what} is nested too deep.': '{what} ist zu tief verschachtelt.',
  '{what} is not valid JSON.': '{what} ist kein gültiges JSON.',
  'The body is not the protobuf message it should be.': 'Der Inhalt ist nicht die erwartete Protobuf-Nachricht.',
  'A token is for one server, and this request has several instances: keep one of them by write_relabel_configs.':
    'Ein Token ist für einen Server, und diese Anfrage enthält mehrere Instanzen: Behalten Sie eine davon ' +
    'durch write_relabel_configs.',
  '{series} has two values of the same part for one moment.':
    '{series} hat zwei Werte desselben Teils für einen Zeitpunkt.',
  'The metrics could not be stored.': 'Die Metriken konnten nicht gespeichert werden.',
  'Is no moment in time.': 'Ist kein Zeitpunkt.',
  '{time} lies in the future: the server’s clock is ahead.':
    '{time} liegt in der Zukunft: Die Uhr des Servers geht vor.',
  '{time} lies more than seven days back.': '{time} liegt mehr als sieben Tage zurück.',
  'Send the body packed by {encodings}.': 'Senden Sie den Inhalt gepackt mit {encodings}.',
  'The body cannot be unpacked.': 'Der Inhalt lässt sich nicht entpacken.',
  // monitoring
  'A monitor of this type needs its check: delete the monitor.':
    'Ein Monitor dieser Art braucht seine Prüfung: Löschen Sie den Monitor.',
  'A check of kind {kind} comes with a monitor of that type.':
    'Eine Prüfung der Art {kind} gehört zu einem Monitor dieser Art.',
  'A monitor of type {type} has the one check it was made with.':
    'Ein Monitor der Art {type} hat nur die Prüfung, mit der er angelegt wurde.',
  'A host has no web address: use ping, tcp, dns or ssl.':
    'Ein Host hat keine Webadresse: Nutzen Sie ping, tcp, dns oder ssl.',
  'The settings are too long to be tried: save the check instead.':
    'Die Einstellungen sind zu lang für einen Versuch: Speichern Sie die Prüfung stattdessen.',
  'This kind of check is not known any more.': 'Diese Art von Prüfung ist nicht mehr bekannt.',
  'This crawl is over.': 'Dieser Crawl ist vorbei.',
  'Only a website can be crawled.': 'Nur eine Website kann gecrawlt werden.',
  'A crawl of it is under way.': 'Ein Crawl davon läuft bereits.',
  'Give a cron expression, or period_minutes.': 'Geben Sie einen Cron-Ausdruck oder period_minutes an.',
  'Say how many minutes lie between two pings.': 'Geben Sie an, wie viele Minuten zwischen zwei Pings liegen.',
  'Send the state in the body: in a query it is not read.':
    'Senden Sie den Zustand im Inhalt: In der Adresse wird er nicht gelesen.',
  'Too many pings wait to be stored.': 'Zu viele Pings warten darauf, gespeichert zu werden.',
  'Send the body in UTF-8.': 'Senden Sie den Inhalt in UTF-8.',
  'Give this field once, as plain text.': 'Geben Sie dieses Feld einmal an, als einfachen Text.',
  'Has too many fields. Send a log as the field `output`.':
    'Hat zu viele Felder. Senden Sie ein Protokoll als Feld `output`.',
  'Write the name of this field in small letters.': 'Schreiben Sie den Namen dieses Felds in Kleinbuchstaben.',
  'Must be up to 64 letters, digits, dots, colons, dashes or underscores.':
    'Darf bis zu 64 Buchstaben, Ziffern, Punkte, Doppelpunkte, Striche oder Unterstriche haben.',
  'Is no check of this monitor that regions run.': 'Ist keine Prüfung dieses Monitors, die Regionen ausführen.',
  'Only a window with an `rrule` has an end of its recurrence.':
    'Nur ein Wartungsfenster mit `rrule` hat ein Ende der Wiederholung.',
  'Must not be before `starts_at`.': 'Darf nicht vor `starts_at` liegen.',
  'The rule has an end of its own: COUNT or UNTIL.': 'Die Regel hat ein eigenes Ende: COUNT oder UNTIL.',
  'UNTIL must be in UTC, such as 20261203T020000Z; a local end is set by the field `until`.':
    'UNTIL muss in UTC stehen, etwa 20261203T020000Z; ein Ende in Ortszeit setzt das Feld `until`.',
  'This rule has no occurrence.': 'Diese Regel hat keinen Termin.',
  'Must not be longer than the time from one occurrence to the next.':
    'Darf nicht länger sein als die Zeit von einem Termin zum nächsten.',
  'This is no recurrence rule that can be computed.': 'Das ist keine Wiederholungsregel, die sich berechnen lässt.',
  'Not known: {regions}.': 'Nicht bekannt: {regions}.',
  'The plan allows {n} seconds at the least.': 'Der Tarif erlaubt mindestens {n} Sekunden.',
  'The plan allows one region a monitor.': 'Der Tarif erlaubt eine Region je Monitor.',
  'The plan allows {n} regions a monitor.': 'Der Tarif erlaubt {n} Regionen je Monitor.',
  'In buckets of this length a span has at most {span}.':
    'In Abschnitten dieser Länge darf die Zeitspanne höchstens {span} lang sein.',
  'An answer has at most {n} points: take longer buckets, a shorter span or fewer checks.':
    'Eine Antwort hat höchstens {n} Punkte: Wählen Sie längere Abschnitte, eine kürzere Zeitspanne oder ' +
    'weniger Prüfungen.',
  'A backtest of this team is under way: wait for its answer.':
    'Ein Backtest dieses Teams läuft: Warten Sie auf seine Antwort.',
  'Too many backtests wait.': 'Zu viele Backtests warten.',
  'Too many backtests are under way.': 'Zu viele Backtests laufen.',
  'Is no check of this monitor.': 'Ist keine Prüfung dieses Monitors.',
  'At most {n} settings can be other than today at once.':
    'Höchstens {n} Einstellungen können auf einmal anders als heute sein.',
  'A check of type {type} cannot be replayed.': 'Eine Prüfung der Art {type} lässt sich nicht nachspielen.',
  'Its stored settings cannot be read.': 'Die gespeicherten Einstellungen sind nicht lesbar.',
  'A backtest replays at most {n} results: ask for a shorter time.':
    'Ein Backtest spielt höchstens {n} Ergebnisse nach: Fragen Sie nach einer kürzeren Zeit.',
  'No results of that time are kept any more.': 'Aus dieser Zeit werden keine Ergebnisse mehr aufbewahrt.',
  'Too much waits to be written.': 'Zu viel wartet darauf, geschrieben zu werden.',
  // publishing
  'The plan does not include custom domains.': 'Der Tarif enthält keine eigenen Domains.',
  'Is a custom domain of this team already.': 'Ist bereits eine eigene Domain dieses Teams.',
  'A team has at most {n} custom domains.': 'Ein Team hat höchstens {n} eigene Domains.',
  'Only a domain of a status page has a target.': 'Nur die Domain einer Statusseite hat ein Ziel.',
  'Is no status page of this team.': 'Ist keine Statusseite dieses Teams.',
  'This domain is disabled: enable it first.': 'Diese Domain ist ausgeschaltet: Schalten Sie sie zuerst ein.',
  'Is not over yet.': 'Ist noch nicht vorbei.',
  'The access mode {mode} needs it.': 'Die Zugangsart {mode} braucht es.',
  'The access mode sso needs an enabled single sign-on of the team: see /sso/config.':
    'Die Zugangsart sso braucht ein eingeschaltetes Single Sign-on des Teams: siehe /sso/config.',
  'Must contain the locale of the page.': 'Muss die Sprache der Seite enthalten.',
  'A page has at most {n} {field}.': 'Eine Seite hat höchstens {n} Einträge in {field}.',
  'Must name each of the {n} {field} of the page once.':
    'Muss alle {n} Einträge in {field} der Seite je einmal nennen.',
  'A component of type {type} needs it.': 'Eine Komponente der Art {type} braucht es.',
  'Is only for components of type {type}.': 'Ist nur für Komponenten der Art {type}.',
  'The page has no such group.': 'Die Seite hat diese Gruppe nicht.',
  'The page has no such component.': 'Die Seite hat diese Komponente nicht.',
  'An incident has at most {n} updates.': 'Eine Störung hat höchstens {n} Meldungen.',
  'Only an incident in the phase resolved has an end.': 'Nur eine Störung in der Phase resolved hat ein Ende.',
  'This incident is published on this page already.': 'Diese Störung ist auf dieser Seite bereits veröffentlicht.',
  'Must not be before started_at.': 'Darf nicht vor started_at liegen.',
  'The incident is not resolved yet.': 'Die Störung ist noch nicht behoben.',
  'This page takes no more subscribers at present.': 'Diese Seite nimmt zurzeit keine weiteren Abonnenten an.',
  'Names a component that this page does not have.': 'Nennt eine Komponente, die diese Seite nicht hat.',
  'Name a recipient first.': 'Tragen Sie zuerst einen Empfänger ein.',
  'Has unsubscribed, and can only subscribe again without the team.':
    'Hat sich abgemeldet und kann sich nur selbst wieder anmelden.',
  'Is a subscriber of this page already.': 'Ist bereits Abonnent dieser Seite.',
  'Must be CSV in UTF-8.': 'Muss CSV in UTF-8 sein.',
  'The first line must name the columns, one of them `address` or `email`.':
    'Die erste Zeile muss die Spalten nennen, darunter `address` oder `email`.',
  'At most {n} rows are imported at once.': 'Höchstens {n} Zeilen werden auf einmal importiert.',
  'This page is private: only those who may see it can subscribe.':
    'Diese Seite ist nicht öffentlich: Nur wer sie sehen darf, kann sie abonnieren.',
  'This link is not one of ours.': 'Dieser Link ist keiner von uns.',
  'A team has at most {n} templates.': 'Ein Team hat höchstens {n} Vorlagen.',
  // resellers, plans and billing
  'This token acts for no person.': 'Dieses Token handelt für keine Person.',
  '{n} impersonation tokens of this team are alive: revoke one, or wait until one ends.':
    '{n} Impersonierungs-Tokens dieses Teams gelten noch: Widerrufen Sie eines, oder warten Sie, bis eines ' + 'endet.',
  'Belongs to a team that is deleted: restore it, or choose another.':
    'Gehört zu einem gelöschten Team: Stellen Sie es wieder her, oder wählen Sie ein anderes.',
  'A provisioning profile uses this template.': 'Ein Bereitstellungsprofil benutzt diese Vorlage.',
  'Used by: {names}.': 'Benutzt von: {names}.',
  'The template needs a value for this variable.': 'Die Vorlage braucht einen Wert für diese Variable.',
  'The template has no such variable.': 'Die Vorlage hat diese Variable nicht.',
  'The secrets of this monitor may not be sent to this host.':
    'Die Geheimnisse dieses Monitors dürfen nicht an diesen Host gesendet werden.',
  'The stored secret was given for another host: send it again.':
    'Das gespeicherte Geheimnis wurde für einen anderen Host angegeben: Senden Sie es noch einmal.',
  'At most {n} placeholders in all, there are {count}.': 'Höchstens {n} Platzhalter insgesamt, es sind {count}.',
  'Say what is monitored.': 'Geben Sie an, was überwacht wird.',
  'Say what the monitor is called.': 'Geben Sie an, wie der Monitor heißt.',
  'This is so where variables that need no value are left empty, or have their default.':
    'So ist es, wenn Variablen, die keinen Wert brauchen, leer bleiben oder ihre Vorgabe haben.',
  'A monitor of type {type} is nothing without its check.': 'Ein Monitor der Art {type} ist nichts ohne seine Prüfung.',
  'Only a reseller’s portal has sign-ups: they become its managed teams.':
    'Nur das Portal eines Resellers hat Registrierungen: Sie werden seine verwalteten Teams.',
  'Its template needs values that a sign-up does not give: {names}.':
    'Seine Vorlage braucht Werte, die eine Registrierung nicht angibt: {names}.',
  'The profile has no template to fill.': 'Das Profil hat keine Vorlage, die zu füllen wäre.',
  'Is deleted: it must be restored first.': 'Ist gelöscht: Es muss zuerst wiederhergestellt werden.',
  'Belongs to a suspension: send is_suspended with it.': 'Gehört zu einer Sperre: Senden Sie is_suspended mit.',
  'An operator belongs to this tenant, and would be locked out.':
    'Ein Betreiber gehört zu diesem Mandanten und wäre ausgesperrt.',
  'A reseller manages this tenant: its plan applies.': 'Ein Reseller verwaltet diesen Mandanten: Sein Tarif gilt.',
  'A reseller manages this tenant: it must be detached first.':
    'Ein Reseller verwaltet diesen Mandanten: Er muss zuerst gelöst werden.',
  'It manages teams: these must be detached or deleted first.':
    'Verwaltet Teams: Diese müssen zuerst gelöst oder gelöscht werden.',
  'The amount for this many members is too large for one invoice.':
    'Der Betrag für so viele Mitglieder ist zu groß für eine Rechnung.',
  'This plan is not offered.': 'Dieser Tarif wird nicht angeboten.',
  'This plan is offered by the {interval} only.': 'Dieser Tarif wird nur für den Zeitraum {interval} angeboten.',
  'The subscription is not about to end.': 'Das Abonnement endet nicht.',
  'No change of plan is pending.': 'Es steht kein Tarifwechsel an.',
  '{what} is offered only where payments are collected by Stripe.':
    '{what} gibt es nur, wo Stripe die Zahlungen einzieht.',
  'This name leads to an address that is not public.': 'Dieser Name führt zu einer Adresse, die nicht öffentlich ist.',
  'The plan allows {limit} {feature}, there are {count}.': 'Der Tarif erlaubt {limit} {feature}, es sind {count}.',
  'The stored password was given for another host: send it again for this one.':
    'Das gespeicherte Passwort wurde für einen anderen Host angegeben: Senden Sie es für diesen noch einmal.',
  'The invoice is {status}, not open.': 'Die Rechnung ist {status}, nicht offen.',
  'The payment provider does not answer. Send the request again.':
    'Der Zahlungsanbieter antwortet nicht. Senden Sie die Anfrage noch einmal.',
  'The payment provider did not accept the request. Contact the operator if it lasts.':
    'Der Zahlungsanbieter hat die Anfrage nicht angenommen. Wenden Sie sich an den Betreiber, wenn das ' + 'anhält.',
  'The present period is not known: change the plan now.':
    'Der jetzige Zeitraum ist nicht bekannt: Wechseln Sie den Tarif sofort.',
  'The signature is missing, too old, or not ours.': 'Die Signatur fehlt, ist zu alt oder nicht von uns.',
  'The body is not an event of Stripe.': 'Der Inhalt ist kein Ereignis von Stripe.',
  // rules of fields
  'Nothing is above 100 percent.': 'Nichts liegt über 100 Prozent.',
  'There is another threshold for this already.': 'Dafür gibt es bereits einen anderen Schwellenwert.',
  'Must be a path such as {path}.': 'Muss ein Pfad wie {path} sein.',
  'Must be printable.': 'Muss druckbar sein.',
  'Must be an IP address, with a port if need be.': 'Muss eine IP-Adresse sein, bei Bedarf mit Port.',
  'Names a list twice.': 'Nennt eine Liste zweimal.',
  'This header is set by the check itself.': 'Diesen Header setzt die Prüfung selbst.',
  'At most 50 headers.': 'Höchstens 50 Header.',
  'Must not contain a colon.': 'Darf keinen Doppelpunkt enthalten.',
  'Names a category twice.': 'Nennt eine Kategorie zweimal.',
  'Must be * or the name of a crawler.': 'Muss * oder der Name eines Crawlers sein.',
  'Must be a status such as 200, or a range such as 200-299.':
    'Muss ein Status wie 200 oder ein Bereich wie 200-299 sein.',
  'Must be a currency of three letters.': 'Muss eine Währung aus drei Buchstaben sein.',
  'Must be the id of a price at Stripe.': 'Muss die Kennung eines Preises bei Stripe sein.',
  'Names a price of Stripe twice.': 'Nennt einen Preis von Stripe zweimal.',
  'Names several currencies.': 'Nennt mehrere Währungen.',
  'Names a plan and interval twice.': 'Nennt einen Tarif und Zeitraum zweimal.',
  'Names a channel type twice.': 'Nennt eine Kanalart zweimal.',
  'Must be a hostname such as status.example.com.': 'Muss ein Hostname wie status.example.com sein.',
  'Must be the token of a link.': 'Muss das Token eines Links sein.',
  'Must be the token of an invitation.': 'Muss das Token einer Einladung sein.',
  'Must be an address or a CIDR range such as 192.0.2.0/24.':
    'Muss eine Adresse oder ein CIDR-Bereich wie 192.0.2.0/24 sein.',
  'Is too far away.': 'Liegt zu weit in der Zukunft.',
  'Must be the token of a link in an alert.': 'Muss das Token eines Links in einem Alarm sein.',
  'Names a severity twice.': 'Nennt einen Schweregrad zweimal.',
  'Names a day twice.': 'Nennt einen Tag zweimal.',
  'Is the order of another step.': 'Ist die Nummer eines anderen Schritts.',
  'Must be in the years from 2000 to 2099.': 'Muss in den Jahren 2000 bis 2099 liegen.',
  'Is not a date and time.': 'Ist kein Datum mit Uhrzeit.',
  'Must be a local date and time such as 2026-01-05T09:00.':
    'Muss ein lokales Datum mit Uhrzeit wie 2026-01-05T09:00 sein.',
  'Must be a time from 00:00 to 23:59.': 'Muss eine Uhrzeit von 00:00 bis 23:59 sein.',
  'Names a person twice.': 'Nennt eine Person zweimal.',
  'Is the order of another rotation.': 'Ist die Nummer einer anderen Rotation.',
  'Must be another person.': 'Muss eine andere Person sein.',
  'The two times must not overlap.': 'Die beiden Zeiten dürfen sich nicht überschneiden.',
  'Names an event twice.': 'Nennt ein Ereignis zweimal.',
  'A `*` may only be the last character.': 'Ein `*` darf nur das letzte Zeichen sein.',
  'The count is required when the mode is count.': 'Die Anzahl wird benötigt, wenn der Modus count ist.',
  'Must be a path of the dashboard that begins with one slash, such as /app/monitors.':
    'Muss ein Pfad der App sein, der mit einem Schrägstrich beginnt, etwa /app/monitors.',
  'Must be base64url without padding.': 'Muss base64url ohne Auffüllung sein.',
  'Must be a scope: at most 100 characters, no spaces.':
    'Muss ein Scope sein: höchstens 100 Zeichen, keine Leerzeichen.',
  'Must have at most {n} groups.': 'Darf höchstens {n} Gruppen haben.',
  'Must be a time zone such as Europe/Berlin.': 'Muss eine Zeitzone wie Europe/Berlin sein.',
  'Must be a status or a range of them, such as 404 or 400-499.':
    'Muss ein Status oder ein Bereich sein, etwa 404 oder 400-499.',
  'Must be the token of a calendar.': 'Muss das Token eines Kalenders sein.',
  'Name monitors or tags, or all of them with `all`.': 'Nennen Sie Monitore oder Tags, oder alle mit `all`.',
  'Names a monitor twice.': 'Nennt einen Monitor zweimal.',
  'Names a tag twice.': 'Nennt einen Tag zweimal.',
  'Names a time twice.': 'Nennt eine Uhrzeit zweimal.',
  'There is no such day or time.': 'Diesen Tag oder diese Uhrzeit gibt es nicht.',
  'Must be a local time such as 2026-11-29T02:00, without an offset.':
    'Muss eine lokale Zeit wie 2026-11-29T02:00 sein, ohne Versatz.',
  'Names a page twice.': 'Nennt eine Seite zweimal.',
  'A tag must not contain commas.': 'Ein Tag darf keine Kommas enthalten.',
  'Say how many regions must agree.': 'Geben Sie an, wie viele Regionen übereinstimmen müssen.',
  'Goes with mode count only.': 'Gehört nur zum Modus count.',
  'At most 2,048 bytes.': 'Höchstens 2.048 Byte.',
  'At most {n} different monitors can be asked for.': 'Höchstens {n} verschiedene Monitore können abgefragt werden.',
  'Is more than a page can take.': 'Ist mehr, als eine Seite brauchen kann.',
  'Must be a month such as {month}.': 'Muss ein Monat wie {month} sein.',
  'Must be a zone by its IANA name, such as Europe/Berlin.':
    'Muss eine Zone mit ihrem IANA-Namen sein, etwa Europe/Berlin.',
  'Must be a domain such as example.com.': 'Muss eine Domain wie example.com sein.',
  'Must be an address or a range such as 192.0.2.0/24.': 'Muss eine Adresse oder ein Bereich wie 192.0.2.0/24 sein.',
  'Names a domain twice.': 'Nennt eine Domain zweimal.',
  'Names an address twice.': 'Nennt eine Adresse zweimal.',
  'Names a language twice.': 'Nennt eine Sprache zweimal.',
  'Must be changes of a status page as JSON.': 'Muss aus Änderungen einer Statusseite als JSON bestehen.',
  'Is a reserved word.': 'Ist ein reserviertes Wort.',
  'Must be small letters, digits and hyphens, with none of these at an end.':
    'Muss aus Kleinbuchstaben, Ziffern und Bindestrichen bestehen, ohne Bindestrich am Anfang oder Ende.',
  'Names a type twice.': 'Nennt eine Art zweimal.',
  'Lower case letters, digits and single hyphens between them.':
    'Kleinbuchstaben, Ziffern und einzelne Bindestriche dazwischen.',
  'Must be a letter, then letters, digits or underscores, at most 50 in all.':
    'Muss ein Buchstabe sein, dann Buchstaben, Ziffern oder Unterstriche, höchstens 50 insgesamt.',
  'At most {n} variables.': 'Höchstens {n} Variablen.',
  'Must be a host such as example.com, or *.example.com for all below it.':
    'Muss ein Host wie example.com sein, oder *.example.com für alle darunter.',
  'Must not contain control characters.': 'Darf keine Steuerzeichen enthalten.',
  'Must be a comma list of actions.': 'Muss eine Liste von Aktionen mit Kommas sein.',
  'Must be a path of this service, such as /app/billing.': 'Muss ein Pfad dieses Dienstes sein, etwa /app/billing.',
  'Must be a country of two capital letters (ISO 3166).': 'Muss ein Land aus zwei Großbuchstaben sein (ISO 3166).',
  'Must not contain spaces, backslashes or control characters.':
    'Darf keine Leerzeichen, Backslashes oder Steuerzeichen enthalten.',
  'Must be one plain address.': 'Muss genau eine einfache Adresse sein.',
  'Must be the integration’s routing key.': 'Muss der Routing-Schlüssel der Integration sein.',
  'Must be a bot’s token.': 'Muss das Token eines Bots sein.',
  'Must be the number of a chat, or the @name of a channel.':
    'Muss die Nummer eines Chats oder der @Name eines Kanals sein.',
  'After {prefix} comes base64.': 'Nach {prefix} folgt Base64.',
  'Must fit into a message of DNS, 65,535 bytes.': 'Muss in eine Nachricht von DNS passen, 65.535 Byte.',
  'Some metrics are not known here and were left out.':
    'Manche Metriken sind hier nicht bekannt und wurden ausgelassen.',
  'Some points have another value than one of the same moment, which counts.':
    'Manche Punkte haben einen anderen Wert als einer desselben Zeitpunkts, der zählt.',
  'Must have at least {n} characters.': 'Muss mindestens {n} Zeichen haben.',
  'Must not be before the year 2000.': 'Darf nicht vor dem Jahr 2000 liegen.',
  'Names a component twice.': 'Nennt eine Komponente zweimal.',
  'Must be the token of a subscription.': 'Muss das Token eines Abonnements sein.',
  'Must be the address of a status page.': 'Muss die Adresse einer Statusseite sein.',
  'This header cannot be set.': 'Dieser Header kann nicht gesetzt werden.',
  'Is not the name of a header.': 'Ist kein Name eines Headers.',
  'Must have at most {n} entries.': 'Darf höchstens {n} Einträge haben.',
  'Must be an http or https address; only what follows its host may be a template.':
    'Muss eine http- oder https-Adresse sein; nur was nach dem Host folgt, darf eine Vorlage sein.',
  'Must be a media type, such as application/json.': 'Muss ein Medientyp sein, etwa application/json.',
  'Must be a name in small letters.': 'Muss ein Name in Kleinbuchstaben sein.',
  // migrations from another provider
  'Must be what the address of the list has from `?` on.': 'Muss das sein, was die Adresse der Liste ab `?` enthält.',
  'Two views of a team cannot have one name.': 'Zwei Ansichten eines Teams können nicht denselben Namen haben.',
  'Must be printable ASCII without spaces.': 'Muss aus druckbarem ASCII ohne Leerzeichen bestehen.',
  'There is no such provider.': 'Diesen Anbieter gibt es nicht.',
  '{source} is read from a file, not with a key.': '{source} wird aus einer Datei gelesen, nicht mit einem Schlüssel.',
  '{source} has no ping key.': '{source} hat keinen Ping-Schlüssel.',
  'Must be the ping key alone, of 10 to 128 letters, digits, - and _.':
    'Muss der Ping-Schlüssel allein sein, aus 10 bis 128 Buchstaben, Ziffern, - und _.',
  '{source} is read from its API, not from a file.': '{source} wird über seine API gelesen, nicht aus einer Datei.',
  'The key of its API is missing.': 'Der Schlüssel seiner API fehlt.',
  'Say where it is reached.': 'Geben Sie an, wo er zu erreichen ist.',
  '{n} migrations are under way: cancel one of them first.':
    '{n} Umzüge sind im Gang: Brechen Sie zuerst einen davon ab.',
  'The source named {n} records twice; each is carried over once.':
    'Die Quelle nennt {n} Datensätze zweimal; jeder wird einmal übernommen.',
  'The migration is {state}; this needs one that is {states}.':
    'Der Umzug hat den Zustand {state}; dies geht nur im Zustand {states}.',
  'It is read from a file: send the file again.': 'Er wird aus einer Datei gelesen: Senden Sie die Datei noch einmal.',
  'The key was deleted: send it again.': 'Der Schlüssel wurde gelöscht: Senden Sie ihn noch einmal.',
  'It failed before there was a preview: read the source again.':
    'Er ist vor der Vorschau gescheitert: Lesen Sie die Quelle noch einmal.',
  'None of these items is left to be imported.': 'Von diesen Einträgen ist keiner mehr zu übernehmen.',
  'Names a record that the preview does not have.': 'Nennt einen Datensatz, den die Vorschau nicht enthält.',
  'This provider is not asked for its statuses.': 'Dieser Anbieter wird nicht nach seinem Status gefragt.',
  'The monitors of this provider cannot be paused from here.':
    'Die Monitore dieses Anbieters lassen sich von hier aus nicht anhalten.',
  'The key of the provider was deleted: send it with `shadow` first.':
    'Der Schlüssel des Anbieters wurde gelöscht: Senden Sie ihn zuerst mit `shadow`.',
  'The seven days in which it can be rolled back are over.':
    'Die sieben Tage, in denen er rückgängig gemacht werden kann, sind vorbei.',
  'The file is empty.': 'Die Datei ist leer.',
}
