import { template } from './template.ts'

export const statusPagePostOpen = template({
  type: 'status_page_post_open',
  tone: 'neutral',
  en: {
    subject: '{{ page_name }} still announces an incident that is over: {{ title }}',
    heading: 'The incident is over; your post is still open',
    paragraphs: [
      'The status page {{ page_name }} shows the state of the monitors again, and the post is in the phase “Monitoring”. It stays open until you write that it is resolved.',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Page', '{{ page_name }}'],
      ['Post', '{{ title }}'],
      ['Incident ended', '{{ ended_at | moment }}'],
    ],
    note: 'Add an update in the phase “Resolved” to close it.',
  },
  de: {
    subject: '{{ page_name }} meldet noch eine Störung, die vorbei ist: {{ title }}',
    heading: 'Die Störung ist vorbei, Ihre Meldung noch offen',
    paragraphs: [
      'Die Statusseite {{ page_name }} zeigt wieder den Zustand der Monitore, und die Meldung ist in der Phase „Wird beobachtet“. Sie bleibt offen, bis Sie schreiben, dass die Störung behoben ist.',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Seite', '{{ page_name }}'],
      ['Meldung', '{{ title }}'],
      ['Ende der Störung', '{{ ended_at | moment }}'],
    ],
    note: 'Mit einer Aktualisierung in der Phase „Behoben“ schließen Sie sie.',
  },
})
