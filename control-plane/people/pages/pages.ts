import type { Page } from './page.ts'

const password = (en: string, de: string, autocomplete: string) => ({ name: 'password', type: 'password', autocomplete, en, de }) as const

const leave = (path: string, postsTo: string, en: string, de: string): Page => ({
  path,
  postsTo,
  tokenIn: 'query',
  fields: [],
  en: { title: `No more ${en}`, says: `Do you want to get no more ${en}?`, button: 'Get them no more', done: `You will get no more ${en}.` },
  de: { title: `Keine ${de} mehr`, says: `Möchten Sie keine ${de} mehr erhalten?`, button: 'Abbestellen', done: `Sie erhalten keine ${de} mehr.` },
})

/** Every page that a link in a mail leads to. */
export const pages: readonly Page[] = [
  {
    path: '/invitation',
    postsTo: '/api/v1/invitations/accept',
    looksUpAt: '/api/v1/invitations/lookup',
    tokenIn: 'body',
    fields: [
      { name: 'name', type: 'text', autocomplete: 'name', isOfNewcomer: true, en: 'Your name, for a new account', de: 'Ihr Name, für ein neues Konto' },
      password('Password: of your account, or for a new one', 'Passwort: Ihres Kontos oder für ein neues', 'current-password'),
      {
        name: 'otp_code',
        type: 'text',
        autocomplete: 'one-time-code',
        isOptional: true,
        en: 'Code, if your account has a second factor',
        de: 'Code, falls Ihr Konto einen zweiten Faktor hat',
      },
    ],
    en: {
      title: 'Invitation',
      says: 'You are invited to a team.',
      button: 'Accept the invitation',
      done: 'You are a member of the team now, and can sign in.',
    },
    de: {
      title: 'Einladung',
      says: 'Sie sind in ein Team eingeladen.',
      button: 'Einladung annehmen',
      done: 'Sie gehören jetzt zum Team und können sich anmelden.',
    },
  },
  {
    path: '/password-reset',
    postsTo: '/api/v1/auth/password/reset',
    tokenIn: 'body',
    fields: [password('New password', 'Neues Passwort', 'new-password')],
    en: {
      title: 'Set a new password',
      says: 'All your sessions and personal tokens end with it. Keys of your teams stay: a mail lists those you made.',
      button: 'Set the password',
      done: 'Your new password is set. You can sign in with it.',
    },
    de: {
      title: 'Neues Passwort festlegen',
      says: 'Damit enden alle Ihre Sitzungen und persönlichen Token. Schlüssel Ihrer Teams bleiben: Eine Mail nennt die von Ihnen angelegten.',
      button: 'Passwort festlegen',
      done: 'Ihr neues Passwort gilt. Sie können sich damit anmelden.',
    },
  },
  {
    path: '/email-change',
    postsTo: '/api/v1/auth/email/confirm',
    tokenIn: 'body',
    fields: [],
    en: {
      title: 'Confirm your new address',
      says: 'It becomes the address of your account.',
      button: 'Confirm the address',
      done: 'It is the address of your account now.',
    },
    de: {
      title: 'Neue Adresse bestätigen',
      says: 'Sie wird zur Adresse Ihres Kontos.',
      button: 'Adresse bestätigen',
      done: 'Sie ist jetzt die Adresse Ihres Kontos.',
    },
  },
  {
    path: '/email-verify',
    postsTo: '/api/v1/auth/email/verify',
    tokenIn: 'body',
    fields: [password('Password of the account', 'Passwort des Kontos', 'current-password')],
    en: {
      title: 'Prove your address',
      says: 'With the password of the account, so that nobody proves an account that somebody else made for your address.',
      button: 'This is my account',
      done: 'Your address is proven.',
    },
    de: {
      title: 'Adresse bestätigen',
      says: 'Mit dem Passwort des Kontos, damit niemand ein Konto bestätigt, das jemand anders für seine Adresse angelegt hat.',
      button: 'Das ist mein Konto',
      done: 'Ihre Adresse ist bestätigt.',
    },
  },
  {
    path: '/email-revert',
    postsTo: '/api/v1/auth/email/revert',
    tokenIn: 'body',
    fields: [],
    en: {
      title: 'Somebody else changed your address?',
      says: 'Your account keeps this address, or gets it back. All sessions, personal tokens and the password end.',
      button: 'This was not me',
      done: 'Done. A link to set a new password is on its way to you.',
    },
    de: {
      title: 'Jemand anders hat Ihre Adresse geändert?',
      says: 'Ihr Konto behält diese Adresse oder bekommt sie zurück. Alle Sitzungen, persönlichen Token und das Passwort enden.',
      button: 'Das war ich nicht',
      done: 'Erledigt. Ein Link für ein neues Passwort ist unterwegs zu Ihnen.',
    },
  },
  {
    path: '/mail-recipient',
    postsTo: '/api/v1/mail-recipients/confirm',
    tokenIn: 'body',
    fields: [],
    en: {
      title: 'Notifications by mail',
      says: 'Do you want the notifications that this mail asks about?',
      button: 'Confirm',
      done: 'You will get the notifications.',
    },
    de: {
      title: 'Benachrichtigungen per Mail',
      says: 'Möchten Sie die Benachrichtigungen, nach denen diese Mail fragt?',
      button: 'Bestätigen',
      done: 'Sie erhalten die Benachrichtigungen.',
    },
  },
  {
    path: '/mail-recipient/unsubscribe',
    postsTo: '/api/v1/mail-recipients/unsubscribe',
    tokenIn: 'body',
    fields: [],
    en: {
      title: 'No more notifications by mail',
      says: 'Do you want no more notifications from this team?',
      button: 'Unsubscribe',
      done: 'You will get no more notifications from this team.',
    },
    de: {
      title: 'Keine Benachrichtigungen per Mail mehr',
      says: 'Möchten Sie keine Benachrichtigungen dieses Teams mehr?',
      button: 'Abbestellen',
      done: 'Sie erhalten keine Benachrichtigungen dieses Teams mehr.',
    },
  },
  leave('/unsubscribe', '/api/v1/digest/unsubscribe', 'digests', 'Zusammenfassungen'),
  leave('/unsubscribe/monthly-report', '/api/v1/monthly-report/unsubscribe', 'monthly reports', 'Monatsberichte'),
]
