import type { Context } from 'koa'
import { writeAnswer } from '#control-plane/http/answer.ts'
import { compress, encodingFor, worthBytes } from '#control-plane/http/compress.ts'
import type { Endpoint } from '#control-plane/http/endpoint.ts'
import { isKnown, versionedEtagOf, versionOfRecord } from '#control-plane/http/etag.ts'
import { guarded } from '#control-plane/http/headers.ts'
import { isJson, type Reply } from '#control-plane/http/reply.ts'

export interface Answer {
  text: string
  /** The body in place of the text. */
  bytes?: Buffer
  /** In place of declared ones. */
  headers?: Readonly<Record<string, string>>
  parsed: unknown
  etag?: string
}

/** Answers that are always the same, rendered once. */
const constants = new WeakMap<object, Answer>()
/** The headers that all answers of a reply share. */
const commonHeaders = new WeakMap<Reply, string[]>()

/** The result of a handler as text. Only fields that the endpoint declares are part of it. */
export function render(endpoint: Endpoint, result: unknown): Answer {
  if (!endpoint.detached || typeof result !== 'object' || result === null || !Object.isFrozen(result))
    return serialize(endpoint, result)
  const known = constants.get(result)
  if (known) return known
  const answer = serialize(endpoint, result)
  constants.set(result, { ...answer, etag: versionedEtagOf(answer.text, answer.parsed) })
  return answer
}

function serialize({ returns, finish, stream }: Endpoint, result: unknown): Answer {
  if (returns.status === 204) return { text: '', parsed: undefined }
  if (finish || stream) return { text: '', parsed: result }
  const parsed = returns.schema.parse(result)
  return { text: isJson(returns) ? JSON.stringify(parsed) : String(parsed), parsed }
}

/** Sends an answer with its entity tag: 304 where the caller has it, compressed where that is worth it. */
export function send(context: Context, endpoint: Endpoint, answer: Answer, rawBodyType: string): void {
  const { method, returns } = endpoint
  const common = answer.headers ? guarded({ ...returns.headers, ...answer.headers }) : commonHeadersOf(returns)
  const headers = [...common, ...context.state.responseHeaders]
  if (returns.status === 204) {
    finish(context, 204, headers)
    return
  }
  const isCompressible = mayCompress(endpoint)
  if (isCompressible) headers.push('Vary', 'Accept-Encoding')
  if (method === 'GET' || versionOfRecord(answer.parsed) !== undefined) {
    const etag = answer.etag ?? versionedEtagOf(answer.text, answer.parsed)
    headers.push('ETag', etag)
    const seen = context.req.headers['if-none-match']
    if (method === 'GET' && seen !== undefined && isKnown(seen, etag)) {
      finish(context, 304, headers)
      return
    }
  }
  const encode = returns.alike?.[rawBodyType]
  if (encode) {
    headers.push('Content-Type', rawBodyType)
    finish(context, returns.status, headers, encode(answer.parsed))
    return
  }
  const isWorthIt = isCompressible && context.method !== 'HEAD' && answer.text.length >= worthBytes
  const encoding = isWorthIt ? encodingFor(context.req.headers['accept-encoding']) : undefined
  if (encoding) headers.push('Content-Encoding', encoding)
  headers.push('Content-Type', contentTypeOf(returns))
  finish(context, returns.status, headers, encoding ? compress(answer.text, encoding) : (answer.bytes ?? answer.text))
}

const neverCompressed: readonly Reply['type'][] = ['image/svg+xml', 'application/pdf', 'text/event-stream', 'text/html']

const contentTypeOf = ({ type }: Reply) =>
  type.endsWith('json') || ['text/calendar', 'text/csv', 'text/html'].includes(type) ? `${type}; charset=utf-8` : type

export function commonHeadersOf(returns: Reply): string[] {
  const known = commonHeaders.get(returns)
  if (known) return known
  const headers = guarded(returns.headers)
  commonHeaders.set(returns, headers)
  return headers
}

/** Badges are too short to be worth it, PDFs are compressed already, and previews are read once. */
const mayCompress = ({ method, returns, compress }: Endpoint) =>
  method === 'GET' && !neverCompressed.includes(returns.type) && compress !== false

/** Past Koa: it would set some twenty headers one by one, which costs more than finding out who calls. */
function finish(context: Context, status: number, headers: string[], body?: string | Buffer): void {
  context.respond = false
  writeAnswer(context.req, context.res, { status, headers, body })
}
