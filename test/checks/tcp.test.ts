import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { refuseSend } from '#checks/tcp/commands.ts'
import { noPhases } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { tcp as serve } from '#test/checks/servers.ts'

const { tcp } = kinds
const guard = new Guard(parseAllowList('127.0.0.0/8'))
type Wanted = Omit<z.input<typeof tcp.settings>, 'port'>

const probe = (port: number, settings: Wanted = {}, host = '127.0.0.1') =>
  runCheck('tcp', { url: `host://${host}` }, tcp.settings.parse({ ...settings, port }), {
    guard,
    timeoutMs: 400,
    now: Date.now,
  })

describe('judge', () => {
  test.each<[string, z.input<typeof tcp.seen>, Wanted, number, string]>([
    ['connected', { matched: null, banner: null }, {}, 5, 'up'],
    ['matched', { matched: true, banner: 'ok' }, { expect: 'ok' }, 5, 'up'],
    ['not matched', { matched: false, banner: 'no' }, { expect: 'ok' }, 5, 'banner_mismatch'],
    ['expected since, not seen yet', { matched: null, banner: null }, { expect: 'ok' }, 5, 'banner_mismatch'],
    ['as slow as allowed', { matched: null, banner: null }, { degraded_after_ms: 5 }, 5, 'up'],
    ['slower', { matched: null, banner: null }, { degraded_after_ms: 5 }, 6, 'slow'],
  ])('%s', (_, seen, settings, total, outcome) => {
    const verdict = tcp.judge(seen, tcp.settings.parse({ ...settings, port: 1 }), {
      at: new Date(),
      phases: { ...noPhases, total },
    })
    expect(verdict.code ?? verdict.status).toBe(outcome)
  })
})

test.each<[unknown, boolean]>([
  [{}, false],
  [{ port: 1 }, true],
  [{ port: 65_536 }, false],
  [{ port: 1, send: 'x'.repeat(1_024), expect: 'x'.repeat(255) }, true],
  [{ port: 1, send: 'x'.repeat(1_025) }, false],
  [{ port: 1, expect: 'x'.repeat(256) }, false],
  [{ port: 1, expect: '' }, false],
])('settings %#', (settings, isGood) => expect(tcp.settings.safeParse(settings).success).toBe(isGood))

test.each<[port: number, send: string | null, isAllowed: boolean]>([
  [25, null, true],
  [25, '', true],
  [25, 'EHLO status.example.com\r\nQUIT\r\n', true],
  [25, 'MAIL FROM:<a@example.com>\r\n', false],
  [25, 'EHLO x\r\nMAIL FROM:<a@example.com>\r\n', false],
  [25, 'EHLO x\nMAIL FROM:<a@example.com>', false],
  [25, 'EHLO x\rRCPT TO:<a@example.com>', false],
  [465, 'AUTH PLAIN AAAA\r\n', false],
  [587, 'VRFY root\r\n', false],
  [2525, 'DATA\r\n', false],
  [26, 'MAIL FROM:<a@example.com>\r\n', true],
  [21, 'NOOP\r\n', true],
  [21, 'PORT 10,0,0,1,0,25\r\n', false],
  [23, 'reboot\r\n', false],
  [6379, 'PING\r\n', true],
  [6379, 'ping\r\n', true],
  [6379, 'FLUSHALL\r\n', false],
  [6379, '*1\r\n$8\r\nFLUSHALL\r\n', false],
  [6380, 'SET a b\r\n', false],
  [11_211, 'stats\r\n', true],
  [11_211, 'flush_all\r\n', false],
  [6667, 'NICK x\r\n', false],
  [9100, 'a sheet of paper', false],
  [515, 'a sheet of paper', false],
  [80, 'GET / HTTP/1.0\r\n\r\n', true],
])('to port %i the text %j may be sent: %s', async (port, send, isAllowed) => {
  expect(refuseSend({ port, send }) === null).toBe(isAllowed)
  if (isAllowed) return
  const { fault } = await probe(port, { send })
  expect(fault).toMatchObject({ code: 'blocked', phase: 'guard', message: expect.stringContaining(String(port)) })
})

describe('a run', () => {
  test('at an open port times the connection', async () => {
    await using port = await serve(() => {})
    const result = await probe(port.port)
    expect(result.seen).toEqual({ matched: null, banner: null })
    expect(tcp.responseMs?.({ matched: null, banner: null }, result.phases)).toBe(result.phases.connect)
    expect(result.address).toBe('127.0.0.1')
  })

  test('waits for the banner, in pieces too', async () => {
    await using port = await serve(socket => {
      socket.write('220 mail.exa')
      setTimeout(() => socket.write('mple.com\x07 ESMTP\r\n'), 30)
    })
    expect((await probe(port.port, { expect: 'example.com' })).seen).toEqual({
      matched: true,
      banner: '220 mail.example.com  ESMTP',
    })
  })

  test('sends the configured text', async () => {
    await using port = await serve(socket =>
      socket.on('data', data => socket.write(String(data) === 'PING\r\n' ? '+PONG\r\n' : '-ERR\r\n')),
    )
    expect((await probe(port.port, { send: 'PING\r\n', expect: '+PONG' })).seen).toMatchObject({ matched: true })
  })

  test('receives another banner', async () => {
    await using port = await serve(socket => socket.end('421 go away\r\n'))
    expect((await probe(port.port, { expect: '220' })).seen).toEqual({ matched: false, banner: '421 go away' })
  })

  test('reads no more than four kilobytes', async () => {
    await using port = await serve(socket => socket.write('x'.repeat(1_000_000)))
    expect((await probe(port.port, { expect: 'y' })).seen).toEqual({ matched: false, banner: 'x'.repeat(256) })
  })

  test('receives nothing in time', async () => {
    await using port = await serve(socket => socket.write('almost'))
    const result = await probe(port.port, { expect: 'x' })
    expect(result.fault).toEqual({
      code: 'timeout',
      phase: 'first_byte',
      message: 'The expected text did not come in time.',
    })
    expect(result.excerpt).toBe('almost')
  })

  test('is reset', async () => {
    await using port = await serve(socket => setTimeout(() => socket.resetAndDestroy(), 20))
    expect((await probe(port.port, { expect: 'x' })).fault).toMatchObject({ code: 'reset', phase: 'first_byte' })
  })

  test('is refused, and blocked', async () => {
    const port = await serve(() => {})
    await port[Symbol.asyncDispose]()
    expect((await probe(port.port)).fault).toMatchObject({ code: 'refused', phase: 'connect' })
    for (const host of ['10.0.0.1', '[::1]', '0x0a.1', '167772161'])
      expect((await probe(80, {}, host)).fault, host).toMatchObject({ code: 'blocked', phase: 'guard' })
  })

  test('leaves no connection behind', async () => {
    await using port = await serve(socket => socket.on('data', () => {}))
    await Promise.all(Array.from({ length: 20 }, () => probe(port.port)))
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(port.sockets.size).toBe(0)
  })
})
