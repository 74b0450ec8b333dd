import type { Language } from '#locales/languages.ts'
import type { MessageTemplate } from './templates/template.ts'
import { countOf, rowsOf, type Scope, type Source, type Voice, valueAt, voiceOf } from './voice.ts'

export interface Link {
  label: string
  url: string
}

/** The texts of a message. Each medium escapes and shortens them in its own way. */
export interface Content {
  subject: string
  heading: string
  paragraphs: string[]
  details: { label: string; value: string }[]
  lists: { title: string; isProse: boolean; rows: { text: string; detail: string }[] }[]
  buttons: Link[]
  note: string
}

/** A template with the place of its texts. */
export type Named<Template extends MessageTemplate = MessageTemplate> = Template & Source

const defaultRows = 50

/**
 * Fills the texts of a template. `data` is the cleaned data of the message; the template derives further values from
 * it.
 */
export function contentOf(template: Named, language: Language, data: Scope): Content {
  const scope = { ...data, ...template.derive?.(data, voiceOf(template, language, data)) }
  const voice = voiceOf(template, language, scope)
  const { say, find, show, fill } = voice
  const said = template.say?.(scope, voice) ?? {}
  const marked = (text: string) => (data.test === true ? say('test', { text }) : text)
  const heading = said.heading ?? say('heading')
  const subject = said.subject ?? find('subject') ?? (template.isBranded ? say('branded', { heading }) : heading)
  const keys = template.paragraphs ?? (find('text') === undefined ? [] : ['text'])
  const paragraphs = said.paragraphs ?? keys.map(key => (key.startsWith('{') ? fill(key) : say(key)))
  return {
    subject: marked(subject),
    heading: marked(heading),
    // the title of an incident often repeats the heading
    paragraphs: paragraphs.filter(text => text !== '' && text !== marked(heading)),
    details: (template.details ?? [])
      .map(field => ({
        label: find(`details.${field}`) ?? say(`labels.${field}`),
        value: show(field, scope[field]).trim(),
      }))
      .filter(({ label, value }) => label !== '' && value !== ''),
    lists: listsOf(template, voice, scope),
    buttons: Object.entries(said.buttons ?? template.buttons ?? {})
      .map(([key, field]) => linkOf(say(key), valueAt(scope, field)))
      .filter(link => link !== null),
    note: said.note ?? find('note') ?? '',
  }
}

function listsOf({ lists = [] }: MessageTemplate, { say, find }: Voice, scope: Scope): Content['lists'] {
  return lists.flatMap(({ of, count, most = defaultRows, isProse = false }) => {
    const all = rowsOf(scope[of])
    const kept = { title: say(`lists.${of}`), isProse }
    const none = find(`lists.${of}_none`)
    if (all.length === 0) return none ? [{ ...kept, rows: [{ text: none, detail: '' }] }] : []
    const rows = all
      .slice(0, most)
      .map(({ text, detail }) => ({ text: String(text ?? '').trim(), detail: String(detail ?? '').trim() }))
    const rest = Math.max(all.length, countOf(scope[count ?? ''])) - rows.length
    if (rest > 0) rows.push({ text: say('more', { rest }), detail: '' })
    return [{ ...kept, rows }]
  })
}

/** A link with a label and an address; null if one of them is empty or no address of the web. */
export function linkOf(label: string, address: unknown): Link | null {
  const url = label === '' || typeof address !== 'string' ? null : absolute(address.trim())
  return url === null ? null : { label, url }
}

/** An http or https address; null for any other text. */
export function absolute(text: string | null): string | null {
  const url = text ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}
