/** `{noun} not found.` by noun; any other noun stays English. */
export const germanNouns: Readonly<Record<string, string>> = {
  Agent: 'Agent',
  'Agent monitor': 'Agent-Monitor',
  Beacon: 'Messpunkt',
  Calendar: 'Kalender',
  'Caught mail': 'Aufbewahrte E-Mail',
  Check: 'Prüfung',
  Component: 'Komponente',
  'Crawl run': 'Crawl-Lauf',
  'Cron monitor': 'Cron-Monitor',
  'Custom domain': 'Eigene Domain',
  'Dead event': 'Nicht zugestelltes Ereignis',
  Domain: 'Domain',
  'Escalation policy': 'Eskalationsrichtlinie',
  'Geo audit': 'Geo-Audit',
  Group: 'Gruppe',
  'Impersonation token': 'Impersonierungs-Token',
  Incident: 'Störung',
  'Incident of the page': 'Störung der Seite',
  Invitation: 'Einladung',
  Invoice: 'Rechnung',
  'Maintenance calendar': 'Wartungskalender',
  'Maintenance window': 'Wartungsfenster',
  'Managed team': 'Verwaltetes Team',
  Member: 'Mitglied',
  Migration: 'Umzug',
  Monitor: 'Monitor',
  'Monitor template': 'Monitor-Vorlage',
  'Notification channel': 'Benachrichtigungskanal',
  'Notification log': 'Benachrichtigungseintrag',
  'Notification rule': 'Benachrichtigungsregel',
  'On-call schedule': 'Bereitschaftsplan',
  Override: 'Vertretung',
  Passkey: 'Passkey',
  Portal: 'Portal',
  'Provisioning profile': 'Bereitstellungsprofil',
  'Quarantined row': 'Zurückgehaltene Zeile',
  Region: 'Region',
  'Resource type': 'Ressourcenart',
  Schema: 'Schema',
  'Scim token': 'SCIM-Token',
  'Service level objective': 'Service Level Objective',
  Session: 'Sitzung',
  'Status page': 'Statusseite',
  Subscriber: 'Abonnent',
  Team: 'Team',
  Template: 'Vorlage',
  Tenant: 'Mandant',
  Token: 'Token',
  'Trusted device': 'Vertrautes Gerät',
  Update: 'Meldung',
  User: 'Person',
  'User id': 'Person',
  Webhook: 'Webhook',
}

/**
 * What schemas find wrong (contract/validation-messages.ts). `{name}` stands for whatever is there, in both languages.
 */
export const germanOfSchemas: Readonly<Record<string, string>> = {
  'Is needed.': 'Wird benötigt.',
  'Is not known here.': 'Ist hier nicht bekannt.',
  'Is no name allowed here.': 'Ist kein hier erlaubter Name.',
  'Has none of the forms allowed here.': 'Hat keine der hier erlaubten Formen.',
  'Must not be empty.': 'Darf nicht leer sein.',
  'Must be text.': 'Muss Text sein.',
  'Must be a number.': 'Muss eine Zahl sein.',
  'Must be a whole number.': 'Muss eine ganze Zahl sein.',
  'Must be true or false.': 'Muss true oder false sein.',
  'Must be a list.': 'Muss eine Liste sein.',
  'Must be an object.': 'Muss ein Objekt sein.',
  'Must be null.': 'Muss null sein.',
  'Must be a UUID.': 'Muss eine UUID sein.',
  'Must be an e-mail address.': 'Muss eine E-Mail-Adresse sein.',
  'Must be a URL.': 'Muss eine URL sein.',
  'Must be a date such as {date}.': 'Muss ein Datum wie {date} sein.',
  'Must be an ISO 8601 time.': 'Muss eine Zeit nach ISO 8601 sein.',
  'Must be a multiple of {n}.': 'Muss ein Vielfaches von {n} sein.',
  'Must be one of {values}.': 'Muss einer der folgenden Werte sein: {values}.',
  'Must be at least {n}.': 'Muss mindestens {n} sein.',
  'Must be at most {n}.': 'Darf höchstens {n} sein.',
  'Must be more than {n}.': 'Muss größer als {n} sein.',
  'Must be less than {n}.': 'Muss kleiner als {n} sein.',
  'At least {n} characters.': 'Mindestens {n} Zeichen.',
  'At most {n} characters.': 'Höchstens {n} Zeichen.',
  'At most {n} character.': 'Höchstens {n} Zeichen.',
  'Exactly {n} characters.': 'Genau {n} Zeichen.',
  'Exactly {n} character.': 'Genau {n} Zeichen.',
  'At least {n} entries.': 'Mindestens {n} Einträge.',
  'At most {n} entries.': 'Höchstens {n} Einträge.',
  'At most {n} entry.': 'Höchstens {n} Eintrag.',
}

/**
 * What else refusals say. The English sentence is the key: a changed sentence stays English until it is
 * changed here too.
 */
export const germanOfRefusals: Readonly<Record<string, string>> = {
  // of every endpoint
  'Server error.': 'Serverfehler.',
  'Operators need a second factor: set one up with POST /profile/mfa, or sign in with a passkey.':
    'Betreiber brauchen einen zweiten Faktor: Richten Sie ihn mit POST /profile/mfa ein, oder melden Sie ' +
    'sich mit einem Passkey an.',
  'Unauthenticated.': 'Nicht angemeldet.',
  'Unauthenticated: send a token in the header Authorization: Bearer <token>.':
    'Nicht angemeldet: Senden Sie ein Token im Header Authorization: Bearer <token>.',
  'Unauthenticated: the scheme of the Authorization header must be Bearer.':
    'Nicht angemeldet: Das Schema des Authorization-Headers muss Bearer sein.',
  'Unauthenticated: the Authorization header must be Bearer, a space and one token.':
    'Nicht angemeldet: Der Authorization-Header muss aus Bearer, einem Leerzeichen und einem Token bestehen.',
  'Send either the header Authorization or the cookie of a session, not both.':
    'Senden Sie entweder den Header Authorization oder das Cookie einer Sitzung, nicht beide.',
  'This request does not come from a page of this service: see Sec-Fetch-Site and Origin.':
    'Diese Anfrage kommt nicht von einer Seite dieses Dienstes: siehe Sec-Fetch-Site und Origin.',
  'Confirm that it is you: POST /auth/step-up, then repeat this.':
    'Bestätigen Sie, dass Sie es sind: POST /auth/step-up, dann wiederholen Sie dies.',
  'This team requires a second factor: set one up with POST /profile/mfa.':
    'Dieses Team verlangt einen zweiten Faktor: Richten Sie einen ein mit POST /profile/mfa.',
  'This team is not entered with a password: use its own sign-in.':
    'Dieses Team wird nicht mit einem Passwort betreten: Nutzen Sie seine eigene Anmeldung.',
  'Only the session of a browser is switched.': 'Nur die Sitzung eines Browsers wird umgestellt.',
  'Only the session of a browser is confirmed.': 'Nur die Sitzung eines Browsers wird bestätigt.',
  'You cannot disable yourself.': 'Sie können sich nicht selbst sperren.',
  'The last owner cannot be changed: make another member owner first.':
    'Der letzte Inhaber kann nicht geändert werden: Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  'These credentials do not match our records.': 'Diese Zugangsdaten stimmen nicht mit unseren überein.',
  'Does not hold: begin again with POST /profile/passkeys/options.':
    'Ist nicht gültig: Beginnen Sie neu mit POST /profile/passkeys/options.',
  'Is not a passkey of yours, or was used: begin again.':
    'Ist kein Passkey von Ihnen oder wurde schon benutzt: Beginnen Sie neu.',
  'Is registered already.': 'Ist bereits registriert.',
  'You have {n} passkeys, the most: delete one first.':
    'Sie haben {n} Passkeys, mehr sind nicht möglich: Löschen Sie zuerst einen.',
  'Is your only way to sign in.': 'Ist Ihr einziger Weg, sich anzumelden.',
  'There is nothing here.': 'Hier ist nichts.',
  'This method is not allowed here.': 'Diese Methode ist hier nicht erlaubt.',
  'The given data was invalid.': 'Die Angaben sind ungültig.',
  'Too many requests.': 'Zu viele Anfragen.',
  'The request body is too large.': 'Der Inhalt der Anfrage ist zu groß.',
  'The request cannot be understood.': 'Die Anfrage ist nicht verständlich.',
  'The request ended early.': 'Die Anfrage brach ab.',
  'The body is not valid JSON.': 'Der Inhalt ist kein gültiges JSON.',
  'The body is not UTF-8.': 'Der Inhalt ist nicht in UTF-8.',
  'The query is not UTF-8.': 'Die Abfrage-Parameter sind nicht in UTF-8.',
  'The JSON is nested deeper than {n} levels.': 'Das JSON ist tiefer als {n} Ebenen verschachtelt.',
  'Send the body as {types}.': 'Senden Sie den Inhalt als {types}.',
  'Compressed request bodies are not accepted.': 'Komprimierte Anfragen werden nicht angenommen.',
  'If-Match is not a list of entity tags.': 'If-Match ist keine Liste von Entity-Tags.',
  'This has been changed since you read it. Read it again before you change it.':
    'Das wurde geändert, seit Sie es gelesen haben. Lesen Sie es erneut und entscheiden Sie dann.',
  'X-Tenant-Id is not a valid UUID.': 'X-Tenant-Id ist keine gültige UUID.',
  'A store is not reachable at the moment.': 'Ein Speicher ist gerade nicht erreichbar.',
  'The history is not reachable at the moment. Checks and alerts go on, and nothing is lost.':
    'Der Verlauf ist gerade nicht erreichbar. Prüfungen und Alarme laufen weiter, und nichts geht verloren.',
  'A token has at most {n} streams at a time.': 'Ein Token hat höchstens {n} Streams zugleich.',
  'Too many streams are open.': 'Zu viele Streams sind offen.',
  'The events cannot be read at the moment.': 'Die Ereignisse sind gerade nicht lesbar.',
  'The service is stopping.': 'Der Dienst wird beendet.',
  'Must be monitors, incidents or runs:{check}.': 'Muss monitors, incidents oder runs:{check} sein.',
  'At most {n} checks.': 'Höchstens {n} Prüfungen.',
  'Give this parameter once, as plain text.': 'Geben Sie diesen Parameter einmal an, als einfachen Text.',
  'Must be 1 to 255 visible ASCII characters, given once.':
    'Muss aus 1 bis 255 sichtbaren ASCII-Zeichen bestehen und einmal angegeben sein.',
  'Was used for another request within the last 24 hours.':
    'Wurde in den letzten 24 Stunden für eine andere Anfrage benutzt.',
  'This cursor is not one of this list.': 'Dieser Cursor gehört nicht zu dieser Liste.',
  'Contains characters that cannot be stored.': 'Enthält Zeichen, die nicht gespeichert werden können.',
  'Contains a key that is not allowed.': 'Enthält einen Schlüssel, der nicht erlaubt ist.',

  // who may do what
  'This token may not do this: it needs {scope}.': 'Dieses Token darf das nicht: Es braucht {scope}.',
  'This endpoint is not for resellers.': 'Dieser Endpunkt ist nicht für Reseller.',
  'This endpoint needs a reseller token.': 'Dieser Endpunkt braucht ein Reseller-Token.',
  'Your account is not a reseller account.': 'Ihr Konto ist kein Reseller-Konto.',
  'You do not manage this team.': 'Sie verwalten dieses Team nicht.',
  'You do not manage this tenant.': 'Sie verwalten diesen Mandanten nicht.',
  'Only the operator may do this.': 'Das darf nur der Betreiber.',
  'Only owners and administrators may do this.': 'Das dürfen nur Inhaber und Administratoren.',
  'No caller may do this.': 'Das darf niemand.',
  'Sign in with your own account for this.': 'Melden Sie sich dafür mit Ihrem eigenen Konto an.',
  'This cannot be done in another tenant’s name.': 'Das ist im Namen eines anderen Mandanten nicht möglich.',
  'This token belongs to no person.': 'Dieses Token gehört zu keiner Person.',
  'A token passes on no more than it may do itself.': 'Ein Token gibt nicht mehr weiter, als es selbst darf.',
  'You may not pass on {scope}.': '{scope} dürfen Sie nicht weitergeben.',
  'You may not act on an {role}.': 'Bei der Rolle {role} dürfen Sie das nicht.',
  'You may not make anyone {role}.': 'Die Rolle {role} dürfen Sie niemandem geben.',
  'What is offered to this team is for its reseller to say.': 'Was diesem Team angeboten wird, bestimmt sein Reseller.',

  // plans
  "The plan's limit is reached: {feature}, current {current}, limit {limit}.":
    'Die Grenze des Tarifs ist erreicht: {feature}, jetzt {current}, höchstens {limit}.',
  'The plan does not include a mail server of one’s own.': 'Der Tarif enthält keinen eigenen Mailserver.',
  'The plan does not include white-label branding.': 'Der Tarif enthält kein White-Label-Branding.',
  'The plan does not include site crawls.': 'Der Tarif enthält keine Website-Crawls.',
  'The plan does not include geo audits.': 'Der Tarif enthält keine Geo-Audits.',
  'The plan does not include web vitals.': 'Der Tarif enthält keine Web Vitals.',
  'The plan does not include cron heartbeats.': 'Der Tarif enthält keine Cron-Heartbeats.',
  'The plan does not include the monitoring of servers.': 'Der Tarif enthält keine Server-Überwachung.',
  'The plan allows API tokens to read only.': 'Der Tarif erlaubt API-Token nur zu lesen.',
  'The plan has no channels of type {type}.': 'Der Tarif hat keine Kanäle der Art {type}.',
  'The plan allows {n} monitors.': 'Der Tarif erlaubt {n} Monitore.',
  'The plan does not include checks of kind {kind}.': 'Der Tarif enthält keine Prüfungen der Art {kind}.',
  'The plan allows {n} servers.': 'Der Tarif erlaubt {n} Server.',
  'The plan of the profile does not allow this template.': 'Der Tarif des Profils erlaubt diese Vorlage nicht.',
  'The profile {name} uses this template.': 'Das Profil {name} verwendet diese Vorlage.',
  'The plan allows {n} seconds at the least.': 'Der Tarif erlaubt mindestens {n} Sekunden.',

  // fields
  'Is already taken.': 'Ist bereits vergeben.',
  'Is named twice.': 'Ist zweimal genannt.',
  'Must be one line of text, without control characters.': 'Muss eine Zeile Text ohne Steuerzeichen sein.',
  'Must not have characters that are not seen ({code}).': 'Darf keine Zeichen haben, die man nicht sieht ({code}).',
  'Must not have control characters, or ones that change the direction of the text.':
    'Darf keine Steuerzeichen haben, und keine Zeichen, die die Richtung des Textes ändern.',
  'Must be an ISO 8601 date or time.': 'Muss ein Datum oder eine Zeit nach ISO 8601 sein.',
  'Must not be in the future.': 'Darf nicht in der Zukunft liegen.',
  'Must be in the future.': 'Muss in der Zukunft liegen.',
  'Must be after from.': 'Muss nach from liegen.',
  'Must not be before from.': 'Darf nicht vor from liegen.',
  'Must be before `to`.': 'Muss vor `to` liegen.',
  'Must be valid JSON.': 'Muss gültiges JSON sein.',
  'Must be six digits.': 'Muss aus sechs Ziffern bestehen.',
  'Must be a colour such as #1f6feb.': 'Muss eine Farbe wie #1f6feb sein.',
  'Must be a language such as en or pt-BR.': 'Muss eine Sprache wie en oder pt-BR sein.',
  'Needs a check of severity critical or major: only such a check takes the monitor down.':
    'Braucht eine Prüfung mit Schweregrad critical oder major: Nur eine solche macht den Monitor down.',
  'The objective of the monitor is measured by this check: remove the objective first.':
    'An dieser Prüfung wird das Ziel des Monitors gemessen: Entfernen Sie zuerst das Ziel.',
  'Must fit into a message of DNS, 65,535 bytes.': 'Muss in eine Nachricht des DNS passen, 65.535 Byte.',
  'A token is for one server: {name} reports with this one, and now {other} as well. Give each its own token.':
    'Ein Token gilt für einen Server: Mit diesem meldet sich {name}, jetzt auch {other}. Geben Sie jedem ein eigenes.',
  'Some values are of the time in which another server had this token.':
    'Einige Werte stammen aus der Zeit, in der ein anderer Server dieses Token hatte.',
  'Some metrics are not known here and were left out.':
    'Einige Metriken sind hier nicht bekannt und wurden ausgelassen.',
  'Some points have another value than one of the same moment, which counts.':
    'Einige Punkte haben einen anderen Wert als einer desselben Zeitpunkts, der zählt.',
  'After {prefix} comes base64.': 'Nach {prefix} folgt Base64.',
  'Must be the name of a header.': 'Muss der Name eines Headers sein.',
  'Must be printable Latin text on one line.': 'Muss druckbarer lateinischer Text in einer Zeile sein.',
  'This report could not be made in time. Send it again.':
    'Dieser Bericht konnte nicht rechtzeitig erstellt werden. Senden Sie die Anfrage erneut.',
  'A report covers at most {n} days.': 'Ein Bericht umfasst höchstens {n} Tage.',
  'At most {n} days can be asked for at once.': 'Es können höchstens {n} Tage auf einmal abgefragt werden.',
  'There is no time zone of this name.': 'Es gibt keine Zeitzone dieses Namens.',
  'There is no such template.': 'Diese Vorlage gibt es nicht.',
  'There is no such profile.': 'Dieses Profil gibt es nicht.',
  'There is no such channel.': 'Diesen Kanal gibt es nicht.',
  'Is not the name of this team.': 'Ist nicht der Name dieses Teams.',

  // accounts and teams
  'Is not your password.': 'Ist nicht Ihr Passwort.',
  'Is your address already.': 'Ist bereits Ihre Adresse.',
  'Is not the code of this moment.': 'Ist nicht der gegenwärtige Code.',
  'Is not a code of this moment, nor a recovery code left.':
    'Ist weder der gegenwärtige Code noch ein übriger Wiederherstellungscode.',
  'Your account has a second factor: send its code too.':
    'Ihr Konto hat einen zweiten Faktor: Senden Sie auch dessen Code.',
  'This account has a second factor: send its code too.':
    'Dieses Konto hat einen zweiten Faktor: Senden Sie auch dessen Code.',
  'There is no second factor.': 'Es gibt keinen zweiten Faktor.',
  'The second factor is on already.': 'Der zweite Faktor ist bereits eingeschaltet.',
  'This installation is set up already. Sign in at /login.':
    'Diese Installation ist bereits eingerichtet. Melden Sie sich unter /login an.',
  'This link is not valid, or not any more.': 'Dieser Link ist nicht oder nicht mehr gültig.',
  'This invitation is not open, or not any more.': 'Diese Einladung ist nicht oder nicht mehr offen.',
  'This invitation is to another address than that of your account.':
    'Diese Einladung ging an eine andere Adresse als die Ihres Kontos.',
  'This address has an account already.': 'Diese Adresse hat bereits ein Konto.',
  'This address has an account meanwhile.': 'Diese Adresse hat inzwischen ein Konto.',
  'This address has got an account meanwhile: accept with its password.':
    'Diese Adresse hat inzwischen ein Konto: Nehmen Sie mit dessen Passwort an.',
  'Belongs to this team already.': 'Gehört bereits zu diesem Team.',
  'Has an open invitation: send that one again.': 'Hat eine offene Einladung: Senden Sie diese erneut.',
  'A team keeps its last owner: make another member owner first.':
    'Ein Team behält seinen letzten Inhaber: Machen Sie zuerst jemand anderen zum Inhaber.',
  'The last owner cannot leave: make another member owner first.':
    'Der letzte Inhaber kann nicht gehen: Machen Sie zuerst jemand anderen zum Inhaber.',
  'Belongs to a team that is deleted: restore it, or choose another.':
    'Gehört zu einem gelöschten Team: Stellen Sie es wieder her, oder wählen Sie etwas anderes.',
  'The trial has ended, and the plan is free: send the plan of the new trial with it.':
    'Die Testphase ist zu Ende, und der Tarif ist kostenlos: Senden Sie den Tarif der neuen Testphase mit.',
  'Belongs to a trial: send trial_days with it.': 'Gehört zu einer Testphase: Senden Sie trial_days mit.',
  'Needed: the user name is not an e-mail address.': 'Nötig: Der Benutzername ist keine E-Mail-Adresse.',
  'The team is paused.': 'Das Team ist pausiert.',
  'The team is not paused.': 'Das Team ist nicht pausiert.',
  'This token has expired.': 'Dieses Token ist abgelaufen.',
  'This token is disabled: enable it first.': 'Dieses Token ist deaktiviert: Aktivieren Sie es zuerst.',

  // monitors
  'The check is disabled, or its monitor or team is paused.':
    'Die Prüfung ist deaktiviert, oder ihr Monitor oder Team ist pausiert.',
  'The monitor is paused.': 'Der Monitor ist pausiert.',
  'The URL must start with http:// or https://.': 'Die URL muss mit http:// oder https:// beginnen.',
  'This host is not a public address.': 'Dieser Host ist keine öffentliche Adresse.',
  'A monitor has one check of this kind.': 'Ein Monitor hat eine Prüfung dieser Art.',
  'A monitor has at most {n} checks.': 'Ein Monitor hat höchstens {n} Prüfungen.',
  'The type of a monitor cannot change: make a new one.':
    'Die Art eines Monitors ist nicht änderbar: Legen Sie einen neuen an.',
  'This incident is resolved.': 'Diese Störung ist behoben.',
  'This window is over: it is read-only.': 'Dieses Wartungsfenster ist vorbei und nicht mehr änderbar.',
  'This window is active: stop it first.': 'Dieses Wartungsfenster ist aktiv: Beenden Sie es zuerst.',
  'This window is not active.': 'Dieses Wartungsfenster ist nicht aktiv.',
  'Cannot change while the window is active.': 'Nicht änderbar, solange das Wartungsfenster aktiv ist.',
  'A window lasts at most {n} minutes.': 'Ein Wartungsfenster dauert höchstens {n} Minuten.',
  'All occurrences are over already.': 'Alle Termine sind bereits vorbei.',
  'Only a resolved incident can be archived.': 'Nur eine behobene Störung kann archiviert werden.',
  'No mail server is set.': 'Es ist kein Mailserver eingestellt.',
  // of signing in, portals and billing
  'This session is limited to its team: sign in with your own account for this.':
    'Diese Sitzung gilt nur für ihr Team: Melden Sie sich dafür mit Ihrem eigenen Konto an.',
  'Begin the sign-in again.': 'Beginnen Sie die Anmeldung von vorn.',
  'This team is suspended. Ask the operator of this service.':
    'Dieses Team ist gesperrt. Fragen Sie den Betreiber dieses Dienstes.',
  'This team is suspended.': 'Dieses Team ist gesperrt.',
  'You are no member of this team.': 'Sie gehören nicht zu diesem Team.',
  'This team is entered at its own sign-in alone.': 'Dieses Team hat eine eigene Anmeldung.',
  'This team is entered at its own sign-in alone: see /sso.': 'Dieses Team hat eine eigene Anmeldung: siehe /sso.',
  'Partner SSO of this team is disabled: enable it first.':
    'Partner-SSO dieses Teams ist aus: Schalten Sie es zuerst ein.',
  'Only an owner of the team, signed in, may change single sign-on.':
    'Nur ein angemeldeter Inhaber des Teams darf das Single Sign-on ändern.',
  'Is a domain of this team already.': 'Ist schon eine Domain dieses Teams.',
  'Is the last verified domain: single sign-on is enforced.':
    'Ist die letzte bestätigte Domain: Single Sign-on ist Pflicht.',
  'No provider is set.': 'Es ist kein Anbieter eingerichtet.',
  'Needs a verified domain: see /sso/domains.': 'Braucht eine bestätigte Domain: siehe /sso/domains.',
  'There is no sign-up here.': 'Hier kann man sich nicht registrieren.',
  'Addresses of this domain may not sign up here.': 'Adressen dieser Domain dürfen sich hier nicht registrieren.',
  'The reseller of this team is billed for it. Ask the reseller for changes.':
    'Für dieses Team bezahlt sein Reseller. Bitten Sie ihn um Änderungen.',
  'This is the present plan and interval.': 'Das ist der jetzige Tarif und Zeitraum.',
  'The operator of this service offers no plans for payment.':
    'Der Betreiber dieses Dienstes bietet keine bezahlten Tarife an.',
  'There is no subscription that goes on.': 'Es gibt kein laufendes Abonnement.',
  'A payment is open: pay it first, or cancel.': 'Eine Zahlung ist offen: Bezahlen Sie zuerst, oder kündigen Sie.',
  'The payment was declined. Check the means of payment and try again.':
    'Die Zahlung wurde abgelehnt. Prüfen Sie das Zahlungsmittel, und versuchen Sie es noch einmal.',
  'There is no subscription yet: begin one by POST /billing/checkout.':
    'Es gibt noch kein Abonnement: Beginnen Sie eines mit POST /billing/checkout.',
  'There is a subscription: change its plan by POST /billing/plan.':
    'Es gibt ein Abonnement: Ändern Sie seinen Tarif mit POST /billing/plan.',
}
