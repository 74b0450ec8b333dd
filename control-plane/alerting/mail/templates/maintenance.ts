import { template } from './template.ts'

const said = (words: Record<'scheduled' | 'reminder' | 'started' | 'ended', string>) =>
  `{% case occasion %}{% when 'scheduled' %}${words.scheduled}{% when 'reminder' %}${words.reminder}` +
  `{% when 'started' %}${words.started}{% else %}${words.ended}{% endcase %}`

const heading = {
  en: said({
    scheduled: 'Maintenance is planned: {{ title }}',
    reminder: 'Maintenance begins soon: {{ title }}',
    started: 'Maintenance has begun: {{ title }}',
    ended: 'Maintenance is over: {{ title }}',
  }),
  de: said({
    scheduled: 'Wartung geplant: {{ title }}',
    reminder: 'Wartung beginnt bald: {{ title }}',
    started: 'Wartung begonnen: {{ title }}',
    ended: 'Wartung beendet: {{ title }}',
  }),
}

export const maintenance = template({
  type: 'maintenance',
  tone: 'neutral',
  en: {
    subject: heading.en,
    heading: heading.en,
    paragraphs: ['{{ description }}'],
    details: [
      ['Team', '{{ team_name }}'],
      ['Start', '{{ starts_at | moment }}'],
      ['End', '{{ ends_at | moment }}'],
    ],
  },
  de: {
    subject: heading.de,
    heading: heading.de,
    paragraphs: ['{{ description }}'],
    details: [
      ['Team', '{{ team_name }}'],
      ['Beginn', '{{ starts_at | moment }}'],
      ['Ende', '{{ ends_at | moment }}'],
    ],
  },
})
