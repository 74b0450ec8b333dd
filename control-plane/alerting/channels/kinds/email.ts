import { z } from 'zod'
import { Recipient } from './fields.ts'
import { channelKind } from './kind.ts'
import { cut, limits } from './limits.ts'
import { wordsOf } from './words.ts'

export const email = channelKind({
  type: 'email',
  config: z.object({
    recipients: z
      .array(Recipient)
      .min(1)
      .max(50)
      .refine(all => new Set(all.map(each => each.toLowerCase())).size === all.length, 'Names an address twice.'),
  }),
  secrets: [],
  urls: [],

  write(message, { recipients }) {
    const { title, lines } = wordsOf(message)
    const text = [title, '', ...lines.map(([label, value]) => `${label}: ${value}`), ''].join('\n')
    return { recipients, subject: cut(title, limits.mail.subject), text: cut(text, limits.mail.text) }
  },
})
