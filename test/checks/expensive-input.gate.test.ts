import { describe, expect, test } from 'vitest'
import { readReport } from '#checks/application-health/forms.ts'
import { absolute } from '#checks/crawl/address.ts'
import { linksOfStyle } from '#checks/crawl/css.ts'
import { type FoundLink, linksOf } from '#checks/crawl/links.ts'
import { wantedLinks } from '#checks/crawl/visit.ts'
import { refuseExpression, upcoming } from '#checks/cron/schedule.ts'
import { readWhois } from '#checks/domain-expiry/whois.ts'
import { Exchange } from '#checks/http/exchange.ts'
import { hideSecrets } from '#checks/http/secrets.ts'
import { cookiesOf, scoreCookies } from '#checks/security-headers/cookies.ts'
import { weaknessesOf } from '#checks/security-headers/evaluate.ts'
import { readPage, scoreScripts } from '#checks/security-headers/page.ts'
import { scorePolicies, splitPolicies } from '#checks/security-headers/policy.ts'
import { Allowance, Entries } from '#checks/sitemap/entries.ts'
import { Problems } from '#checks/sitemap/problems.ts'
import { Sample } from '#checks/sitemap/sample.ts'
import { evaluate } from '#checks/uptime/assertions.ts'
import { cpuOf } from '#test/support/cpu.ts'

/** An agent has one thread for all its checks: what one target sends may not hold it for longer. */
const mostMs = 1_500
const secure = new URL('https://example.com/')
const letters = (n: number) => n.toString(36).padStart(5, 'q')

/** An answer that comes in these pieces; how it ended, or `open`. */
async function exchange(pieces: () => Iterable<Buffer>): Promise<string> {
  const asked = new Exchange({ message: '', isHead: false, keepBytes: 1_048_576, maxBytes: 1_048_576 })
  const socket = { on: () => socket, write: () => true, destroy: () => socket, resume: () => socket }
  const run = asked.run(socket as never, new AbortController().signal).then(
    ({ bytes, body }) => `${bytes} ${body.length}`,
    (error: Error) => error.message,
  )
  const { buffer, callback } = asked.onread
  for (const piece of pieces()) {
    piece.copy(buffer as Buffer)
    callback(piece.length, buffer as Uint8Array)
  }
  return Promise.race([run, new Promise<string>(resolve => setImmediate(resolve, 'open'))])
}

const chunked = Buffer.from('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')

describe('an answer', () => {
  test.each<[what: string, end: string, pieces: () => Generator<Buffer>]>([
    [
      'whose head comes byte by byte',
      '2 2',
      function* () {
        yield Buffer.from('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nx: ')
        for (let n = 0; n < 65_000; n++) yield Buffer.from('a')
        for (const last of '\r\n\r\nok') yield Buffer.from(last)
      },
    ],
    [
      'in chunks of a byte',
      'The chunks of the answer are too small.',
      function* () {
        yield chunked
        for (let n = 0; n < 110; n++) yield Buffer.from('1\r\nX\r\n'.repeat(10_000))
      },
    ],
    [
      'in 20,000 chunks of a byte',
      '20000 20000',
      function* () {
        yield chunked
        for (let n = 0; n < 20; n++) yield Buffer.from('1\r\nX\r\n'.repeat(1_000))
        yield Buffer.from('0\r\n\r\n')
      },
    ],
    [
      'in chunks of 64 bytes',
      '1048576 1048576',
      function* () {
        yield chunked
        for (let n = 0; n < 32; n++) yield Buffer.from(`40\r\n${'x'.repeat(64)}\r\n`.repeat(512))
        yield Buffer.from('0\r\n\r\n')
      },
    ],
    [
      'whose chunks have long names',
      'The chunks of the answer are too small.',
      function* () {
        yield chunked
        for (let n = 0; n < 2_000; n++) yield Buffer.from(`1;${'a'.repeat(4_000)}\r\nX\r\n`.repeat(16))
        yield Buffer.from('0\r\n\r\n')
      },
    ],
  ])('%s ends with %s', async (_, end, pieces) => {
    let ended = ''
    const before = process.memoryUsage().rss
    expect(
      await cpuOf(async () => {
        ended = await exchange(pieces)
      }),
    ).toBeLessThan(mostMs)
    expect(ended).toBe(end)
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
  })
})

const sitemap = (text: string, allowance = new Allowance()) => {
  const problems = new Problems()
  const entries = new Entries(new URL('https://example.com/sitemap.xml'), problems, 0, () => undefined, allowance)
  for (let at = 0; at < text.length && entries.write(text.slice(at, at + 65_536)); at += 65_536);
  entries.end()
  return problems.list().map(({ code }) => code)
}

describe('a sitemap', () => {
  test('of a tag with four million attributes is malformed, and is not kept in memory', async () => {
    const text = `<urlset ${Array.from({ length: 400_000 }, (_, i) => `a${i}="b" `).join('')}`
    let problems: string[] = []
    expect(
      await cpuOf(() => {
        problems = sitemap(text)
      }),
    ).toBeLessThan(mostMs)
    expect(problems).toContain('malformed')
  })

  test('of tags without end is read up to four million, with nothing said of the rest', async () => {
    const text = `<urlset>${'<a/>'.repeat(13_000_000)}`
    let problems: string[] = ['none']
    expect(
      await cpuOf(() => {
        problems = sitemap(text)
      }),
    ).toBeLessThan(3_000)
    expect(problems).toEqual([])
  })

  test('after sitemaps of a hundred megabytes is not read any more', () => {
    const allowance = new Allowance()
    const page = `<urlset><url><loc>https://example.com/</loc></url>${' '.repeat(40_000_000)}</urlset>`
    for (let n = 0; n < 2; n++) sitemap(page, allowance)
    expect(allowance.isSpent).toBe(false)
    sitemap(page, allowance)
    expect(allowance.isSpent).toBe(true)
    expect(sitemap('no sitemap', allowance)).toEqual([])
  })

  test('that names its addresses so that each goes before all before it is sampled all the same', async () => {
    const rank = (text: string) =>
      [...text].reduce((value, char) => Math.imul(value ^ char.charCodeAt(0), 0x01000193), 0x811c9dc5) >>> 0
    const urls = Array.from({ length: 50_000 }, (_, i) => new URL(`https://example.com/${i}`)).sort(
      (a, b) => rank(`1${b.href}`) - rank(`1${a.href}`),
    )
    const sample = new Sample(50, '1')
    expect(
      await cpuOf(() => {
        for (const url of urls) sample.offer(url)
      }),
    ).toBeLessThan(mostMs)
    expect(sample.urls.map(url => url.href)).toEqual(
      urls
        .slice(-50)
        .reverse()
        .map(url => url.href),
    )
  })
})

describe('a page', () => {
  const link = (href: string): FoundLink => ({ href, use: 'follow', element: 'a', text: '', isNofollow: false })
  const terms = {
    start: secure.href,
    include_subdomains: true,
    ignore: [] as string[],
    respect_nofollow: false,
    check_assets: true,
    check_external: true,
    requests_per_second: 2,
    concurrency: 2,
    page_timeout_ms: 1,
    max_page_bytes: 1,
    max_depth: 1,
    tolerated_status: [],
  }
  const noise = Array.from(
    { length: 240 },
    (_, i) => `utm_${String.fromCharCode(97 + (i % 26), 97 + Math.floor(i / 26))}=`,
  ).join('&')

  test.each<[what: string, work: () => unknown]>([
    [
      'whose links fit fifty long patterns almost',
      () =>
        wantedLinks(
          Array.from({ length: 2_500 }, (_, i) => link(`/${'a'.repeat(1_900)}${i}b`)),
          secure.href,
          { ...terms, ignore: Array.from({ length: 50 }, (_, i) => `*${'a'.repeat(190)}${i}b*c`) },
          false,
        ),
    ],
    [
      'whose links hold nothing but parameters that track',
      () =>
        wantedLinks(
          Array.from({ length: 2_500 }, (_, i) => link(`/${i}?${noise}`)),
          secure.href,
          { ...terms, ignore: ['/*'] },
          false,
        ),
    ],
    [
      'with 20,000 links that are one',
      () =>
        wantedLinks(
          Array.from({ length: 20_000 }, () => link(`/x?${'a&'.repeat(100)}`)),
          secure.href,
          terms,
          false,
        ),
    ],
    ['of links within links', () => linksOf('<a>'.repeat(1_600_000), secure.href)],
    [
      'of one tag with 500,000 attributes',
      () => linksOf(`<a ${Array.from({ length: 500_000 }, (_, i) => `b${i}=1`).join(' ')}>`, secure.href),
    ],
    ['of entities in a link', () => linksOf(`<a href=x>${' &#32;'.repeat(800_000)}`, secure.href)],
    ['whose style imports without end', () => [...linksOfStyle('@import '.repeat(600_000))]],
    ['whose style never closes what it opens', () => [...linksOfStyle(`url("x url(' url(y `.repeat(250_000))]],
    [
      'whose style has 2,000 blanks before each address',
      () => [...linksOfStyle(`@import url(${' '.repeat(2_000)}`.repeat(2_400))],
    ],
    ['nested 300,000 deep', () => scoreScripts(readPage('<a>'.repeat(300_000)), secure)],
    ['of closing tags that close nothing', () => readPage('<p>'.repeat(900) + '</x>'.repeat(250_000))],
    [
      'of a tag with 130,000 attributes',
      () => readPage(`<a ${Array.from({ length: 130_000 }, (_, i) => `b${i}=1`).join(' ')}>`),
    ],
  ])('%s is read in time', async (_, work) => expect(await cpuOf(work)).toBeLessThan(mostMs))

  test('loses the parameters that track and keeps the others as they are written', () => {
    expect(absolute('/?a=1%20&utm_source=x&b=%c3%a4&sid=2', secure.href)?.href).toBe(
      'https://example.com/?a=1+&b=%C3%A4',
    )
    expect(absolute('/?a=1%20&b=%c3%a4', secure.href)?.href).toBe('https://example.com/?a=1%20&b=%c3%a4')
  })
})

describe('headers', () => {
  const policies = (value: string) =>
    scorePolicies({ headers: splitPolicies([value]), metas: [], hasReportOnly: false, isHttps: true })
  test.each<[what: string, work: () => unknown]>([
    [
      'with as many cookies as are read',
      () => scoreAll(Array.from({ length: 1_000 }, (_, i) => `c${i}=1; ${';a'.repeat(600)}`)),
    ],
    ['with a policy of commas', () => policies(','.repeat(64_000))],
    ['with 9,000 directives', () => policies(Array.from({ length: 9_000 }, (_, i) => `d${i} x`).join(';'))],
    ['with 32,000 sources', () => policies(`script-src ${'a '.repeat(32_000)}`)],
    ['with 5,000 policies', () => policies('script-src x,'.repeat(4_900))],
    [
      'with a policy of 800 directives to be evaluated',
      () => weaknessesOf(Array.from({ length: 800 }, (_, i) => `d${i} `).join(';')),
    ],
    [
      'with a policy of 1,000 sources to be evaluated',
      () => weaknessesOf(`script-src ${'https://www.google.com/a '.repeat(160)}`),
    ],
  ])('%s are scored in time', async (_, work) => expect(await cpuOf(work)).toBeLessThan(mostMs))

  function scoreAll(headers: string[]) {
    return scoreCookies(cookiesOf(headers, 0), headers, { hasHsts: false })
  }
})

describe('a megabyte of body', () => {
  const json = { list: Array.from({ length: 250_000 }, () => 'a') }
  const answer = { status: 200, headers: { get: () => undefined }, text: 'a'.repeat(1_048_576), json, tookMs: 1 }
  const many = {
    auth: null,
    headers: Object.fromEntries(
      Array.from({ length: 50 }, (_, i) => [
        `x-token-${i}`,
        Array.from({ length: 680 }, (_, n) => letters(i * 680 + n)).join(' '),
      ]),
    ),
  }
  const some = { auth: null, headers: { cookie: Array.from({ length: 400 }, (_, i) => letters(i)).join('; ') } }

  test.each<[what: string, work: () => unknown]>([
    [
      'compared whole by twenty assertions',
      () => times(20, () => evaluate({ source: 'json', property: 'list', comparison: 'equals', target: 'b' }, answer)),
    ],
    [
      'searched by twenty assertions',
      () =>
        times(20, () =>
          evaluate(
            { source: 'body', property: '', comparison: 'contains', target: `${'a'.repeat(250)}b${'a'.repeat(249)}` },
            answer,
          ),
        ),
    ],
    ['shown without 34,000 secrets, twenty times', () => times(20, () => hideSecrets(answer.text, many, 200))],
    ['shown without 400 secrets, twenty times', () => times(20, () => hideSecrets(answer.text, some, 200))],
    ['of parts of health that are none', () => readReport({ checks: Array(500_000).fill(1) })],
    [
      'of 60,000 components',
      () =>
        readReport({
          status: 'UP',
          components: Object.fromEntries(Array.from({ length: 60_000 }, (_, i) => [`c${i}`, { status: 'UP' }])),
        }),
    ],
  ])('%s is examined in time', async (_, work) => expect(await cpuOf(work)).toBeLessThan(mostMs))

  test('is not shown at all where there are too many secrets to search for', () => {
    expect(hideSecrets('a text', many, 200)).toBe('')
    expect(hideSecrets('a text', some, 200)).toBe('a text')
  })

  test('is shown without a secret that is longer than what is shown', () => {
    const secret = `${'s'.repeat(300)}e`
    const settings = { auth: null, headers: { 'x-token': secret } }
    expect(hideSecrets(`${'x'.repeat(150)}${secret}${'y'.repeat(5_000)}`, settings, 200)).toBe(
      `${'x'.repeat(150)}***${'y'.repeat(47)}`,
    )
    // as many as shrink what is searched to nothing: the last of them is cut in two
    expect(hideSecrets(`${secret}`.repeat(20), settings, 200)).not.toContain('s')
  })

  function times(count: number, work: () => unknown) {
    for (let n = 0; n < count; n++) work()
  }
})

describe('a cron expression', () => {
  test.each([
    '0 0 30 2 *',
    '59 23 31 2,4,6,9,11 *',
    '0 0 29 2 1#5',
    '30 2 * * *',
    '0 0 31W 2 *',
    '1-59/1 1-23/1 29 2 *',
  ])('%s is understood in time in any zone', async expression => {
    for (const timezone of ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe'])
      expect(
        await cpuOf(
          () =>
            refuseExpression(expression, timezone, new Date()) ??
            upcoming({ kind: 'cron', expression, timezone }, Date.UTC(2026, 0), 3),
        ),
      ).toBeLessThan(mostMs)
  })
})

test.each([
  ['lines', 'a: b\n'.repeat(40_000)],
  ['brackets that do not close', `${'(('.repeat(30)}:\n`.repeat(3_000)],
  ['dots', `a${'.'.repeat(490)}:\n`.repeat(400)],
  ['dates that are none', `expires: ${'2026. '.repeat(80)}\n`.repeat(400)],
])('an answer of WHOIS made of %s is read in time', async (_, text) =>
  expect(await cpuOf(() => readWhois(text, 'example.com'))).toBeLessThan(mostMs),
)
