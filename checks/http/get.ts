import type { Reach } from '#checks/probe.ts'
import { type Phases, RunFailure } from '#contract/check.ts'
import { ask, type Terms, withPhases } from './ask.ts'
import { decodeBody, textOf } from './body.ts'
import type { AnswerHeaders, HttpRequest } from './exchange.ts'
import { isRedirect, nextHop, redirectOf } from './redirect.ts'

export interface Wanted {
  /** Of the body, as it comes over the line and unpacked alike; what is beyond is not read. */
  maxBytes: number
  /** Sent with every request, in place of ours where the name is the same. Names in lower case. */
  headers?: Readonly<Record<string, string>> | undefined
  /** Sent to the origin that was asked first and to no other. */
  secretHeaders?: Readonly<Record<string, string>> | undefined
  method?: 'GET' | 'HEAD' | undefined
  /** Is handed the body of a good answer as it comes, still packed, instead of its being kept. */
  onBody?: HttpRequest['onBody'] | undefined
  terms?: Terms | undefined
}

/** One answer. A redirect is an answer too, its body unread. */
export interface Page {
  url: URL
  status: number
  version: '1.0' | '1.1'
  tls: string | null
  untrusted: string | null
  headers: AnswerHeaders
  /** Where a redirect leads, as it is written. */
  location: string | undefined
  /** The body unpacked, no more of it than was wanted. */
  body: Buffer
  /** Bytes of it that came over the line. */
  bytes: number
  truncated: boolean
  address: string
  phases: Phases
}

const strict: Terms = { verify_tls: true, ip_version: 'any' }
const printable = /^[\t\x20-\x7e\x80-\xff]*$/
const wantsBody = (status: number) => !isRedirect(status)
const isGood = (status: number) => status >= 200 && status < 300

/** Asks for one address, through the guard, and goes nowhere else. Ends with the signal; holds no more than `maxBytes` twice. */
export async function get(url: URL, reach: Reach, wanted: Wanted): Promise<Page> {
  const start = performance.now()
  const phases: Phases = { dns: null, connect: null, tls: null, first_byte: null, total: null }
  try {
    const { method = 'GET', maxBytes, terms = strict } = wanted
    const { onBody } = wanted
    const request: HttpRequest = {
      message: messageOf(url, method, wanted),
      isHead: method === 'HEAD',
      keepBytes: onBody ? 0 : maxBytes,
      maxBytes: Math.max(1, maxBytes),
      wantsBody: onBody ? isGood : wantsBody,
      ...(onBody && { onBody }),
    }
    const { answer, address, tls, untrusted } = await ask(url, request, terms, reach, phases)
    const unpacked = await decodeBody(answer.body, answer.headers.get('content-encoding'), maxBytes)
    phases.total = performance.now() - start
    return {
      url,
      status: answer.status,
      version: answer.version,
      tls,
      untrusted,
      headers: answer.headers,
      location: redirectOf(answer),
      body: unpacked.body,
      bytes: answer.bytes,
      truncated: answer.truncated || unpacked.truncated,
      address,
      phases,
    }
  } catch (error) {
    throw withPhases(error, phases, start)
  }
}

export const textOfPage = (page: Page) => textOf(page.body, page.headers.contentType)

function messageOf(url: URL, method: 'GET' | 'HEAD', { headers, secretHeaders }: Wanted): string {
  const all = {
    host: url.host,
    'user-agent': 'Vedette (monitoring)',
    accept: '*/*',
    'accept-encoding': 'gzip, deflate, br',
    ...headers,
    ...secretHeaders,
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
  /** The hop could not be made. `to`: where it should have led, as far as that can be said. */
  | { code: 'failed'; failure: RunFailure; to: string }

export interface Walk {
  /** Every answer that was a redirect, in order. */
  redirects: Page[]
  end: WalkEnd
  phases: Phases
}

export interface WalkWanted extends Wanted {
  /** Redirects followed at most. */
  maxHops: number
  allowDowngrade?: boolean | undefined
}

/** Goes where redirects lead, each hop vetted anew, and tells of every one. Fails only when the very first address cannot be had. */
export async function walk(start: URL, reach: Reach, wanted: WalkWanted): Promise<Walk> {
  const began = performance.now()
  const redirects: Page[] = []
  const been = new Set<string>()
  const done = (end: WalkEnd): Walk => ({ redirects, end, phases: sumOf(redirects, end, performance.now() - began) })
  for (let url = start; ; ) {
    been.add(withoutHash(url))
    let page: Page
    try {
      page = await get(url, reach, url.origin === start.origin ? wanted : { ...wanted, secretHeaders: undefined })
    } catch (error) {
      if (redirects.length === 0 || !(error instanceof RunFailure)) throw error
      return done({ code: 'failed', failure: error, to: withoutHash(url) })
    }
    if (page.location === undefined) return done({ code: 'arrived', page })
    redirects.push(page)
    try {
      url = nextHop(url, page.location, { guard: reach.guard, allowDowngrade: wanted.allowDowngrade ?? true })
    } catch (error) {
      if (error instanceof RunFailure) return done({ code: 'failed', failure: error, to: page.location })
      throw error
    }
    if (been.has(withoutHash(url))) return done({ code: 'loop', url })
    if (redirects.length > wanted.maxHops) return done({ code: 'too_many', url })
  }
}

/** As `walk`, for those to whom only the last answer matters: everything else is a failure. */
export async function follow(start: URL, reach: Reach, wanted: WalkWanted): Promise<Page & { redirects: number }> {
  const { redirects, end, phases } = await walk(start, reach, wanted)
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
        `The site redirected more than ${wanted.maxHops} times.`,
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

/** An address as it may be shown: what it says of users and passwords left out, and cut. */
export function shownUrl(text: string): string {
  const url = URL.parse(text)
  if (!url) return text.slice(0, 500)
  url.username = ''
  url.password = ''
  return url.href.slice(0, 500)
}
