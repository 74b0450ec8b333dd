import { z } from 'zod'
import type { Tone } from '#control-plane/alerting/mail/templates/template.ts'
import type { Notification } from '#control-plane/alerting/notifications/notification.ts'
import { Address, reading } from './fields.ts'
import { channelKind, post } from './kind.ts'
import { cut, limits, withinBytes } from './limits.ts'
import { escapeMarkdown } from './markdown.ts'
import { notificationFor } from './read.ts'

const colors: Record<Tone, string> = { bad: 'attention', good: 'good', warning: 'warning', neutral: 'default' }
const escapeText = (text: string) => escapeMarkdown(text, /[\\*_[\]]/g)
/** The lengths that a text is cut to: the usual one first, then shorter ones until the card fits. */
const lengths = [1_000, 300, 100, 40]

export const microsoftTeams = channelKind({
  type: 'microsoft_teams',
  config: z.object({ webhook_url: Address, ...reading }),
  secrets: ['webhook_url'],
  urls: ['webhook_url'],

  write(message, config, sending) {
    const notification = notificationFor(message, config, sending)
    const card = (longest: number) => ({
      type: 'message',
      summary: cut(notification.subject, longest),
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          contentUrl: null,
          content: cardOf(notification, longest),
        },
      ],
    })
    return post(config.webhook_url, withinBytes(limits.teams.bytes, lengths, card))
  },
})

function cardOf({ heading, paragraphs, details, lists, buttons, note, tone }: Notification, longest: number) {
  const shown = (text: string) => escapeText(cut(text, longest))
  const block = (text: string, more: object = {}) => ({ type: 'TextBlock', wrap: true, text: shown(text), ...more })
  const factSetOf = (rows: readonly (readonly [title: string, value: string])[]) =>
    rows.length > 0
      ? [{ type: 'FactSet', facts: rows.map(([title, value]) => ({ title: shown(title), value: shown(value) })) }]
      : []
  return {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      block(heading, { size: 'large', weight: 'bolder', color: colors[tone] }),
      ...paragraphs.map(text => block(text)),
      ...factSetOf(details.map(({ label, value }) => [label, value])),
      ...lists.flatMap(({ title, rows }) => [
        ...(title === '' ? [] : [block(title, { weight: 'bolder' })]),
        // rows without details are lines; rows with details are a table
        ...(rows.every(({ detail }) => detail === '')
          ? rows.map(({ text }) => block(`• ${text}`, { spacing: 'none' }))
          : factSetOf(rows.map(({ text, detail }) => [text, detail || ' ']))),
      ]),
      ...(note === '' ? [] : [block(note, { isSubtle: true })]),
    ],
    ...(buttons.length > 0 && {
      actions: buttons.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
    }),
  }
}
