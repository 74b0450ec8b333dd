import type { PageLanguage } from '#control-plane/identity/pages/page.ts'
import type { Failure } from './outcome.ts'

const english = {
  unknown: 'No team with this address or name signs in at a provider here. Sign in with your password.',
  provider: 'Your company’s sign-in cannot be reached. Try again in some minutes.',
  setUp:
    'Your company’s sign-in is not set up right. An administrator of your team finds the reason under its sign-ins.',
  again: 'This sign-in is over, was used already, or began in another browser. Begin again.',
  refused: 'Your company’s sign-in refused you. Ask its administrator for access to this service.',
  email: 'Your company’s sign-in does not confirm your e-mail address. Ask an administrator of your team.',
  domain: 'Your team has not verified the domain of your e-mail address. Ask an administrator of your team.',
  member: 'You are not a member of this team. Ask an administrator of it to invite you.',
  seat: 'The team has no free seat. Ask an administrator of it.',
  staff: 'This account cannot be used here. Sign in with your password.',
  suspended: 'This team is suspended.',
  off: 'Single sign-on of this team is switched off. Sign in with your password.',
}

const german: typeof english = {
  unknown:
    'Kein Team mit dieser Adresse oder diesem Namen meldet sich hier bei einem Anbieter an. ' +
    'Melden Sie sich mit Ihrem Passwort an.',
  provider: 'Die Anmeldung Ihres Unternehmens ist nicht erreichbar. Versuchen Sie es in einigen Minuten noch einmal.',
  setUp:
    'Die Anmeldung Ihres Unternehmens ist nicht richtig eingerichtet. Den Grund sieht ein Administrator Ihres Teams ' +
    'bei dessen Anmeldungen.',
  again:
    'Diese Anmeldung ist vorbei, wurde schon benutzt oder begann in einem anderen Browser. Beginnen Sie noch einmal.',
  refused:
    'Die Anmeldung Ihres Unternehmens hat Sie abgewiesen. Bitten Sie deren Administrator um Zugang zu diesem Dienst.',
  email:
    'Die Anmeldung Ihres Unternehmens bestätigt Ihre Mailadresse nicht. ' +
    'Wenden Sie sich an einen Administrator Ihres Teams.',
  domain:
    'Ihr Team hat die Domain Ihrer Mailadresse nicht bestätigt. Wenden Sie sich an einen Administrator Ihres Teams.',
  member: 'Sie gehören nicht zu diesem Team. Bitten Sie einen Administrator um eine Einladung.',
  seat: 'Das Team hat keinen freien Platz. Wenden Sie sich an einen Administrator.',
  staff: 'Dieses Konto kann hier nicht benutzt werden. Melden Sie sich mit Ihrem Passwort an.',
  suspended: 'Dieses Team ist gesperrt.',
  off: 'Die Anmeldung über das Unternehmen ist für dieses Team ausgeschaltet. Melden Sie sich mit Ihrem Passwort an.',
}

type Reason = keyof typeof english

const reasons: Record<Failure, Reason> = {
  blocked: 'setUp',
  unreachable: 'provider',
  timeout: 'provider',
  bad_answer: 'provider',
  issuer_mismatch: 'setUp',
  client_refused: 'setUp',
  provider_refused: 'refused',
  token_invalid: 'setUp',
  state_invalid: 'again',
  email_missing: 'email',
  email_unverified: 'email',
  domain_unverified: 'domain',
  not_a_member: 'member',
  member_disabled: 'member',
  no_seat: 'seat',
  staff: 'staff',
  team_suspended: 'suspended',
  sso_off: 'off',
}

/** The words for the person; the details are for administrators. */
export const visitorWords = (language: PageLanguage, failure: Failure | 'unknown'): string =>
  (language === 'de' ? german : english)[failure === 'unknown' ? 'unknown' : reasons[failure]]

export const pageWords = {
  en: {
    title: 'Sign in with your company',
    failed: 'The sign-in did not work',
    label: 'E-mail address at your company',
    button: 'Continue',
    again: 'Begin again',
    id: 'If you ask for help, name this number:',
    out: {
      title: 'You are signed out',
      still: 'You may still be signed in at your company.',
      button: 'Sign out there too',
      notThere: 'Your company’s sign-in does not let us sign you out there. Sign out there yourself.',
      again: 'Sign in again',
    },
  },
  de: {
    title: 'Mit Ihrem Unternehmen anmelden',
    failed: 'Die Anmeldung hat nicht geklappt',
    label: 'Mailadresse im Unternehmen',
    button: 'Weiter',
    again: 'Noch einmal beginnen',
    id: 'Wenn Sie um Hilfe bitten, nennen Sie diese Nummer:',
    out: {
      title: 'Sie sind abgemeldet',
      still: 'Bei Ihrem Unternehmen sind Sie vielleicht noch angemeldet.',
      button: 'Auch dort abmelden',
      notThere: 'Dort können wir Sie nicht abmelden. Melden Sie sich selbst bei Ihrem Unternehmen ab.',
      again: 'Wieder anmelden',
    },
  },
} as const
