import { z } from 'zod'
import { Refusal } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { svg } from '#control-plane/http/reply.ts'
import type { Services } from '#control-plane/http/services.ts'
import { badgeCacheOf } from './cache.ts'
import { type Badge, textOf, unknownText } from './draw.ts'

const hex = /^(?:[\da-f]{3}|[\da-f]{6})$/

/** Hex digits in their long form; anything else is the default colour. */
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
    'White becomes black on a light label. On the message, a colour with too little contrast becomes white or black.',
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

const uuid = z.regexes.uuid()

interface BadgeRequest {
  params: { monitor: string }
  query: z.output<typeof query>
  services: Services
}

function drawn(text: ReturnType<typeof textOf>, { query, services }: BadgeRequest, form: Badge['form']) {
  const { style, label_color: labelColor, text_color: textColor } = query
  return badgeCacheOf(services).drawingOf({ form, style, labelColor, textColor, ...text })
}

function factsOf({ params, services }: BadgeRequest) {
  const id = params.monitor.toLowerCase()
  return uuid.test(id) ? badgeCacheOf(services).statusOf(id, services.clock.nowMs()) : null
}

/** Unknown, foreign and deleted monitors get the same answer: 404 with a picture, so that no page shows a broken one. */
async function answer(request: BadgeRequest, form: Badge['form']): Promise<string> {
  const status = await factsOf(request)
  if (status) return drawn(textOf(status), request, form).text
  throw new Refusal(404, 'not_found', 'Monitor not found.', {
    headers: { ...headers, 'Cache-Control': 'public, max-age=60' },
    picture: drawn(unknownText, request, form).text,
  })
}

function cachedAnswer(request: BadgeRequest, form: Badge['form']) {
  const status = factsOf(request)
  return status && !(status instanceof Promise) ? drawn(textOf(status), request, form) : undefined
}

/** Any other text in its place is answered like an unknown monitor. */
const named = { monitor: z.string().meta({ format: 'uuid' }) }

export const largeBadge = endpoint({
  method: 'GET',
  path: '/badges/{monitor}',
  root: true,
  summary: 'Get a badge of the uptime of the last thirty days',
  description:
    'Reflects only the uptime check. A monitor without one, an unknown one and one of a deleted team are 404, with a ' +
    'grey badge with the text unknown.',
  access: 'public',
  rate: 'badge',
  detached: true,
  named,
  query,
  returns,
  handle: request => answer(request, 'large'),
  fromMemory: request => cachedAnswer(request, 'large'),
})

export const smallBadge = endpoint({
  method: 'GET',
  path: '/badges/{monitor}/small',
  root: true,
  operation: 'badges.getSmall',
  summary: 'Get a small badge of the uptime of the last thirty days',
  access: 'public',
  rate: 'badge',
  detached: true,
  named,
  query,
  returns,
  handle: request => answer(request, 'small'),
  fromMemory: request => cachedAnswer(request, 'small'),
})
