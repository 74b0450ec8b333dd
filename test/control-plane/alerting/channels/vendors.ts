import { z } from 'zod'
import type { Chat } from './messages.ts'

/*
 * What each receiver accepts, from its documentation: fields by name, so that a misspelled one is found, and lengths in
 * the unit of the vendor.
 *
 * Slack: "Block Kit reference" (header, section, context; text objects), "Sending messages using incoming webhooks".
 * Discord: "Execute Webhook", "Embed object", "Embed limits".
 * Microsoft Teams: "Adaptive Cards schema 1.4", "Create incoming webhooks" (28 KB a message).
 * PagerDuty: "Events API v2: send an alert event".
 * Telegram: "Bot API: sendMessage", "MessageEntity".
 */

const text = z.string().min(1)
const link = z.url({ protocol: /^https?$/ })

const PlainText = (most: number) =>
  z.strictObject({ type: z.literal('plain_text'), text: text.max(most), emoji: z.boolean() })
const Markdown = (most: number) =>
  z.strictObject({ type: z.literal('mrkdwn'), text: text.max(most), verbatim: z.boolean() })
const SlackBlock = z.union([
  z.strictObject({ type: z.literal('header'), text: PlainText(150) }),
  z.strictObject({ type: z.literal('section'), text: z.union([PlainText(3_000), Markdown(3_000)]) }),
  z.strictObject({ type: z.literal('section'), fields: z.array(PlainText(2_000)).min(1).max(10) }),
  z.strictObject({ type: z.literal('context'), elements: z.array(PlainText(2_000)).min(1).max(10) }),
])
const Slack = z.strictObject({
  text: text.max(4_000),
  unfurl_links: z.literal(false),
  unfurl_media: z.literal(false),
  blocks: z.array(SlackBlock).min(1).max(50),
})

const Embed = z
  .strictObject({
    title: text.max(256),
    url: link.optional(),
    description: text.max(4_096).optional(),
    color: z.int().min(0).max(0xffffff),
    fields: z.array(z.strictObject({ name: text.max(256), value: text.max(1_024), inline: z.boolean() })).max(25),
    footer: z.strictObject({ text: text.max(2_048) }).optional(),
    timestamp: z.iso.datetime().optional(),
  })
  .refine(
    ({ title, description = '', footer, fields }) =>
      [title, description, footer?.text ?? '', ...fields.flatMap(({ name, value }) => [name, value])].join('').length <=
      6_000,
    'An embed holds 6,000 characters at most.',
  )
const Discord = z.strictObject({
  allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
  embeds: z.array(Embed).min(1).max(10),
})

const cardColors = z.enum(['default', 'dark', 'light', 'accent', 'good', 'warning', 'attention'])
const CardElement = z.union([
  z.strictObject({
    type: z.literal('TextBlock'),
    text,
    wrap: z.boolean(),
    size: z.enum(['default', 'small', 'medium', 'large', 'extraLarge']).optional(),
    weight: z.enum(['default', 'lighter', 'bolder']).optional(),
    color: cardColors.optional(),
    isSubtle: z.boolean().optional(),
    spacing: z.enum(['none', 'small', 'default', 'medium', 'large', 'extraLarge', 'padding']).optional(),
  }),
  z.strictObject({ type: z.literal('FactSet'), facts: z.array(z.strictObject({ title: text, value: text })).min(1) }),
])
const Teams = z
  .strictObject({
    type: z.literal('message'),
    summary: text,
    attachments: z.tuple([
      z.strictObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        contentUrl: z.null(),
        content: z.strictObject({
          $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
          type: z.literal('AdaptiveCard'),
          version: z.literal('1.4'),
          msteams: z.strictObject({ width: z.literal('Full') }),
          body: z.array(CardElement).min(1),
          actions: z
            .array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: text, url: link }))
            .min(1)
            .max(6)
            .optional(),
        }),
      }),
    ]),
  })
  .refine(message => Buffer.byteLength(JSON.stringify(message)) <= 28 * 1_024, 'A message holds 28 KB at most.')

const PagerDuty = z.discriminatedUnion('event_action', [
  z.strictObject({
    event_action: z.literal('trigger'),
    routing_key: text,
    dedup_key: text.max(255),
    client: text.optional(),
    client_url: link.optional(),
    links: z.array(z.strictObject({ href: link, text })).optional(),
    payload: z.strictObject({
      summary: text.max(1_024),
      source: text,
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime().optional(),
      component: text.optional(),
      class: text.optional(),
      custom_details: z.record(text, text),
    }),
  }),
  z.strictObject({ event_action: z.enum(['acknowledge', 'resolve']), routing_key: text, dedup_key: text.max(255) }),
])

const Telegram = z
  .strictObject({
    chat_id: text,
    text: text.max(4_096),
    entities: z
      .array(z.strictObject({ type: z.literal('bold'), offset: z.int().min(0), length: z.int().min(1) }))
      .max(100),
    link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
  })
  .refine(
    ({ text: whole, entities }) => entities.every(({ offset, length }) => offset + length <= whole.length),
    'An entity ends beyond the text.',
  )

export const vendors: Record<Chat, z.ZodType> = {
  slack: Slack,
  discord: Discord,
  microsoft_teams: Teams,
  pagerduty: PagerDuty,
  telegram: Telegram,
}
