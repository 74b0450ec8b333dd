import type { Page } from './page.ts'

const newPassword = {
  name: 'password',
  type: 'password',
  autocomplete: 'new-password',
  text: 'newPassword',
} as const

const leave = (path: Page['path'], postsTo: string): Page => ({ path, postsTo, tokenIn: 'query', fields: [] })

/** Every page that a link in a mail leads to, and the one that the first start prints. */
export const pages: readonly Page[] = [
  {
    path: '/setup',
    postsTo: '/api/v1/setup',
    tokenIn: 'body',
    opensSession: true,
    fields: [
      { name: 'name', type: 'text', autocomplete: 'name', text: 'yourName' },
      {
        name: 'email',
        type: 'text',
        autocomplete: 'email',
        text: 'email',
      },
      { ...newPassword, text: 'password' },
      {
        name: 'team_name',
        type: 'text',
        autocomplete: 'organization',
        text: 'firstTeam',
      },
    ],
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
        text: 'yourName',
      },
      {
        name: 'name',
        type: 'text',
        autocomplete: 'name',
        isOptional: true,
        of: ['unknown'],
        text: 'newcomerName',
      },
      { ...newPassword, of: ['newcomer'] },
      {
        name: 'password',
        type: 'password',
        autocomplete: 'current-password',
        of: ['unknown'],
        text: 'unknownPassword',
      },
      {
        name: 'password',
        type: 'password',
        autocomplete: 'current-password',
        of: ['member'],
        text: 'memberPassword',
      },
      {
        name: 'otp_code',
        type: 'text',
        autocomplete: 'one-time-code',
        isOptional: true,
        of: ['member', 'unknown'],
        text: 'code',
      },
    ],
  },
  {
    path: '/password-reset',
    postsTo: '/api/v1/auth/password/reset',
    tokenIn: 'body',
    leadsToSignIn: true,
    fields: [newPassword],
  },
  {
    path: '/sign-up/complete',
    postsTo: '/api/v1/auth/sign-up/complete',
    tokenIn: 'body',
    fields: [newPassword],
  },
  {
    path: '/email-change',
    postsTo: '/api/v1/auth/email/confirm',
    tokenIn: 'body',
    fields: [],
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
        text: 'accountPassword',
      },
    ],
  },
  {
    path: '/email-revert',
    postsTo: '/api/v1/auth/email/revert',
    tokenIn: 'body',
    fields: [],
  },
  {
    path: '/mail-recipient',
    postsTo: '/api/v1/mail-recipients/confirm',
    tokenIn: 'body',
    fields: [],
  },
  {
    path: '/mail-recipient/unsubscribe',
    postsTo: '/api/v1/mail-recipients/unsubscribe',
    tokenIn: 'body',
    fields: [],
  },
  {
    path: '/acknowledge',
    postsTo: '/api/v1/incidents/acknowledge-by-link',
    lookupPath: '/api/v1/incidents/acknowledge-by-link/lookup',
    tokenIn: 'body',
    isDoneWhen: 'acknowledged_at',
    fields: [],
  },
  {
    path: '/resolve',
    postsTo: '/api/v1/incidents/resolve-by-link',
    lookupPath: '/api/v1/incidents/resolve-by-link/lookup',
    tokenIn: 'body',
    isDoneWhen: 'resolved_at',
    fields: [],
  },
  {
    path: '/status-subscription/confirm',
    postsTo: '/api/v1/status-subscriptions/confirm',
    tokenIn: 'body',
    fields: [],
  },
  leave('/status-subscription/unsubscribe', '/api/v1/status-subscriptions/unsubscribe'),
  leave('/unsubscribe', '/api/v1/digest/unsubscribe'),
  leave('/unsubscribe/monthly-report', '/api/v1/monthly-report/unsubscribe'),
  leave('/unsubscribe/on-call-handover', '/api/v1/on-call-handover/unsubscribe'),
]
