import { z } from 'zod'
import { Address } from './fields.ts'
import { channelKind, post } from './kind.ts'
import { cut, limits } from './limits.ts'
import { wordsOf } from './words.ts'

/** Slack reads these three as its own; everything else in a plain text is text. */
const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const plain = (text: string) => ({ type: 'plain_text', text, emoji: false })

export const slack = channelKind({
  type: 'slack',
  config: z.object({ webhook_url: Address }),
  secrets: ['webhook_url'],
  urls: ['webhook_url'],

  write(message, { webhook_url }) {
    const { title, lines } = wordsOf(message)
    const fields = lines.slice(0, 10).map(([label, value]) => plain(cut(`${label}: ${value}`, limits.slack.field)))
    return post(webhook_url, {
      text: cut(escapeText(title), limits.slack.text),
      blocks: [{ type: 'header', text: plain(cut(title, limits.slack.header)) }, ...(fields.length > 0 ? [{ type: 'section', fields }] : [])],
    })
  },
})
