import type { z } from 'zod'
import { decodeBody, textOf } from '#checks/http/body.ts'
import { Cookies } from '#checks/http/cookies.ts'
import type { AnswerHeaders, HttpAnswer, HttpRequest } from '#checks/http/exchange.ts'
import { isRedirect, nextHop, redirectOf } from '#checks/http/redirect.ts'
import { hideSecrets } from '#checks/http/secrets.ts'
import { parseWebUrl, sendRequest } from '#checks/http/send.ts'
import { authorizationOf } from '#checks/http/settings.ts'
import type { Probe } from '#checks/probe.ts'
import { withPhases } from '#checks/with-phases.ts'
import { type Phases, RunFailure } from '#contract/check.ts'
import { evaluate } from './assertions.ts'
import { isExpected, uptime } from './kind.ts'

type Settings = z.output<(typeof uptime)['settings']>
type Seen = z.input<(typeof uptime)['seen']>

const maxBodyBytes = 1_048_576
const excerptBytes = 4_096
const excerptChars = 500
const epoch = new Date(0)

/** A new connection for every run and every hop, each through the guard. Cookies go along redirects (RFC 6265). */
export const probeUptime: Probe<typeof uptime> = async (target, settings, context) => {
  const start = performance.now()
  const phases: Phases = { dns: null, connect: null, tls: null, first_byte: null, total: null }
  try {
    const plan = planFor(target.url, settings)
    let { url, request } = plan
    let { method } = settings
    let cookies: Cookies | undefined
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
      cookies ??= new Cookies(context.now)
      cookies.store(answer.headers.each('set-cookie') ?? [], url)
      url = nextHop(url, location, { guard: context.guard, allowDowngrade: settings.allow_downgrade })
      if (answer.status === 303 ? method !== 'HEAD' : answer.status < 303 && method === 'POST') method = 'GET'
      request = requestFor(url, settings, { method, isOwn: url.origin === plan.url.origin, cookies })
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

interface Hop {
  method: string
  /** Whether it goes to the origin of the monitor, which alone gets its secrets. */
  isOwn: boolean
  cookies?: Cookies
}

function requestFor(url: URL, settings: Settings, { method, isOwn, cookies }: Hop): HttpRequest {
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
  const cookie = cookies?.headerFor(url, headers.get('cookie'))
  if (cookie) headers.set('cookie', cookie)
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
    wantsBody: (status, headers) => {
      if (settings.follow_redirects && isRedirect(status)) return redirectOf({ status, headers }) === undefined
      return readsBody(settings) || !isStream(headers)
    },
    isEnough: async (body, status, headers) =>
      !isExpected(status, settings) || (readsBody(settings) && (await openIn(body, headers, settings)) === 'nothing'),
    acceptsPart: (headers, isFlowing) => isStream(headers) || (isFlowing && !mustEnd(headers)),
  }
}

/** Answers that go on for as long as the connection lasts. */
const isStream = ({ contentType = '' }: AnswerHeaders) =>
  /^(text\/event-stream|audio\/|video\/|application\/ogg|multipart\/x-mixed-replace)/i.test(contentType)

/**
 * Whether the body is one that ends: it has a length, or is a document, a style or a script, which are of no use before
 * their end. A server that drips them is down.
 */
const mustEnd = ({ framing, contentType = 'text/html' }: AnswerHeaders) =>
  framing.length !== undefined ||
  /^(text\/|image\/|font\/|[\w.-]+\/([\w.-]+\+)?(json|xml|javascript|pdf|xhtml\+xml))/i.test(contentType.trim())

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
  const decoded = readsBody(settings) ? await decode(answer.body, answer.headers) : undefined
  const text = decoded?.text ?? ''
  if (answer.isLate && isExpected(answer.status, settings) && openOf(text, settings) === 'more')
    throw new RunFailure('timeout', 'body', 'The answer did not end in time.')
  const json = assertions.some(({ source }) => source === 'json') ? parseJson(text) : undefined
  const headers = { get: (name: string) => answer.headers.text(name) }
  const response = { status: answer.status, headers, text, json, tookMs: phases.total ?? 0 }
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

async function decode(body: Buffer, headers: AnswerHeaders): Promise<{ text: string; truncated: boolean }> {
  const decoded = await decodeBody(body, headers.get('content-encoding'), maxBodyBytes)
  return { text: textOf(decoded.body, headers.contentType), truncated: decoded.truncated }
}

/**
 * What the rest of a body can still change: `nothing`; `forbidden`, as text may appear that must not, which can only be
 * said of what comes in time; or `more`, as text must still appear.
 */
type Open = 'nothing' | 'forbidden' | 'more'

const openIn = async (body: Buffer, headers: AnswerHeaders, settings: Settings): Promise<Open> =>
  openOf((await decode(body, headers)).text, settings)

function openOf(text: string, { keyword_present, keyword_absent, assertions }: Settings): Open {
  const ofBody = assertions.filter(({ source }) => source === 'body')
  const forbidden = [
    ...(keyword_absent === null ? [] : [keyword_absent]),
    ...ofBody.flatMap(({ comparison, target }) => (comparison === 'not_contains' ? [String(target)] : [])),
  ]
  if (forbidden.some(each => text.includes(each))) return 'nothing'
  const isOpen = ofBody.some(({ comparison, target }) => {
    if (comparison === 'contains') return !text.includes(String(target))
    if (comparison === 'not_empty' || comparison === 'is_empty') return text === ''
    return comparison !== 'not_contains'
  })
  if (isOpen || assertions.some(({ source }) => source === 'json')) return 'more'
  if (keyword_present !== null && !text.includes(keyword_present)) return 'more'
  return forbidden.length > 0 ? 'forbidden' : 'nothing'
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
