import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Exchange } from '#checks/http/exchange.ts'
import { RunFailure } from '#contract/check.ts'

/** Stands in for a socket: what is fed to it comes to the exchange as if read from the line. */
class Line extends EventEmitter {
  readonly #exchange: Exchange
  isOpen = true
  constructor(exchange: Exchange) {
    super()
    this.#exchange = exchange
  }
  write() {}
  destroy() {
    this.isOpen = false
  }
  feed(piece: Uint8Array) {
    const buffer = this.#exchange.onread.buffer
    if (typeof buffer === 'function') throw new Error('A buffer was expected.')
    buffer.set(piece)
    this.#exchange.onread.callback(piece.length, buffer)
  }
}

/** How an exchange ends that is fed these pieces and then hung up on. */
async function outcomeOf(pieces: Uint8Array[], { isHead = false, keepBytes = 100_000, maxBytes = 100_000 } = {}) {
  const exchange = new Exchange({ message: '', isHead, keepBytes, maxBytes })
  const line = new Line(exchange)
  const answer = exchange.run(line as unknown as Socket, new AbortController().signal)
  for (const piece of pieces) line.feed(piece)
  line.emit('end')
  const outcome = await answer.then(
    ({ status, body, bytes, truncated, headers }) => ({
      status,
      body: body.toString('latin1'),
      bytes,
      truncated,
      type: headers.get('content-type'),
    }),
    (error: unknown) => {
      if (!(error instanceof RunFailure)) throw error
      return { code: error.code, phase: error.phase }
    },
  )
  expect(line.isOpen, 'the connection is closed').toBe(false)
  return outcome
}

const split = (bytes: Uint8Array, at: number[]) => {
  const cuts = [0, ...at.map(cut => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  return cuts.slice(1).flatMap((cut, index) => (cut > (cuts[index] ?? 0) ? [bytes.subarray(cuts[index], cut)] : []))
}

const body = fc.string({ unit: 'binary-ascii', maxLength: 300 })
const chunked = (text: string, sizes: number[]) => {
  const chunks: string[] = []
  let rest = text
  for (const size of [...sizes, 10_000]) {
    const chunk = rest.slice(0, size)
    if (chunk) chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`)
    rest = rest.slice(size)
  }
  return `${chunks.join('')}0\r\n\r\n`
}

describe('an answer', () => {
  test('is the same however the line cuts it', async () => {
    const answers = fc.oneof(
      body.map(text => ({
        text,
        wire: `HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: ${text.length}\r\n\r\n${text}`,
      })),
      body.map(text => ({ text, wire: `HTTP/1.0 200\r\nCONTENT-TYPE:a/b\r\n\r\n${text}` })),
      fc.tuple(body, fc.array(fc.integer({ min: 1, max: 40 }))).map(([text, sizes]) => ({
        text,
        wire: `HTTP/1.1 103 Hints\r\n\r\nHTTP/1.1 200 OK\r\ncontent-type: a/b\r\nTransfer-Encoding: Chunked\r\n\r\n${chunked(text, sizes)}`,
      })),
    )
    await fc.assert(
      fc.asyncProperty(answers, fc.array(fc.nat()), async ({ text, wire }, cuts) => {
        const outcome = await outcomeOf(split(Buffer.from(wire, 'latin1'), cuts))
        expect(outcome).toEqual({ status: 200, body: text, bytes: text.length, truncated: false, type: 'a/b' })
      }),
      { numRuns: 1_000 },
    )
  })

  test('is never kept beyond the limit, nor read far beyond it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 400 }),
        fc.array(fc.nat()),
        fc.boolean(),
        async (size, cuts, isChunked) => {
          const text = 'x'.repeat(size)
          const wire = isChunked
            ? `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${chunked(text, [7, 50])}`
            : `HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${text}`
          const outcome = await outcomeOf(split(Buffer.from(wire), cuts), { keepBytes: 10, maxBytes: 200 })
          expect(outcome).toMatchObject({ status: 200, body: text.slice(0, 10) })
          if (size < 200) expect(outcome).toMatchObject({ bytes: size, truncated: false })
          if (size > 200) expect(outcome).toMatchObject({ truncated: true })
        },
      ),
      { numRuns: 500 },
    )
  })

  test('of any bytes at all ends in an answer or a failure, and in nothing else', async () => {
    const token = fc.constantFrom(
      'HTTP/1.1 200 OK\r\n',
      'HTTP/1.',
      '\r\n',
      '\n',
      '\r\n\r\n',
      'content-length: 5',
      'transfer-encoding: chunked',
      ': ',
      '5\r\nhello\r\n',
      '0\r\n',
      'ffffffffffff\r\n',
      '-1',
      'HTTP/1.1 100 \r\n\r\n',
      '\0',
    )
    const noise = fc
      .array(fc.oneof(token, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 20 })
      .map(parts => Buffer.from(parts.join(''), 'latin1'))
    await fc.assert(
      fc.asyncProperty(noise, fc.array(fc.nat()), async (bytes, cuts) => {
        const whole = await outcomeOf([bytes].filter(piece => piece.length))
        expect(await outcomeOf(split(bytes, cuts))).toEqual(whole)
      }),
      { numRuns: 3_000 },
    )
  })

  test('to HEAD ends with its head', async () => {
    expect(
      await outcomeOf([Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n')], { isHead: true }),
    ).toMatchObject({ status: 200, bytes: 0 })
  })
})
