import { z } from 'zod'
import { Address } from './fields.ts'
import { channelKind, post } from './kind.ts'
import { cut, limits } from './limits.ts'
import { type Tone, wordsOf } from './words.ts'

const colors: Record<Tone, number> = { bad: 0xd92d20, good: 0x12894a, warning: 0xdc8a04, neutral: 0x667085 }
const escapeText = (text: string) => text.replace(/[\\*_~`|>[\]()#@-]/g, '\\$&')

export const discord = channelKind({
  type: 'discord',
  config: z.object({ webhook_url: Address }),
  secrets: ['webhook_url'],
  urls: ['webhook_url'],

  write(message, { webhook_url }) {
    const { title, lines, tone } = wordsOf(message)
    return post(webhook_url, {
      allowed_mentions: { parse: [] },
      embeds: [
        {
          title: cut(escapeText(title), limits.discord.title),
          color: colors[tone],
          fields: lines.slice(0, limits.discord.fields).map(([label, value]) => ({
            name: label,
            value: cut(label === 'Address' ? value : escapeText(value), limits.discord.value / 3),
            inline: value.length <= 40,
          })),
        },
      ],
    })
  },
})
