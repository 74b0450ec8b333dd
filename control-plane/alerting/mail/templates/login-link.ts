import { template } from './template.ts'

export const loginLink = template({
  type: 'login_link',
  tone: 'neutral',
  link: '{{ login_url }}',
  en: {
    subject: 'Sign in to {{ brand_name }}',
    heading: 'Sign in',
    paragraphs: [
      'Hello {{ user_name }},',
      'open this link in the browser in which you asked for it, or enter the code there. It works once.',
    ],
    details: [
      ['Code', '{{ code }}'],
      ['Valid until', '{{ expires_at | moment }}'],
      ['Asked for from', '{{ ip_address }}'],
    ],
    button: 'Sign in',
    note: 'If you did not ask for it, you need not do anything. Never give this code to anyone.',
  },
  de: {
    subject: 'Bei {{ brand_name }} anmelden',
    heading: 'Anmelden',
    paragraphs: [
      'Guten Tag {{ user_name }},',
      'öffnen Sie diesen Link in dem Browser, in dem Sie ihn angefordert haben, oder geben Sie dort den Code ein. ' +
        'Er gilt einmal.',
    ],
    details: [
      ['Code', '{{ code }}'],
      ['Gültig bis', '{{ expires_at | moment }}'],
      ['Angefordert von', '{{ ip_address }}'],
    ],
    button: 'Anmelden',
    note: 'Wenn Sie das nicht angefordert haben, brauchen Sie nichts zu tun. Geben Sie diesen Code niemandem.',
  },
})
