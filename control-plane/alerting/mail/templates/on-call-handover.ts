import { template } from './template.ts'

const shifts = (of: 'gained' | 'lost', title: string, until: string) => ({
  title,
  of,
  row: '{{ starts_at | moment: timezone }}',
  detail: `${until} {{ ends_at | moment: timezone }}`,
  most: 20,
})

/** A text for each kind of change. */
const by = (begins: string, ends: string, planned: string) =>
  `{% if change == "begins" %}${begins}{% elsif change == "ends" %}${ends}{% else %}${planned}{% endif %}`

const heading = by('You are on call now', 'You are off call now', 'Your shifts have changed')
const germanHeading = by(
  'Sie haben jetzt Bereitschaft',
  'Ihre Bereitschaft ist zu Ende',
  'Ihre Schichten haben sich geändert',
)

export const onCallHandover = template({
  type: 'on_call_handover',
  tone: 'neutral',
  leaveLink: '{{ unsubscribe_url }}',
  en: {
    subject: `${heading}: {{ schedule_name }}`,
    heading,
    paragraphs: [
      by(
        '{% if other_name %}You take over from {{ other_name }}.{% endif %}',
        '{% if other_name %}{{ other_name }} takes over from you.{% endif %}',
        'The schedule or its people were changed. These shifts of the next 14 days are concerned.',
      ),
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Schedule', '{{ schedule_name }}'],
      ['Until', '{% if until %}{{ until | moment: timezone }}{% endif %}'],
    ],
    lists: [shifts('gained', 'You are on call', 'until'), shifts('lost', 'You are no longer on call', 'until')],
    note: 'You can turn these mails off and on in your profile.',
    leave: 'Get them no more',
  },
  de: {
    subject: `${germanHeading}: {{ schedule_name }}`,
    heading: germanHeading,
    paragraphs: [
      by(
        '{% if other_name %}Sie übernehmen von {{ other_name }}.{% endif %}',
        '{% if other_name %}{{ other_name }} übernimmt von Ihnen.{% endif %}',
        'Der Plan oder seine Personen wurden geändert. Das betrifft diese Schichten der nächsten 14 Tage.',
      ),
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Plan', '{{ schedule_name }}'],
      ['Bis', '{% if until %}{{ until | moment: timezone }}{% endif %}'],
    ],
    lists: [
      shifts('gained', 'Sie haben Bereitschaft', 'bis'),
      shifts('lost', 'Sie haben keine Bereitschaft mehr', 'bis'),
    ],
    note: 'Diese Mails lassen sich im Profil ab- und anstellen.',
    leave: 'Abbestellen',
  },
})
