import { z } from 'zod'
import { Address } from './fields.ts'
import { channelKind, post } from './kind.ts'
import { cut, limits } from './limits.ts'
import { type Tone, wordsOf } from './words.ts'

const colors: Record<Tone, string> = { bad: 'attention', good: 'good', warning: 'warning', neutral: 'default' }
const escapeText = (text: string) => text.replace(/[\\*_[\]]/g, '\\$&')

export const microsoftTeams = channelKind({
  type: 'microsoft_teams',
  config: z.object({ webhook_url: Address }),
  secrets: ['webhook_url'],
  urls: ['webhook_url'],

  write(message, { webhook_url }) {
    const { title, lines, tone } = wordsOf(message)
    const card = {
      $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
      type: 'AdaptiveCard',
      version: '1.4',
      body: [
        { type: 'TextBlock', size: 'large', weight: 'bolder', wrap: true, color: colors[tone], text: cut(escapeText(title), limits.teams.title) },
        { type: 'FactSet', facts: lines.map(([label, value]) => ({ title: label, value: cut(escapeText(value), limits.teams.value) })) },
      ],
    }
    return post(webhook_url, { type: 'message', attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card }] })
  },
})
