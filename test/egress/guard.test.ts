import { once } from 'node:events'
import { type AddressInfo, connect as connectPlain, createServer, isIP, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { Agent, fetch } from 'undici'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { RunFailure } from '#contract/check.ts'
import { mayReach, parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { systemLookup } from '#egress/names.ts'
import { Authority } from '#test/checks/certificates.ts'
import { http, https } from '#test/checks/servers.ts'
import { a, aaaa, DnsServer, type Reply } from '#test/egress/dns-server.ts'
import { hostileUrls, innerSpellings } from '#test/egress/spellings.ts'

/** A server that must never be reached, on one address of loopback, or one that may, on another. */
async function listen(host: string, port = 0, answer = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecret') {
  const hits: string[] = []
  const server = createServer(socket => {
    hits.push(socket.remoteAddress ?? '')
    socket.on('error', () => {})
    socket.end(answer)
  })
  server.listen(port, host)
  await once(server, 'listening')
  return { server, hits, port: (server.address() as AddressInfo).port, close: () => server.close() }
}

const failureOf = async (promise: Promise<unknown>) => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof RunFailure)) throw new Error(`Expected a failure, got ${String(error)}`)
  return { code: error.code, phase: error.phase, message: error.message }
}

const settings = kinds.uptime.settings.parse({ timeout_ms: 3_000 })
const get = (guard: Guard, url: string) =>
  runCheck('uptime', { url }, settings, { guard, timeoutMs: 3_000, now: Date.now })

describe('internal addresses, in every notation', () => {
  const spellings = innerSpellings()
  let canary: Awaited<ReturnType<typeof listen>>
  let six: Server | undefined
  beforeAll(async () => {
    canary = await listen('0.0.0.0')
    // Where the machine has IPv6, the canary listens there as well.
    const server = createServer(socket => {
      canary.hits.push('six')
      socket.destroy()
    })
    server.on('error', () => {})
    server.listen(canary.port, '::1', () => {
      six = server
    })
  })
  afterAll(() => {
    canary.close()
    six?.close()
  })

  test('number at least three hundred', () => expect(spellings.length).toBeGreaterThanOrEqual(300))

  test('are refused when saved', () => {
    const guard = new Guard()
    const passed = spellings.filter(host => guard.refuseUrl(`http://${host}:8080/path`) === null)
    expect(passed).toEqual([])
    const asHosts = spellings.filter(host => guard.refuseHost(host.replace(/^\[|\]$/g, '')) === null)
    expect(asHosts).toEqual([])
    const asTargets = spellings.filter(host => guard.refuseUrl(`host://${host}`, { schemes: ['host'] }) === null)
    expect(asTargets).toEqual([])
  })

  test('are not reached by a run, nor by a connection to the bare notation', async () => {
    const guard = new Guard()
    const outcomes = new Map<string, number>()
    for (const host of spellings) {
      const { fault } = await get(guard, `http://${host}:${canary.port}/`)
      expect(fault, host).toBeDefined()
      outcomes.set(fault!.code, (outcomes.get(fault!.code) ?? 0) + 1)
      if (!/^[\w.-]*\.[a-z-]+\.?$/i.test(host))
        await expect(
          guard.connect({ host: host.replace(/^\[|\]$/g, ''), port: canary.port, signal: AbortSignal.timeout(200) }),
          host,
        ).rejects.toThrow()
    }
    expect(outcomes.get('blocked')).toBeGreaterThan(250)
    expect(canary.hits).toEqual([])
  }, 60_000)

  test('are not reached by requests of our own', async () => {
    const dispatcher = new Guard().dispatcher()
    const answers = await Promise.all(
      spellings
        .filter(host => isIP(host.replace(/^\[|\]$/g, '')) || /^[\d.x]+$/i.test(host))
        .map(host =>
          fetch(`http://${host}:${canary.port}/`, { dispatcher }).then(
            () => host,
            () => null,
          ),
        ),
    )
    expect(answers.filter(Boolean)).toEqual([])
    expect(canary.hits).toEqual([])
  })

  test('hostile URLs are refused when saved and reach nothing', async () => {
    const guard = new Guard()
    for (const url of hostileUrls(canary.port)) {
      expect(guard.refuseUrl(url), url).not.toBeNull()
      const { fault } = await get(guard, url)
      expect(fault, url).toBeDefined()
    }
    expect(canary.hits).toEqual([])
  })

  test('control: a guard that only checks lookups is bypassed', async () => {
    const agent = new Agent({ connect: { lookup: (_, __, done) => done(new Error('refused'), '', 4) } })
    const reached = await Promise.all(
      spellings
        .filter(host => host.includes('127') || host.includes('7f'))
        .map(host =>
          fetch(`http://${host}:${canary.port}/`, { dispatcher: agent, signal: AbortSignal.timeout(2_000) }).then(
            () => true,
            () => false,
          ),
        ),
    )
    const beaten = reached.filter(Boolean)
    expect(beaten.length).toBeGreaterThan(5)
    expect(canary.hits.length).toBeGreaterThanOrEqual(beaten.length)
    canary.hits.length = 0
  })
})

describe('public hosts', () => {
  test('are accepted when saved', () => {
    const guard = new Guard()
    const good = [
      'https://example.com',
      'http://example.com:8080/a?b=c#d',
      'https://münchen.example/',
      'http://8.8.8.8/',
      'https://[2606:4700::1111]/',
      'http://xn--mnchen-3ya.example',
      'http://a_b.example.com/',
      'https://localhost.example.com/',
    ]
    const hosts = [
      'example.com',
      'a-b.example.co.uk',
      '8.8.8.8',
      '[2606:4700::1111]',
      '100.128.0.1',
      '172.32.0.1',
      '192.169.1.1',
      '11.0.0.1',
      'xn--nxasmq6b.example',
      '1.example',
    ]
    const places = [
      '',
      '/',
      ':8443/hook',
      '/a/b/../c',
      '/%2e%2e/x',
      '?url=http://127.0.0.1/',
      '/x?to=10.0.0.1#127.0.0.1',
      '/localhost',
      ':65535',
      '/a@b:c',
      '/ünï?ß=ö',
    ]
    for (const scheme of ['https', 'HTTP'])
      for (const host of hosts) for (const place of places) good.push(`${scheme}://${host}${place}`)
    expect(good.length).toBeGreaterThan(200)
    for (const url of good) expect(guard.refuseUrl(url), url).toBeNull()
    for (const host of ['example.com', '8.8.8.8', '2606:4700::1111', 'EXAMPLE.com.'])
      expect(guard.refuseHost(host), host).toBeNull()
    expect(guard.refuseUrl('host://example.com', { schemes: ['http', 'https', 'host'] })).toBeNull()
    expect(guard.refuseUrl('host://2606:4700::1111', { schemes: ['host'] })).not.toBeNull()
    expect(guard.refuseUrl('host://[2606:4700::1111]', { schemes: ['host'] })).toBeNull()
  })

  test('are accepted with user name only where that is allowed', () => {
    const guard = new Guard()
    expect(guard.refuseUrl('https://user:pw@example.com/')).toBe('The URL must not contain a user name or password.')
    expect(guard.refuseUrl('https://user:pw@example.com/', { userinfo: true })).toBeNull()
    expect(guard.refuseUrl('https://user:pw@127.0.0.1/', { userinfo: true })).toBe('This address is not public.')
  })

  test('must have valid label lengths', () => {
    const guard = new Guard()
    for (const host of [
      '',
      '.',
      'a..b',
      `${'a'.repeat(64)}.com`,
      `${'a.'.repeat(130)}com`,
      'a b',
      'a/b',
      'a?b',
      'a#b',
      'a@b',
      'a:80',
      '-%',
    ])
      expect(guard.refuseHost(host), host).toBe('This is not a valid host.')
  })
})

describe('the allow list allows', () => {
  test('what it contains, as address and by name, and nothing else', async () => {
    const near = await listen('127.7.0.1')
    const guard = new Guard(parseAllowList('127.7.0.0/16'))
    expect(guard.refuseUrl(`http://127.7.0.1:${near.port}/`)).toBeNull()
    expect(guard.refuseUrl(`http://127.0.0.1:${near.port}/`)).not.toBeNull()
    expect(guard.refuseHost('localhost')).not.toBeNull()
    expect(new Guard(parseAllowList('127.0.0.0/8')).refuseHost('localhost')).toBeNull()
    const { socket, address, dnsMs, connectMs } = await guard.connect({ host: '127.7.0.1', port: near.port })
    expect(address).toBe('127.7.0.1')
    expect(dnsMs).toBeNull()
    expect(connectMs).toBeGreaterThan(0)
    socket.destroy()
    near.close()
  })
})

describe('names that change their address', () => {
  let outside: Awaited<ReturnType<typeof listen>>
  let inside: Awaited<ReturnType<typeof listen>>
  let server: DnsServer
  let guard: Guard
  const replies = new Map<string, (type: string, nth: number) => Reply>()

  beforeAll(async () => {
    outside = await listen('127.7.0.1')
    inside = await listen('127.0.0.1', outside.port)
    server = await DnsServer.open((name, type, nth) => replies.get(name)?.(type, nth) ?? 'nxdomain')
    guard = new Guard(parseAllowList('127.7.0.0/16'), { lookup: systemLookup({ servers: [server.address] }) })
  })
  afterAll(() => {
    outside.close()
    inside.close()
    server.close()
  })

  test('never reach an internal address in a thousand changes', async () => {
    replies.set('flip.example', (type, nth) =>
      type === 'A' ? a('flip.example', nth % 2 ? '127.0.0.1' : '127.7.0.1') : [],
    )
    const outcomes = { up: 0, blocked: 0 }
    for (let round = 0; round < 1_000; round++) {
      const { fault } = await get(guard, `http://flip.example:${outside.port}/`)
      if (!fault) outcomes.up++
      else if (fault.code === 'blocked') outcomes.blocked++
    }
    expect(outcomes).toEqual({ up: 500, blocked: 500 })
    expect(inside.hits).toEqual([])
    expect(server.count('flip.example', 'A'), 'one lookup for one connection').toBe(1_000)
  }, 60_000)

  test('control: checking the name and then connecting by name is bypassed', async () => {
    replies.set('naive.example', (type, nth) =>
      type === 'A' ? a('naive.example', nth % 2 ? '127.0.0.1' : '127.7.0.1') : [],
    )
    const lookup = systemLookup({ servers: [server.address] })
    const [checked] = await lookup('naive.example', 4)
    expect(checked?.address).toBe('127.7.0.1')
    const [used] = await lookup('naive.example', 4)
    const socket = connectPlain(outside.port, used!.address)
    await once(socket, 'connect')
    await once(socket.resume(), 'close')
    expect(inside.hits.length).toBe(1)
    inside.hits.length = 0
  })

  test('are refused when one of several addresses is internal', async () => {
    replies.set('mixed.example', type => (type === 'A' ? a('mixed.example', '127.7.0.1', '127.0.0.1') : []))
    expect(await failureOf(guard.connect({ host: 'mixed.example', port: outside.port }))).toEqual({
      code: 'blocked',
      phase: 'guard',
      message: 'The target is not a public address.',
    })
    replies.set('mixed6.example', type => (type === 'A' ? [] : aaaa('mixed6.example', '2606:4700::1', 'fd00::1')))
    expect((await failureOf(guard.connect({ host: 'mixed6.example', port: outside.port }))).code).toBe('blocked')
    expect(inside.hits).toEqual([])
  })

  test('are refused when their canonical name leads to an internal address', async () => {
    replies.set('alias.example', type =>
      type === 'A'
        ? [{ type: 'CNAME', name: 'alias.example', ttl: 0, data: 'in.example' }, ...a('in.example', '127.0.0.1')]
        : [],
    )
    expect((await failureOf(guard.connect({ host: 'alias.example', port: outside.port }))).code).toBe('blocked')
  })

  test('are queried once through an injected resolver, whose answers are checked', async () => {
    let asked = 0
    const lying = new Guard(parseAllowList('127.7.0.0/16'), {
      lookup: async () => {
        asked++
        return [{ address: '0x7f.1', family: 4 }]
      },
    })
    expect((await failureOf(lying.connect({ host: 'any.example', port: outside.port }))).code).toBe('blocked')
    expect(asked).toBe(1)
  })

  test('do not reveal whether an internal port is open, closed or unreachable', async () => {
    const strict = new Guard()
    const faults = await Promise.all(
      [`127.0.0.1:${inside.port}`, '127.0.0.1:1', '10.1.2.3:80', 'localhost:80', '[::1]:80', '169.254.169.254'].map(
        async host => (await get(strict, `http://${host}/`)).fault,
      ),
    )
    expect(new Set(faults.map(fault => JSON.stringify(fault))).size).toBe(1)
    expect(faults[0]).toEqual({ code: 'blocked', phase: 'guard', message: 'The target is not a public address.' })
  })

  test('yield a fault for each kind of failed resolution', async () => {
    replies.set('failing.example', () => 'servfail')
    replies.set('empty.example', () => [])
    replies.set('mute.example', () => 'silent')
    replies.set('halfill.example', type => (type === 'A' ? a('halfill.example', '127.7.0.1') : 'servfail'))
    replies.set('halfmute.example', type => (type === 'A' ? a('halfmute.example', '127.7.0.1') : 'silent'))
    const at = (host: string) => ({ host, port: outside.port, signal: AbortSignal.timeout(1_000) })
    expect(await failureOf(guard.connect(at('gone.example')))).toEqual({
      code: 'dns_not_found',
      phase: 'dns',
      message: 'The name does not exist.',
    })
    expect(await failureOf(guard.connect(at('empty.example')))).toEqual({
      code: 'dns_not_found',
      phase: 'dns',
      message: 'The name has no address.',
    })
    expect(await failureOf(guard.connect(at('failing.example')))).toMatchObject({ code: 'dns_failed', phase: 'dns' })
    expect(await failureOf(guard.connect(at('mute.example')))).toMatchObject({ code: 'dns_timeout', phase: 'dns' })
    for (const host of ['halfill.example', 'halfmute.example']) (await guard.connect(at(host))).socket.destroy()
    const closed = await DnsServer.open(() => 'nxdomain')
    const { address } = closed
    closed.close()
    const deaf = new Guard([], { lookup: systemLookup({ servers: [address] }) })
    expect(
      await failureOf(deaf.connect({ host: 'any.example', port: 80, signal: AbortSignal.timeout(8_000) })),
    ).toMatchObject({
      code: 'resolver_unavailable',
      phase: 'dns',
    })
  }, 20_000)

  test('are connected at the next address when the first is unreachable', async () => {
    replies.set('two.example', type => (type === 'A' ? a('two.example', '127.7.0.9', '127.7.0.1') : []))
    const { socket, address } = await guard.connect({ host: 'two.example', port: outside.port })
    expect(address).toBe('127.7.0.1')
    socket.destroy()
  })

  test('yield a fault for each kind of failed connection', async () => {
    expect(await failureOf(guard.connect({ host: '127.7.0.9', port: outside.port }))).toEqual({
      code: 'refused',
      phase: 'connect',
      message: 'The connection was refused.',
    })
    expect(
      await failureOf(guard.connect({ host: '127.7.0.1', port: outside.port, signal: AbortSignal.abort() })),
    ).toMatchObject({
      code: 'timeout',
      phase: 'connect',
    })
  })

  test('use only the requested address family', async () => {
    replies.set('four.example', type => (type === 'A' ? a('four.example', '127.7.0.1') : []))
    expect((await failureOf(guard.connect({ host: 'four.example', port: outside.port, family: 6 }))).code).toBe(
      'dns_not_found',
    )
    expect(await failureOf(guard.connect({ host: '127.7.0.1', port: outside.port, family: 6 }))).toEqual({
      code: 'dns_not_found',
      phase: 'dns',
      message: 'The target has no IPv6 address.',
    })
    const { socket } = await guard.connect({ host: 'four.example', port: outside.port, family: 4 })
    socket.destroy()
  })
})

test('the guard caches decisions about addresses within bounds', () => {
  const guard = new Guard()
  for (let number = 0; number < 30_000; number++)
    expect(guard.mayReach(`8.8.${number >> 8}.${number & 255}`)).toBe(mayReach(`8.8.${number >> 8}.${number & 255}`))
})

describe('requests of our own', () => {
  let authority: Authority
  let guard: Guard
  beforeAll(async () => {
    authority = await Authority.make()
    guard = new Guard(parseAllowList('127.7.0.0/16'), { ca: [authority.pem] })
  })
  const causeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'none',
      (error: Error) =>
        error.cause instanceof RunFailure
          ? error.cause.code
          : error.cause instanceof Error
            ? error.cause.name
            : error.name,
    )

  test('reach allowed hosts, over TLS as well', async () => {
    await using plain = await http((request, answer) => void request.pipe(answer), '127.7.0.1')
    await using secure = await https(
      await authority.issue({ addresses: ['127.7.0.1'] }),
      (_, answer) => answer.end('secure'),
      '127.7.0.1',
    )
    for (let round = 0; round < 3; round++) {
      const answer = await fetch(`http://127.7.0.1:${plain.port}/`, {
        method: 'POST',
        body: 'echo',
        dispatcher: guard.dispatcher(),
      })
      expect(await answer.text()).toBe('echo')
    }
    expect(await (await fetch(`https://127.7.0.1:${secure.port}/`, { dispatcher: guard.dispatcher() })).text()).toBe(
      'secure',
    )
  })

  test('refuse untrusted certificates', async () => {
    await using secure = await https(
      await (await Authority.make()).issue({ addresses: ['127.7.0.1'] }),
      (_, answer) => answer.end('secure'),
      '127.7.0.1',
    )
    expect(await causeOf(fetch(`https://127.7.0.1:${secure.port}/`, { dispatcher: guard.dispatcher() }))).toBe(
      'tls_failed',
    )
  })

  test('are not redirected to an internal address, even where redirects are followed', async () => {
    const inside = await listen('127.0.0.1')
    for (const status of [301, 302, 303, 307, 308]) {
      await using outside = await http(
        (_, answer) => void answer.writeHead(status, { location: `http://2130706433:${inside.port}/` }).end(),
        '127.7.0.1',
      )
      expect(await causeOf(fetch(`http://127.7.0.1:${outside.port}/`, { dispatcher: guard.dispatcher() }))).toBe(
        'blocked',
      )
    }
    expect(inside.hits).toEqual([])
    inside.close()
  })

  test('read no more than a megabyte', async () => {
    await using big = await http((_, answer) => void answer.end(Buffer.alloc(1_048_577)), '127.7.0.1')
    await using fitting = await http((_, answer) => void answer.end(Buffer.alloc(1_048_576)), '127.7.0.1')
    const read = async (port: number) =>
      (await (await fetch(`http://127.7.0.1:${port}/`, { dispatcher: guard.dispatcher() })).arrayBuffer()).byteLength
    expect(await read(fitting.port)).toBe(1_048_576)
    await expect(read(big.port)).rejects.toThrow()
  })
})

test.runIf(Object.values(networkInterfaces()).some(list => list?.some(({ address }) => address === '::1')))(
  'IPv6 is reached like IPv4 where it is allowed',
  async () => {
    const six = await listen('::1')
    const { seen, address } = await get(new Guard(parseAllowList('::1')), `http://[::1]:${six.port}/`)
    expect([seen?.status, address]).toEqual([200, '::1'])
    expect((await get(new Guard(), `http://[::1]:${six.port}/`)).fault?.code).toBe('blocked')
    expect(six.hits.length).toBe(1)
    six.close()
  },
)
