import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { parseAllowList } from '#egress/address.ts'
import { ForwardProxy } from '#egress/forward-proxy.ts'
import { Guard } from '#egress/guard.ts'
import { http, raw, tcp } from '#test/checks/servers.ts'
import { innerSpellings } from '#test/egress/spellings.ts'

const bounds = { maxBytes: 1_000_000, maxSockets: 50, idleMs: 5_000 }
const guard = new Guard(parseAllowList('127.0.0.1/32'))

let proxy: ForwardProxy
const open = async (changes: Partial<typeof bounds> = {}, by = guard) => {
  proxy = await ForwardProxy.open(by, { ...bounds, ...changes })
  return proxy
}
afterEach(() => proxy.close().catch(() => undefined))

/** Says these bytes to the proxy; what it says until `isEnough`, or until it hangs up. */
async function say(
  text: string,
  isEnough: (received: string) => boolean = () => false,
): Promise<{ received: string; socket: Socket }> {
  const socket = connect(proxy.port, '127.0.0.1')
  socket.on('error', () => undefined)
  let received = ''
  const done = new Promise<void>(resolve => {
    socket.on('data', chunk => {
      received += chunk.toString('latin1')
      if (isEnough(received)) resolve()
    })
    socket.on('close', () => resolve())
  })
  await once(socket, 'connect')
  socket.write(text)
  await done
  return { received, socket }
}
const get = async (url: string, headers = '') => {
  const { host } = new URL(url)
  return (await say(`GET ${url} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${headers}\r\n`)).received
}
const tunnel = (place: string, head = '') =>
  say(`CONNECT ${place} HTTP/1.1\r\nHost: ${place}\r\n\r\n${head}`, received => received.includes('\r\n\r\n'))
const statusOf = (received: string) => Number(received.split(' ')[1])

describe('the forward proxy', () => {
  test('forwards requests without hop-by-hop headers', async () => {
    let asked: { url?: string | undefined; headers: NodeJS.Dict<string | string[]>; body: string } | undefined
    await using site = await http((request, response) => {
      let body = ''
      request.on('data', chunk => (body += chunk))
      request.on('end', () => {
        asked = { url: request.url, headers: request.headers, body }
        response.writeHead(203, { 'set-cookie': ['a=1', 'b=2'], 'x-own': 'yes' }).end('the page')
      })
    })
    await open()
    const url = `http://127.0.0.1:${site.port}/a%20b?c=d`
    const { received } = await say(
      `POST ${url} HTTP/1.1\r\nHost: 127.0.0.1:${site.port}\r\nProxy-Connection: keep-alive\r\nProxy-Authorization: x\r\nX-Mine: 1\r\nContent-Length: 4\r\nConnection: close\r\n\r\nbody`,
    )
    expect(asked).toMatchObject({
      url: '/a%20b?c=d',
      headers: { host: `127.0.0.1:${site.port}`, 'x-mine': '1' },
      body: 'body',
    })
    expect(Object.keys(asked?.headers ?? {}).filter(name => name.startsWith('proxy-'))).toEqual([])
    expect(statusOf(received)).toBe(203)
    for (const part of ['set-cookie: a=1', 'set-cookie: b=2', 'x-own: yes', 'the page'])
      expect(received).toContain(part)
    expect([proxy.bytes, proxy.connections, proxy.refused]).toEqual([8, 1, 0])
  })

  test('tunnels data in both directions', async () => {
    await using echo = await tcp(socket => void socket.pipe(socket))
    await open()
    const { received, socket } = await tunnel(`127.0.0.1:${echo.port}`, 'early ')
    expect(received).toMatch(/^HTTP\/1\.1 200 /)
    let said = received.slice(received.indexOf('\r\n\r\n') + 4)
    socket.on('data', chunk => (said += chunk))
    socket.write('and late')
    await expect.poll(() => said).toBe('early and late')
    socket.destroy()
    await expect.poll(() => echo.sockets.size).toBe(0)
  })
})

describe('an internal address behind the forward proxy', () => {
  const inside = () => {
    const hits: string[] = []
    return {
      hits,
      open: () => http((request, response) => response.end(String(hits.push(request.url ?? ''))), '127.0.0.2'),
    }
  }

  test('is not reached in any notation by request or tunnel, and always gets the same response', async () => {
    const { hits, open: listen } = inside()
    await using canary = await listen()
    await open()
    // of names the resolver would be asked; that is for the guard's own tests
    const literals = innerSpellings().filter(host =>
      isIP(URL.parse(`http://${host}/`)?.hostname.replace(/^\[|\]$/g, '') ?? ''),
    )
    expect(literals.length).toBeGreaterThan(200)
    const asked = await Promise.all(
      [...literals, '127.0.0.2', '0x7f.0.0.2', '2130706434', '[::ffff:127.0.0.2]', '[64:ff9b::7f00:2]'].map(host =>
        get(`http://${host}:${canary.port}/`),
      ),
    )
    const tunnelled = await Promise.all(
      [...literals.map(host => `${host}:${canary.port}`), '127.0.0.2:1', '10.0.0.1:80', '127.0.0.1:1'].map(
        async place => (await tunnel(place)).received,
      ),
    )
    // a spelling that no request may hold is hung up on before it is read
    const words = (all: string[]) => new Set(all.filter(Boolean).map(received => received.replace(/date: .*\r\n/i, '')))
    expect([...words(asked)].map(statusOf)).toEqual([502])
    expect([...words(tunnelled)].map(statusOf)).toEqual([502])
    expect(hits).toEqual([])
    expect(proxy.failureOf(new URL(`http://127.0.0.2:${canary.port}/x`))?.code).toBe('blocked')
    expect(proxy.failureOf(new URL('http://127.0.0.1:1/'))?.code).toBe('refused')
    expect(proxy.failureOf(new URL('http://127.0.0.3/'))).toBeUndefined()
  })

  test('is not reached by a name that changes, nor by a name with a public and an internal address', async () => {
    const { hits, open: listen } = inside()
    await using canary = await listen()
    // allowed, and nothing listens there: on 127.0.0.1 another test may have the same port
    let asked = 0
    const lookup = async (host: string) =>
      host === 'mixed.test'
        ? ['127.0.0.3', '127.0.0.2'].map(address => ({ address, family: 4 }))
        : [{ address: asked++ % 2 ? '127.0.0.2' : '127.0.0.3', family: 4 }]
    await open({}, new Guard(parseAllowList('127.0.0.3/32'), { lookup }))
    for (let n = 0; n < 20; n++) {
      expect(statusOf(await get(`http://flips.test:${canary.port}/`))).toBe(502)
      expect(statusOf((await tunnel(`flips.test:${canary.port}`)).received)).toBe(502)
    }
    expect(statusOf(await get(`http://mixed.test:${canary.port}/`))).toBe(502)
    expect(hits).toEqual([])
    expect(proxy.failureOf(new URL(`http://mixed.test:${canary.port}/`))?.code).toBe('blocked')
  })
})

describe('the forward proxy limits', () => {
  test('bytes over all connections, and then connects to nothing more', async () => {
    await using endless = await tcp(socket => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(Buffer.alloc(65_536)));
      }
      socket.on('drain', more)
      more()
    })
    await open({ maxBytes: 3_000_000 })
    const tunnelled = await tunnel(`127.0.0.1:${endless.port}`)
    await get(`http://127.0.0.1:${endless.port}/`)
    await expect.poll(() => endless.sockets.size).toBe(0)
    expect(proxy.isFull).toBe(true)
    expect(proxy.bytes).toBeLessThan(3_000_000 + 200_000)
    await expect.poll(() => tunnelled.socket.destroyed || tunnelled.socket.readableEnded).toBe(true)
    expect(statusOf(await get(`http://127.0.0.1:${endless.port}/`))).toBe(502)
  })

  test('concurrent connections', async () => {
    await using quiet = await tcp(socket => void socket.resume())
    await open({ maxSockets: 2 })
    const place = `127.0.0.1:${quiet.port}`
    const [one, two] = [await tunnel(place), await tunnel(place)]
    expect([one, two].map(({ received }) => statusOf(received))).toEqual([200, 200])
    expect(statusOf((await tunnel(place)).received)).toBe(502)
    one.socket.destroy()
    await expect.poll(async () => statusOf((await tunnel(place)).received)).toBe(200)
    two.socket.destroy()
  })

  test('idle time, and closes silent connections', async () => {
    await using quiet = await tcp(socket => void socket.resume())
    await open({ idleMs: 300 })
    const { socket } = await tunnel(`127.0.0.1:${quiet.port}`)
    const asked = get(`http://127.0.0.1:${quiet.port}/`)
    await once(socket, 'close')
    await asked
    await expect.poll(() => quiet.sockets.size).toBe(0)
  })

  test('connections to its own lifetime: none stays open after close', async () => {
    await using quiet = await tcp(socket => void socket.resume())
    await open()
    const { socket } = await tunnel(`127.0.0.1:${quiet.port}`)
    const asked = get(`http://127.0.0.1:${quiet.port}/`)
    await expect.poll(() => quiet.sockets.size).toBe(2)
    await Promise.all([proxy.close(), once(socket, 'close'), asked])
    await expect.poll(() => quiet.sockets.size).toBe(0)
  })
})

test.each([
  ['for itself', 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['by https', 'GET https://127.0.0.1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['by ftp', 'GET ftp://127.0.0.1/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['for a file', 'GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ['for a tunnel to nowhere', 'CONNECT / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['for a tunnel without a host', 'CONNECT :80 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['for a tunnel to no port', 'CONNECT 127.0.0.1:99999 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['in no language', '\x16\x03\x01 noise\r\n\r\n'],
  ['at too great length', `GET http://127.0.0.1:1/ HTTP/1.1\r\nHost: x\r\n${'x: y\r\n'.repeat(50_000)}\r\n`],
])('a client that sends %s is refused and does no harm', async (_, text) => {
  await open()
  const { received } = await say(text, said => said.includes('\r\n\r\n'))
  expect(['', 502, 400, 431]).toContain(received && statusOf(received))
  expect(proxy.connections).toBe(0)
})

test.each([
  ['hangs up at once', ''],
  ['talks nonsense', 'nonsense\r\n\r\n'],
  ['answers with a header that may not be sent', 'HTTP/1.1 200 OK\r\nx-bad: a\x01b\r\n\r\nx'],
  ['answers with more headers than are read', `HTTP/1.1 200 OK\r\n${'x-flood: 1\r\n'.repeat(20_000)}\r\n`],
  ['breaks off half-way', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
])('a site that %s does no harm', async (_, answer) => {
  await using site = await raw(answer || Buffer.alloc(0))
  await open()
  await get(`http://127.0.0.1:${site.port}/`)
  await using well = await http((_, response) => response.end('well'))
  expect(await get(`http://127.0.0.1:${well.port}/`)).toContain('well')
})
