import type { MessageTemplate } from '#control-plane/alerting/mail/templates/template.ts'
import { teamOf } from '#control-plane/alerting/notifications/values.ts'

export const gapFound: MessageTemplate = {
  tone: 'warning',
  derive: data => ({ team: teamOf(data) }),
  en: {
    subject: 'No person is on call in {{ schedule_name }} from {{ starts_at | moment: timezone }}',
    heading: 'No person is on call in {{ schedule_name }} for a time',
    paragraphs: [],
    details: [
      ['Team', '{{ team }}'],
      ['From', '{{ starts_at | moment: timezone }}'],
      ['Until', '{{ ends_at | moment: timezone }}'],
    ],
    note: 'Add an override or another rotation.',
  },
  de: {
    subject: 'Niemand hat Bereitschaft in {{ schedule_name }} ab {{ starts_at | moment: timezone }}',
    heading: 'Eine Zeit lang hat niemand Bereitschaft in {{ schedule_name }}',
    paragraphs: [],
    details: [
      ['Team', '{{ team }}'],
      ['Von', '{{ starts_at | moment: timezone }}'],
      ['Bis', '{{ ends_at | moment: timezone }}'],
    ],
    note: 'Legen Sie eine Vertretung oder eine weitere Rotation an.',
  },
}
