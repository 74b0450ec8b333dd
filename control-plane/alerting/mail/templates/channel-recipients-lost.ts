import { template } from './template.ts'

export const channelRecipientsLost = template({
  type: 'channel_recipients_lost',
  tone: 'warning',
  isAlert: true,
  en: {
    subject: 'The channel {{ channel_name }} of {{ team_name }} has no recipient any more',
    heading: 'A channel has no recipient any more',
    paragraphs: [
      'The account of the last recipient was erased, and the address with it. The channel is disabled: nothing is sent to it.',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Channel', '{{ channel_name }}'],
    ],
    note: 'Name another recipient and enable the channel, or send its alerts to another channel.',
  },
  de: {
    subject: 'Der Kanal {{ channel_name }} von {{ team_name }} hat keinen Empfänger mehr',
    heading: 'Ein Kanal hat keinen Empfänger mehr',
    paragraphs: [
      'Das Konto des letzten Empfängers wurde gelöscht, und die Adresse mit ihm. Der Kanal ist abgeschaltet: An ihn geht nichts mehr.',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Kanal', '{{ channel_name }}'],
    ],
    note: 'Tragen Sie einen anderen Empfänger ein und schalten Sie den Kanal ein, oder senden Sie seine Meldungen an einen anderen Kanal.',
  },
})
