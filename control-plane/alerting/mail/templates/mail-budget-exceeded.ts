import { template } from './template.ts'

export const mailBudgetExceeded = template({
  type: 'mail_budget_exceeded',
  tone: 'warning',
  en: {
    subject: 'The mail budget of {{ team_name }} is used up – {{ brand_name }}',
    heading: 'The mail budget of {{ team_name }} is used up',
    paragraphs: [
      'The channels of the team have sent all mails that the plan allows for today. Until midnight UTC no more leave; the notification log lists them.',
      'A mail server of your own is not limited.',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Mails a day', '{{ limit }}'],
    ],
  },
  de: {
    subject: 'Das Mail-Kontingent von {{ team_name }} ist aufgebraucht – {{ brand_name }}',
    heading: 'Das Mail-Kontingent von {{ team_name }} ist aufgebraucht',
    paragraphs: [
      'Die Kanäle des Teams haben alle Mails gesendet, die der Tarif für heute vorsieht. Bis Mitternacht UTC gehen keine mehr hinaus; das Zustellprotokoll nennt sie.',
      'Ein eigener Mailserver ist nicht begrenzt.',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Mails am Tag', '{{ limit }}'],
    ],
  },
})
