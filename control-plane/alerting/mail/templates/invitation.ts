import { template } from './template.ts'

export const invitation = template({
  type: 'invitation',
  tone: 'neutral',
  link: '{{ accept_url }}',
  en: {
    subject: 'Invitation to {{ team_name }} – {{ brand_name }}',
    heading: 'You are invited to {{ team_name }}',
    paragraphs: [
      '{% if invited_by %}{{ invited_by }} invites you{% else %}You are invited{% endif %} to join the team {{ team_name }} at {{ brand_name }} as {{ role | role }}.',
    ],
    details: [['Valid until', '{{ expires_at | moment }}']],
    button: 'Accept the invitation',
    note: 'Whoever has this link can accept the invitation: please do not pass it on. If you did not expect it, you need not do anything.',
  },
  de: {
    subject: 'Einladung zu {{ team_name }} – {{ brand_name }}',
    heading: 'Sie sind zu {{ team_name }} eingeladen',
    paragraphs: [
      '{% if invited_by %}{{ invited_by }} lädt Sie ein{% else %}Sie sind eingeladen{% endif %}, dem Team {{ team_name }} bei {{ brand_name }} als {{ role | role }} beizutreten.',
    ],
    details: [['Gültig bis', '{{ expires_at | moment }}']],
    button: 'Einladung annehmen',
    note: 'Wer diesen Link hat, kann die Einladung annehmen: Bitte geben Sie ihn nicht weiter. Wenn Sie keine Einladung erwartet haben, brauchen Sie nichts zu tun.',
  },
})
