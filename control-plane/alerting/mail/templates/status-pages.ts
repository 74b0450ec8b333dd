import { isGiven } from '#control-plane/alerting/mail/voice.ts'
import type { MailTemplates } from './template.ts'

export const statusPageMails: MailTemplates = {
  status_page_access: { tone: 'neutral', details: ['expires_at'], buttons: { button: 'access_url' } },
  status_page_post_open: { tone: 'neutral', details: ['team_name', 'page_name', 'title', 'ended_at'] },
  status_page_subscription: {
    tone: 'neutral',
    hasTimezone: true,
    paragraphs: ['{body}'],
    details: ['phase_word', 'impact_word', 'components_text', 'updated_at', 'starts_at', 'ends_at'],
    leave: 'unsubscribe_url',
    derive: ({ phase, impact, components }, { find }) => ({
      phase_word: find(`phases.${String(phase)}`) ?? phase,
      impact_word: impact === 'none' ? '' : (find(`impacts.${String(impact)}`) ?? impact),
      components_text: Array.isArray(components) ? components.join(', ') : '',
    }),
    say: ({ phase_word, title, page_name, starts_at }) => ({
      subject: `${String(phase_word)}: ${String(title)} – ${String(page_name)}`,
      heading: String(title),
      buttons: { [isGiven(starts_at) ? 'button_page' : 'button_incident']: 'incident_url' },
    }),
  },
  subscription_confirm: { tone: 'neutral', details: ['page_url'], buttons: { button: 'confirm_url' } },
}
