import type { Schemas } from '../api.ts'
import { linesOf } from '../parts/lines.ts'
import type { Channel } from './queries.ts'

export type Kind = Schemas['ChannelType']

export interface ConfigField {
  name: string
  isRequired: boolean
  /** `lines`: one value a line. `secret`: shown masked, and kept as long as the mask is sent back. */
  form: 'text' | 'url' | 'secret' | 'lines'
}

/** The settings of each kind of channel, in the order in which they are offered; `custom` has a form of its own. */
export const configFields: Record<Exclude<Kind, 'custom'>, readonly ConfigField[]> = {
  email: [{ name: 'recipients', isRequired: true, form: 'lines' }],
  webhook: [
    { name: 'url', isRequired: true, form: 'url' },
    { name: 'secret', isRequired: false, form: 'secret' },
  ],
  slack: [{ name: 'webhook_url', isRequired: true, form: 'secret' }],
  microsoft_teams: [{ name: 'webhook_url', isRequired: true, form: 'secret' }],
  discord: [{ name: 'webhook_url', isRequired: true, form: 'secret' }],
  telegram: [
    { name: 'bot_token', isRequired: true, form: 'secret' },
    { name: 'chat_id', isRequired: true, form: 'text' },
  ],
  pagerduty: [{ name: 'routing_key', isRequired: true, form: 'secret' }],
}

export const kinds: readonly Kind[] = [...(Object.keys(configFields) as Exclude<Kind, 'custom'>[]), 'custom']

/** What the fields of a form hold, by the name of the setting. */
export type Draft = Readonly<Record<string, string>>

/** Settings of a channel as texts of a form. Those of `custom` that are maps have keys such as `fields.topic`. */
export function draftOf(channel: { config: Channel['config'] | Record<string, unknown> } | null): Draft {
  const entries = Object.entries(channel?.config ?? {}).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [[name, value.join('\n')]]
    if (typeof value === 'object' && value !== null)
      return Object.entries(value).map(([key, text]) => [`${name}.${key}`, String(text)])
    return value === null || value === undefined ? [] : [[name, String(value)]]
  })
  return Object.fromEntries(entries)
}

/** Settings of a kind as the API takes them; an empty text is left out. */
export function configOf(kind: Exclude<Kind, 'custom'>, draft: Draft): Record<string, unknown> {
  const entries = configFields[kind].flatMap(({ name, form }) => {
    const text = draft[name]?.trim() ?? ''
    if (text === '') return []
    return [[name, form === 'lines' ? linesOf(text) : text]]
  })
  return Object.fromEntries(entries)
}

/** Settings of a `custom` channel: those of a preset, or of the caller. */
export function customConfigOf(preset: string | null, draft: Draft): Record<string, unknown> {
  const within = (prefix: string) =>
    Object.fromEntries(
      Object.entries(draft).flatMap(([name, text]) =>
        name.startsWith(`${prefix}.`) && text !== '' ? [[name.slice(prefix.length + 1), text]] : [],
      ),
    )
  const own = Object.fromEntries(
    ['url', 'method', 'content_type', 'body_template'].flatMap(name => (draft[name] ? [[name, draft[name]]] : [])),
  )
  return preset === null
    ? { ...own, headers: draft.headers === undefined ? within('headers') : headersOf(draft) }
    : { preset, ...pick(own, 'url'), fields: within('fields') }
}

const pick = (from: Record<string, unknown>, name: string) => (name in from ? { [name]: from[name] } : {})

/** Headers are written one a line, as in HTTP. */
function headersOf(draft: Draft): Record<string, string> {
  const lines = linesOf(draft.headers ?? '')
  return Object.fromEntries(
    lines.map(line => {
      const colon = line.indexOf(':')
      return colon === -1 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    }),
  )
}
