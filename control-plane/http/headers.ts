import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'
import type { Context } from 'koa'
import type { Config } from '#control-plane/config.ts'
import type { Endpoint } from './endpoint.ts'
import { idempotencyHeader } from './idempotency.ts'
import type { Route } from './route.ts'
import { sessionOf } from './session-cookie.ts'

const secure = helmet({
  contentSecurityPolicy: { directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  crossOriginResourcePolicy: { policy: 'cross-origin' },
  strictTransportSecurity: false, // an operator's decision, and sent over https alone: see `hsts`
})

/** The security headers of every answer. Helmet returns the same each time, so they are computed once. */
export const guardHeaders: readonly (readonly [name: string, value: string])[] = collect()

/**
 * Security headers and declared headers, names and values in turn, as `writeHead` takes them. A declared header
 * replaces one of ours.
 */
export function guarded(declared: Readonly<Record<string, string>>): string[] {
  const headers = new Map(guardHeaders.map(([name, value]) => [name.toLowerCase(), [name, value]]))
  for (const [name, value] of Object.entries(declared)) headers.set(name.toLowerCase(), [name, value])
  return [...headers.values()].flat()
}

/** Sets the security headers, and the headers that earlier stages collected, on an answer of no endpoint. */
export function guard({ res, state }: Context): void {
  for (const [name, value] of guardHeaders) res.setHeader(name, value)
  const { responseHeaders } = state
  for (let at = 0; at < responseHeaders.length; at += 2) res.setHeader(responseHeaders[at], responseHeaders[at + 1])
}

function collect(): [string, string][] {
  const headers: [string, string][] = []
  const response = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  }
  secure({} as IncomingMessage, response as unknown as ServerResponse, () => undefined)
  return headers
}

/**
 * `Cache-Control` of an answer whose endpoint declares none. A browser keeps nothing of what it was shown: after the
 * sign-out the next person at the machine would find it. A program with a token may keep what it reads, for the entity
 * tag saves it the body, and asks each time whether that is still the answer. No cache that is shared keeps either.
 */
export const cachingOf = ({ method, headers }: IncomingMessage, config: Pick<Config, 'baseUrl'>): string =>
  (method === 'GET' || method === 'HEAD') && sessionOf(headers.cookie, config) === undefined
    ? 'private, no-cache'
    : neverKept

/** Of what is shown once, and of every refusal: it is true at this moment. */
export const neverKept = 'no-store'

/** Request headers of pages of other origins, beside those that CORS always allows. */
const allowed = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Prefer',
  'X-Tenant-Id',
  'X-Request-Id',
  idempotencyHeader,
].join(', ')

/** Response headers that such a page may read; the endpoint’s own are added. */
const exposed = [
  'Content-Language',
  'ETag',
  'Idempotency-Replayed',
  'Preference-Applied',
  'Retry-After',
  'WWW-Authenticate',
  'X-Ignored-Fields',
  'X-Ignored-Parameters',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-Request-Id',
]

/**
 * Pages of the origins that the operator configures may call every endpoint that needs a token of a user or program.
 * Credentials that a browser adds by itself are never allowed; the API has none.
 */
export const isOpenToPages = ({ guard }: Route): boolean =>
  guard !== 'public' && guard !== 'server-agent' && guard !== 'scim'

/** Names and values in turn. Every answer varies by origin, also that to a refused page. */
export function corsHeaders(
  origins: readonly string[],
  origin: string | undefined,
  { responseHeaders = {} }: Endpoint,
): string[] {
  if (origins.length === 0) return []
  if (origin === undefined || !origins.includes(origin)) return ['Vary', 'Origin']
  return [
    'Vary',
    'Origin',
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Expose-Headers',
    [...exposed, ...Object.keys(responseHeaders)].join(', '),
  ]
}

/** The headers of the answer to a preflight request. */
export function preflightHeaders(
  origins: readonly string[],
  origin: string | undefined,
  methods: readonly string[],
): Record<string, string> {
  if (origins.length === 0 || methods.length === 0) return {}
  if (origin === undefined || !origins.includes(origin)) return { Vary: 'Origin' }
  return {
    Vary: 'Origin',
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': methods.join(', '),
    'Access-Control-Allow-Headers': allowed,
    'Access-Control-Max-Age': '600',
  }
}
