import { template } from './template.ts'

export const channelFailing = template({
  type: 'channel_failing',
  tone: 'bad',
  isAlert: true,
  en: {
    subject: 'The channel {{ channel_name }} of {{ team_name }} is failing',
    heading: 'The channel {{ channel_name }} is failing',
    paragraphs: [
      'Notifications to it have not arrived for a while, although they were sent again and again. What it missed stands in the delivery log.',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Type', '{{ channel_type }}'],
      ['Since', '{{ failing_since | moment }}'],
    ],
    note: 'Correct the configuration of the channel and send it a test. What it missed can be sent again from the delivery log.',
  },
  de: {
    subject: 'Der Kanal {{ channel_name }} von {{ team_name }} ist gestört',
    heading: 'Der Kanal {{ channel_name }} ist gestört',
    paragraphs: [
      'Benachrichtigungen an ihn kommen seit einer Weile nicht an, obwohl sie mehrmals gesendet wurden. Was er verpasst hat, steht im Zustellprotokoll.',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Art', '{{ channel_type }}'],
      ['Seit', '{{ failing_since | moment }}'],
    ],
    note: 'Berichtigen Sie die Einstellungen des Kanals, und senden Sie ihm einen Test. Was er verpasst hat, lässt sich aus dem Zustellprotokoll noch einmal senden.',
  },
})
