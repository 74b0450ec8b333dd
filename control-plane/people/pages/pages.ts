import type { Page } from './page.ts'

const newPassword = {
  name: 'password',
  type: 'password',
  autocomplete: 'new-password',
  en: { label: 'New password', hint: 'At least 12 characters, hard to guess.' },
  de: { label: 'Neues Passwort', hint: 'Mindestens 12 Zeichen, schwer zu erraten.' },
} as const

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
      { name: 'name', type: 'text', autocomplete: 'name', of: 'newcomer', en: { label: 'Your name' }, de: { label: 'Ihr Name' } },
      { ...newPassword, of: 'newcomer' },
      {
        name: 'password',
        type: 'password',
        autocomplete: 'current-password',
        of: 'member',
        en: { label: 'Password of your account' },
        de: { label: 'Passwort Ihres Kontos' },
      },
      {
        name: 'otp_code',
        type: 'text',
        autocomplete: 'one-time-code',
        isOptional: true,
        of: 'member',
        en: { label: 'Code', hint: 'If your account has a second factor.' },
        de: { label: 'Code', hint: 'Falls Ihr Konto einen zweiten Faktor hat.' },
      },
    ],
    en: {
      title: 'Invitation',
      says: 'By accepting you become a member of the team.',
      shows: '{invited_by_name} invites {email} to join the team {team_name} as {role}.',
      terms: { owner: 'owner', admin: 'administrator', member: 'member', viewer: 'viewer' },
      button: 'Accept the invitation',
      done: 'You are a member of the team now, and can sign in.',
      refusals: { invitation_not_open: 'This invitation is not open, or not any more. Ask for another one.' },
    },
    de: {
      title: 'Einladung',
      says: 'Wenn Sie annehmen, werden Sie Mitglied des Teams.',
      shows: '{invited_by_name} lädt {email} in das Team {team_name} ein. Rolle: {role}.',
      terms: { owner: 'Inhaber', admin: 'Administrator', member: 'Mitglied', viewer: 'Beobachter' },
      button: 'Einladung annehmen',
      done: 'Sie gehören jetzt zum Team und können sich anmelden.',
      refusals: { invitation_not_open: 'Diese Einladung ist nicht offen oder nicht mehr. Bitten Sie um eine neue.' },
    },
  },
  {
    path: '/password-reset',
    postsTo: '/api/v1/auth/password/reset',
    tokenIn: 'body',
    fields: [newPassword],
    en: {
      title: 'Set a new password',
      says: 'All your sessions and keys end with it.',
      button: 'Set the password',
      done: 'Your new password is set. You can sign in with it.',
    },
    de: {
      title: 'Neues Passwort festlegen',
      says: 'Damit enden alle Ihre Sitzungen und Schlüssel.',
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
    path: '/acknowledge',
    postsTo: '/api/v1/incidents/acknowledge-by-link',
    looksUpAt: '/api/v1/incidents/acknowledge-by-link/lookup',
    tokenIn: 'body',
    isDoneWhen: 'acknowledged_at',
    fields: [],
    en: {
      title: 'Acknowledge an incident',
      says: 'Your team sees that somebody works on it, and escalation stops.',
      shows: '{title}. {cause} Since {started_at}.',
      button: 'Acknowledge',
      done: 'The incident is acknowledged.',
      already: '{acknowledged_by_name} acknowledged this incident at {acknowledged_at}.',
      refusals: {
        invalid: 'This link is incomplete: open it exactly as it is in the alert.',
        bad_link: 'This link is incomplete: open it exactly as it is in the alert.',
        link_expired: 'This link has expired. Sign in to acknowledge the incident.',
        link_revoked: 'This link no longer works: the incident or the channel that it was sent to has been deleted or switched off.',
        incident_resolved: 'This incident is resolved. There is nothing left to acknowledge.',
      },
    },
    de: {
      title: 'Störung bestätigen',
      says: 'Ihr Team sieht, dass sich jemand darum kümmert, und die Eskalation endet.',
      shows: '{title}. {cause} Seit {started_at}.',
      button: 'Bestätigen',
      done: 'Die Störung ist bestätigt.',
      already: '{acknowledged_by_name} hat diese Störung bestätigt, am {acknowledged_at}.',
      refusals: {
        invalid: 'Dieser Link ist unvollständig: Öffnen Sie ihn genau so, wie er in der Benachrichtigung steht.',
        bad_link: 'Dieser Link ist unvollständig: Öffnen Sie ihn genau so, wie er in der Benachrichtigung steht.',
        link_expired: 'Dieser Link ist abgelaufen. Melden Sie sich an, um die Störung zu bestätigen.',
        link_revoked: 'Dieser Link gilt nicht mehr: Die Störung oder der Kanal, an den er ging, wurde gelöscht oder ausgeschaltet.',
        incident_resolved: 'Diese Störung ist behoben. Es gibt nichts mehr zu bestätigen.',
      },
    },
  },
  leave('/unsubscribe', '/api/v1/digest/unsubscribe', 'digests', 'Zusammenfassungen'),
  leave('/unsubscribe/monthly-report', '/api/v1/monthly-report/unsubscribe', 'monthly reports', 'Monatsberichte'),
]
