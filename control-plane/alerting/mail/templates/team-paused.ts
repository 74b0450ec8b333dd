import { template } from './template.ts'

export const teamPaused = template({
  type: 'team_paused',
  tone: 'warning',
  link: '{{ brand.support_url }}',
  en: {
    subject: 'The team {{ team_name }} is paused – {{ brand_name }}',
    heading: 'The team {{ team_name }} is paused',
    paragraphs: ['Nothing of it is checked until {{ brand_name }} ends the pause.'],
    details: [
      ['Since', '{{ paused_at | moment }}'],
      ['Reason', '{{ reason }}'],
    ],
    button: 'Contact support',
    note: '{% unless brand.support_url %}Ask {{ brand_name }} about it.{% endunless %}',
  },
  de: {
    subject: 'Das Team {{ team_name }} ist pausiert – {{ brand_name }}',
    heading: 'Das Team {{ team_name }} ist pausiert',
    paragraphs: ['Es wird nichts geprüft, bis {{ brand_name }} das wieder aufhebt.'],
    details: [
      ['Seit', '{{ paused_at | moment }}'],
      ['Grund', '{{ reason }}'],
    ],
    button: 'Hilfe anfragen',
    note: '{% unless brand.support_url %}Fragen Sie bei {{ brand_name }} nach.{% endunless %}',
  },
})

export const teamUnpaused = template({
  type: 'team_unpaused',
  tone: 'good',
  en: {
    subject: 'The team {{ team_name }} is no longer paused – {{ brand_name }}',
    heading: 'The team {{ team_name }} is no longer paused',
    paragraphs: ['Its monitors are checked again.'],
    details: [['Since', '{{ unpaused_at | moment }}']],
  },
  de: {
    subject: 'Das Team {{ team_name }} ist nicht mehr pausiert – {{ brand_name }}',
    heading: 'Das Team {{ team_name }} ist nicht mehr pausiert',
    paragraphs: ['Seine Monitore werden wieder geprüft.'],
    details: [['Seit', '{{ unpaused_at | moment }}']],
  },
})
