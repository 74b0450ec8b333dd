import type { MessageTemplate, Words } from '#control-plane/alerting/mail/templates/template.ts'
import { teamOf } from '#control-plane/alerting/notifications/values.ts'

const details = {
  en: [
    ['Team', '{{ team }}'],
    ['Monitor', '{{ monitor_name }}'],
    ['Objective', '{{ target_pct | target }} in {{ window_days }} days'],
    ['Uptime', '{% if uptime_pct != nil %}{{ uptime_pct | percent }}{% endif %}'],
    ['Budget left', '{{ left_s | span }} of {{ budget_s | span }}'],
  ],
  de: [
    ['Team', '{{ team }}'],
    ['Monitor', '{{ monitor_name }}'],
    ['Ziel', '{{ target_pct | target }} in {{ window_days }} Tagen'],
    ['Verfügbarkeit', '{% if uptime_pct != nil %}{{ uptime_pct | percent }}{% endif %}'],
    ['Budget übrig', '{{ left_s | span }} von {{ budget_s | span }}'],
  ],
} satisfies Record<'en' | 'de', Words['details']>

const about = (
  tone: MessageTemplate['tone'],
  words: Record<'en' | 'de', Pick<Words, 'subject' | 'heading'>>,
): MessageTemplate => ({
  tone,
  derive: data => ({ team: teamOf(data) }),
  en: { ...words.en, paragraphs: [], details: details.en },
  de: { ...words.de, paragraphs: [], details: details.de },
})

export const sloTemplates = {
  'slo.budget_burning': about('warning', {
    en: {
      subject: 'The error budget of {{ monitor_name }} is used fast: {{ left_pct | percent }} left',
      heading: 'The error budget of {{ monitor_name }} is used fast',
    },
    de: {
      subject: 'Das Fehlerbudget von {{ monitor_name }} nimmt schnell ab: noch {{ left_pct | percent }}',
      heading: 'Das Fehlerbudget von {{ monitor_name }} nimmt schnell ab',
    },
  }),
  'slo.budget_exhausted': about('bad', {
    en: {
      subject: 'The error budget of {{ monitor_name }} is used up',
      heading: 'The error budget of {{ monitor_name }} is used up',
    },
    de: {
      subject: 'Das Fehlerbudget von {{ monitor_name }} ist aufgebraucht',
      heading: 'Das Fehlerbudget von {{ monitor_name }} ist aufgebraucht',
    },
  }),
  'slo.budget_recovered': about('good', {
    en: {
      subject: 'The error budget of {{ monitor_name }} has recovered: {{ left_pct | percent }} left',
      heading: 'The error budget of {{ monitor_name }} has recovered',
    },
    de: {
      subject: 'Das Fehlerbudget von {{ monitor_name }} hat sich erholt: noch {{ left_pct | percent }}',
      heading: 'Das Fehlerbudget von {{ monitor_name }} hat sich erholt',
    },
  }),
}
