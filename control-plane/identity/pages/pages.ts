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
  en: {
    title: `No more ${en}`,
    says: `Do you want to get no more ${en}?`,
    button: 'Get them no more',
    done: `You will get no more ${en}.`,
  },
  de: {
    title: `Keine ${de} mehr`,
    says: `Möchten Sie keine ${de} mehr erhalten?`,
    button: 'Abbestellen',
    done: `Sie erhalten keine ${de} mehr.`,
  },
})

/** Every page that a link in a mail leads to, and the one that the first start prints. */
export const pages: readonly Page[] = [
  {
    path: '/setup',
    postsTo: '/api/v1/setup',
    tokenIn: 'body',
    opensSession: true,
    fields: [
      { name: 'name', type: 'text', autocomplete: 'name', en: { label: 'Your name' }, de: { label: 'Ihr Name' } },
      {
        name: 'email',
        type: 'text',
        autocomplete: 'email',
        en: { label: 'E-mail address' },
        de: { label: 'E-Mail-Adresse' },
      },
      {
        ...newPassword,
        en: { ...newPassword.en, label: 'Password' },
        de: { ...newPassword.de, label: 'Passwort' },
      },
      {
        name: 'team_name',
        type: 'text',
        autocomplete: 'organization',
        en: { label: 'Name of the first team', hint: 'It can be changed later.' },
        de: { label: 'Name des ersten Teams', hint: 'Er lässt sich später ändern.' },
      },
    ],
    en: {
      title: 'Set up',
      says: 'This makes your account, which operates this installation, and the first team, which you own.',
      button: 'Create the account',
      done: 'The account and the team are made, and you are signed in.',
      refusals: {
        already_set_up: 'This installation has its operator already. Sign in.',
        link_not_open: 'This link is over. Type `node cli/vedette.js setup-link` for another one.',
      },
    },
    de: {
      title: 'Einrichten',
      says: 'Damit entstehen Ihr Konto, das diese Installation betreibt, und das erste Team, das Ihnen gehört.',
      button: 'Konto anlegen',
      done: 'Konto und Team sind angelegt, und Sie sind angemeldet.',
      refusals: {
        already_set_up: 'Diese Installation hat schon einen Betreiber. Melden Sie sich an.',
        link_not_open: 'Dieser Link gilt nicht mehr. `node cli/vedette.js setup-link` gibt einen neuen.',
      },
    },
  },
  {
    path: '/invitation',
    postsTo: '/api/v1/invitations/accept',
    lookupPath: '/api/v1/invitations/lookup',
    tokenIn: 'body',
    leadsToSignIn: true,
    fields: [
      {
        name: 'name',
        type: 'text',
        autocomplete: 'name',
        of: ['newcomer'],
        en: { label: 'Your name' },
        de: { label: 'Ihr Name' },
      },
      {
        name: 'name',
        type: 'text',
        autocomplete: 'name',
        isOptional: true,
        of: ['unknown'],
        en: { label: 'Your name', hint: 'For a new account.' },
        de: { label: 'Ihr Name', hint: 'Für ein neues Konto.' },
      },
      { ...newPassword, of: ['newcomer'] },
      {
        name: 'password',
        type: 'password',
        autocomplete: 'current-password',
        of: ['unknown'],
        en: { label: 'Password', hint: 'Of your account; for a new account at least 12 characters, hard to guess.' },
        de: { label: 'Passwort', hint: 'Ihres Kontos; für ein neues Konto mindestens 12 Zeichen, schwer zu erraten.' },
      },
      {
        name: 'password',
        type: 'password',
        autocomplete: 'current-password',
        of: ['member'],
        en: { label: 'Password of your account' },
        de: { label: 'Passwort Ihres Kontos' },
      },
      {
        name: 'otp_code',
        type: 'text',
        autocomplete: 'one-time-code',
        isOptional: true,
        of: ['member', 'unknown'],
        en: { label: 'Code', hint: 'If your account has a second factor.' },
        de: { label: 'Code', hint: 'Falls Ihr Konto einen zweiten Faktor hat.' },
      },
    ],
    en: {
      title: 'Invitation',
      says: 'By accepting you become a member of the team.',
      shows: '{invited_by_name} invites {email} to join the team {team_name} as {role}.',
      terms: { owner: 'owner', admin: 'administrator', member: 'member', viewer: 'viewer' },
      elsewhere: {
        says:
          'This team signs in with its company alone. Sign in there with this address: that accepts the ' +
          'invitation.',
        button: 'Sign in with your company',
      },
      button: 'Accept the invitation',
      done: 'You are a member of the team now, and can sign in.',
      refusals: { invitation_not_open: 'This invitation is not open, or not any more. Ask for another one.' },
    },
    de: {
      title: 'Einladung',
      says: 'Wenn Sie annehmen, werden Sie Mitglied des Teams.',
      shows: '{invited_by_name} lädt {email} in das Team {team_name} ein. Rolle: {role}.',
      terms: { owner: 'Inhaber', admin: 'Administrator', member: 'Mitglied', viewer: 'Beobachter' },
      elsewhere: {
        says:
          'Dieses Team meldet sich nur über sein Unternehmen an. Melden Sie sich dort mit dieser Adresse an: ' +
          'Damit ist die Einladung angenommen.',
        button: 'Mit Ihrem Unternehmen anmelden',
      },
      button: 'Einladung annehmen',
      done: 'Sie gehören jetzt zum Team und können sich anmelden.',
      refusals: { invitation_not_open: 'Diese Einladung ist nicht offen oder nicht mehr. Bitten Sie um eine neue.' },
    },
  },
  {
    path: '/password-reset',
    postsTo: '/api/v1/auth/password/reset',
    tokenIn: 'body',
    leadsToSignIn: true,
    fields: [newPassword],
    en: {
      title: 'Set a new password',
      says: 'All your sessions and personal tokens end with it. Keys of your teams stay: a mail lists those you made.',
      button: 'Set the password',
      done: 'Your new password is set. You can sign in with it.',
    },
    de: {
      title: 'Neues Passwort festlegen',
      says:
        'Damit enden alle Ihre Sitzungen und persönlichen Token. Schlüssel Ihrer Teams bleiben: Eine ' +
        'Mail nennt die von Ihnen angelegten.',
      button: 'Passwort festlegen',
      done: 'Ihr neues Passwort gilt. Sie können sich damit anmelden.',
    },
  },
  {
    path: '/sign-up/complete',
    postsTo: '/api/v1/auth/sign-up/complete',
    tokenIn: 'body',
    fields: [newPassword],
    en: {
      title: 'Your sign-up',
      says: 'Choose a password, and your team is ready.',
      button: 'Create the team',
      done: 'Your team is ready, and you are signed in.',
      refusals: { link_not_open: 'This link was used already, or is older than a day. Sign up again.' },
    },
    de: {
      title: 'Ihre Anmeldung',
      says: 'Legen Sie ein Passwort fest, dann ist Ihr Team bereit.',
      button: 'Team anlegen',
      done: 'Ihr Team ist bereit, und Sie sind angemeldet.',
      refusals: {
        link_not_open: 'Dieser Link wurde schon benutzt oder ist älter als ein Tag. Melden Sie sich neu an.',
      },
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
    leadsToSignIn: true,
    fields: [
      {
        name: 'password',
        type: 'password',
        autocomplete: 'current-password',
        en: { label: 'Password of the account' },
        de: { label: 'Passwort des Kontos' },
      },
    ],
    en: {
      title: 'Prove your address',
      says: 'It needs the account’s password: another person may have made the account for your address.',
      button: 'This is my account',
      done: 'Your address is proven.',
    },
    de: {
      title: 'Adresse bestätigen',
      says:
        'Mit dem Passwort des Kontos, damit niemand ein Konto bestätigt, das jemand anders für seine ' +
        'Adresse angelegt hat.',
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
      title: 'Someone else changed your address?',
      says: 'Your account keeps this address, or gets it back. All sessions, personal tokens and the password end.',
      button: 'This was not me',
      done: 'Done. A link to set a new password is on its way to you.',
    },
    de: {
      title: 'Jemand anders hat Ihre Adresse geändert?',
      says:
        'Ihr Konto behält diese Adresse oder bekommt sie zurück. Alle Sitzungen, persönlichen Token ' +
        'und das Passwort enden.',
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
  {
    path: '/acknowledge',
    postsTo: '/api/v1/incidents/acknowledge-by-link',
    lookupPath: '/api/v1/incidents/acknowledge-by-link/lookup',
    tokenIn: 'body',
    isDoneWhen: 'acknowledged_at',
    fields: [],
    en: {
      title: 'Acknowledge an incident',
      says: 'Your team sees that someone works on it, and escalation stops.',
      shows: '{title}. {cause} Since {started_at}.',
      button: 'Acknowledge',
      done: 'The incident is acknowledged.',
      already: '{acknowledged_by_name} acknowledged this incident at {acknowledged_at}.',
      refusals: {
        invalid: 'This link is incomplete: open it exactly as it is in the alert.',
        bad_link: 'This link is incomplete: open it exactly as it is in the alert.',
        link_expired: 'This link has expired. Sign in to acknowledge the incident.',
        link_revoked:
          'This link no longer works: the incident or the channel that it was sent to has been ' +
          'deleted or switched off.',
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
        link_revoked:
          'Dieser Link gilt nicht mehr: Die Störung oder der Kanal, an den er ging, wurde gelöscht oder ausgeschaltet.',
        incident_resolved: 'Diese Störung ist behoben. Es gibt nichts mehr zu bestätigen.',
      },
    },
  },
  {
    path: '/resolve',
    postsTo: '/api/v1/incidents/resolve-by-link',
    lookupPath: '/api/v1/incidents/resolve-by-link/lookup',
    tokenIn: 'body',
    isDoneWhen: 'resolved_at',
    fields: [],
    en: {
      title: 'Resolve an incident',
      says: 'The incident ends. The next alert comes after the check has been up once.',
      shows: '{title}. {cause} Since {started_at}.',
      button: 'Resolve',
      done: 'The incident is resolved.',
      already: 'This incident is resolved since {resolved_at}.',
      refusals: {
        invalid: 'This link is incomplete: open it exactly as it is in the alert.',
        bad_link: 'This link is incomplete: open it exactly as it is in the alert.',
        link_expired: 'This link has expired. Sign in to resolve the incident.',
        link_revoked:
          'This link no longer works: the incident or the channel that it was sent to has been ' +
          'deleted or switched off.',
        incident_resolved: 'This incident is resolved already.',
      },
    },
    de: {
      title: 'Störung für behoben erklären',
      says: 'Die Störung endet. Die nächste Benachrichtigung kommt, wenn die Prüfung einmal in Ordnung war.',
      shows: '{title}. {cause} Seit {started_at}.',
      button: 'Für behoben erklären',
      done: 'Die Störung ist für behoben erklärt.',
      already: 'Diese Störung ist seit {resolved_at} behoben.',
      refusals: {
        invalid: 'Dieser Link ist unvollständig: Öffnen Sie ihn genau so, wie er in der Benachrichtigung steht.',
        bad_link: 'Dieser Link ist unvollständig: Öffnen Sie ihn genau so, wie er in der Benachrichtigung steht.',
        link_expired: 'Dieser Link ist abgelaufen. Melden Sie sich an, um die Störung zu beenden.',
        link_revoked:
          'Dieser Link gilt nicht mehr: Die Störung oder der Kanal, an den er ging, wurde gelöscht oder ausgeschaltet.',
        incident_resolved: 'Diese Störung ist schon behoben.',
      },
    },
  },
  {
    path: '/status-subscription/confirm',
    postsTo: '/api/v1/status-subscriptions/confirm',
    tokenIn: 'body',
    fields: [],
    en: {
      title: 'Updates of a status page',
      says: 'Do you want to get the updates of this status page? Each message has a link that ends them.',
      button: 'Confirm',
      done: 'You will get its updates from now on.',
      refusals: {
        link_not_open: 'This link was used already, or a newer one was sent.',
        subscribers_full: 'This page takes no more subscribers at present.',
      },
    },
    de: {
      title: 'Meldungen einer Statusseite',
      says: 'Möchten Sie die Meldungen dieser Statusseite erhalten? Jede Nachricht hat einen Link, der sie beendet.',
      button: 'Bestätigen',
      done: 'Sie erhalten von nun an ihre Meldungen.',
      refusals: {
        link_not_open: 'Dieser Link wurde schon benutzt, oder ein neuerer ist unterwegs.',
        subscribers_full: 'Diese Seite nimmt zurzeit keine weiteren Empfänger auf.',
      },
    },
  },
  leave(
    '/status-subscription/unsubscribe',
    '/api/v1/status-subscriptions/unsubscribe',
    'updates of this page',
    'Meldungen dieser Seite',
  ),
  leave('/unsubscribe', '/api/v1/digest/unsubscribe', 'digests', 'Zusammenfassungen'),
  leave('/unsubscribe/monthly-report', '/api/v1/monthly-report/unsubscribe', 'monthly reports', 'Monatsberichte'),
  leave(
    '/unsubscribe/on-call-handover',
    '/api/v1/on-call-handover/unsubscribe',
    'mails at a hand-over',
    'Mails bei Beginn und Ende Ihrer Bereitschaft',
  ),
]
