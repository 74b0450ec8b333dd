import { asRecord, isGiven } from '#control-plane/alerting/mail/voice.ts'
import type { MailTemplates } from './template.ts'

export const teamMails: MailTemplates = {
  invitation: {
    tone: 'neutral',
    details: ['expires_at'],
    buttons: { button: 'accept_url' },
    say: ({ invited_by }, { say }) => ({
      paragraphs: [say(isGiven(invited_by) ? 'text' : 'text_unnamed')],
    }),
  },
  member_removed: { tone: 'neutral', isBranded: true, paragraphs: ['hello', 'text'] },
  team_paused: {
    tone: 'warning',
    isBranded: true,
    details: ['paused_at', 'reason'],
    buttons: { button: 'brand.support_url' },
    say: ({ brand }, { say }) => ({ note: isGiven(asRecord(brand).support_url) ? '' : say('note') }),
  },
  team_unpaused: { tone: 'good', isBranded: true, details: ['unpaused_at'] },
  mail_budget_exceeded: {
    tone: 'warning',
    isBranded: true,
    paragraphs: ['text', 'more_text'],
    details: ['team_name', 'limit'],
  },
  smtp_test: { tone: 'good', isBranded: true },
  smtp_fell_back: {
    tone: 'warning',
    isAlert: true,
    details: ['host', 'why', 'occurred_at'],
    derive: ({ reason }, { find }) => ({ why: find(`reasons.${String(reason)}`) ?? reason }),
  },
  channel_failing: { tone: 'bad', isAlert: true, details: ['team_name', 'channel_type', 'failing_since'] },
  channel_recipients_lost: { tone: 'warning', isAlert: true, details: ['team_name', 'channel_name'] },
  recipient_confirm: {
    tone: 'neutral',
    isBranded: true,
    buttons: { button: 'confirm_url' },
    leave: 'unsubscribe_url',
  },
}
