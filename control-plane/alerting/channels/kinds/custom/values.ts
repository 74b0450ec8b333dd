import { canonicalName } from '#contract/events.ts'
import { alertKeyOf, phaseOf } from '#control-plane/alerting/channels/kinds/alert-key.ts'
import type { Reading } from '#control-plane/alerting/channels/kinds/fields.ts'
import type { Message, Sending } from '#control-plane/alerting/channels/kinds/kind.ts'
import { linksOf, notificationFor } from '#control-plane/alerting/channels/kinds/read.ts'
import { clean } from '#control-plane/alerting/mail/words.ts'
import { textOf } from '#control-plane/alerting/notifications/values.ts'
import type { Values } from './value-names.ts'

export function valuesOf(
  message: Message,
  { fields, ...reading }: Reading & { fields: Record<string, string> },
  sending: Omit<Sending, 'templating'>,
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
