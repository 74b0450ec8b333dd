import type { z } from 'zod'
import { decodeBody, textOf } from '#checks/http/body.ts'
import type { HttpAnswer, HttpRequest } from '#checks/http/exchange.ts'
import { nextHop, redirectOf } from '#checks/http/redirect.ts'
import { hideSecrets } from '#checks/http/secrets.ts'
import { parseWebUrl, sendRequest } from '#checks/http/send.ts'
import { authorizationOf } from '#checks/http/settings.ts'
import type { Probe } from '#checks/probe.ts'
import { withPhases } from '#checks/with-phases.ts'
import { type Phases, RunFailure } from '#contract/check.ts'
import { evaluate } from './assertions.ts'
import { uptime } from './kind.ts'

type Settings = z.output<(typeof uptime)['settings']>
type Seen = z.input<(typeof uptime)['seen']>

const maxBodyBytes = 1_048_576
const excerptBytes = 4_096
const excerptChars = 500
const epoch = new Date(0)

/** A new connection for every run and every hop, each through the guard. */
export const probeUptime: Probe<typeof uptime> = async (target, settings, context) => {
  const start = performance.now()
  const phases: Phases = { dns: null, connect: null, tls: null, first_byte: null, total: null }
  try {
    const plan = planFor(target.url, settings)
    let { url, request } = plan
    let { method } = settings
    for (let redirects = 0; ; redirects++) {
      const { answer, address } = await sendRequest(url, request, settings, context, phases)
      const location = settings.follow_redirects ? redirectOf(answer) : undefined
      if (location === undefined) {
        phases.total = performance.now() - start
        const seen = plan.inspects ? await inspect(answer, redirects, settings, phases) : glance(answer, redirects)
        const isGood = uptime.judge(seen, settings, { at: epoch, phases }).status === 'up'
        return isGood
          ? { seen, phases, address }
          : { seen, phases, address, excerpt: await excerptOf(answer, settings) }
      }
      if (redirects >= settings.max_redirects)
        throw new RunFailure(
          'too_many_redirects',
          'first_byte',
          `The site redirected more than ${settings.max_redirects} times.`,
        )
      url = nextHop(url, location, { guard: context.guard, allowDowngrade: settings.allow_downgrade })
      if (answer.status === 303 ? method !== 'HEAD' : answer.status < 303 && method === 'POST') method = 'GET'
      request = requestFor(url, settings, { method, isOwn: url.origin === plan.url.origin })
    }
  } catch (error) {
    throw withPhases(error, phases, start)
  }
}

interface Plan {
  text: string
  url: URL
  /** Whether the body must be read, or status and headers are enough. */
  inspects: boolean
  request: HttpRequest
}

const plans = new WeakMap<Settings, Plan>()

/** The same settings recur with every run: their preparation is cached. */
function planFor(text: string, settings: Settings): Plan {
  const known = plans.get(settings)
  if (known?.text === text) return known
  const url = parseWebUrl(text)
  const inspects = readsBody(settings) || settings.assertions.length > 0
  const plan = { text, url, inspects, request: requestFor(url, settings, { method: settings.method, isOwn: true }) }
  plans.set(settings, plan)
  return plan
}

const readsBody = ({ keyword_present, keyword_absent, assertions }: Settings) =>
  keyword_present !== null ||
  keyword_absent !== null ||
  assertions.some(({ source }) => source === 'json' || source === 'body')

const harmless = new Set([
  'accept',
  'accept-language',
  'accept-encoding',
  'user-agent',
  'content-type',
  'cache-control',
])

function requestFor(url: URL, settings: Settings, { method, isOwn }: { method: string; isOwn: boolean }): HttpRequest {
  const headers = new Map([
    ['host', url.host],
    ['user-agent', 'Vedette (uptime check)'],
    ['accept', '*/*'],
    ['accept-encoding', 'gzip, deflate, br'],
  ])
  if (isOwn && settings.auth) headers.set('authorization', authorizationOf(settings.auth))
  for (const [name, value] of Object.entries(settings.headers)) {
    const lower = name.toLowerCase()
    if (isOwn || harmless.has(lower)) headers.set(lower, value)
  }
  const isAsSet = method === settings.method
  const body = settings.body !== null && isAsSet && method !== 'HEAD' ? Buffer.from(settings.body) : undefined
  if (body || method === 'POST' || method === 'PUT' || method === 'PATCH')
    headers.set('content-length', String(body?.length ?? 0))
  if (!isAsSet) headers.delete('content-type')
  headers.set('connection', 'close')
  const head =
    `${method} ${url.pathname}${url.search} ` +
    `HTTP/1.1\r\n${[...headers].map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`
  return {
    message: body ? Buffer.concat([Buffer.from(head, 'latin1'), body]) : head,
    isHead: method === 'HEAD',
    keepBytes: readsBody(settings) ? maxBodyBytes : excerptBytes,
    maxBytes: maxBodyBytes,
  }
}

/** The result without body and assertions, which is the case of most monitors. */
const glance = (answer: HttpAnswer, redirects: number): Seen => ({
  status: answer.status,
  redirects,
  bytes: answer.bytes,
  truncated: answer.truncated,
  content_type: answer.headers.contentType?.slice(0, 100) ?? null,
  found_present: null,
  found_absent: null,
  failed: [],
})

async function inspect(answer: HttpAnswer, redirects: number, settings: Settings, phases: Phases): Promise<Seen> {
  const { assertions, keyword_present, keyword_absent } = settings
  const decoded = readsBody(settings)
    ? await decodeBody(answer.body, answer.headers.get('content-encoding'), maxBodyBytes)
    : undefined
  const text = decoded ? textOf(decoded.body, answer.headers.contentType) : ''
  const json = assertions.some(({ source }) => source === 'json') ? parseJson(text) : undefined
  const response = { status: answer.status, headers: answer.headers, text, json, tookMs: phases.total ?? 0 }
  return {
    ...glance(answer, redirects),
    truncated: answer.truncated || Boolean(decoded?.truncated),
    found_present: keyword_present === null ? null : text.includes(keyword_present),
    found_absent: keyword_absent === null ? null : text.includes(keyword_absent),
    failed: assertions.flatMap((assertion, index) => {
      const { holds, actual } = evaluate(assertion, response)
      return holds ? [] : [{ index, actual: hideSecrets(actual, settings, 200) }]
    }),
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The beginning of the response for display: only if it is text, and without secrets that the target echoes. */
async function excerptOf(answer: HttpAnswer, settings: Settings): Promise<string> {
  const contentType = answer.headers.contentType
  if (
    contentType &&
    !/^(text\/|application\/([\w.-]+\+)?(json|xml)|application\/(javascript|xhtml\+xml|problem))/i.test(contentType)
  )
    return ''
  try {
    const { body } = await decodeBody(
      answer.body.subarray(0, excerptBytes),
      answer.headers.get('content-encoding'),
      excerptBytes,
    )
    return hideSecrets(textOf(body, contentType), settings, excerptBytes)
      .replace(/\p{Cc}+/gu, ' ')
      .slice(0, excerptChars)
  } catch {
    return ''
  }
}
