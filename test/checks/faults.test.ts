import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSecureContext, TLSSocket, type TlsOptions, Server as TlsServer } from 'node:tls'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import packet from 'dns-packet'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visit } from '#checks/crawl/visit.ts'
import { parseServers, Registries } from '#checks/domain-expiry/registries.ts'
import { kinds, type ProbedKindName } from '#checks/index.ts'
import { type RunResult, runCheck } from '#checks/probes.ts'
import { type CheckKind, judgeFault } from '#contract/check.ts'
import type { CrawlSettings } from '#contract/crawl.ts'
import { causeIn } from '#control-plane/alerting/notifications/causes.ts'
import { parseAllowList } from '#egress/address.ts'
import { type ConnectOptions, Guard, type TlsConnectOptions } from '#egress/guard.ts'
import { systemLookup } from '#egress/names.ts'
import { UnexpectedFaults } from '#probe-agent/unexpected-faults.ts'
import { Authority, type KeyAndCert } from '#test/checks/certificates.ts'
import { errorCodes, shortages } from '#test/checks/error-codes.ts'
import { type Local, raw, tcp } from '#test/checks/servers.ts'
import { DnsServer, type Reply } from '#test/egress/dns-server.ts'

/** Kinds that connect to the target, with settings that make them read its answer. */
const connecting = {
  uptime: { keyword_present: 'welcome' },
  ssl: {},
  tcp: { port: 1, expect: 'welcome' },
  ping: {},
  security_headers: {},
  redirect_chain: {},
  robots_txt: {},
  sitemap: {},
  application_health: {},
  dnsbl: {},
} as const satisfies Partial<Record<ProbedKindName, object>>
type Connecting = keyof typeof connecting
const names = Object.keys(connecting) as Connecting[]

const allow = parseAllowList('127.0.0.0/8')
const domains = () => new Registries({ own: parseServers('rdap http://127.0.0.1:1/r/ test\nwhois 127.0.0.1:1 test') })

const run = (name: ProbedKindName, url: string, settings: object, guard: Guard, timeoutMs = 2_000) =>
  runCheck(name, { url }, kinds[name].settings.parse({ timeout_ms: Math.max(1_000, timeoutMs), ...settings }), {
    guard,
    timeoutMs,
    now: Date.now,
    registries: domains(),
  })

/** What the customer reads of a run. */
function judge(name: ProbedKindName, settings: object, { seen, fault, phases }: RunResult) {
  const kind: CheckKind = kinds[name]
  return seen
    ? kind.judge(kind.seen.parse(seen), kind.settings.parse(settings), { at: new Date(), phases })
    : judgeFault(fault!)
}

/** The fault counts, and has words in both languages. */
function expectCounted(name: ProbedKindName, settings: object, result: RunResult, what: string) {
  const { status, reason } = judge(name, settings, result)
  expect(`${what}: ${status}`).not.toMatch(/: unknown$/)
  if (status === 'up') return
  expect(reason).toMatch(/^[A-Z].*\.$/)
  expect(causeIn('de', reason!), what).not.toBe(reason)
}

describe('an error of any code', () => {
  const codes = errorCodes()

  /** Every way out ends with this error. */
  class Failing extends Guard {
    constructor(error: unknown) {
      const fail = async () => {
        throw error
      }
      super(allow, { lookup: fail })
      Object.assign(this, { connect: fail, connectTls: fail, resolve: fail, resolveCodes: fail })
    }
  }

  test('is found in the tables of Node and undici', () => {
    expect(codes.length).toBeGreaterThan(350)
    for (const code of ['ECONNRESET', 'ESERVFAIL', 'Z_DATA_ERROR', 'HPE_INVALID_CHUNK_SIZE', 'UND_ERR_SOCKET'])
      expect(codes).toContain(code)
  })

  test.each(names)(
    'counts as the target’s where it ends a connection of %s, unless the machine itself says otherwise',
    async name => {
      for (const code of codes) {
        const error = Object.assign(new Error('secret of ours'), { code })
        for (const url of ['http://example.test/', 'https://example.test/']) {
          const result = await run(name, url, connecting[name], new Failing(error))
          expect(result.fault?.message, code).not.toContain('secret')
          // a machine may lack the program
          if (name === 'ping' && result.fault?.code === 'unsupported') continue
          if (shortages.has(code) || /ERROR_ALLOC_/.test(code))
            expect([code, result.fault?.code]).toEqual([code, 'overloaded'])
          else expectCounted(name, connecting[name], result, code)
        }
      }
    },
    120_000,
  )

  test('that has none, or is no error at all, counts as the target’s', async () => {
    for (const thrown of [
      new TypeError('x'),
      new RangeError('x'),
      new DOMException('x', 'AbortError'),
      'text',
      null,
      undefined,
      {},
    ])
      for (const name of names.filter(each => each !== 'ping'))
        expectCounted(
          name,
          connecting[name],
          await run(name, 'http://example.test/', connecting[name], new Failing(thrown)),
          String(thrown),
        )
  })

  test('of a registry is no fault of the agent', async () => {
    for (const code of codes) {
      const { fault } = await run(
        'domain_expiry',
        'http://example.test/',
        {},
        new Failing(Object.assign(new Error(), { code })),
      )
      expect([code, fault]).toEqual([code, undefined])
    }
  })

  test('breaks a link that is crawled, and no crawl', async () => {
    const settings: CrawlSettings = {
      start: 'http://example.test/',
      include_subdomains: false,
      max_depth: 5,
      requests_per_second: 2,
      concurrency: 1,
      respect_nofollow: true,
      check_external: true,
      check_assets: true,
      page_timeout_ms: 1_000,
      max_page_bytes: 100_000,
      ignore: [],
      tolerated_status: [],
    }
    for (const code of codes.filter(each => !shortages.has(each))) {
      const seen: unknown[] = []
      const context = {
        guard: new Failing(Object.assign(new Error(), { code })),
        signal: AbortSignal.timeout(2_000),
        now: Date.now,
        onUnexpected: (error: unknown) => seen.push(error),
      }
      const { fault } = await visit({ url: 'http://example.test/', kind: 'page' }, settings, context)
      expect(fault, code).not.toBeNull()
      expect(seen).toHaveLength(fault === 'unexpected' ? 1 : 0)
    }
  })

  /** The connection is made, and ends with this error before an answer comes. */
  class Breaking extends Guard {
    readonly #error: Error
    constructor(error: Error) {
      super(allow)
      this.#error = error
    }
    override async connect(options: ConnectOptions) {
      const connected = await super.connect(options)
      setImmediate(() => connected.socket.destroy(this.#error))
      return connected
    }
    override async connectTls(options: TlsConnectOptions) {
      const connected = await super.connectTls(options)
      setImmediate(() => connected.socket.destroy(this.#error))
      return connected
    }
  }

  test.each(names.filter(name => !['ssl', 'ping', 'dnsbl'].includes(name)))(
    'counts as the target’s where it ends an open connection of %s',
    async name => {
      await using silent = await tcp(socket => void socket.resume())
      for (const code of codes.filter(each => !shortages.has(each) && !/ERROR_ALLOC_/.test(each))) {
        const settings = name === 'tcp' ? { ...connecting.tcp, port: silent.port } : connecting[name]
        const guard = new Breaking(Object.assign(new Error('x'), { code }))
        expectCounted(name, settings, await run(name, `http://127.0.0.1:${silent.port}/`, settings, guard), code)
      }
    },
    120_000,
  )
})

describe('a server that speaks TLS and', () => {
  let authority: Authority
  let identity: KeyAndCert
  let guard: Guard
  beforeAll(async () => {
    authority = await Authority.make()
    identity = await authority.issue({ addresses: ['127.0.0.1'] })
    guard = new Guard(allow, { ca: [authority.pem] })
  })

  const web = names.filter(name => !['tcp', 'ping', 'dnsbl', 'ssl'].includes(name))

  async function tls(options: TlsOptions): Promise<Local> {
    const server = new TlsServer({ ...identity, ...options }, socket => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nwelcome'))
    })
    server.on('tlsClientError', () => {})
    return tcp(socket => void server.emit('connection', socket))
  }

  /** What a server does with its plain connection once the handshake is over. */
  const afterHandshake = (
    act: (secure: TLSSocket, plain: import('node:net').Socket) => void,
    version: 'TLSv1.2' | 'TLSv1.3',
  ) =>
    tcp(plain => {
      const secureContext = createSecureContext({ ...identity, minVersion: version, maxVersion: version })
      const secure = new TLSSocket(plain, { isServer: true, secureContext })
      secure.on('error', () => {})
      secure.once('secure', () => setTimeout(() => act(secure, plain), 5))
    })

  test.each(['TLSv1.3', 'TLSv1.2'] as const)(
    'demands a client certificate (%s) is down as tls_failed',
    async version => {
      await using server = await tls({
        requestCert: true,
        rejectUnauthorized: true,
        minVersion: version,
        maxVersion: version,
      })
      for (const name of web) {
        const result = await run(name, `https://127.0.0.1:${server.port}/`, connecting[name], guard)
        const verdict = judge(name, connecting[name], result)
        expect([name, verdict.status, verdict.code]).toEqual([name, 'down', 'tls_failed'])
        expect(causeIn('de', verdict.reason!)).not.toBe(verdict.reason)
      }
      // its certificate can be read where the alert comes after the handshake
      const { seen, fault } = await run('ssl', `https://127.0.0.1:${server.port}/`, {}, guard)
      expect(version === 'TLSv1.3' ? seen?.matches_host : fault?.code).toBe(version === 'TLSv1.3' ? true : 'tls_failed')
    },
  )

  const record = (type: number, ...bytes: number[]) =>
    Buffer.from([type, 3, 3, bytes.length >> 8, bytes.length & 255, ...bytes])
  const endings: [string, (secure: TLSSocket, plain: import('node:net').Socket) => void][] = [
    ['sends a record that cannot be decrypted', (_, plain) => plain.write(record(23, ...Array(40).fill(7)))],
    ['sends an alert in plain text', (_, plain) => plain.write(record(21, 2, 40))],
    ['sends noise', (_, plain) => plain.write(Buffer.alloc(300, 0xee))],
    ['sends a record that is too long', (_, plain) => plain.write(Buffer.from([23, 3, 3, 0xff, 0xff]))],
    ['resets the connection', (_, plain) => plain.resetAndDestroy()],
    ['closes it without saying so', (_, plain) => plain.end()],
    ['closes it properly', secure => secure.end()],
    ['ends amid a record', (_, plain) => plain.end(Buffer.from([23, 3, 3, 0, 50, 1, 2, 3]))],
  ]
  test.each(
    endings.flatMap(([what, act]) => (['TLSv1.3', 'TLSv1.2'] as const).map(version => [what, version, act] as const)),
  )('then %s (%s) is down', async (what, version, act) => {
    await using server = await afterHandshake(act, version)
    for (const name of web) {
      const result = await run(name, `https://127.0.0.1:${server.port}/`, connecting[name], guard)
      const verdict = judge(name, connecting[name], result)
      expect([name, what, verdict.status]).toEqual([name, what, 'down'])
      expectCounted(name, connecting[name], result, what)
    }
  })

  test('asks for a new handshake is answered, or is down', async () => {
    await using server = await afterHandshake(secure => {
      secure.renegotiate({}, () => {})
      secure.once('data', () => secure.end('HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\nwelcome'))
    }, 'TLSv1.2')
    expectCounted('uptime', {}, await run('uptime', `https://127.0.0.1:${server.port}/`, {}, guard), 'renegotiation')
  })

  test('refuses the handshake by any alert is down as tls_failed', async () => {
    for (let alert = 0; alert < 256; alert++)
      for (const level of [1, 2]) {
        await using server = await tcp(socket => socket.once('data', () => socket.end(record(21, level, alert))))
        const url = `https://127.0.0.1:${server.port}/`
        for (const name of ['uptime', 'ssl'] as const) {
          const result = await run(name, url, {}, guard)
          // a warning, or a close, is no refusal: the connection ends without a handshake
          expect([alert, level, ['tls_failed', 'reset'].includes(result.fault?.code ?? '')]).toEqual([
            alert,
            level,
            true,
          ])
          expectCounted(name, {}, result, `alert ${alert}`)
        }
      }
  }, 60_000)
})

describe('a server that', () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n'
  const coded = (coding: string, body: Buffer) =>
    raw(
      Buffer.concat([
        Buffer.from(`${head}content-encoding: ${coding}\r\ncontent-length: ${body.length}\r\n\r\n`),
        body,
      ]),
    )
  const spoilt = (body: Buffer) => {
    const copy = Buffer.from(body)
    copy.fill(0xff, Math.floor(body.length / 2))
    return copy
  }
  const text = Buffer.from('welcome to the shop '.repeat(200))
  const packers = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync, zstd: zstdCompressSync }
  const servers: [string, () => Promise<Local>][] = [
    ['resets the connection at once', () => tcp(socket => void socket.resetAndDestroy())],
    ['closes it at once', () => tcp(socket => void socket.end())],
    ['resets it after the request', () => tcp(socket => socket.once('data', () => socket.resetAndDestroy()))],
    ['closes it after the request', () => raw('')],
    ['closes amid the status line', () => raw('HTTP/1.')],
    ['closes amid the headers', () => raw(`${head}x-a: b`)],
    ['closes amid the body', () => raw(`${head}content-length: 100\r\n\r\nwelc`)],
    ['closes amid a chunk', () => raw(`${head}transfer-encoding: chunked\r\n\r\n5\r\nwel`)],
    ['closes before the last chunk', () => raw(`${head}transfer-encoding: chunked\r\n\r\n3\r\nwel\r\n`)],
    ['sends a chunk of no size', () => raw(`${head}transfer-encoding: chunked\r\n\r\nxyz\r\nwelcome`)],
    ['sends no end of a chunk', () => raw(`${head}transfer-encoding: chunked\r\n\r\n3\r\nwelcome\r\n`)],
    ['names two lengths', () => raw(`${head}content-length: 1\r\ncontent-length: 2\r\n\r\nwe`)],
    ['names a length that is none', () => raw(`${head}content-length: many\r\n\r\nwelcome`)],
    ['sends headers without end', () => raw(`${head}${'x-flood: 1\r\n'.repeat(10_000)}`)],
    ['sends one header of a megabyte', () => raw(`${head}x-long: ${'x'.repeat(1_000_000)}\r\n\r\n`)],
    ['does not speak HTTP', () => raw('SSH-2.0-OpenSSH_9.6\r\n')],
    ['sends noise', () => raw(Buffer.from(Array.from({ length: 1_000 }, (_, n) => (n * 7_919) % 256)))],
    ['interrupts for ever', () => raw('HTTP/1.1 103 Hints\r\n\r\n'.repeat(50))],
    ['redirects to no address', () => raw('HTTP/1.1 302 Found\r\nlocation: http://[::\r\ncontent-length: 0\r\n\r\n')],
    ['redirects to another scheme', () => raw('HTTP/1.1 302 Found\r\nlocation: ftp://a/\r\ncontent-length: 0\r\n\r\n')],
    ...Object.entries(packers).flatMap(([coding, pack]): [string, () => Promise<Local>][] => [
      [`sends ${coding} that is none`, () => coded(coding, text)],
      [`spoils its ${coding}`, () => coded(coding, spoilt(pack(text)))],
      [`cuts its ${coding} short`, () => coded(coding, pack(text).subarray(0, 12))],
    ]),
  ]
  const guard = new Guard(allow)

  test.each(servers)('%s is never unknown', async (what, open) => {
    await using server = await open()
    for (const name of names.filter(each => !['ping', 'dnsbl'].includes(each))) {
      const settings = name === 'tcp' || name === 'ssl' ? { ...connecting[name], port: server.port } : connecting[name]
      const result = await run(name, `http://127.0.0.1:${server.port}/`, settings, guard, 300)
      expectCounted(name, settings, result, `${name} ${what}`)
    }
  })

  test('has spoilt its answer is down for a check that reads it', async () => {
    for (const [coding, pack] of Object.entries(packers)) {
      await using server = await coded(coding, spoilt(pack(text)))
      const settings = { keyword_present: 'no such word' }
      const result = await run('uptime', `http://127.0.0.1:${server.port}/`, settings, guard)
      expect([coding, judge('uptime', settings, result).status]).toEqual([coding, 'down'])
    }
  })
})

describe('a name server that', () => {
  const withCode = (rcode: number, flags = 0x8180): Reply => ({
    raw: question => {
      const answer = Buffer.from(question)
      answer.writeUInt16BE(flags | rcode, 2)
      return answer
    },
  })
  /** A long answer, which it gives to no connection; it is there, as it answers about the root. */
  const cut: Reply = {
    raw: question => {
      const answer = Buffer.from(question)
      answer.writeUInt16BE(packet.decode(question).questions?.[0]?.name === '.' ? 0x8180 : 0x8380, 2)
      return answer
    },
  }
  const replies: [string, Reply][] = [
    ...Array.from({ length: 15 }, (_, n): [string, Reply] => [`answers with code ${n + 1}`, withCode(n + 1)]),
    ['answers nothing', 'silent'],
    ['answers without an answer', withCode(0)],
    [
      'answers another question',
      {
        raw: question =>
          packet.encode({
            type: 'response',
            id: packet.decode(question).id ?? 0,
            questions: [{ type: 'A', name: 'other.test' }],
          }),
      },
    ],
    ['answers noise', { raw: question => Buffer.concat([question.subarray(0, 2), Buffer.alloc(60, 0xee)]) }],
    ['cuts its answer', cut],
    [
      'answers a cut record',
      { raw: question => Buffer.concat([withOneAnswer(question), Buffer.from([0xc0, 0x0c, 0, 1, 0, 1])]) },
    ],
  ]
  const withOneAnswer = (question: Buffer) => {
    const head = Buffer.from(question)
    head.writeUInt16BE(0x8180, 2)
    head.writeUInt16BE(1, 6)
    return head
  }
  let server: DnsServer
  let reply: Reply = 'silent'
  let guard: Guard
  beforeAll(async () => {
    server = await DnsServer.open(() => reply)
    guard = new Guard(allow, {
      servers: [server.address],
      lookup: systemLookup({ servers: [server.address], timeoutMs: 300 }),
    })
  })
  afterAll(() => server.close())

  test.each(replies)('%s is never unknown', async (what, each) => {
    reply = each
    const all = [...names, 'dns'] as const
    const runs = all
      .filter(name => name !== 'ping')
      .map(async name => {
        const settings = name === 'dns' ? {} : connecting[name]
        expectCounted(
          name,
          settings,
          await run(name, 'http://shop.example.com/', settings, guard, 1_000),
          `${name} ${what}`,
        )
      })
    await Promise.all(runs)
  })
})

describe('unexpected faults', () => {
  test('are counted by cause, within bounds, and logged once a minute and cause', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vedette-faults-'))
    try {
      const lines: string[] = []
      const faults = new UnexpectedFaults(pino({ level: 'error' }, { write: line => lines.push(line) }))
      for (let n = 0; n < 3; n++) faults.record('uptime', Object.assign(new Error('x'), { code: 'EODD' }))
      faults.record('tcp', new TypeError('y'))
      faults.record('tcp', Object.assign(new Error(), { code: 'a b\nc' }))
      expect(faults.counts).toEqual({ EODD: 3, TypeError: 1, unknown: 1 })
      expect(lines).toHaveLength(3)
      expect(JSON.parse(lines[0]!)).toMatchObject({ msg: 'unexpected fault of a check', kind: 'uptime', cause: 'EODD' })
      for (let n = 0; n < 1_000; n++) faults.record('uptime', Object.assign(new Error('x'), { code: `E${n}` }))
      expect(Object.keys(faults.counts).length).toBeLessThanOrEqual(51)
      expect(Object.values(faults.counts).reduce((sum, count) => sum + count)).toBe(1_005)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
