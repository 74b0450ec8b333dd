import type { Phase } from '#contract/status-page.ts'
import type { ComponentStatus, Locale } from '#control-plane/db/model/status-page-values.ts'
import type { VisitRefusal } from '#control-plane/identity/sso/visit-refusal.ts'
import type { Level } from './model.ts'

/** Why a subscription was declined. */
export type SubscriptionProblem =
  | 'empty'
  | 'both'
  | 'email'
  | 'url'
  | 'components'
  | 'private'
  | 'full'
  | 'slow'
  | 'unavailable'

/** Why a visitor could not sign in at the provider of the team. */
export type SignInProblem = VisitRefusal | 'slow' | 'unavailable'

export interface Words {
  status: Record<ComponentStatus, string>
  phase: Record<Phase, string>
  levels: Record<Level, string>
  impact: Record<'none' | 'minor' | 'major' | 'critical', string>
  skip: string
  language: string
  activeIncidents: string
  runningMaintenance: string
  upcomingMaintenance: string
  components: string
  pastIncidents: string
  /** Of posts: what was measured is in `measured`. */
  noPastIncidents: string
  measured: readonly [one: string, more: string]
  history: string
  historyOf: string
  earlier: string
  later: string
  nothingIn: string
  back: string
  affected: string
  started: string
  resolvedAfter: string
  completedAfter: string
  postmortem: string
  updates: string
  noUpdates: string
  from: string
  until: string
  addToCalendar: string
  uptime: string
  uptimeColumn: string
  days: string
  day: string
  downtime: string
  degraded: string
  maintenance: string
  none: string
  noData: string
  daysAgo: string
  today: string
  response: string
  perBar: string
  subscribe: string
  byMail: string
  calendar: string
  poweredBy: string
  imprint: string
  privacy: string
  support: string
  more: string
  formula: string
  historyWaits: string
  stale: string
  live: string
  sentence: {
    uptime: string
    allGood: string
    interrupted: [one: string, more: string]
    maintained: [one: string, more: string]
    empty: [one: string, more: string]
  }
  gate: {
    title: string
    password: string
    passwordLabel: string
    passwordButton: string
    wrong: string
    email: string
    emailLabel: string
    emailButton: string
    sent: string
    expired: string
    slow: string
    unavailable: string
    sso: { text: string; button: string; problems: Record<SignInProblem, string> }
  }
  subscription: {
    title: string
    lead: string
    email: string
    more: string
    url: string
    urlHint: string
    components: string
    all: string
    button: string
    sentTitle: string
    sent: string
    problems: Record<SubscriptionProblem, string>
  }
  index: { title: string; none: string; previous: string; next: string }
  missing: { title: string; text: string }
  away: { title: string; text: string }
}

export const words: Record<Locale, Words> = {
  en: {
    status: {
      operational: 'Operational',
      degraded_performance: 'Degraded performance',
      partial_outage: 'Partial outage',
      major_outage: 'Major outage',
      maintenance: 'Maintenance',
      no_data: 'No data',
    },
    levels: { none: 'no data', maintenance: 'Maintenance', good: 'Operational', minor: 'Degraded', major: 'Outage' },
    phase: {
      investigating: 'Investigating',
      identified: 'Identified',
      monitoring: 'Monitoring',
      resolved: 'Resolved',
    },
    impact: { none: 'No impact', minor: 'Minor impact', major: 'Major impact', critical: 'Critical impact' },
    skip: 'Skip to content',
    language: 'Language',
    activeIncidents: 'Current incidents',
    runningMaintenance: 'Maintenance in progress',
    upcomingMaintenance: 'Planned maintenance',
    components: 'Components',
    pastIncidents: 'Past incidents',
    noPastIncidents: 'Nothing was announced in the last 14 days.',
    measured: [
      'An interruption was measured on one of these days.',
      'Interruptions were measured on {n} of these days.',
    ],
    history: 'History of incidents',
    historyOf: 'Incidents in {month}',
    earlier: 'Earlier',
    later: 'Later',
    nothingIn: 'Nothing was announced in this month.',
    back: 'Current status',
    affected: 'Affected',
    started: 'Started',
    resolvedAfter: 'resolved after {duration}',
    completedAfter: 'maintenance completed after {duration}',
    postmortem: 'Review',
    updates: 'Updates',
    noUpdates: 'No update yet.',
    from: 'From',
    until: 'until',
    addToCalendar: 'Add to calendar',
    uptime: '{pct} uptime',
    uptimeColumn: 'Uptime',
    days: 'Day by day',
    day: 'Day',
    downtime: 'Down',
    degraded: 'Degraded',
    maintenance: 'Maintenance',
    none: 'none',
    noData: 'no data',
    daysAgo: '{n} days ago',
    today: 'Today',
    response: 'Response time {time}',
    perBar: 'Each bar stands for {n} days.',
    subscribe: 'Subscribe',
    byMail: 'By e-mail',
    calendar: 'Calendar',
    poweredBy: 'Powered by Vedette',
    imprint: 'Imprint',
    privacy: 'Privacy',
    support: 'Support',
    more: 'More',
    formula:
      'Uptime is the share of measured time; maintenance and time without data do not count (formula {version}).',
    historyWaits: 'Measurements since {time} are still being stored: figures made of them may change.',
    stale: 'As of {time}. This page could not be updated since then.',
    live: 'Status updated:',
    sentence: {
      uptime: '{pct} uptime in the last {n} days.',
      allGood: 'No interruptions in the last {n} days.',
      interrupted: ['1 day with interruptions.', '{n} days with interruptions.'],
      maintained: ['1 day with maintenance.', '{n} days with maintenance.'],
      empty: ['1 day without data.', '{n} days without data.'],
    },
    gate: {
      title: 'Private status page',
      password: 'This status page needs a password.',
      passwordLabel: 'Password',
      passwordButton: 'Show the page',
      wrong: 'This password is not right.',
      email: 'This status page is for certain e-mail addresses. A link is sent to yours.',
      emailLabel: 'E-mail address',
      emailButton: 'Send the link',
      sent: 'If this address may see the page, a link is on its way to it. It works for 30 minutes.',
      expired: 'This link has expired. Ask for another one.',
      slow: 'Too many attempts. Try again in some minutes.',
      unavailable: 'No link can be sent at the moment. Try again later.',
      sso: {
        text: 'This status page is for people of one company. Sign in with your account there.',
        button: 'Sign in',
        problems: {
          off: 'The sign-in to this status page is switched off. The page cannot be seen at the moment.',
          domain: 'Your e-mail address is of no domain that may see this page.',
          address: 'Your company’s sign-in does not confirm your e-mail address. Ask its administrator.',
          provider:
            'Your company’s sign-in refused you or cannot be reached. Try again later, or ask its administrator.',
          again: 'This sign-in is over or was used already. Sign in again.',
          slow: 'Too many attempts. Try again in some minutes.',
          unavailable: 'You cannot sign in at the moment. Try again later.',
        },
      },
    },
    subscription: {
      title: 'Subscribe to updates',
      lead: 'You get a message for each update of an incident. Each message has a link that ends the subscription.',
      email: 'E-mail address',
      more: 'Use a webhook or Slack',
      url: 'Address of the webhook',
      urlHint: 'Any https address, or an incoming webhook of Slack. Leave the e-mail address empty.',
      components: 'Components',
      all: 'Without a choice you get the updates of all of them.',
      button: 'Subscribe',
      sentTitle: 'Confirm your subscription',
      sent:
        'A message is on its way to the address that you entered. The subscription begins when you confirm it by ' +
        'that message. An address that is subscribed already, or was asked often, gets none.',
      problems: {
        empty: 'Enter an e-mail address.',
        both: 'Enter either an e-mail address or the address of a webhook.',
        email: 'This is no e-mail address that can be used.',
        url: 'This is no address of a webhook that can be used.',
        components: 'The components of this page have changed. Choose again.',
        private: 'This page is private. Only those who may see it can subscribe, with an address that belongs to it.',
        full: 'This page takes no more subscribers at present.',
        slow: 'Too many attempts. Try again in some minutes.',
        unavailable: 'No subscription is possible at the moment. Try again later.',
      },
    },
    index: {
      title: 'Status pages',
      none: 'There are no public status pages.',
      previous: 'Previous pages',
      next: 'More pages',
    },
    missing: { title: 'Page not found', text: 'There is no status page at this address.' },
    away: { title: 'Page unavailable', text: 'This status page cannot be shown at the moment. Try again in a minute.' },
  },
  de: {
    status: {
      operational: 'Funktioniert',
      degraded_performance: 'Eingeschränkt',
      partial_outage: 'Teilweise ausgefallen',
      major_outage: 'Ausgefallen',
      maintenance: 'Wartung',
      no_data: 'Keine Daten',
    },
    levels: {
      none: 'keine Daten',
      maintenance: 'Wartung',
      good: 'Funktioniert',
      minor: 'Eingeschränkt',
      major: 'Ausfall',
    },
    phase: {
      investigating: 'Wird untersucht',
      identified: 'Ursache gefunden',
      monitoring: 'Wird beobachtet',
      resolved: 'Behoben',
    },
    impact: { none: 'Ohne Auswirkung', minor: 'Geringe Auswirkung', major: 'Große Auswirkung', critical: 'Kritisch' },
    skip: 'Zum Inhalt',
    language: 'Sprache',
    activeIncidents: 'Aktuelle Störungen',
    runningMaintenance: 'Laufende Wartung',
    upcomingMaintenance: 'Geplante Wartung',
    components: 'Komponenten',
    pastIncidents: 'Frühere Störungen',
    noPastIncidents: 'In den letzten 14 Tagen wurde nichts bekannt gegeben.',
    measured: [
      'An einem dieser Tage wurde eine Unterbrechung gemessen.',
      'An {n} dieser Tage wurden Unterbrechungen gemessen.',
    ],
    history: 'Verlauf der Störungen',
    historyOf: 'Störungen im {month}',
    earlier: 'Früher',
    later: 'Später',
    nothingIn: 'In diesem Monat wurde nichts bekannt gegeben.',
    back: 'Aktueller Status',
    affected: 'Betroffen',
    started: 'Beginn',
    resolvedAfter: 'behoben nach {duration}',
    completedAfter: 'Wartung abgeschlossen nach {duration}',
    postmortem: 'Nachbetrachtung',
    updates: 'Meldungen',
    noUpdates: 'Noch keine Meldung.',
    from: 'Von',
    until: 'bis',
    addToCalendar: 'In den Kalender',
    uptime: '{pct} verfügbar',
    uptimeColumn: 'Verfügbar',
    days: 'Tag für Tag',
    day: 'Tag',
    downtime: 'Ausfall',
    degraded: 'Eingeschränkt',
    maintenance: 'Wartung',
    none: 'keine',
    noData: 'keine Daten',
    daysAgo: 'Vor {n} Tagen',
    today: 'Heute',
    response: 'Antwortzeit {time}',
    perBar: 'Jeder Balken steht für {n} Tage.',
    subscribe: 'Abonnieren',
    byMail: 'Per E-Mail',
    calendar: 'Kalender',
    poweredBy: 'Bereitgestellt mit Vedette',
    imprint: 'Impressum',
    privacy: 'Datenschutz',
    support: 'Hilfe',
    more: 'Mehr',
    formula:
      'Verfügbarkeit ist der Anteil der gemessenen Zeit; Wartung und Zeit ohne Daten zählen nicht (Formel {version}).',
    historyWaits:
      'Messungen seit {time} werden noch gespeichert: Zahlen, die aus ihnen entstehen, können sich noch ändern.',
    stale: 'Stand: {time}. Seitdem konnte diese Seite nicht aktualisiert werden.',
    live: 'Status aktualisiert:',
    sentence: {
      uptime: '{pct} verfügbar in den letzten {n} Tagen.',
      allGood: 'Keine Ausfälle in den letzten {n} Tagen.',
      interrupted: ['1 Tag mit Ausfällen.', '{n} Tage mit Ausfällen.'],
      maintained: ['1 Tag mit Wartung.', '{n} Tage mit Wartung.'],
      empty: ['1 Tag ohne Daten.', '{n} Tage ohne Daten.'],
    },
    gate: {
      title: 'Private Statusseite',
      password: 'Diese Statusseite ist durch ein Passwort geschützt.',
      passwordLabel: 'Passwort',
      passwordButton: 'Seite anzeigen',
      wrong: 'Dieses Passwort stimmt nicht.',
      email: 'Diese Statusseite ist für bestimmte E-Mail-Adressen. An Ihre wird ein Link gesendet.',
      emailLabel: 'E-Mail-Adresse',
      emailButton: 'Link senden',
      sent: 'Falls diese Adresse die Seite sehen darf, ist ein Link unterwegs. Er gilt 30 Minuten.',
      expired: 'Dieser Link ist abgelaufen. Fordern Sie einen neuen an.',
      slow: 'Zu viele Versuche. Versuchen Sie es in einigen Minuten noch einmal.',
      unavailable: 'Zurzeit kann kein Link gesendet werden. Versuchen Sie es später noch einmal.',
      sso: {
        text: 'Diese Statusseite ist für Angehörige eines Unternehmens. Melden Sie sich mit Ihrem Konto dort an.',
        button: 'Anmelden',
        problems: {
          off: 'Die Anmeldung zu dieser Statusseite ist ausgeschaltet. Zurzeit kann niemand die Seite sehen.',
          domain: 'Ihre E-Mail-Adresse gehört zu keiner Domain, die diese Seite sehen darf.',
          address:
            'Die Anmeldung Ihres Unternehmens bestätigt Ihre E-Mail-Adresse nicht. Fragen Sie deren Administrator.',
          provider:
            'Die Anmeldung Ihres Unternehmens hat Sie abgewiesen oder ist nicht erreichbar. Versuchen Sie es später ' +
            'noch einmal, oder fragen Sie deren Administrator.',
          again: 'Diese Anmeldung ist vorbei oder wurde schon benutzt. Melden Sie sich noch einmal an.',
          slow: 'Zu viele Versuche. Versuchen Sie es in einigen Minuten noch einmal.',
          unavailable: 'Sie können sich zurzeit nicht anmelden. Versuchen Sie es später noch einmal.',
        },
      },
    },
    subscription: {
      title: 'Meldungen abonnieren',
      lead: 'Sie erhalten jede Meldung zu einer Störung. In jeder Nachricht ist ein Link, der das Abonnement beendet.',
      email: 'E-Mail-Adresse',
      more: 'Webhook oder Slack verwenden',
      url: 'Adresse des Webhooks',
      urlHint: 'Eine https-Adresse oder ein eingehender Webhook von Slack. Die E-Mail-Adresse bleibt dann leer.',
      components: 'Komponenten',
      all: 'Ohne Auswahl erhalten Sie die Meldungen zu allen.',
      button: 'Abonnieren',
      sentTitle: 'Abonnement bestätigen',
      sent:
        'Eine Nachricht ist an die eingegebene Adresse unterwegs. Das Abonnement beginnt, sobald Sie es damit ' +
        'bestätigen. Eine Adresse, die schon angemeldet ist oder oft gefragt wurde, erhält keine.',
      problems: {
        empty: 'Geben Sie eine E-Mail-Adresse ein.',
        both: 'Geben Sie entweder eine E-Mail-Adresse oder die Adresse eines Webhooks ein.',
        email: 'Diese E-Mail-Adresse kann nicht verwendet werden.',
        url: 'Diese Adresse eines Webhooks kann nicht verwendet werden.',
        components: 'Die Komponenten dieser Seite haben sich geändert. Wählen Sie noch einmal.',
        private:
          'Diese Seite ist privat. Nur wer sie sehen darf, kann sie abonnieren, mit einer Adresse, die dazu gehört.',
        full: 'Diese Seite nimmt zurzeit keine weiteren Abonnements an.',
        slow: 'Zu viele Versuche. Versuchen Sie es in einigen Minuten noch einmal.',
        unavailable: 'Zurzeit ist kein Abonnement möglich. Versuchen Sie es später noch einmal.',
      },
    },
    index: {
      title: 'Statusseiten',
      none: 'Es gibt keine öffentlichen Statusseiten.',
      previous: 'Vorige Seiten',
      next: 'Weitere Seiten',
    },
    missing: { title: 'Seite nicht gefunden', text: 'Unter dieser Adresse gibt es keine Statusseite.' },
    away: {
      title: 'Seite nicht verfügbar',
      text: 'Diese Statusseite kann zurzeit nicht angezeigt werden. Versuchen Sie es in einer Minute noch einmal.',
    },
  },
}

/** Puts values into the places of a text. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
