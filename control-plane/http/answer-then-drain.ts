import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'

/** Whoever goes on sending for longer, or more, is cut off. */
const most = { bytes: 16_777_216, ms: 5_000 }

/**
 * The text of an answer whose request was not read to the end, as a stream that ends once it is. To close at once would reset the
 * connection of a client that still sends, and with it what it has not read yet of the answer.
 */
export const answerThenDrain = (request: IncomingMessage, text: string): Readable =>
  Readable.from(sayThenRead(request, text))

async function* sayThenRead(request: IncomingMessage, text: string) {
  yield text
  if (request.complete || request.destroyed) return
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  const timer = setTimeout(end, most.ms)
  let left = most.bytes
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
