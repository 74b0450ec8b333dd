import { template } from './template.ts'

export const escalationStepLost = template({
  type: 'escalation_step_lost',
  tone: 'warning',
  isAlert: true,
  en: {
    subject: 'The escalation policy {{ policy_name }} of {{ team_name }} has a step that calls nobody',
    heading: 'A step of an escalation policy calls nobody',
    paragraphs: [
      'The last person whom the policy {{ policy_name }} calls there has left the team or was disabled. Until you name another, the step is passed over.',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Policy', '{{ policy_name }}'],
      ['Steps', '{{ steps }}'],
    ],
    note: 'Name another person, a schedule, a channel or the whole team.',
  },
  de: {
    subject: 'In der Eskalationsregel {{ policy_name }} von {{ team_name }} ruft eine Stufe niemanden',
    heading: 'Eine Stufe einer Eskalationsregel ruft niemanden',
    paragraphs: [
      'Die letzte Person, die die Regel {{ policy_name }} dort ruft, hat das Team verlassen oder ist gesperrt. Bis Sie jemand anderen eintragen, wird die Stufe übergangen.',
    ],
    details: [
      ['Team', '{{ team_name }}'],
      ['Regel', '{{ policy_name }}'],
      ['Stufen', '{{ steps }}'],
    ],
    note: 'Tragen Sie eine andere Person, einen Bereitschaftsplan, einen Kanal oder das ganze Team ein.',
  },
})
