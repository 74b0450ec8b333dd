import { z } from 'zod'
import { reading } from './fields.ts'
import { channelKind, post } from './kind.ts'
import { cut, cutLines, limits } from './limits.ts'
import { notificationFor } from './read.ts'

/** Breaks up mentions (@name) and commands (/name), except in addresses. */
const inert = (text: string) =>
  text.replace(/https?:\/\/\S+|(?<!\w)@(?=\w)|(?<=^|\s)\/(?=\w)/g, found =>
    found.length > 1 ? found : `${found}\u2060`,
  )

export const telegram = channelKind({
  type: 'telegram',
  config: z.object({
    bot_token: z.string().regex(/^\d{3,20}:[\w-]{20,100}$/, 'Must be a bot’s token.'),
    chat_id: z
      .union([z.string(), z.int().transform(String)])
      .pipe(z.string().regex(/^(-?\d{1,20}|@\w{4,64})$/, 'Must be the number of a chat, or the @name of a channel.')),
    ...reading,
  }),
  secrets: ['bot_token'],
  urls: [],

  write(message, { bot_token, chat_id, ...config }, sending) {
    const { heading, paragraphs, details, lists, buttons, note } = notificationFor(message, config, sending)
    const title = cut(inert(heading), 500)
    // the links are never cut
    const links = buttons.flatMap(({ label, url }) => ['', `${label}:`, url])
    const lines = [
      ...paragraphs.flatMap(text => ['', text]),
      ...(details.length > 0 ? [''] : []),
      ...details.map(({ label, value }) => `${label}: ${value}`),
      ...lists.flatMap(({ title, rows }) => [
        '',
        ...(title === '' ? [] : [`${title}:`]),
        ...rows.map(({ text, detail }) => `• ${text}${detail === '' ? '' : `: ${detail}`}`),
      ]),
      ...(note === '' ? [] : ['', note]),
    ].map(inert)
    const room = limits.telegram.text - title.length - links.join('\n').length - 2
    return post(`${sending.receivers.telegram}/bot${bot_token}/sendMessage`, {
      chat_id,
      text: [title, ...cutLines(lines, room), ...links].join('\n'),
      // without a parse mode Telegram finds no formats in the text
      entities: [{ type: 'bold', offset: 0, length: title.length }],
      link_preview_options: { is_disabled: true },
    })
  },
})
