import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { writeAnswer } from '#control-plane/http/answer.ts'
import { type Encoding, encodingFor, Packed, worthBytes } from '#control-plane/http/compress.ts'
import { isKnown } from '#control-plane/http/etag.ts'
import { guarded } from '#control-plane/http/headers.ts'

/** A document ready to be sent: its headers, and its bytes in each encoding that was asked for. */
export interface ReadyDocument {
  status: number
  etag: string
  headers: readonly string[]
  packed: Packed
  /** Text alone is compressed: pictures are already. */
  isText: boolean
  bytes: Map<Encoding, Buffer>
}

export const publicCaching = 'public, max-age=15, s-maxage=30, stale-while-revalidate=60, stale-if-error=86400'
export const privateCaching = 'private, no-store'

export interface Content {
  status?: number
  type: string
  /** Or the bytes of a picture. */
  text: string | Buffer
  etag?: string
  caching: string
  headers?: Record<string, string>
}

export function readyDocument({ status = 200, type, text, etag, caching, headers = {} }: Content): ReadyDocument {
  const tag = etag ?? `W/"${hash('sha1', text, 'base64url')}"`
  const body = typeof text === 'string' ? Buffer.from(text) : text
  return {
    status,
    etag: tag,
    headers: guarded({
      'Content-Type': type,
      'Cache-Control': caching,
      ETag: tag,
      Vary:
        caching === privateCaching ? 'Accept-Encoding, Accept-Language, Cookie' : 'Accept-Encoding, Accept-Language',
      ...headers,
    }),
    packed: new Packed(body),
    isText: typeof text === 'string',
    bytes: new Map(),
  }
}

/** Sends a document, or 304 to a reader that has it. A document is compressed once for each encoding. */
export function send(
  document: ReadyDocument,
  request: IncomingMessage,
  response: ServerResponse,
  more: readonly string[] = [],
): void | Promise<void> {
  const { status, etag, packed, isText, bytes } = document
  const known = request.headers['if-none-match']
  if (status === 200 && known !== undefined && isKnown(known, etag)) {
    response.writeHead(304, [...document.headers, ...more]).end()
    return
  }
  const header = request.headers['accept-encoding']
  const encoding =
    !isText || packed.plain.length < worthBytes
      ? undefined
      : encodingFor(Array.isArray(header) ? header.join() : header)
  if (encoding === undefined) return write(document, request, response, more, packed.plain)
  const ready = bytes.get(encoding)
  if (ready) return write(document, request, response, more, ready, encoding)
  return packed.by(encoding).then(body => {
    bytes.set(encoding, body)
    write(document, request, response, more, body, encoding)
  })
}

function write(
  { status, headers }: ReadyDocument,
  request: IncomingMessage,
  response: ServerResponse,
  more: readonly string[],
  body: Buffer,
  encoding?: Encoding,
): void {
  const sent = [...headers, ...more, ...(encoding === undefined ? [] : ['Content-Encoding', encoding])]
  writeAnswer(request, response, { status, headers: sent, body })
}
