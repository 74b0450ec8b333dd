import type { PageLanguage } from '#control-plane/identity/pages/page.ts'

interface LoginWords {
  signIn: string
  to: (brand: string) => string
  email: string
  password: string
  forgot: string
  link: string
  company: string
  byPassword: string
  panel: (brand: string) => string
  wrong: string
  signedOut: string
  code: {
    trust: string
    title: string
    says: string
    label: string
    hint: string
    button: string
    wrong: string
    again: string
  }
  team: { title: string; says: string }
  roles: Readonly<Record<string, string>>
  forgotten: { title: string; says: string; button: string; sent: string; sentTitle: string; back: string }
  out: { title: string; says: string; button: string }
}

export const loginWords: Record<PageLanguage, LoginWords> = {
  en: {
    signIn: 'Sign in',
    to: brand => `Sign in to ${brand}`,
    email: 'E-mail address',
    password: 'Password',
    forgot: 'Forgot the password?',
    link: 'Mail me a link to sign in',
    company: 'Sign in with your company',
    byPassword: 'Sign in with a password',
    panel: brand => `This team is entered from the pages of ${brand}: open it there.`,
    wrong: 'The address or the password is wrong.',
    signedOut: 'You are signed out.',
    code: {
      title: 'Second factor',
      says: 'Now enter the code of your authenticator app.',
      label: 'Code',
      hint: 'Six digits, or one of your recovery codes.',
      trust: 'Ask for no code in this browser for 30 days',
      button: 'Continue',
      wrong: 'This code is wrong or was used already. Wait for the next one.',
      again: 'Begin again',
    },
    team: { title: 'Choose a team', says: 'You belong to several teams. Which one do you want to open?' },
    roles: { owner: 'Owner', admin: 'Administrator', member: 'Member', viewer: 'Viewer' },
    forgotten: {
      title: 'Forgot the password?',
      says: 'Enter the address of your account. We send you a link to set a new password.',
      button: 'Send the link',
      sentTitle: 'Check your mails',
      sent: 'If this address has an account, a mail with a link is on its way to it. The link works for an hour.',
      back: 'Back to sign in',
    },
    out: { title: 'Sign out', says: 'Do you want to sign out in this browser?', button: 'Sign out' },
  },
  de: {
    signIn: 'Anmelden',
    to: brand => `Bei ${brand} anmelden`,
    email: 'E-Mail-Adresse',
    password: 'Passwort',
    forgot: 'Passwort vergessen?',
    link: 'Link zur Anmeldung per Mail senden',
    company: 'Mit Ihrem Unternehmen anmelden',
    byPassword: 'Mit einem Passwort anmelden',
    panel: brand => `Dieses Team wird von den Seiten von ${brand} aus geöffnet.`,
    wrong: 'Die Adresse oder das Passwort ist falsch.',
    signedOut: 'Sie sind abgemeldet.',
    code: {
      title: 'Zweiter Faktor',
      says: 'Geben Sie jetzt den Code Ihrer Authenticator-App ein.',
      label: 'Code',
      hint: 'Sechs Ziffern oder einer Ihrer Wiederherstellungscodes.',
      trust: 'In diesem Browser 30 Tage lang nicht nach dem Code fragen',
      button: 'Weiter',
      wrong: 'Dieser Code ist falsch oder wurde schon benutzt. Warten Sie auf den nächsten.',
      again: 'Von vorn beginnen',
    },
    team: { title: 'Team wählen', says: 'Sie gehören zu mehreren Teams. Welches möchten Sie öffnen?' },
    roles: { owner: 'Inhaber', admin: 'Administrator', member: 'Mitglied', viewer: 'Beobachter' },
    forgotten: {
      title: 'Passwort vergessen?',
      says: 'Geben Sie die Adresse Ihres Kontos ein. Wir senden Ihnen einen Link für ein neues Passwort.',
      button: 'Link senden',
      sentTitle: 'Sehen Sie in Ihre Mails',
      sent: 'Wenn diese Adresse ein Konto hat, ist eine Mail mit einem Link unterwegs. Der Link gilt eine Stunde.',
      back: 'Zurück zur Anmeldung',
    },
    out: { title: 'Abmelden', says: 'Möchten Sie sich in diesem Browser abmelden?', button: 'Abmelden' },
  },
}
