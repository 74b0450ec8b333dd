import type { PageLanguage } from '#control-plane/identity/pages/page.ts'
import type { Reason } from './refused.ts'

interface Refusal {
  title: string
  /** What happened, and what the person can do. */
  says(brand: string): string
  /** Whether signing in by password is a way. */
  leadsToSignIn?: boolean
}

interface Words {
  title(brand: string): string
  says: string
  button: string
  signIn: string
  refusals: Record<Reason, Refusal>
}

const en: Words = {
  title: brand => `Sign in to ${brand}`,
  says: 'You are being signed in. If nothing happens, press the button.',
  button: 'Sign in',
  signIn: 'Sign in by password',
  refusals: {
    bad_link: {
      title: 'This link does not work',
      says: brand =>
        `It is incomplete or not made for this address. Open ${brand} again from where you found the link.`,
    },
    expired: {
      title: 'This link has expired',
      says: brand => `A link works for five minutes. Go back and open ${brand} again: you get a new link.`,
    },
    used: {
      title: 'This link was used already',
      says: brand => `A link works once. Go back and open ${brand} again: you get a new link.`,
    },
    disabled: {
      title: 'Sign-in by link is switched off',
      says: brand => `${brand} does not sign people in by links at present. Sign in by password, or ask ${brand}.`,
      leadsToSignIn: true,
    },
    team_unavailable: {
      title: 'This team is paused',
      says: brand => `Nothing can be opened while the team is paused. Ask ${brand} to resume it.`,
    },
    account_disabled: {
      title: 'Your access is switched off',
      says: () => 'An administrator of the team has disabled your membership. Ask the team to enable it again.',
    },
    account_elsewhere: {
      title: 'An invitation is needed',
      says: () =>
        'Your address has an account already that does not belong to this team. Ask the team to invite you, and ' +
        'accept the invitation with the password of your account. Then this link signs you in.',
    },
    account_not_linked: {
      title: 'This link may not sign you in',
      says: brand =>
        `Links do not sign in your account, though it is of this team. Sign in by password, or ask ${brand}.`,
      leadsToSignIn: true,
    },
    account_missing: {
      title: 'You have no account here',
      says: brand => `Links do not register new people. Ask ${brand} to add you to the team.`,
    },
    team_full: {
      title: 'The team is full',
      says: brand => `The plan of the team has no seat left. Ask ${brand} for another one, then open the link again.`,
    },
  },
}

const de: Words = {
  title: brand => `Anmelden bei ${brand}`,
  says: 'Sie werden angemeldet. Wenn nichts geschieht, drücken Sie den Knopf.',
  button: 'Anmelden',
  signIn: 'Mit Passwort anmelden',
  refusals: {
    bad_link: {
      title: 'Dieser Link funktioniert nicht',
      says: brand =>
        `Er ist unvollständig oder nicht für diese Adresse gemacht. Öffnen Sie ${brand} dort neu, wo Sie den Link ` +
        'gefunden haben.',
    },
    expired: {
      title: 'Dieser Link ist abgelaufen',
      says: brand =>
        `Ein Link gilt fünf Minuten. Gehen Sie zurück und öffnen Sie ${brand} noch einmal: Sie erhalten einen neuen.`,
    },
    used: {
      title: 'Dieser Link wurde schon benutzt',
      says: brand =>
        `Ein Link gilt ein Mal. Gehen Sie zurück und öffnen Sie ${brand} noch einmal: Sie erhalten einen neuen.`,
    },
    disabled: {
      title: 'Die Anmeldung mit Links ist ausgeschaltet',
      says: brand =>
        `${brand} meldet zurzeit niemanden mit Links an. Nutzen Sie Ihr Passwort, oder fragen Sie ${brand}.`,
      leadsToSignIn: true,
    },
    team_unavailable: {
      title: 'Dieses Team ist pausiert',
      says: brand => `Solange das Team pausiert ist, lässt sich nichts öffnen. Bitten Sie ${brand}, es fortzusetzen.`,
    },
    account_disabled: {
      title: 'Ihr Zugang ist ausgeschaltet',
      says: () => 'Die Verwaltung des Teams hat Ihren Zugang ausgeschaltet. Bitten Sie sie, ihn wieder einzuschalten.',
    },
    account_elsewhere: {
      title: 'Eine Einladung ist nötig',
      says: () =>
        'Ihre Adresse hat schon ein Konto, das nicht zu diesem Team gehört. Bitten Sie das Team um eine Einladung, ' +
        'und nehmen Sie sie mit dem Passwort Ihres Kontos an. Danach meldet dieser Link Sie an.',
    },
    account_not_linked: {
      title: 'Dieser Link darf Sie nicht anmelden',
      says: brand => `Links melden Ihr Konto hier nicht an. Nutzen Sie Ihr Passwort, oder fragen Sie ${brand}.`,
      leadsToSignIn: true,
    },
    account_missing: {
      title: 'Sie haben hier noch kein Konto',
      says: brand => `Links legen keine neuen Konten an. Bitten Sie ${brand}, Sie in das Team aufzunehmen.`,
    },
    team_full: {
      title: 'Das Team ist voll',
      says: brand =>
        `Der Tarif hat keinen Platz mehr. Bitten Sie ${brand} um einen weiteren, und öffnen Sie den Link neu.`,
    },
  },
}

export const ssoWords: Record<PageLanguage, Words> = { en, de }
