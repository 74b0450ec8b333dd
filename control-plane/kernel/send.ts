import type { Context } from 'koa'
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
export function send(context: Context, { method, returns }: Endpoint, { text, parsed, etag: known }: Answer, givenType = ''): void {
  const headers = [...commonTo(returns), ...context.state.told]
  if (returns.status === 204) {
    finish(context, 204, headers)
    return
  }
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
  const body = encode ? encode(parsed) : text
  const type = returns.type === 'application/json' ? 'application/json; charset=utf-8' : returns.type
  headers.push('Content-Type', encode ? givenType : type, 'Content-Length', String(Buffer.byteLength(body)))
  finish(context, returns.status, headers, body)
}

function finish(context: Context, status: number, headers: string[], body?: string | Buffer): void {
  context.respond = false
  if (!context.res.destroyed) context.res.writeHead(status, headers).end(context.method === 'HEAD' ? undefined : body)
}
