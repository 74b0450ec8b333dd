import { canonicalName } from '#contract/events.ts'
import { alertKeyOf, type Phase, phaseOf, phases } from '#control-plane/alerting/channels/kinds/alert-key.ts'
import type { Reading } from '#control-plane/alerting/channels/kinds/fields.ts'
import type { Message, Sending } from '#control-plane/alerting/channels/kinds/kind.ts'
import { linksOf, notificationFor } from '#control-plane/alerting/channels/kinds/read.ts'
import type { Tone } from '#control-plane/alerting/mail/templates/template.ts'
import { clean } from '#control-plane/alerting/mail/words.ts'
import { textOf } from '#control-plane/alerting/notifications/values.ts'

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
  phase: `${phases.join(', ')}: whether an alert begins or ends; \`notice\` for all else.`,
  tone: 'bad, good, warning or neutral.',
  is_test: 'Whether it is an example sent by the test of a channel.',
  alert_id: 'The same for the event that begins an alert and the one that ends it.',
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

export function valuesOf(
  message: Message,
  { fields, ...reading }: Reading & { fields: Record<string, string> },
  sending: Sending,
): Values {
  const { subject, paragraphs, details, lists, buttons, note, tone } = notificationFor(message, reading, sending)
  const { details_url, acknowledge_url, resolve_url } = linksOf(message, sending, null)
  const payload = clean(message.payload) as Record<string, unknown>
  const lines = [
    ...paragraphs,
    ...details.map(({ label, value }) => `${label}: ${value}`),
    ...lists.flatMap(({ title, rows }) => [
      ...(title === '' ? [] : [`${title}:`]),
      ...rows.map(({ text, detail }) => `- ${text}${detail === '' ? '' : `: ${detail}`}`),
    ]),
    ...(note === '' ? [] : [note]),
  ]
  return {
    event: canonicalName(message.event),
    phase: phaseOf(message.event),
    tone,
    is_test: message.payload.test === true,
    alert_id: alertKeyOf(message, sending.attempt.id),
    severity: textOf(payload.severity),
    title: subject,
    message: paragraphs.join(' '),
    text: lines.join('\n'),
    details,
    links: buttons,
    note,
    details_url: details_url ?? '',
    acknowledge_url: acknowledge_url ?? '',
    resolve_url: resolve_url ?? '',
    monitor_name: textOf(payload.monitor_name),
    monitor_url: textOf(payload.monitor_url),
    timestamp: textOf(payload.timestamp),
    payload,
    fields,
  }
}
