import { events } from '#contract/events.ts'
import { publicReceivers, type Sending } from '#control-plane/alerting/channels/kinds/kind.ts'
import { composeMessage } from '#control-plane/alerting/dispatch/message.ts'
import { presetOf } from './complete.ts'
import { type Medium, parse, TemplateFailure, valuesUsed } from './engine.ts'
import { type Values, valueDescriptions, valuesOf } from './values.ts'
import { fillBody, fillHeader, fillUrl, type RequestTemplate } from './write.ts'

type Config = RequestTemplate & { preset?: string | null | undefined; fields: Record<string, string> }
type Errors = Record<string, string[]>

const at = new Date('2026-01-15T08:30:05Z')
const sending: Sending = {
  channelId: '00000000-0000-4000-8000-000000000000',
  attempt: { id: 'msg_00000000000000000000000000000000', at: at.getTime() / 1_000 },
  receivers: publicReceivers,
  home: { baseUrl: 'https://vedette.example.com', secretKey: 'the key of examples' },
}

/** What templates are tried with; the last has names that break a text without a filter. */
const samples = (
  [
    ['incident.created', {}],
    ['incident.resolved', {}],
    ['warning.ssl_expiring', {}],
    ['incident.created', { test: true }],
    ['incident.created', { monitor_name: '"Shop" \\ <b>&', title: '"Shop" \\ {{ x }}', cause: '"No"\\' }],
  ] as const
).map(([event, more]) => composeMessage({ event, at, payload: { ...events.get(event)?.example, ...more } }))

/** Tries the templates of a new configuration. */
export function vetTemplates(config: Config): Errors {
  const errors: Errors = {}
  const names = Object.keys(config.headers)
  if (new Set(names.map(name => name.toLowerCase())).size < names.length) errors.headers = ['Names a header twice.']
  if (config.method === 'GET' && config.body_template !== '') errors.body_template = ['A GET request has no body.']
  const tried: Values[] = samples.map(message => valuesOf(message, { fields: config.fields }, sending))
  const used: string[][] = []
  const tryOut = (field: string, medium: Medium, text: string, use: (values: Values) => void) => {
    try {
      const mine = valuesUsed(parse(medium, text))
      const unknown = mine.find(([name]) => name === undefined || !Object.hasOwn(valueDescriptions, name))
      if (unknown) throw new TemplateFailure(`There is no value named ${unknown[0]}.`)
      used.push(...mine)
      for (const values of tried) use(values)
    } catch (error) {
      if (!(error instanceof TemplateFailure)) throw error
      errors[field] = [error.message]
    }
  }
  tryOut('url', 'address', config.url, values => {
    if (URL.canParse(fillUrl(config.url, values))) return
    throw new TemplateFailure('The result is not an address.')
  })
  for (const [name, text] of Object.entries(config.headers))
    tryOut(`headers.${name}`, 'text', text, values => fillHeader(text, values))
  if (errors.body_template === undefined)
    tryOut('body_template', 'text', config.body_template, values => {
      const body = fillBody(config.body_template, values)
      if (config.method !== 'GET' && /[/+]json\b/.test(config.content_type)) refuseBadJson(body)
    })
  return { ...errors, ...missingFields(config, used) }
}

/** Fields that templates use and that were not given. */
function missingFields({ preset, fields }: Config, used: readonly string[][]): Errors {
  const known = presetOf(preset)?.fields ?? {}
  const missing = used.flatMap(([first, name]) =>
    first === 'fields' && name !== undefined && !Object.hasOwn(fields, name) && known[name]?.isRequired !== false
      ? [name]
      : [],
  )
  return Object.fromEntries(
    [...new Set(missing)].map(name => [`fields.${name}`, [`Is used by the template: ${known[name]?.label ?? name}.`]]),
  )
}

function refuseBadJson(body: string): void {
  try {
    JSON.parse(body)
  } catch (error) {
    const position = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1]
    const line = body.slice(0, position === undefined ? body.length : Number(position)).split('\n').length
    throw new TemplateFailure(
      `The result is not valid JSON (line ${line} of it). Is each value given to the filter json?`,
    )
  }
}
