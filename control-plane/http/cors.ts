import type { Endpoint } from './endpoint.ts'
import { idempotencyHeader } from './idempotency.ts'
import type { Route } from './route.ts'

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
