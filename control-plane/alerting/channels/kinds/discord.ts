import { z } from 'zod'
import type { Tone } from '#control-plane/alerting/mail/templates/template.ts'
import { Address, reading } from './fields.ts'
import { channelKind, post } from './kind.ts'
import { cutEscaped, cutLines, limits } from './limits.ts'
import { escapeMarkdown } from './markdown.ts'
import { notificationFor } from './read.ts'

const { discord: most } = limits
const colors: Record<Tone, number> = { bad: 0xd92d20, good: 0x12894a, warning: 0xdc8a04, neutral: 0x667085 }
const isAddress = /^https?:\/\/\S+$/
/** An address alone is not escaped, as its link would lead elsewhere. */
const escapeText = (text: string) => (isAddress.test(text) ? text : escapeMarkdown(text, /[\\*_~`|<>[\]@]/g))
const linkTo = ({ label, url }: { label: string; url: string }) =>
  `[${escapeText(label)}](${url.replaceAll(')', '%29')})`

export const discord = channelKind({
  type: 'discord',
  config: z.object({ webhook_url: Address, ...reading }),
  secrets: ['webhook_url'],
  urls: ['webhook_url'],

  write(message, config, sending) {
    const { heading, paragraphs, details, lists, buttons, note, tone } = notificationFor(message, config, sending)
    const links = buttons.map(linkTo).join(' · ')
    // all texts of an embed share one limit: earlier texts and all links are kept
    let room = most.embed - links.length - 2
    const take = (text: string, length: number, escaped = escapeText) => {
      const kept = cutEscaped(text, Math.min(length, Math.max(0, room)), escaped)
      room -= kept.length
      return kept
    }
    const title = take(heading, most.title)
    const texts = paragraphs.map(text => take(text, 1_000))
    const fields = details.slice(0, most.fields).flatMap(({ label, value }) => {
      const field = {
        name: take(label, most.fieldName),
        value: take(value, most.fieldValue),
        inline: value.length <= 40,
      }
      return field.name !== '' && field.value !== '' ? [field] : []
    })
    // a footer is plain text, so it is not escaped
    const footer = take(note, most.footer, text => text)
    const rows = lists.flatMap(({ title, rows }) => [
      ...(title === '' ? [] : [`**${escapeText(title)}**`]),
      ...rows.map(({ text, detail }) => `• ${escapeText(text)}${detail === '' ? '' : `: ${escapeText(detail)}`}`),
    ])
    const before = texts.reduce((length, text) => length + text.length + 1, links.length + 2)
    const listed = cutLines(rows, Math.max(0, Math.min(room, most.description - before)))
    const description = [...texts, ...listed, links].filter(line => line !== '').join('\n')
    const startedAt = new Date(String(message.payload.timestamp))
    return post(config.webhook_url, {
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title,
          ...(buttons[0] && { url: buttons[0].url }),
          ...(description !== '' && { description }),
          color: colors[tone],
          fields,
          ...(footer !== '' && { footer: { text: footer } }),
          // Discord shows it in the reader's time zone
          ...(!Number.isNaN(startedAt.getTime()) && { timestamp: startedAt.toISOString() }),
        },
      ],
    })
  },
})
