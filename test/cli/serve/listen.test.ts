import { Agent, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test as plain } from 'vitest'
import { type Listening, type ListenOptions, listen } from '#cli/serve/listen.ts'

const large = Buffer.alloc(4_000_000, 'x')

/** A server of the test's own with its connections, all closed at the end. */
class Rig {
  readonly cuts: string[] = []
  readonly #sockets = new Set<Socket>()
  #server: Listening | undefined

  async serve(limits: ListenOptions['limits'] = {}): Promise<void> {
    this.#server = await listen({
      host: '127.0.0.1',
      port: 0,
      limits,
      onCut: reason => this.cuts.push(reason),
      handle(asked, answer) {
        if (asked.url === '/large') answer.end(large)
        else if (asked.url === '/stream') answer.writeHead(200).write('begun')
        else if (asked.url === '/body') asked.resume().once('end', () => answer.end('read'))
        else answer.end('ok')
      },
    })
  }

  get port(): number {
    return Number(new URL(this.#server?.url ?? '').port)
  }

  /** Opens a connection and sends this; returns what it received and whether it is closed. */
  async open(
    text = '',
    { localAddress = '127.0.0.1', reads = true } = {},
  ): Promise<{ socket: Socket; received: () => string; isClosed: () => boolean }> {
    let received = ''
    let isClosed = false
    const socket = connect({ port: this.port, host: '127.0.0.1', localAddress })
    this.#sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => {
      isClosed = true
    })
    if (reads) socket.on('data', bytes => (received += bytes))
    else socket.pause()
    await new Promise(resolve => socket.once('connect', resolve))
    if (text) socket.write(text)
    return { socket, received: () => received, isClosed: () => isClosed }
  }

  get(path = '/', localAddress = '127.0.0.1'): Promise<string> {
    return new Promise((resolve, reject) => {
      request({ port: this.port, host: '127.0.0.1', path, localAddress, agent: new Agent() }, answer => {
        let text = ''
        answer.setEncoding('utf8').on('data', part => (text += part))
        answer.once('end', () => resolve(text))
      })
        .once('error', reject)
        .end()
    })
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await this.#server?.close(0)
  }
}

const test = plain.extend('rig', async ({ task: _ }, { onCleanup }) => {
  const rig = new Rig()
  onCleanup(() => rig.close())
  return rig
})

const ask = (path: string, headers = '') => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`

describe('connections of one address', () => {
  test('stay as long as they are no more than its limit, and the one after them takes the place of the idlest', async ({
    rig,
  }) => {
    await rig.serve({ ofOneAddress: 5 })
    const first = await rig.open()
    const second = await rig.open(ask('/'))
    await expect.poll(second.received).toContain('ok')
    const others = [await rig.open(), await rig.open(), await rig.open()]
    await sleep(200)
    expect([first, second, ...others].map(({ isClosed }) => isClosed())).toEqual(Array(5).fill(false))
    expect(await rig.get()).toBe('ok')
    await expect.poll(first.isClosed).toBe(true)
    expect([second, ...others].map(({ isClosed }) => isClosed())).toEqual(Array(4).fill(false))
    expect(rig.cuts).toEqual(['address'])
  })

  test('a connection that asked for something a moment ago outlives those that have not', async ({ rig }) => {
    await rig.serve({ ofOneAddress: 3 })
    const [first, second] = [await rig.open(), await rig.open()]
    first.socket.write(ask('/'))
    await expect.poll(first.received).toContain('ok')
    for (let n = 0; n < 2; n++) await rig.open()
    await expect.poll(second.isClosed).toBe(true)
    expect(first.isClosed()).toBe(false)
  })

  test('a stream that we still write stays, when one that only half asked and one that reads nothing go', async ({
    rig,
  }) => {
    await rig.serve({ ofOneAddress: 3 })
    const stream = await rig.open(ask('/stream'))
    await expect.poll(stream.received).toContain('begun')
    const halves = [
      await rig.open('POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf'),
      await rig.open(ask('/large'), { reads: false }),
    ]
    await sleep(300)
    for (let n = 0; n < 2; n++) expect(await rig.get()).toBe('ok')
    await expect.poll(() => halves.map(({ isClosed }) => isClosed())).toContain(true)
    expect(stream.isClosed()).toBe(false)
  })

  test('when we work for all of them a newcomer is refused, and one of another address is not', async ({ rig }) => {
    await rig.serve({ ofOneAddress: 2 })
    const streams = [await rig.open(ask('/stream')), await rig.open(ask('/stream'))]
    for (const { received } of streams) await expect.poll(received).toContain('begun')
    await expect(rig.get()).rejects.toThrow(/hang up|ECONNRESET/)
    expect(await rig.get('/', '127.0.0.2')).toBe('ok')
    expect(streams.map(({ isClosed }) => isClosed())).toEqual([false, false])
  })
})

describe('connections of all addresses', () => {
  test('beyond their number take the place of the idlest: an honest caller is answered beside 600 that flood', async ({
    rig,
  }) => {
    await rig.serve({ inAll: 100 })
    const answers: string[] = []
    const stopped = new AbortController()
    const honest = (async () => {
      for (; !stopped.signal.aborted; await sleep(10)) answers.push(await rig.get('/', '127.0.0.9'))
    })()
    for (let n = 0; n < 600; n++) await rig.open(n % 2 ? ask('/') : '', { localAddress: `127.0.1.${n % 200}` })
    stopped.abort()
    await honest
    expect(answers.length).toBeGreaterThan(5)
    expect(new Set(answers)).toEqual(new Set(['ok']))
    // some of the last may still be closing
    await expect.poll(() => rig.cuts.length).toBeGreaterThanOrEqual(490)
  })
})

describe('a body on its way', () => {
  const post = 'POST /body HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n'

  test('is cut when it drips, and not when it is only slow', async ({ rig }) => {
    await rig.serve({ arrivingMs: 1_000, arrivingBytesPerS: 200 })
    const [dripping, slow] = [await rig.open(post), await rig.open(post)]
    const timer = setInterval(() => {
      dripping.socket.write('x')
      slow.socket.write('x'.repeat(100))
    }, 100)
    await expect.poll(dripping.isClosed, { timeout: 10_000 }).toBe(true)
    await expect.poll(slow.received, { timeout: 10_000 }).toContain('read')
    clearInterval(timer)
    expect(rig.cuts).toEqual(['slow'])
  })

  test('is cut when it is the oldest of too many; those that have arrived do not count', async ({ rig }) => {
    await rig.serve({ arriving: 3 })
    for (let n = 0; n < 5; n++) {
      const whole = await rig.open(post + 'x'.repeat(4_000))
      await expect.poll(whole.received).toContain('read')
    }
    expect(rig.cuts).toEqual([])
    const open: Awaited<ReturnType<Rig['open']>>[] = []
    for (let n = 0; n < 4; n++) open.push(await rig.open(post))
    await expect.poll(() => open.map(each => each.isClosed())).toEqual([true, false, false, false])
    expect(rig.cuts).toEqual(['slow'])
    expect(await rig.get()).toBe('ok')
  })
})

describe('a client that does not read', () => {
  test('and drips on is gone a second after it was refused', { timeout: 40_000 }, async ({ rig }) => {
    await rig.serve()
    const started = performance.now()
    const { socket, isClosed } = await rig.open('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ', { reads: false })
    const drip = setInterval(() => socket.write('x'), 500)
    await expect.poll(isClosed, { timeout: 30_000 }).toBe(true)
    clearInterval(drip)
    // ten seconds for its headers, one between two checks, one to read the refusal
    expect(performance.now() - started).toBeGreaterThan(9_500)
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  test('loses its connection when an answer has waited for long enough, and one that reads slowly does not', async ({
    rig,
  }) => {
    await rig.serve({ unreadMs: 1_000, unreadBytesPerS: 1_000_000 })
    const deaf = await rig.open(ask('/large').repeat(20), { reads: false })
    const slow = await rig.open(ask('/large', 'Connection: close\r\n'), { reads: false })
    const reading = setInterval(() => {
      slow.socket.resume()
      setTimeout(() => slow.socket.pause(), 20)
    }, 100)
    slow.socket.on('data', () => undefined)
    await expect.poll(() => rig.cuts, { timeout: 20_000 }).toEqual(['unread'])
    clearInterval(reading)
    slow.socket.resume()
    await expect.poll(slow.isClosed).toBe(true)
    expect(slow.socket.bytesRead).toBeGreaterThan(large.length)
    deaf.socket.destroy()
  })
})
