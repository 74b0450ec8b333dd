import { join } from 'node:path'
import { RunExceeded } from '#bounded/errors.ts'
import { boundedProgram } from '#bounded/program.ts'
import { events } from '#contract/events.ts'
import { publicReceivers, type Sending, type Templating } from '#control-plane/alerting/channels/kinds/kind.ts'
import { composeMessage } from '#control-plane/alerting/dispatch/message.ts'
import { presetOf } from './complete.ts'
import { tooExpensive } from './engine.ts'
import type { run } from './validate-program.ts'
import { valuesOf } from './values.ts'
import { type RequestTemplate, requestOf } from './write.ts'

type Config = RequestTemplate & { preset?: string | null | undefined; fields: Record<string, string> }
type Errors = Record<string, string[]>

const at = new Date('2026-01-15T08:30:05Z')
const sending: Omit<Sending, 'templating'> = {
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

/** One budget for all templates of a channel, with all samples. */
const validation = boundedProgram<typeof run>({
  name: 'channel_templates',
  file: join(import.meta.dirname, 'validate-program.ts'),
  queue: 'short',
  cpuMs: 300,
  wallMs: 20_000,
})

/** Tries the templates of a new configuration. */
export async function validateTemplates(config: Config, { bounded, tenantId }: Templating): Promise<Errors> {
  const errors: Errors = {}
  const names = Object.keys(config.headers)
  if (new Set(names.map(name => name.toLowerCase())).size < names.length) errors.headers = ['Names a header twice.']
  if (config.method === 'GET' && config.body_template !== '') errors.body_template = ['A GET request has no body.']
  const tried = samples.map(message => valuesOf(message, { fields: config.fields }, sending))
  try {
    const validated = await bounded.run(validation, { request: requestOf(config), tried }, tenantId)
    return { ...validated.errors, ...errors, ...missingFields(config, validated.used) }
  } catch (error) {
    if (!(error instanceof RunExceeded)) throw error
    return { ...errors, body_template: [tooExpensive(error)] }
  }
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
