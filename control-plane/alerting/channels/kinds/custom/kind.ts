import { join } from 'node:path'
import { z } from 'zod'
import { ProgramError, RunExceeded } from '#bounded/errors.ts'
import { boundedProgram } from '#bounded/program.ts'
import { reading } from '#control-plane/alerting/channels/kinds/fields.ts'
import { channelKind, UnwritableMessage } from '#control-plane/alerting/channels/kinds/kind.ts'
import { complete } from './complete.ts'
import { TemplateFailure, templateLimits, tooExpensive } from './engine.ts'
import { defaultBody, isOurs, presetNames } from './presets.ts'
import { validateTemplates } from './validate.ts'
import { valueDescriptions } from './value-names.ts'
import { valuesOf } from './values.ts'
import { requestOf, writeRequest } from './write.ts'
import type { run } from './write-program.ts'

/** Set by us or by the connection; `Content-Type` is a field of its own. */
const reservedHeaders = new Set(
  [
    'host content-length content-type transfer-encoding connection keep-alive upgrade te trailer expect user-agent',
    'proxy-authorization proxy-authenticate proxy-connection http2-settings date via',
  ].flatMap(names => names.split(' ')),
)
const mostEntries = 20

const HeaderName = z
  .string()
  .max(100)
  .regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/, 'Is not the name of a header.')
  .refine(name => !reservedHeaders.has(name.toLowerCase()), 'This header cannot be set.')
const mapOf = (name: z.ZodString, most: number) =>
  z.record(name, z.string().max(most)).refine(map => Object.keys(map).length <= mostEntries, {
    message: 'Must have at most {n} entries.',
    params: { n: mostEntries },
  })

const documented = Object.entries(valueDescriptions)
  .map(([name, text]) => (text === '' ? `\`${name}\`` : `\`${name}\`: ${text}`))
  .join('\n- ')

const writing = boundedProgram<typeof run>({
  name: 'channel_message',
  file: join(import.meta.dirname, 'write-program.ts'),
  queue: 'short',
  cpuMs: 200,
  wallMs: 20_000,
})

export const custom = channelKind({
  type: 'custom',
  config: z.object({
    preset: z
      .enum(presetNames)
      .nullish()
      .meta({ description: 'Fills in the fields that are not sent: `GET /notification-channels/presets`.' }),
    method: z.enum(['POST', 'PUT', 'PATCH', 'GET']).default('POST'),
    url: z
      .string()
      .min(1)
      .max(2_000)
      .refine(
        text => /^https?:\/\/[^\s\\{}/?#]+($|[/?#])/i.test(text) && !/[\\\p{Cc}]/u.test(text),
        'Must be an http or https address; only what follows its host may be a template.',
      )
      .meta({ description: 'What follows the host may be a template, whose values are percent-encoded.' }),
    headers: mapOf(HeaderName, 2_000)
      .default({})
      .meta({ description: 'Templates. A header whose template yields nothing is not sent.' }),
    content_type: z
      .string()
      .max(100)
      .regex(/^[\w.+-]+\/[\w.+-]+(; ?charset=utf-8)?$/i, 'Must be a media type, such as application/json.')
      .default('application/json'),
    body_template: z
      .string()
      .max(templateLimits.template)
      .default(defaultBody)
      .meta({
        description: `A Liquid template; JSON bodies use the filter \`json\` for each value. Values:\n- ${documented}`,
      }),
    fields: mapOf(z.string().regex(/^[a-z][a-z0-9_]{0,49}$/, 'Must be a name in small letters.'), 500)
      .default({})
      .meta({ description: 'Values for the templates that are stored encrypted, such as keys: `{{ fields.name }}`.' }),
    ...reading,
  }),
  secrets: ['url'],
  secretMaps: ['headers', 'fields'],
  urls: ['url'],
  complete,
  validate: validateTemplates,

  write(message, { fields, language, timezone, ...config }, sending) {
    const { bounded, tenantId } = sending.templating
    const [request, values] = [requestOf(config), valuesOf(message, { fields, language, timezone }, sending)]
    if (!isOurs(request))
      return bounded.run(writing, { request, values }, tenantId, { isPatient: true }).catch(error => {
        throw unwritable(error)
      })
    // our own templates take no turn
    try {
      return writeRequest(request, values)
    } catch (error) {
      throw unwritable(error)
    }
  },
})

function unwritable(error: unknown): unknown {
  if (error instanceof RunExceeded) return new UnwritableMessage(tooExpensive(error))
  const isFailure =
    error instanceof TemplateFailure || (error instanceof ProgramError && error.thrown === 'TemplateFailure')
  return isFailure ? new UnwritableMessage(error.message) : error
}
