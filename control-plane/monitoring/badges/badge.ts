import { z } from 'zod'
import { Refusal } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { svg } from '#control-plane/http/reply.ts'
import type { Services } from '#control-plane/http/services.ts'
import { badgeCacheOf } from './cache.ts'
import { type Badge, unknownWords, wordsOf } from './draw.ts'

const hex = /^(?:[\da-f]{3}|[\da-f]{6})$/

/** Hex digits in their long form; whatever is not a colour is the default one. */
const color = (fallback: string, more = '') => {
  const standard = longForm(fallback)
  return z
    .string()
    .default(fallback)
    .transform(text => {
      const given = text.length <= 6 ? text.toLowerCase() : ''
      return hex.test(given) ? longForm(given) : standard
    })
    .meta({
      description: `Three or six hex digits, without #; ${fallback} when it is anything else. ${more}`.trim(),
      example: fallback,
    })
}
const longForm = (digits: string) => (digits.length === 3 ? [...digits].map(digit => digit + digit).join('') : digits)

const query = z.object({
  label_color: color('555'),
  text_color: color(
    'fff',
    'White gives way to black on a light label; on the colour of the message, so does what could not be read.',
  ),
  style: z
    .string()
    .default('default')
    .transform((text): Badge['style'] => (text === 'flat' ? 'flat' : 'default'))
    .meta({ description: 'default or flat; default when it is anything else.', example: 'default' }),
})

const headers = {
  'Cache-Control': 'public, max-age=60, s-maxage=300',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}
const returns = svg(headers)

const uuid = z.uuid()

interface Asked {
  params: { monitor: string }
  query: z.output<typeof query>
  services: Services
}

function drawn(words: ReturnType<typeof wordsOf>, { query, services }: Asked, form: Badge['form']) {
  const { style, label_color: labelColor, text_color: textColor } = query
  return badgeCacheOf(services).drawingOf({ form, style, labelColor, textColor, ...words })
}

function factsOf({ params, services }: Asked) {
  const id = params.monitor.toLowerCase()
  return uuid.safeParse(id).success ? badgeCacheOf(services).factsOf(id, services.clock.nowMs()) : null
}

/** Unknown, foreign and gone look alike, and may be kept as briefly as a badge. No page shows a broken picture. */
async function answer(asked: Asked, form: Badge['form']): Promise<string> {
  const facts = await factsOf(asked)
  if (facts) return drawn(wordsOf(facts), asked, form).text
  throw new Refusal(404, 'not_found', 'Monitor not found.', {
    headers: { ...headers, 'Cache-Control': 'public, max-age=60' },
    picture: drawn(unknownWords, asked, form).text,
  })
}

function known(asked: Asked, form: Badge['form']) {
  const facts = factsOf(asked)
  return facts && !(facts instanceof Promise) ? drawn(wordsOf(facts), asked, form) : undefined
}

/** Whatever else stands there is answered by a picture as well: of a monitor that nobody knows. */
const named = { monitor: z.string().meta({ format: 'uuid' }) }

export const largeBadge = endpoint({
  method: 'GET',
  path: '/badges/{monitor}',
  root: true,
  summary: 'Show the uptime of the last thirty days as a badge',
  description:
    'Reflects only the uptime check. A monitor without one, an unknown one and one of a deleted team are 404, with a grey badge that says unknown.',
  access: 'public',
  rate: 'badge',
  detached: true,
  named,
  query,
  returns,
  handle: asked => answer(asked, 'large'),
  knownAnswer: asked => known(asked, 'large'),
})

export const smallBadge = endpoint({
  method: 'GET',
  path: '/badges/{monitor}/small',
  root: true,
  operation: 'badges.getSmall',
  summary: 'Show the uptime of the last thirty days as a dot and a percentage',
  access: 'public',
  rate: 'badge',
  detached: true,
  named,
  query,
  returns,
  handle: asked => answer(asked, 'small'),
  knownAnswer: asked => known(asked, 'small'),
})
