import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { Refusal } from '#control-plane/kernel/refusal.ts'
import { svg } from '#control-plane/kernel/reply.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { badgeCacheOf } from './cache.ts'
import { type Badge, wordsOf } from './draw.ts'
import type { BadgeFacts } from './facts.ts'

const hex = /^(?:[\da-f]{3}|[\da-f]{6})$/

/** Hex digits in their long form; whatever is not a colour is the default one. */
const color = (fallback: string) => {
  const standard = longForm(fallback)
  return z
    .string()
    .default(fallback)
    .transform(text => {
      const given = text.length <= 6 ? text.toLowerCase() : ''
      return hex.test(given) ? longForm(given) : standard
    })
    .meta({ description: `Three or six hex digits, without #; ${fallback} when it is anything else.`, example: fallback })
}
const longForm = (digits: string) => (digits.length === 3 ? [...digits].map(digit => digit + digit).join('') : digits)

const query = z.object({
  label_color: color('555'),
  text_color: color('fff'),
  style: z
    .string()
    .default('default')
    .transform((text): Badge['style'] => (text === 'flat' ? 'flat' : 'default'))
    .meta({ description: 'default or flat; default when it is anything else.', example: 'default' }),
})

const returns = svg({
  'Cache-Control': 'public, max-age=60, s-maxage=300',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
})

// unknown, foreign and gone are the same answer, which may be kept as briefly as a badge
const noBadge = () => new Refusal(404, 'not_found', 'Monitor not found.', { headers: { 'Cache-Control': 'public, max-age=60' } })

interface Asked {
  params: { monitor: string }
  query: z.output<typeof query>
  services: Services
}

function drawn(facts: BadgeFacts, { query, services }: Asked, form: Badge['form']) {
  return badgeCacheOf(services).drawingOf({ form, style: query.style, labelColor: query.label_color, textColor: query.text_color, ...wordsOf(facts) })
}

const factsOf = ({ params, services }: Asked) => badgeCacheOf(services).factsOf(params.monitor.toLowerCase(), services.clock.nowMs())

async function answer(asked: Asked, form: Badge['form']): Promise<string> {
  const facts = await factsOf(asked)
  if (!facts) throw noBadge()
  return drawn(facts, asked, form).text
}

function known(asked: Asked, form: Badge['form']) {
  const facts = factsOf(asked)
  return facts && !(facts instanceof Promise) ? drawn(facts, asked, form) : undefined
}

export const largeBadge = endpoint({
  method: 'GET',
  path: '/badges/{monitor}',
  root: true,
  summary: 'Show the uptime of the last thirty days as a badge',
  description: 'Reflects only the uptime check. A monitor without one, an unknown one and one of a deleted team are not found.',
  access: 'public',
  rate: 'badge',
  detached: true,
  query,
  returns,
  handle: asked => answer(asked, 'large'),
  known: asked => known(asked, 'large'),
})

export const smallBadge = endpoint({
  method: 'GET',
  path: '/badges/{monitor}/small',
  root: true,
  summary: 'Show the uptime of the last thirty days as a dot and a percentage',
  access: 'public',
  rate: 'badge',
  detached: true,
  query,
  returns,
  handle: asked => answer(asked, 'small'),
  known: asked => known(asked, 'small'),
})
