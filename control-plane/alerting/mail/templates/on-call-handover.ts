import { template } from './template.ts'

export const onCallHandover = template({
  type: 'on_call_handover',
  tone: 'neutral',
  leaveLink: '{{ unsubscribe_url }}',
  en: {
    subject:
      '{% if change == "begins" %}You are on call now: {{ schedule_name }}{% else %}You are off call now: {{ schedule_name }}{% endif %}',
    heading: '{% if change == "begins" %}You are on call now{% else %}You are off call now{% endif %}',
    paragraphs: [
      '{% if other_name %}{% if change == "begins" %}You take over from {{ other_name }}.{% else %}{{ other_name }} takes over from you.{% endif %}{% endif %}',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Schedule', '{{ schedule_name }}'],
      ['Until', '{% if until %}{{ until | moment: timezone }}{% endif %}'],
    ],
    note: 'You can turn these mails off and on in your profile.',
    leave: 'Get them no more',
  },
  de: {
    subject:
      '{% if change == "begins" %}Sie haben jetzt Bereitschaft: {{ schedule_name }}{% else %}Ihre Bereitschaft ist zu Ende: {{ schedule_name }}{% endif %}',
    heading:
      '{% if change == "begins" %}Sie haben jetzt Bereitschaft{% else %}Ihre Bereitschaft ist zu Ende{% endif %}',
    paragraphs: [
      '{% if other_name %}{% if change == "begins" %}Sie übernehmen von {{ other_name }}.{% else %}{{ other_name }} übernimmt von Ihnen.{% endif %}{% endif %}',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Plan', '{{ schedule_name }}'],
      ['Bis', '{% if until %}{{ until | moment: timezone }}{% endif %}'],
    ],
    note: 'Diese Mails lassen sich im Profil ab- und anstellen.',
    leave: 'Abbestellen',
  },
})
