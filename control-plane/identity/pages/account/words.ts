import type { PageLanguage } from '#control-plane/identity/pages/page.ts'

interface AccountWords {
  title: string
  name: string
  email: string
  team: string
  role: string
  factor: { label: string; on: (codesLeft: number) => string; off: string }
  setUp: string
  required: string
  limited: string
  docs: string
  signOut: string
  sessions: { title: string; current: string; used: (at: string) => string; never: string; end: string; endOf: string }
  others: string
  ended: string
}

export const accountWords: Record<PageLanguage, AccountWords> = {
  en: {
    title: 'Your account',
    name: 'Name',
    email: 'E-mail address',
    team: 'Team',
    role: 'Role',
    factor: {
      label: 'Second factor',
      on: left => `On, with ${left} recovery ${left === 1 ? 'code' : 'codes'} left`,
      off: 'Off',
    },
    setUp: 'Set it up',
    required: 'Your team requires a second factor. Until it is set up, you can do nothing else here.',
    limited: 'This session is limited to its team.',
    docs: 'Read the API and try it',
    signOut: 'Sign out',
    sessions: {
      title: 'Sessions',
      current: 'this browser',
      used: at => `last used ${at}`,
      never: 'not used yet',
      end: 'End',
      endOf: 'End the session',
    },
    others: 'End all other sessions',
    ended: 'The session has ended.',
  },
  de: {
    title: 'Ihr Konto',
    name: 'Name',
    email: 'E-Mail-Adresse',
    team: 'Team',
    role: 'Rolle',
    factor: {
      label: 'Zweiter Faktor',
      on: left => `An, noch ${left} ${left === 1 ? 'Wiederherstellungscode' : 'Wiederherstellungscodes'}`,
      off: 'Aus',
    },
    setUp: 'Einrichten',
    required: 'Ihr Team verlangt einen zweiten Faktor. Bis er eingerichtet ist, können Sie hier nichts anderes tun.',
    limited: 'Diese Sitzung gilt nur für ihr Team.',
    docs: 'Die API lesen und ausprobieren',
    signOut: 'Abmelden',
    sessions: {
      title: 'Sitzungen',
      current: 'dieser Browser',
      used: at => `zuletzt benutzt ${at}`,
      never: 'noch nicht benutzt',
      end: 'Beenden',
      endOf: 'Sitzung beenden',
    },
    others: 'Alle anderen Sitzungen beenden',
    ended: 'Die Sitzung ist beendet.',
  },
}
