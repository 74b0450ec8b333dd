import type { Context } from 'koa'
import { compress, encodingFor, worthBytes } from './compress.ts'
import type { Endpoint } from './endpoint.ts'
import { isKnown, versionedEtagOf, versionOfRecord } from './etag.ts'
import { guarded } from './guard-headers.ts'
import type { Reply } from './reply.ts'

export interface Answer {
  text: string
  parsed: unknown
  etag?: string
}

/** What each reply's answers have in common. */
const common = new WeakMap<Reply, string[]>()

function commonTo(returns: Reply): string[] {
  const known = common.get(returns)
  if (known) return known
  const headers = guarded(returns.headers)
  common.set(returns, headers)
  return headers
}

/** Writes all headers at once: to set some twenty one by one, and have Koa look through them, costs more than finding out who asks. */
export function send(
  context: Context,
  endpoint: Endpoint,
  { text, parsed, etag: known }: Answer,
  givenType = '',
): void {
  const { method, returns } = endpoint
  const headers = [...commonTo(returns), ...context.state.told]
  if (returns.status === 204) {
    finish(context, 204, headers)
    return
  }
  const isCompressible = mayCompress(endpoint)
  if (isCompressible) headers.push('Vary', 'Accept-Encoding')
  if (method === 'GET' || versionOfRecord(parsed) !== undefined) {
    const etag = known ?? versionedEtagOf(text, parsed)
    headers.push('ETag', etag)
    const seen = context.req.headers['if-none-match']
    if (method === 'GET' && seen !== undefined && isKnown(seen, etag)) {
      finish(context, 304, headers)
      return
    }
  }
  const encode = returns.alike?.[givenType]
  const plain = encode ? encode(parsed) : text
  const isWorthIt =
    isCompressible && context.method !== 'HEAD' && typeof plain === 'string' && plain.length >= worthBytes
  const encoding = isWorthIt ? encodingFor(context.req.headers['accept-encoding']) : undefined
  if (encoding) headers.push('Content-Encoding', encoding)
  const body = encoding && typeof plain === 'string' ? compress(plain, encoding) : plain
  const type = returns.type === 'application/json' ? 'application/json; charset=utf-8' : returns.type
  headers.push('Content-Type', encode ? givenType : type, 'Content-Length', String(Buffer.byteLength(body)))
  finish(context, returns.status, headers, body)
}

/** Badges are shorter than is worth it. */
const mayCompress = ({ method, returns, compress }: Endpoint) =>
  method === 'GET' && returns.type !== 'image/svg+xml' && compress !== false

function finish(context: Context, status: number, headers: string[], body?: string | Buffer): void {
  context.respond = false
  if (!context.res.destroyed) context.res.writeHead(status, headers).end(context.method === 'HEAD' ? undefined : body)
}
