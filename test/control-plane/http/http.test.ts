import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { endpoints } from '#control-plane/endpoints.ts'
import { routesOf } from '#control-plane/http/route.ts'
import { app, countsAlone, given } from '#test/support/app.ts'

const { port } = new URL(app.baseUrl)

/** Says something raw and waits for whatever comes back until the connection closes or time is up. */
async function say(text: string, withinMs = 3_000): Promise<string> {
  const socket = connect(Number(port), '127.0.0.1')
  let received = ''
  socket.on('data', chunk => {
    received += chunk
  })
  socket.on('error', () => undefined)
  socket.write(text)
  await Promise.race([new Promise(resolve => socket.once('close', resolve)), sleep(withinMs)])
  socket.destroy()
  return received
}

describe('routes', () => {
  test('are exactly what the document describes', async () => {
    const { body } = await given.stranger().get('/api/v1/openapi.json')
    const described = Object.entries(body.paths as Record<string, object>).flatMap(([path, item]) =>
      Object.keys(item).map(method => `${method.toUpperCase()} ${path}`),
    )
    expect(described.sort()).toEqual(
      endpoints
        .flatMap(routesOf)
        .map(route => `${route.method} ${route.path}`)
        .sort(),
    )
    expect(body.openapi).toMatch(/^3\.1\./)
    expect(body.servers).toEqual([{ url: app.services.config.baseUrl, description: 'This installation' }])
  })

  test('report the limit of their class and the rest of it; a caller over it learns how long to wait', {
    timeout: 120_000,
  }, async () => {
    await countsAlone()
    const [reseller, stranger] = [await given.reseller(), given.stranger()]
    const team = await given.team(reseller)
    const inTeam = { headers: { 'X-Tenant-Id': team.tenantId } }
    for (const [limit, answer] of [
      [60, await stranger.get('/user')],
      [10, await stranger.post('/auth/token')],
      [120, await stranger.get(`/api/badges/${crypto.randomUUID()}`)],
      [300, await team.get('/plan')],
      [5, await team.post('/smtp-config/test')],
      [600, await reseller.get('/plan', inTeam)],
      [120, await reseller.get('/reseller/tokens/scopes')],
      [120, await reseller.get(`${team.path}/monitors`)],
    ] as const)
      expect(answer.headers.get('x-ratelimit-limit'), answer.text).toBe(String(limit))
    const rest = Array.from({ length: 118 }, () => reseller.get('/reseller/tokens/scopes'))
    expect(new Set((await Promise.all(rest)).map(({ status }) => status))).toEqual(new Set([200]))
    const { status, body, headers } = await reseller.get(team.path)
    expect([status, headers.get('x-ratelimit-remaining')]).toEqual([429, '0'])
    expect(body).toMatchObject({ message: 'Too many requests.', code: 'rate_limited' })
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await reseller.get('/plan', inTeam)).status).toBe(200)
  })

  test('in another spelling are not found, and never lead to another route', async () => {
    const caller = await given.tenant()
    for (const path of [
      '/api/v1//user',
      '/api/v1/%75ser/..',
      '/api/v1/user;x',
      '/api/v1/user/x',
      '/api/v1/user/',
      '/API/v2/user',
      '/api/v1/x',
      '//api/v1/user',
      '/api/v1/%2e%2e/user',
    ]) {
      const { status } = await caller.call('GET', path.startsWith('//') ? `/api/..${path}` : path)
      expect([400, 404, 405], path).toContain(status)
    }
    for (const header of ['X-HTTP-Method-Override', 'X-Method-Override'])
      expect((await caller.get('/user', { headers: { [header]: 'DELETE' } })).status).toBe(200)
  })

  test('answer 405 with the allowed methods to another method, and answer HEAD and OPTIONS', async () => {
    const caller = await given.tenant()
    const { status, body, headers } = await caller.call('PUT', '/user')
    expect(status).toBe(405)
    expect(body.message).toBeTruthy()
    expect(headers.get('allow')).toContain('GET')
    expect((await caller.call('OPTIONS', '/user')).status).toBe(200)
    expect((await caller.call('HEAD', '/user')).status).toBe(200)
  })

  test('every answer has its request id and the security headers', async () => {
    const { headers, body } = await given.stranger().get('/user', { headers: { 'X-Request-Id': 'my-own-request-1' } })
    expect(headers.get('x-request-id')).toBe('my-own-request-1')
    expect(body.request_id).toBe('my-own-request-1')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  test('the public listener serves health and no metrics', async () => {
    expect((await given.stranger().get('/api/../metrics')).status).toBe(404)
    expect((await fetch(`${app.baseUrl}/metrics`)).status).toBe(404)
    expect((await fetch(`${app.baseUrl}/healthz`)).status).toBe(200)
  })
})

describe('a listener that is abused', () => {
  test('answers a false or broken request with a 4xx', async () => {
    expect(await say('GET / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n')).toMatch(/^HTTP\/1.1 4/)
    expect(
      await say(
        'POST /api/v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      ),
    ).toMatch(/^HTTP\/1.1 4|^$/)
    expect(await say(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`)).toMatch(/^HTTP\/1.1 4/)
    const large = await say(
      `POST /api/v1/auth/token HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 10000000\r\n\r\n${'x'.repeat(70_000)}`,
    )
    expect(large).toMatch(/^HTTP\/1.1 413/)
  })

  test.concurrent('closes dripped connections within twelve seconds, and serves honest callers meanwhile', async () => {
    const dripping: Socket[] = []
    let closed = 0
    for (let i = 0; i < 300; i++) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.once('close', () => closed++)
      socket.resume()
      socket.write('GET /api/v1/user HTTP/1.1\r\nHost: a\r\nX-Slow: ')
      dripping.push(socket)
    }
    const drip = setInterval(() => {
      for (const socket of dripping) if (socket.writable) socket.write('x')
    }, 1_000)
    const caller = await given.tenant()
    const slowest = { ms: 0 }
    for (let i = 0; i < 40; i++) {
      const started = performance.now()
      expect((await caller.get('/user')).status).toBe(200)
      slowest.ms = Math.max(slowest.ms, performance.now() - started)
      await sleep(300)
    }
    clearInterval(drip)
    expect(closed).toBe(dripping.length)
    for (const socket of dripping) socket.destroy()
  }, 40_000)

  test.concurrent('goes on reading for a while after it has answered, and cuts off who never stops', async () => {
    const endless = (everyMs: number, piece: string) =>
      new Promise<{ received: string; ms: number }>(resolve => {
        const started = performance.now()
        const socket = connect(Number(port), '127.0.0.1')
        let received = ''
        socket.on('data', chunk => {
          received += chunk
        })
        socket.on('error', () => undefined)
        socket.write(
          'POST /api/v1/monitors HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
        )
        const sending = setInterval(
          () => socket.writableLength < 1_000_000 && socket.write(`${piece.length.toString(16)}\r\n${piece}\r\n`),
          everyMs,
        )
        socket.once('close', () => {
          clearInterval(sending)
          resolve({ received, ms: performance.now() - started })
        })
      })
    const [slow, swift] = await Promise.all([endless(100, 'x'), endless(1, 'x'.repeat(1_000_000))])
    for (const { received } of [slow, swift]) expect(received).toMatch(/^HTTP\/1.1 401 .*"code":"unauthenticated".*}$/s)
    expect(slow.ms).toBeGreaterThan(4_000)
    expect(slow.ms).toBeLessThan(15_000)
  }, 40_000)
})

describe('an answer that is given before its request is read', () => {
  const size = 5_000_000
  const chunked = (body: string) =>
    `Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const counted = (body: string) => `Content-Length: ${body.length}\r\n\r\n${body}`

  /** Like a client that reads nothing before it has sent everything. */
  async function sendThenRead(path: string, headers: string, body: string): Promise<string> {
    const socket = connect(Number(port), '127.0.0.1')
    socket.pause()
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject)
      socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}${body}`, error =>
        error ? reject(error) : resolve(),
      )
    })
    let received = ''
    for await (const chunk of socket) received += chunk
    return received
  }

  test.each([
    ['401', '/api/v1/monitors', 401, counted],
    ['401 in chunks', '/api/v1/monitors', 401, chunked],
    ['413 as announced', '/api/v1/auth/token', 413, counted],
    ['413 on the way', '/api/v1/auth/token', 413, chunked],
    ['404 to a ping', `/api/ping/${crypto.randomUUID()}`, 404, counted],
    ['404 to a ping in chunks', `/api/ping/${crypto.randomUUID()}`, 404, chunked],
    ['404', '/api/v1/nothing-here', 404, counted],
  ])('reaches a client that sends five megabytes first: %s', async (_, path, status, as) => {
    const answer = await sendThenRead(path, 'X-Forwarded-For: 198.51.100.7\r\n', as('x'.repeat(size)))
    const [head = '', text = ''] = answer.split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toMatch(/\r\nConnection: close/i)
    expect(Number(/Content-Length: (\d+)/i.exec(head)?.[1])).toBe(text.length)
    expect(JSON.parse(text)).toMatchObject({ message: expect.any(String), code: expect.any(String) })
  })
})
