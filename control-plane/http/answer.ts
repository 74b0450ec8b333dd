import type { IncomingMessage, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'

interface Answer {
  status: number
  /** Names and values in turn, as `writeHead` takes them. */
  headers: string[]
  body?: string | Buffer | undefined
}

/** A client that goes on sending for longer, or more, is disconnected. */
const drainLimit = { bytes: 16_777_216, ms: 5_000 }

/** Writes status, headers and body at once. */
export function writeAnswer(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: Answer,
): void {
  if (body !== undefined) headers.push('Content-Length', String(Buffer.byteLength(body)))
  if (!response.destroyed) response.writeHead(status, headers).end(method === 'HEAD' ? undefined : body)
}

/**
 * As `writeAnswer`, for a request whose body may not have been read to its end: what is left would be taken for the
 * next request, so the connection ends with this one. `isLast`: it ends in any case.
 */
export function writeRefusal(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body = '' }: Answer,
  { isLast = false } = {},
): void {
  const isUnread = !request.complete
  if (isUnread || isLast) headers.push('Connection', 'close')
  if (!isUnread || request.method === 'HEAD') {
    writeAnswer(request, response, { status, headers, body })
    return
  }
  if (response.destroyed) return
  headers.push('Content-Length', String(Buffer.byteLength(body)))
  response.writeHead(status, headers)
  pipeline(Readable.from(thenDrain(request, body)), response, () => undefined)
}

/**
 * To close at once would reset the connection of a client that still sends, and the client would lose the answer with
 * it.
 */
async function* thenDrain(request: IncomingMessage, body: string | Buffer) {
  yield body
  if (request.complete || request.destroyed) return
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const timer = setTimeout(end, drainLimit.ms)
  let left = drainLimit.bytes
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) end()
  })
  request.once('close', end)
  request.once('end', end)
  request.resume()
  await isOver
  clearTimeout(timer)
}
