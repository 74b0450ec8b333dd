import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { type RunResult, runCheck } from '#checks/probes.ts'
import { noPhases } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { Authority, daysFromNow, selfSigned } from '#test/checks/certificates.ts'
import { http, https, raw, tcp } from '#test/checks/servers.ts'

const { uptime } = kinds
type Wanted = z.input<typeof uptime.settings>
const guard = new Guard(parseAllowList('127.0.0.0/8'))
const at = new Date('2026-11-21T12:00:00Z')

const probe = (
  url: string,
  settings: Wanted = {},
  { timeoutMs = 2_000, by = guard, now = Date.now }: { timeoutMs?: number; by?: Guard; now?: () => number } = {},
) => runCheck('uptime', { url }, uptime.settings.parse(settings), { guard: by, timeoutMs, now })

const judge = (result: RunResult, settings: Wanted = {}) =>
  result.seen
    ? uptime.judge(uptime.seen.parse(result.seen), uptime.settings.parse(settings), { at, phases: result.phases })
    : result.fault

describe('judge', () => {
  const good = {
    status: 200,
    redirects: 0,
    bytes: 5,
    truncated: false,
    content_type: 'text/html',
    found_present: null,
    found_absent: null,
    failed: [],
  }
  const fast = { ...noPhases, total: 100 }
  const cases: [string, Partial<z.input<typeof uptime.seen>>, Wanted, number, string, string | undefined][] = [
    ['200 is up', {}, {}, 100, 'up', undefined],
    ['204 is up', { status: 204 }, {}, 100, 'up', undefined],
    ['299 is up', { status: 299 }, {}, 100, 'up', undefined],
    ['300 is down', { status: 300 }, {}, 100, 'down', 'wrong_status'],
    ['404 is down', { status: 404 }, {}, 100, 'down', 'wrong_status'],
    ['500 is down', { status: 500 }, {}, 100, 'down', 'wrong_status'],
    ['502 is down', { status: 502 }, {}, 100, 'down', 'wrong_status'],
    ['429 is a warning', { status: 429 }, {}, 100, 'warning', 'wrong_status'],
    ['503 is down', { status: 503 }, {}, 100, 'down', 'wrong_status'],
    [
      '503 is a warning where it is named',
      { status: 503 },
      { warning_status: ['503'] },
      100,
      'warning',
      'wrong_status',
    ],
    [
      '429 is down where no status is a mere warning',
      { status: 429 },
      { warning_status: [] },
      100,
      'down',
      'wrong_status',
    ],
    ['503 is up where it is expected', { status: 503 }, { expected_status: [503] }, 100, 'up', undefined],
    ['200 is down where 401 is expected', {}, { expected_status: ['401'] }, 100, 'down', 'wrong_status'],
    ['a range holds at both ends', { status: 404 }, { expected_status: ['400-404'] }, 100, 'up', undefined],
    ['and ends there', { status: 405 }, { expected_status: ['400-404'] }, 100, 'down', 'wrong_status'],
    ['a keyword that is there', { found_present: true }, { keyword_present: 'x' }, 100, 'up', undefined],
    ['a keyword that is missing', { found_present: false }, { keyword_present: 'x' }, 100, 'down', 'keyword_missing'],
    ['an unwanted keyword', { found_absent: true }, { keyword_absent: 'x' }, 100, 'down', 'keyword_found'],
    ['a keyword taken out of the settings since', { found_present: false }, {}, 100, 'up', undefined],
    [
      'a failed assertion',
      { failed: [{ index: 0, actual: '7' }] },
      { assertions: [{ source: 'json', property: 'a', comparison: 'equals', target: 8 }] },
      100,
      'down',
      'assertion_failed',
    ],
    ['an assertion taken out since', { failed: [{ index: 3, actual: '7' }] }, {}, 100, 'up', undefined],
    ['as slow as allowed', {}, { degraded_after_ms: 100 }, 100, 'up', undefined],
    ['slower', {}, { degraded_after_ms: 99 }, 100, 'warning', 'slow'],
    ['wrong status outweighs slow', { status: 500 }, { degraded_after_ms: 1 }, 100, 'down', 'wrong_status'],
  ]
  test.each(cases)('%s', (_, seen, settings, total, status, code) => {
    const verdict = uptime.judge(uptime.seen.parse({ ...good, ...seen }), uptime.settings.parse(settings), {
      at,
      phases: { ...fast, total },
    })
    expect([verdict.status, verdict.code]).toEqual([status, code])
    if (verdict.status === 'warning') expect(verdict.event).toBe('warning.degraded_performance')
  })

  test('says what it expected and found', () => {
    const settings = uptime.settings.parse({
      assertions: [{ source: 'json', property: 'data.count', comparison: 'greater_than', target: 5 }],
    })
    const verdict = uptime.judge(uptime.seen.parse({ ...good, failed: [{ index: 0, actual: '3' }] }), settings, {
      at,
      phases: fast,
    })
    expect(verdict.reason).toBe('Expected json data.count greater than "5", but it is "3".')
  })
})

describe('settings', () => {
  const accepts = (settings: unknown) => uptime.settings.safeParse(settings).success
  test('have defaults for all, and ignore what they do not know', () => {
    expect(uptime.settings.parse({ whatever: 1 })).toMatchObject({
      method: 'GET',
      expected_status: ['200-299'],
      timeout_ms: 10_000,
      max_redirects: 5,
      verify_tls: true,
      ip_version: 'any',
    })
  })
  test.each<[string, unknown, boolean]>([
    ['a hundred milliseconds', { timeout_ms: 100 }, true],
    ['less', { timeout_ms: 99 }, false],
    ['a minute', { timeout_ms: 60_000 }, true],
    ['more', { timeout_ms: 60_001 }, false],
    ['twenty redirects', { max_redirects: 20 }, true],
    ['more redirects', { max_redirects: 21 }, false],
    ['a status beyond', { expected_status: ['600'] }, false],
    ['a status as number', { expected_status: [599] }, true],
    ['no status at all', { expected_status: [] }, false],
    ['a range that is none', { expected_status: ['2xx'] }, false],
    ['a header with a new line', { headers: { a: 'b\r\nc: d' } }, false],
    ['a header with NUL', { headers: { a: 'b\0' } }, false],
    ['a header name with a space', { headers: { 'a b': 'c' } }, false],
    ['a header that frames', { headers: { 'Transfer-Encoding': 'chunked' } }, false],
    ['a header beyond Latin', { headers: { a: 'ж' } }, false],
    ['fifty headers', { headers: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`h${n}`, 'x'])) }, true],
    ['more headers', { headers: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`h${n}`, 'x'])) }, false],
    ['a long keyword', { keyword_present: 'x'.repeat(500) }, true],
    ['a longer keyword', { keyword_present: 'x'.repeat(501) }, false],
    ['an empty keyword', { keyword_absent: '' }, false],
    [
      'twenty assertions',
      { assertions: Array.from({ length: 20 }, () => ({ source: 'status', comparison: 'equals', target: 200 })) },
      true,
    ],
    [
      'more assertions',
      { assertions: Array.from({ length: 21 }, () => ({ source: 'status', comparison: 'equals', target: 200 })) },
      false,
    ],
    ['an assertion on no header', { assertions: [{ source: 'header', comparison: 'not_empty' }] }, false],
    ['a path that is none', { assertions: [{ source: 'json', property: 'a..b', comparison: 'not_empty' }] }, false],
    ['greater than a word', { assertions: [{ source: 'time', comparison: 'greater_than', target: 'x' }] }, false],
    ['a user with a colon', { auth: { type: 'basic', username: 'a:b', password: 'c' } }, false],
    ['a token with a new line', { auth: { type: 'bearer', token: 'a\nb' } }, false],
    ['a body of 64 KB', { body: 'x'.repeat(65_536) }, true],
    ['a bigger body', { body: 'x'.repeat(65_537) }, false],
  ])('%s', (_, settings, isGood) => expect(accepts(settings)).toBe(isGood))
})

describe('a site', () => {
  test('that is up is seen with its phases', async () => {
    await using site = await http((_, answer) => answer.end('hello'))
    const result = await probe(`http://127.0.0.1:${site.port}/`)
    expect(result.seen).toEqual({
      status: 200,
      redirects: 0,
      bytes: 5,
      truncated: false,
      content_type: null,
      found_present: null,
      found_absent: null,
      failed: [],
    })
    expect(result.address).toBe('127.0.0.1')
    expect(result.excerpt).toBeUndefined()
    const { dns, connect, tls, first_byte, total } = result.phases
    expect([dns, tls]).toEqual([null, null])
    expect(connect! + first_byte!).toBeLessThanOrEqual(total!)
    expect(judge(result)).toEqual({ status: 'up' })
  })

  test('gets the request as set', async () => {
    let got = ''
    await using site = await http((request, answer) => {
      const parts: Buffer[] = []
      request.on('data', part => parts.push(part))
      request.on('end', () => {
        got = `${request.method} ${request.url} ${JSON.stringify(request.headers)} ${Buffer.concat(parts)}`
        answer.end()
      })
    })
    const result = await probe(`http://127.0.0.1:${site.port}/a%20b?c=d#e`, {
      method: 'POST',
      headers: { 'X-Own': 'ü', Host: 'other.example', 'Content-Type': 'application/json' },
      body: '{"ж":1}',
      auth: { type: 'basic', username: 'us', password: 'p:w' },
    })
    expect(result.fault).toBeUndefined()
    expect(got).toContain('POST /a%20b?c=d ')
    expect(got).toContain('"host":"other.example"')
    expect(got).toContain('"x-own":"ü"')
    expect(got).toContain(`"authorization":"Basic ${Buffer.from('us:p:w').toString('base64')}"`)
    expect(got).toContain('"content-length":"8"')
    expect(got).toContain('"content-type":"application/json"')
    expect(got.endsWith('{"ж":1}')).toBe(true)
  })

  test('with a wrong status comes with an excerpt that hides our secrets', async () => {
    await using site = await http((request, answer) => {
      answer.statusCode = 500
      answer.end(
        `boom\0 ${request.headers.authorization} ${request.headers['x-api-key']} ${request.headers['x-plain']} ${'z'.repeat(2_000)}`,
      )
    })
    const settings: Wanted = {
      auth: { type: 'bearer', token: 'sesame-sesame' },
      headers: { 'X-Api-Key': 'key-12345', 'X-Plain': 'plain-text' },
    }
    const result = await probe(`http://127.0.0.1:${site.port}/`, settings)
    expect(result.excerpt).toMatch(/^boom {2}Bearer \*\*\* \*\*\* plain-text z+$/)
    expect(result.excerpt?.length).toBe(500)
    expect(judge(result, settings)).toMatchObject({ status: 'down', code: 'wrong_status' })
  })

  test('that answers HEAD has no body', async () => {
    await using site = await http((request, answer) => {
      answer.setHeader('content-length', '1000')
      answer.end(request.method === 'HEAD' ? undefined : 'x'.repeat(1000))
    })
    expect((await probe(`http://127.0.0.1:${site.port}/`, { method: 'HEAD' })).seen).toMatchObject({
      status: 200,
      bytes: 0,
    })
  })

  test.each([
    ['keyword there', { keyword_present: 'lo wor' }, 'up'],
    ['keyword missing', { keyword_present: 'absent' }, 'keyword_missing'],
    ['keyword in another case', { keyword_present: 'HELLO' }, 'keyword_missing'],
    ['unwanted there', { keyword_absent: 'hello' }, 'keyword_found'],
    ['unwanted missing', { keyword_absent: 'error' }, 'up'],
    ['beyond ASCII', { keyword_present: 'wörld' }, 'up'],
  ])('%s', async (_, settings, outcome) => {
    await using site = await http((_, answer) => answer.end('hello wörld'.replace('wörld', 'world wörld')))
    const verdict = judge(await probe(`http://127.0.0.1:${site.port}/`, settings), settings)
    expect(verdict?.code ?? 'up').toBe(outcome)
  })

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)('packed by %s is read all the same', async (coding, pack) => {
    await using site = await http((_, answer) => {
      answer.setHeader('content-encoding', coding)
      answer.end(pack(Buffer.from(`${'filler '.repeat(5_000)}needle`)))
    })
    expect((await probe(`http://127.0.0.1:${site.port}/`, { keyword_present: 'needle' })).seen).toMatchObject({
      found_present: true,
    })
    const bad = await probe(`http://127.0.0.1:${site.port}/`, { expected_status: [201] })
    expect(bad.excerpt).toContain('filler filler')
  })

  test('in another charset is read by it', async () => {
    await using site = await http((_, answer) => {
      answer.setHeader('content-type', 'text/html; charset=windows-1251')
      answer.end(Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]))
    })
    expect((await probe(`http://127.0.0.1:${site.port}/`, { keyword_present: 'Привет' })).seen).toMatchObject({
      found_present: true,
    })
  })

  test('is checked by every kind of assertion', async () => {
    await using site = await http((_, answer) => {
      answer.setHeader('X-Version', '1.2.3')
      answer.end(JSON.stringify({ data: { items: [{ id: 7, 'a b': 'c' }], ok: true, none: null, list: ['x', 'y'] } }))
    })
    const holding = [
      { source: 'status', comparison: 'equals', target: 200 },
      { source: 'status', comparison: 'less_than', target: 300 },
      { source: 'header', property: 'x-version', comparison: 'contains', target: '2' },
      { source: 'header', property: 'X-Missing', comparison: 'is_empty' },
      { source: 'json', property: 'data.items[0].id', comparison: 'equals', target: 7 },
      { source: 'json', property: "$.data['items'][0]['a b']", comparison: 'equals', target: 'c' },
      { source: 'json', property: 'data.ok', comparison: 'equals', target: true },
      { source: 'json', property: 'data.none', comparison: 'is_empty' },
      { source: 'json', property: 'data.list', comparison: 'contains', target: 'y' },
      { source: 'json', property: 'data.list.length', comparison: 'equals', target: 2 },
      { source: 'json', property: 'data.constructor', comparison: 'is_empty' },
      { source: 'time', comparison: 'less_than', target: 2_000 },
      { source: 'body', comparison: 'not_contains', target: 'error' },
    ] satisfies Wanted['assertions']
    expect((await probe(`http://127.0.0.1:${site.port}/`, { assertions: holding })).seen).toMatchObject({ failed: [] })
    const failing = [
      { source: 'status', comparison: 'not_equals', target: 200 },
      { source: 'header', property: 'x-version', comparison: 'equals', target: '2' },
      { source: 'json', property: 'data.items[1].id', comparison: 'equals', target: 7 },
      { source: 'json', property: 'data.items[0].id', comparison: 'greater_than', target: 7 },
      { source: 'time', comparison: 'greater_than', target: 2_000 },
      { source: 'body', comparison: 'is_empty' },
    ] satisfies Wanted['assertions']
    const { seen } = await probe(`http://127.0.0.1:${site.port}/`, { assertions: failing })
    expect(seen).toMatchObject({ failed: [0, 1, 2, 3, 4, 5].map(index => ({ index })) })
  })

  test('may nest its JSON as deep as it likes', async () => {
    await using site = await http(
      (_, answer) => void answer.end(`{"a":${'['.repeat(200_000)}${']'.repeat(200_000)},"b":1}`),
    )
    const assertions: Wanted['assertions'] = [
      { source: 'json', property: 'a', comparison: 'equals', target: 'x' },
      { source: 'json', property: 'b', comparison: 'equals', target: 1 },
    ]
    expect((await probe(`http://127.0.0.1:${site.port}/`, { assertions })).seen).toMatchObject({
      failed: [{ index: 0, actual: '' }],
    })
  })

  test('that is slow is a warning', async () => {
    await using site = await http((_, answer) => void setTimeout(() => answer.end('x'), 120))
    const result = await probe(`http://127.0.0.1:${site.port}/`)
    expect(result.phases.first_byte).toBeGreaterThan(100)
    expect(judge(result, { degraded_after_ms: 100 })).toMatchObject({
      status: 'warning',
      code: 'slow',
      event: 'warning.degraded_performance',
    })
  })
})

describe('a site that fails', () => {
  const faults: [string, () => Promise<Awaited<ReturnType<typeof tcp>>>, string, string][] = [
    ['resets', () => tcp(socket => socket.once('data', () => socket.resetAndDestroy())), 'reset', 'first_byte'],
    ['hangs up', () => tcp(socket => socket.once('data', () => socket.end())), 'reset', 'first_byte'],
    ['hangs', () => tcp(() => {}), 'timeout', 'first_byte'],
    ['stops within its headers', () => raw('HTTP/1.1 200 OK\r\ncontent-le', { stays: true }), 'timeout', 'first_byte'],
    [
      'stops within its body',
      () => raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello', { stays: true }),
      'timeout',
      'body',
    ],
    ['ends before its body does', () => raw('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'), 'reset', 'body'],
    [
      'ends within a chunk',
      () => raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\na\r\nhello'),
      'reset',
      'body',
    ],
    ['speaks SSH', () => raw('SSH-2.0-OpenSSH_9\r\n', { stays: true }), 'protocol', 'first_byte'],
    ['speaks HTTP/2', () => raw('PRI * HTTP/2.0\r\n\r\n'), 'protocol', 'first_byte'],
    ['says no status', () => raw('HTTP/1.1 OK\r\n\r\n'), 'protocol', 'first_byte'],
    [
      'contradicts its length',
      () => raw('HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
      'protocol',
      'first_byte',
    ],
    ['has bad chunks', () => raw('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'), 'protocol', 'body'],
    [
      'has a header of a megabyte',
      () => raw(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(1_000_000)}\r\n\r\n`),
      'too_large',
      'first_byte',
    ],
    [
      'has interim answers without end',
      () => raw('HTTP/1.1 100 Continue\r\n\r\n'.repeat(50), { stays: true }),
      'protocol',
      'first_byte',
    ],
    [
      'has trailers without end',
      () => raw(`HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(500)}`, { stays: true }),
      'too_large',
      'body',
    ],
  ]
  test.each(faults)('%s', async (_, open, code, phase) => {
    await using site = await open()
    const result = await probe(`http://127.0.0.1:${site.port}/`, {}, { timeoutMs: 300 })
    expect(result.fault).toMatchObject({ code, phase })
    expect(result.phases.connect).toBeGreaterThan(0)
    expect(result.phases.total).toBeLessThan(500)
  })

  test('where no server listens is refused', async () => {
    const site = await http(() => {})
    await site[Symbol.asyncDispose]()
    expect((await probe(`http://127.0.0.1:${site.port}/`)).fault).toEqual({
      code: 'refused',
      phase: 'connect',
      message: 'The connection was refused.',
    })
  })

  test('in an unrequested coding, when the body matters', async () => {
    await using site = await http((_, answer) => {
      answer.setHeader('content-encoding', Array.from({ length: 64 }, () => 'gzip').join(', '))
      answer.end('x')
    })
    expect((await probe(`http://127.0.0.1:${site.port}/`, { keyword_present: 'x' })).fault).toMatchObject({
      code: 'protocol',
      phase: 'body',
    })
    expect((await probe(`http://127.0.0.1:${site.port}/`)).seen).toMatchObject({ status: 200 })
  })

  test('and sends broken gzip', async () => {
    await using site = await http((_, answer) => {
      answer.setHeader('content-encoding', 'gzip')
      answer.end('not gzip at all')
    })
    expect((await probe(`http://127.0.0.1:${site.port}/`, { keyword_present: 'x' })).fault).toMatchObject({
      code: 'protocol',
      phase: 'body',
    })
  })
})

describe('an answer in odd but lawful form', () => {
  test.each<[string, Parameters<typeof raw>[0], object]>([
    ['until the end of the connection', 'HTTP/1.1 200 OK\r\n\r\nhello', { bytes: 5 }],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhello', { bytes: 5 }],
    ['without a reason', 'HTTP/1.1 200\r\ncontent-length: 0\r\n\r\n', { bytes: 0 }],
    ['with bare new lines', 'HTTP/1.1 200 OK\ncontent-length: 5\n\nhello', { bytes: 5 }],
    [
      'with an interim answer',
      'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello',
      { bytes: 5 },
    ],
    [
      'in chunks',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhe\r\n3;ext=1\r\nllo\r\n0\r\ntrailer: 1\r\n\r\n',
      { bytes: 5, found_present: true },
    ],
    [
      'byte by byte',
      [...'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'].map(letter =>
        Buffer.from(letter),
      ),
      { bytes: 5, found_present: true },
    ],
    ['with its length twice', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 5\r\n\r\nhello', { bytes: 5 }],
    ['with a length that is none', 'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\nhello', { bytes: 5 }],
    ['with more than its length', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello and more', { bytes: 5 }],
    [
      '204 with a body it must not have',
      'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n',
      { status: 204, bytes: 0 },
    ],
  ])('%s', async (_, bytes, seen) => {
    await using site = await raw(bytes, {
      stays: !/^HTTP\/1.0|^HTTP\/1.1 200 OK\r\n(\r\n|content-length: -1)/.test(String(bytes)),
    })
    expect((await probe(`http://127.0.0.1:${site.port}/`, { keyword_present: 'hello' })).seen).toMatchObject(seen)
  })
})

describe('a hostile site', () => {
  const rss = () => process.memoryUsage().rss

  test('whose body never ends is cut off after a megabyte', async () => {
    const block = Buffer.alloc(65_536, 'x')
    await using site = await tcp(socket =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n')
        const pour = () => {
          while (socket.writable && socket.write(block));
        }
        socket.on('drain', pour)
        pour()
      }),
    )
    const before = rss()
    for (let round = 0; round < 20; round++) {
      const { seen } = await probe(`http://127.0.0.1:${site.port}/`, { keyword_present: 'needle' })
      expect(seen).toMatchObject({ truncated: true, found_present: false })
      expect(seen?.bytes).toBeLessThan(1_200_000)
    }
    expect(rss() - before).toBeLessThan(100_000_000)
  })

  test('that drips is down with the deadline', async () => {
    await using site = await tcp(socket =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      }),
    )
    const start = performance.now()
    const result = await probe(`http://127.0.0.1:${site.port}/`, { keyword_present: 'y' }, { timeoutMs: 400 })
    expect(result.fault).toMatchObject({ code: 'timeout', phase: 'body' })
    expect(performance.now() - start).toBeLessThan(600)
    expect((await probe(`http://127.0.0.1:${site.port}/`, {}, { timeoutMs: 400 })).fault).toMatchObject({
      code: 'timeout',
      phase: 'body',
    })
  })

  test('that drips its headers does too', async () => {
    await using site = await tcp(socket =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nx: ')
        const drip = setInterval(() => socket.write('x'), 20)
        socket.on('close', () => clearInterval(drip))
      }),
    )
    expect((await probe(`http://127.0.0.1:${site.port}/`, {}, { timeoutMs: 300 })).fault).toMatchObject({
      code: 'timeout',
      phase: 'first_byte',
    })
  })

  test('that sends a bomb is unpacked no further than a megabyte', async () => {
    const bomb = gzipSync(Buffer.alloc(200_000_000))
    await using site = await http((_, answer) => {
      answer.setHeader('content-encoding', 'gzip')
      answer.end(bomb)
    })
    const before = rss()
    const start = performance.now()
    const { seen } = await probe(`http://127.0.0.1:${site.port}/`, { keyword_present: 'needle' })
    expect(seen).toMatchObject({ truncated: true, found_present: false })
    expect(performance.now() - start).toBeLessThan(1_000)
    expect(rss() - before).toBeLessThan(50_000_000)
  })

  test('closes every connection it was given', async () => {
    await using site = await tcp(socket =>
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello')),
    )
    await Promise.all(Array.from({ length: 50 }, () => probe(`http://127.0.0.1:${site.port}/`, {}, { timeoutMs: 200 })))
    await expect.poll(() => site.sockets.size, { timeout: 5_000 }).toBe(0)
  })
})

describe('redirects', () => {
  const to = (location: string, status = 302) =>
    http((request, answer) => {
      if (request.url === '/end')
        return void answer.end(
          `${request.method} ${request.headers.authorization ?? '-'} ${request.headers['x-secret'] ?? '-'}`,
        )
      answer.writeHead(status, { location })
      answer.end()
    })

  test.each([301, 302, 303, 307, 308])('%i is followed', async status => {
    await using site = await to('/end', status)
    const result = await probe(`http://127.0.0.1:${site.port}/`)
    expect(result.seen).toMatchObject({ status: 200, redirects: 1 })
  })

  test('keep the method only where they say so', async () => {
    for (const [status, method] of [
      [301, 'GET'],
      [302, 'GET'],
      [303, 'GET'],
      [307, 'POST'],
      [308, 'POST'],
    ] as const) {
      await using site = await to('/end', status)
      const { seen } = await probe(`http://127.0.0.1:${site.port}/`, {
        method: 'POST',
        body: 'x',
        keyword_present: `${method} `,
      })
      expect(seen, String(status)).toMatchObject({ found_present: true })
    }
  })

  test('are counted and end in a failure', async () => {
    await using site = await to('/again')
    expect((await probe(`http://127.0.0.1:${site.port}/`, { max_redirects: 3 })).fault).toEqual({
      code: 'too_many_redirects',
      phase: 'first_byte',
      message: 'The site redirected more than 3 times.',
    })
    await using chain = await http((request, answer) => {
      const hop = Number(request.url?.slice(1))
      if (hop === 3) return void answer.end('ok')
      answer.writeHead(302, { location: `/${hop + 1}` })
      answer.end()
    })
    expect((await probe(`http://127.0.0.1:${chain.port}/0`, { max_redirects: 3 })).seen).toMatchObject({
      redirects: 3,
    })
    expect((await probe(`http://127.0.0.1:${chain.port}/0`, { max_redirects: 2 })).fault).toMatchObject({
      code: 'too_many_redirects',
    })
  })

  test('are an answer like any other where they are not followed', async () => {
    await using site = await to('/end')
    expect(
      (await probe(`http://127.0.0.1:${site.port}/`, { follow_redirects: false, expected_status: ['302'] })).seen,
    ).toMatchObject({
      status: 302,
      redirects: 0,
    })
  })

  test('to another origin take no credentials along, and back home they are there again', async () => {
    await using other = await http((request, answer) =>
      answer.end(
        `other ${request.headers.authorization ?? '-'} ${request.headers['x-secret'] ?? '-'} ${request.headers.cookie ?? '-'}`,
      ),
    )
    await using site = await to(`http://127.0.0.2:${other.port}/end`)
    const settings: Wanted = {
      auth: { type: 'bearer', token: 'sesame' },
      headers: { 'x-secret': 'hush', Cookie: 'a=b' },
    }
    await using far = await http(
      (request, answer) =>
        answer.end(
          `other ${request.headers.authorization ?? '-'} ${request.headers['x-secret'] ?? '-'} ${request.headers.cookie ?? '-'}`,
        ),
      '127.0.0.2',
      other.port,
    )
    expect(far.port).toBe(other.port)
    expect(
      (await probe(`http://127.0.0.1:${site.port}/`, { ...settings, keyword_present: 'other - - -' })).seen,
    ).toMatchObject({ found_present: true })
    await using home = await to('/end')
    expect(
      (await probe(`http://127.0.0.1:${home.port}/`, { ...settings, keyword_present: 'GET Bearer sesame hush' })).seen,
    ).toMatchObject({
      found_present: true,
    })
  })

  test.each(['file:///etc/passwd', 'gopher://example.com/', 'javascript:alert(1)', 'http://', 'ftp://example.com/'])(
    'to %s lead nowhere',
    async location => {
      await using site = await to(location)
      expect((await probe(`http://127.0.0.1:${site.port}/`)).fault).toMatchObject({
        code: 'protocol',
        phase: 'first_byte',
      })
    },
  )

  test('to blocked addresses reach nothing', async () => {
    let hits = 0
    await using canary = await http((_, answer) => {
      hits++
      answer.end('secret')
    })
    const outside = new Guard(parseAllowList('127.7.0.0/16'))
    for (const location of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '127.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      'localhost',
      '169.254.169.254',
      'metadata.google.internal',
      '0',
    ]) {
      for (const status of [301, 302, 303, 307, 308]) {
        await using site = await http((_, answer) => {
          answer.writeHead(status, { location: `http://${location}:${canary.port}/` })
          answer.end()
        }, '127.7.0.1')
        const { fault } = await probe(`http://127.7.0.1:${site.port}/`, {}, { by: outside })
        expect(fault, location).toMatchObject({ code: 'blocked', phase: 'guard' })
      }
    }
    expect(hits).toBe(0)
  })

  test('from https to http are followed only where allowed', async () => {
    const authority = await Authority.make()
    const trusting = new Guard(parseAllowList('127.0.0.0/8'), { ca: [authority.pem] })
    await using plain = await http((_, answer) => answer.end('plain'))
    await using secure = await https(await authority.issue({ addresses: ['127.0.0.1'] }), (_, answer) => {
      answer.writeHead(302, { location: `http://127.0.0.1:${plain.port}/` })
      answer.end()
    })
    const url = `https://127.0.0.1:${secure.port}/`
    expect((await probe(url, {}, { by: trusting })).fault).toMatchObject({
      code: 'protocol',
      message: 'The site redirected from https to http.',
    })
    expect((await probe(url, { allow_downgrade: true }, { by: trusting })).seen).toMatchObject({
      status: 200,
      redirects: 1,
    })
  })
})

describe('over TLS', () => {
  let authority: Authority
  let trusting: Guard
  beforeAll(async () => {
    authority = await Authority.make()
    trusting = new Guard(parseAllowList('127.0.0.0/8'), { ca: [authority.pem] })
  })

  test('a trusted site is seen with the handshake timed', async () => {
    await using site = await https(await authority.issue({ names: ['localhost'] }), (_, answer) => answer.end('hello'))
    const result = await probe(`https://localhost:${site.port}/`, { ip_version: '4' }, { by: trusting })
    expect(result.seen).toMatchObject({ status: 200, bytes: 5 })
    expect(result.phases.tls).toBeGreaterThan(0)
    expect(result.phases.dns).toBeGreaterThanOrEqual(0)
  })

  test.each<[string, () => Promise<{ key: string; cert: string }>, string]>([
    [
      'expired',
      () => authority.issue({ addresses: ['127.0.0.1'], from: daysFromNow(-30), to: daysFromNow(-1) }),
      'The certificate has expired.',
    ],
    [
      'not yet valid',
      () => authority.issue({ addresses: ['127.0.0.1'], from: daysFromNow(1) }),
      'The certificate is not valid yet.',
    ],
    [
      'for another host',
      () => authority.issue({ names: ['other.example'] }),
      'The certificate is not made for this host.',
    ],
    ['self-signed', () => selfSigned({ addresses: ['127.0.0.1'] }), 'The certificate is self-signed.'],
    [
      'of an unknown authority',
      async () => (await Authority.make()).issue({ addresses: ['127.0.0.1'] }),
      'The certificate chain is incomplete or not trusted.',
    ],
  ])('a certificate that is %s is a failure, unless it is not to be verified', async (_, identity, message) => {
    await using site = await https(await identity(), (_, answer) => answer.end('hello'))
    const url = `https://127.0.0.1:${site.port}/`
    expect((await probe(url, {}, { by: trusting })).fault).toEqual({ code: 'tls_failed', phase: 'tls', message })
    expect((await probe(url, { verify_tls: false }, { by: trusting })).seen).toMatchObject({ status: 200 })
  })

  test('certificates are dated by the time of the server, not by the clock of the machine', async () => {
    await using fresh = await https(
      await authority.issue({ addresses: ['127.0.0.1'], from: daysFromNow(1), to: daysFromNow(30) }),
      (_, answer) => answer.end(),
    )
    const inTwoDays = () => daysFromNow(2).getTime()
    expect((await probe(`https://127.0.0.1:${fresh.port}/`, {}, { by: trusting, now: inTwoDays })).seen).toMatchObject({
      status: 200,
    })
    await using dying = await https(
      await authority.issue({ addresses: ['127.0.0.1'], to: daysFromNow(1) }),
      (_, answer) => answer.end(),
    )
    expect((await probe(`https://127.0.0.1:${dying.port}/`, {}, { by: trusting, now: inTwoDays })).fault).toMatchObject(
      {
        message: 'The certificate has expired.',
      },
    )
    await using wrong = await https(
      await authority.issue({ names: ['other.example'], from: daysFromNow(1), to: daysFromNow(30) }),
      (_, answer) => answer.end(),
    )
    expect((await probe(`https://127.0.0.1:${wrong.port}/`, {}, { by: trusting, now: inTwoDays })).fault).toMatchObject(
      {
        message: 'The certificate is not made for this host.',
      },
    )
  })

  test('what speaks no TLS says so', async () => {
    await using plain = await http((_, answer) => answer.end())
    expect((await probe(`https://127.0.0.1:${plain.port}/`)).fault).toEqual({
      code: 'tls_failed',
      phase: 'tls',
      message: 'The target does not speak TLS.',
    })
  })

  test('a handshake that never ends, or is cut, is reported with its phase', async () => {
    await using mute = await tcp(() => {})
    expect((await probe(`https://127.0.0.1:${mute.port}/`, {}, { timeoutMs: 300 })).fault).toMatchObject({
      code: 'timeout',
      phase: 'tls',
    })
    await using cut = await tcp(socket => socket.once('data', () => socket.destroy()))
    expect((await probe(`https://127.0.0.1:${cut.port}/`)).fault).toMatchObject({ code: 'reset', phase: 'tls' })
    await using rude = await tcp(socket => socket.once('data', () => socket.resetAndDestroy()))
    expect((await probe(`https://127.0.0.1:${rude.port}/`)).fault).toMatchObject({ code: 'reset', phase: 'tls' })
  })
})

test('an unforeseen error counts as the target’s, and says nothing of the inside', async () => {
  const broken = { connect: () => Promise.reject(new Error('secret /path')), refuseUrl: () => null } as unknown as Guard
  const result = await probe('http://127.0.0.1/', {}, { by: broken })
  expect(result.fault).toEqual({
    code: 'unexpected',
    phase: 'request',
    message: 'The check failed unexpectedly (Error).',
  })
})
