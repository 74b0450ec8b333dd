import { countOf, rowsOf } from '#control-plane/alerting/mail/voice.ts'
import type { MailTemplate, MailTemplates, Tone } from './template.ts'

/** A notice to a person about their account: one sentence, then account, time and IP address. */
const notice = (tone: Tone, { details = [], ...more }: Partial<MailTemplate> = {}): MailTemplate => ({
  tone,
  groups: ['notice'],
  isBranded: true,
  paragraphs: ['hello', 'text'],
  ...more,
  details: [...details, 'user_email', 'occurred_at', 'ip_address'],
})

export const accountMails: MailTemplates = {
  email_verify: {
    tone: 'neutral',
    isBranded: true,
    paragraphs: ['hello', 'text'],
    details: ['expires_at'],
    buttons: { button: 'verify_url' },
  },
  email_change_requested: {
    tone: 'warning',
    isBranded: true,
    paragraphs: ['hello', 'text', 'more_text'],
    details: ['new_email', 'occurred_at', 'ip_address'],
    buttons: { button: 'revert_url' },
  },
  email_change_verify: {
    tone: 'neutral',
    isBranded: true,
    paragraphs: ['hello', 'text'],
    details: ['expires_at'],
    buttons: { button: 'confirm_url' },
  },
  email_changed_notify: {
    tone: 'warning',
    isBranded: true,
    paragraphs: ['hello', 'text'],
    details: ['new_email', 'occurred_at', 'ip_address'],
    buttons: { button: 'revert_url' },
  },
  sign_up_confirm: { tone: 'neutral', isBranded: true, details: ['expires_at'], buttons: { button: 'confirm_url' } },
  sign_up_known: {
    tone: 'neutral',
    isBranded: true,
    paragraphs: ['text', 'more_text'],
    buttons: { button: 'sign_in_url' },
  },
  login_link: {
    tone: 'neutral',
    paragraphs: ['hello', 'text'],
    details: ['code', 'expires_at', 'ip_address'],
    buttons: { button: 'login_url' },
  },
  password_reset: {
    tone: 'neutral',
    isBranded: true,
    paragraphs: ['hello', 'text'],
    details: ['expires_at', 'ip_address'],
    buttons: { button: 'reset_url' },
  },
  security_account_blocked: notice('warning', {
    details: ['network'],
    say({ reason }, { say }) {
      const why = reason === 'guesses' ? 'guesses' : 'disabled'
      return { paragraphs: [say('hello'), say(`text_${why}`)], note: say(`note_${why}`) }
    },
  }),
  security_account_deleted: notice('warning'),
  security_account_unblocked: notice('neutral'),
  security_api_token_created: notice('neutral'),
  security_api_token_revoked: notice('neutral'),
  security_auth_policy_changed: notice('neutral', {
    details: ['mfa_due_at'],
    say: ({ change }, { say, find }) => ({ paragraphs: [say('hello'), find(String(change)) ?? ''] }),
  }),
  security_email_changed: notice('warning'),
  security_login_new_device: notice('warning', { details: ['device'] }),
  security_mfa_disabled: notice('warning'),
  security_mfa_enabled: notice('good'),
  security_mfa_reset: notice('warning'),
  security_passkey_added: notice('warning'),
  security_passkey_removed: notice('warning'),
  security_password_changed: notice('warning', {
    details: ['keys_elsewhere'],
    lists: [{ of: 'keys' }],
    derive: ({ keys, keys_elsewhere }, { say }) => ({
      keys_elsewhere: countOf(keys_elsewhere) > 0 ? keys_elsewhere : '',
      keys: rowsOf(keys).map(({ name, kind }) => ({
        text: name,
        detail: say(kind === 'rk' ? 'reseller_token' : 'api_key'),
      })),
    }),
  }),
  security_recovery_codes_regenerated: notice('warning'),
  security_role_changed: notice('neutral'),
  security_session_revoked: notice('neutral'),
}
