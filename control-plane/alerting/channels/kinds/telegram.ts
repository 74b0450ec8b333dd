import { z } from 'zod'
import { channelKind, post } from './kind.ts'
import { cut, limits } from './limits.ts'
import { wordsOf } from './words.ts'

export const telegram = channelKind({
  type: 'telegram',
  config: z.object({
    bot_token: z.string().regex(/^\d{3,20}:[\w-]{20,100}$/, 'Must be a bot’s token.'),
    chat_id: z
      .union([z.string(), z.int().transform(String)])
      .pipe(z.string().regex(/^(-?\d{1,20}|@\w{4,64})$/, 'Must be the number of a chat, or the @name of a channel.')),
  }),
  secrets: ['bot_token'],
  urls: [],

  write(message, { bot_token, chat_id }, _, { telegram: base }) {
    const { title, lines } = wordsOf(message)
    const text = [title, ...lines.map(([label, value]) => `${label}: ${value}`)].join('\n')
    // without a parse mode nothing in a text is anything but text
    return post(`${base}/bot${bot_token}/sendMessage`, { chat_id, text: cut(text, limits.telegram.text), link_preview_options: { is_disabled: true } })
  },
})
