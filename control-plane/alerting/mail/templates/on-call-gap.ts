import { template } from './template.ts'

export const onCallGap = template({
  type: 'on_call_gap',
  tone: 'warning',
  isAlert: true,
  en: {
    subject:
      'No person is on call in {{ schedule_name }} of {{ team_name }}: {{ gaps.first.starts_at | moment: timezone }}',
    heading: 'No person is on call for a time',
    paragraphs: [
      'The schedule {{ schedule_name }} has {% if gaps_count == 1 %}a gap{% else %}{{ gaps_count }} gaps{% endif %} within the next seven days.',
    ],
    details: [['Team', '{{ team_name }}']],
    lists: [
      {
        title: 'Gaps',
        of: 'gaps',
        count: 'gaps_count',
        row: '{{ starts_at | moment: timezone }}',
        detail: 'until {{ ends_at | moment: timezone }}',
        most: 20,
      },
    ],
    note: 'Add an override or another rotation. You are notified of each gap once.',
  },
  de: {
    subject:
      'Niemand hat Bereitschaft in {{ schedule_name }} von {{ team_name }}: {{ gaps.first.starts_at | moment: timezone }}',
    heading: 'Eine Zeit lang hat niemand Bereitschaft',
    paragraphs: [
      'Der Plan {{ schedule_name }} hat in den nächsten sieben Tagen {% if gaps_count == 1 %}eine Lücke{% else %}{{ gaps_count }} Lücken{% endif %}.',
    ],
    details: [['Team', '{{ team_name }}']],
    lists: [
      {
        title: 'Lücken',
        of: 'gaps',
        count: 'gaps_count',
        row: '{{ starts_at | moment: timezone }}',
        detail: 'bis {{ ends_at | moment: timezone }}',
        most: 20,
      },
    ],
    note: 'Legen Sie eine Vertretung oder eine weitere Rotation an. Jede Lücke wird einmal gemeldet.',
  },
})
