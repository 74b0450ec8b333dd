import { type Phase, phases } from '#control-plane/alerting/channels/kinds/alert-key.ts'
import type { Tone } from '#control-plane/alerting/mail/templates/template.ts'

/** The values of a template, all of the message and its own channel. A value that an event does not have is empty. */
export interface Values {
  event: string
  phase: Phase
  tone: Tone
  is_test: boolean
  alert_id: string
  severity: string
  title: string
  message: string
  text: string
  details: { label: string; value: string }[]
  links: { label: string; url: string }[]
  note: string
  details_url: string
  acknowledge_url: string
  resolve_url: string
  monitor_name: string
  monitor_url: string
  timestamp: string
  payload: unknown
  fields: Record<string, string>
}

/** What each value is, for those who write templates. */
export const valueDescriptions: Record<keyof Values, string> = {
  event: 'The name of the event, such as `incident.created`.',
  phase:
    `${phases.join(', ')}: whether an alert begins or goes on, was taken by a person, or ends. \`opened\` are also ` +
    'steps of escalation policies, error budgets in danger and gaps on call; `notice` is an event without an alert.',
  tone: 'bad, good, warning or neutral.',
  is_test: 'Whether it is an example sent by the test of a channel.',
  alert_id: 'The same for all events of an alert, such as the beginning, the steps and the end of an incident.',
  severity: 'critical, major or minor; empty where the event has none.',
  title: 'One line.',
  message: 'One or a few sentences without the title.',
  text: 'Everything below the title in lines, but for the links: sentences, details, lists, what to do.',
  details: 'Rows with `label` and `value`.',
  links: 'Rows with `label` and `url`.',
  note: 'What to do next.',
  details_url: 'The page of the incident or the monitor.',
  acknowledge_url: 'The page on which an incident is acknowledged.',
  resolve_url: 'The page on which an incident is resolved.',
  monitor_name: '',
  monitor_url: '',
  timestamp: 'When the event happened, in UTC.',
  payload: 'The event as webhooks receive it, with texts in single lines of at most 300 characters.',
  fields: 'The `fields` of the channel, which are stored encrypted.',
}
