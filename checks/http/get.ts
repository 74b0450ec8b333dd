import { withPhases } from '#checks/with-phases.ts'
import { type Phases, RunFailure } from '#contract/check.ts'
import { decodeBody, textOf } from './body.ts'
import { Cookies } from './cookies.ts'
import type { AnswerHeaders, HttpRequest } from './exchange.ts'
import { isRedirect, nextHop, redirectOf } from './redirect.ts'
import { type ConnectionSettings, type Reach, sendRequest } from './send.ts'

export interface RequestOptions {
  /** Most bytes of the body, both encoded and decoded; the rest is not read. */
  maxBytes: number
  /** Sent with every request, in place of our header of the same name. Names in lower case. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Sent to the origin of the first request only. */
  secretHeaders?: Readonly<Record<string, string>> | undefined
  method?: 'GET' | 'HEAD' | undefined
  /** Receives the body of a successful response as it arrives, still encoded, instead of keeping it. */
  onBody?: HttpRequest['onBody'] | undefined
  /** Whether to read the body of a response; by default of every one but redirects. */
  wantsBody?: HttpRequest['wantsBody'] | undefined
  /** Whether a body that still comes when the time is over is cut there; else the request fails. */
  acceptsPart?: boolean | undefined
  /** Cookies of the walk so far: sent where they belong, and joined by those of the response. */
  cookies?: Cookies | undefined
  settings?: ConnectionSettings | undefined
}

/** One response. A redirect is a response too, with its body unread. */
export interface Page {
  url: URL
  status: number
  version: '1.0' | '1.1'
  tls: string | null
  untrusted: string | null
  headers: AnswerHeaders
  /** The redirect target, its bytes outside ASCII percent-encoded. */
  location: string | undefined
  /** The decoded body, at most `maxBytes`. */
  body: Buffer
  /** Bytes of the encoded body. */
  bytes: number
  truncated: boolean
  address: string
  phases: Phases
}

const strict: ConnectionSettings = { verify_tls: true, ip_version: 'any' }
const printable = /^[\t\x20-\x7e\x80-\xff]*$/
const isNoRedirect = (status: number) => !isRedirect(status)
const isSuccess = (status: number) => status >= 200 && status < 300

/**
 * Requests one address through the guard, without following redirects. Aborts with the signal; holds at most twice
 * `maxBytes`.
 */
export async function get(url: URL, context: Reach, options: RequestOptions): Promise<Page> {
  const start = performance.now()
  const phases: Phases = { dns: null, connect: null, tls: null, first_byte: null, total: null }
  try {
    const { method = 'GET', maxBytes, settings = strict, onBody, cookies, acceptsPart = false } = options
    const wantsBody = onBody ? isSuccess : (options.wantsBody ?? isNoRedirect)
    const request: HttpRequest = {
      message: messageOf(url, method, options),
      isHead: method === 'HEAD',
      keepBytes: onBody ? 0 : maxBytes,
      maxBytes: Math.max(1, maxBytes),
      // who wants no byte of the body waits for none
      wantsBody: (status, headers) => maxBytes > 0 && wantsBody(status, headers),
      acceptsPart: (_, isFlowing) => acceptsPart && isFlowing,
      ...(onBody && { onBody }),
    }
    const { answer, address, tls, untrusted } = await sendRequest(url, request, settings, context, phases)
    cookies?.store(answer.headers.each('set-cookie') ?? [], url)
    const decoded = await decodeBody(answer.body, answer.headers.get('content-encoding'), maxBytes)
    phases.total = performance.now() - start
    return {
      url,
      status: answer.status,
      version: answer.version,
      tls,
      untrusted,
      headers: answer.headers,
      location: redirectOf(answer),
      body: decoded.body,
      bytes: answer.bytes,
      truncated: answer.truncated || decoded.truncated,
      address,
      phases,
    }
  } catch (error) {
    throw withPhases(error, phases, start)
  }
}

export const textOfPage = (page: Page) => textOf(page.body, page.headers.contentType)

function messageOf(url: URL, method: 'GET' | 'HEAD', { headers, secretHeaders, cookies }: RequestOptions): string {
  const cookie = cookies?.headerFor(url, secretHeaders?.cookie) ?? secretHeaders?.cookie
  const all = {
    host: url.host,
    'user-agent': 'Vedette (monitoring)',
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
    ...headers,
    ...secretHeaders,
    ...(cookie && { cookie }),
    connection: 'close',
  }
  const lines = Object.entries(all).map(([name, value]) => {
    if (!printable.test(value))
      throw new RunFailure('unsupported', 'request', 'A header of the request cannot be sent.')
    return `${name}: ${value}\r\n`
  })
  return `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join('')}\r\n`
}

export type WalkEnd =
  | { code: 'arrived'; page: Page }
  /** Where the next hop would have led. */
  | { code: 'loop' | 'too_many'; url: URL }
  /** The hop failed. `to`: its target, if known. */
  | { code: 'failed'; failure: RunFailure; to: string }

export interface Walk {
  /** Every redirect response, in order. */
  redirects: Page[]
  end: WalkEnd
  phases: Phases
  /** Those that the responses have set. */
  cookies: Cookies
}

export interface WalkOptions extends RequestOptions {
  /** Most redirects followed. */
  maxHops: number
  allowDowngrade?: boolean | undefined
}

/**
 * Follows redirects, each hop checked by the guard, and reports every one. Cookies go along (RFC 6265), so that an
 * address which is asked for again with another cookie is no circle. Throws only when the first request fails.
 */
export async function walk(start: URL, context: Reach, options: WalkOptions): Promise<Walk> {
  const began = performance.now()
  const redirects: Page[] = []
  const been = new Set<string>()
  const cookies = options.cookies ?? new Cookies(context.now)
  const requestTo = (url: URL) => `${withoutHash(url)} ${cookies.headerFor(url)}`
  const done = (end: WalkEnd): Walk => ({
    redirects,
    end,
    phases: sumOf(redirects, end, performance.now() - began),
    cookies,
  })
  for (let url = start; ; ) {
    been.add(requestTo(url))
    let page: Page
    try {
      const isOwn = url.origin === start.origin
      page = await get(url, context, { ...options, cookies, secretHeaders: isOwn ? options.secretHeaders : undefined })
    } catch (error) {
      if (redirects.length === 0 || !(error instanceof RunFailure)) throw error
      return done({ code: 'failed', failure: error, to: withoutHash(url) })
    }
    if (page.location === undefined) return done({ code: 'arrived', page })
    redirects.push(page)
    try {
      url = nextHop(url, page.location, { guard: context.guard, allowDowngrade: options.allowDowngrade ?? true })
    } catch (error) {
      if (error instanceof RunFailure) return done({ code: 'failed', failure: error, to: page.location })
      throw error
    }
    if (been.has(requestTo(url))) return done({ code: 'loop', url })
    if (redirects.length > options.maxHops) return done({ code: 'too_many', url })
  }
}

/** As `walk`, but returns only the last response; every failure throws. */
export async function follow(start: URL, context: Reach, options: WalkOptions): Promise<Page & { redirects: number }> {
  const { redirects, end, phases } = await walk(start, context, options)
  switch (end.code) {
    case 'arrived':
      return { ...end.page, phases, redirects: redirects.length }
    case 'failed':
      end.failure.phases = phases
      throw end.failure
    case 'loop':
      throw new RunFailure('too_many_redirects', 'first_byte', 'The site redirects in a circle.', { phases })
    case 'too_many':
      throw new RunFailure(
        'too_many_redirects',
        'first_byte',
        `The site redirected more than ${options.maxHops} times.`,
        { phases },
      )
  }
}

function withoutHash(url: URL): string {
  const bare = new URL(url)
  bare.hash = ''
  return bare.href
}

function sumOf(redirects: readonly Page[], end: WalkEnd, total: number): Phases {
  const all = [
    ...redirects.map(page => page.phases),
    ...(end.code === 'arrived' ? [end.page.phases] : end.code === 'failed' ? [end.failure.phases] : []),
  ]
  const sum = (name: 'dns' | 'connect' | 'tls' | 'first_byte') => {
    const parts = all.flatMap(phases => phases[name] ?? [])
    return parts.length ? parts.reduce((one, other) => one + other, 0) : null
  }
  return { dns: sum('dns'), connect: sum('connect'), tls: sum('tls'), first_byte: sum('first_byte'), total }
}

/** An address without user and password, shortened for display. */
export const shownUrl = (text: string): string => withoutUser(text).slice(0, 500)

/** An address without user and password. */
export function withoutUser(text: string): string {
  const url = URL.parse(text)
  if (!url) return text
  url.username = ''
  url.password = ''
  return url.href
}
