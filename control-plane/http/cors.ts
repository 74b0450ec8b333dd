import type { Endpoint } from './endpoint.ts'
import { idempotencyHeader } from './idempotency.ts'
import type { Route } from './route.ts'

/** What a page of another origin may send beside what every page may. */
const allowed = [
  'Authorization',
  'Content-Type',
  'If-Match',
  'If-None-Match',
  'Prefer',
  'X-Tenant-Id',
  'X-Request-Id',
  idempotencyHeader,
].join(', ')

/** What it may read beside what every page may; an endpoint’s own headers come on top. */
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
 * Pages of the origins that the operator names may call with a token what people and programs call with a token: that is all this opens.
 * Nothing is ever allowed with credentials that a browser adds by itself; there are none here.
 */
export const isOpenToPages = ({ guard }: Route): boolean => guard !== 'public' && guard !== 'server-agent'

/** Names and values in turn. Each answer varies by origin, also the one to a page that is refused. */
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

/** What a browser is told that asks before it calls. */
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
