import { template } from './template.ts'

export const smtpTest = template({
  type: 'smtp_test',
  tone: 'good',
  en: {
    subject: 'Your mail server works – {{ brand_name }}',
    heading: 'Your mail server works',
    paragraphs: ['This test mail of the team {{ team_name }} went by {{ host }}.'],
  },
  de: {
    subject: 'Ihr Mailserver funktioniert – {{ brand_name }}',
    heading: 'Ihr Mailserver funktioniert',
    paragraphs: ['Diese Testmail des Teams {{ team_name }} ging über {{ host }}.'],
  },
})
