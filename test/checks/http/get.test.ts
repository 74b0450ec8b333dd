import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { follow, get, shownUrl, textOfPage, walk } from '#checks/http/get.ts'
import type { ProbeContext } from '#checks/probe.ts'
import { RunFailure } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http, raw } from '#test/checks/servers.ts'

const guard = new Guard(parseAllowList('127.0.0.0/8'))
const within = (ms = 5_000, by = guard): ProbeContext => ({ guard: by, signal: AbortSignal.timeout(ms), now: Date.now })
const failureOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof RunFailure ? error.code : error),
  )

describe('one answer', () => {
  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['identity', (text: string) => Buffer.from(text)],
  ])('is unpacked from %s', async (coding, pack) => {
    await using server = await http((_, response) => response.setHeader('content-encoding', coding).end(pack('hello')))
    const page = await get(new URL(`http://127.0.0.1:${server.port}/`), within(), { maxBytes: 1_000 })
    expect([page.status, page.version, page.tls, textOfPage(page), page.truncated]).toEqual([
      200,
      '1.1',
      null,
      'hello',
      false,
    ])
  })

  test('that unfolds beyond the limit is cut there', async () => {
    await using server = await http((_, response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(20_000_000))),
    )
    const page = await get(new URL(`http://127.0.0.1:${server.port}/`), within(), { maxBytes: 100_000 })
    expect([page.body.length, page.truncated]).toEqual([100_000, true])
  })

  test('is as long as allowed, and cut one byte later', async () => {
    await using server = await http((_, response) => response.end('x'.repeat(100)))
    const url = new URL(`http://127.0.0.1:${server.port}/`)
    expect(await get(url, within(), { maxBytes: 100 })).toMatchObject({ truncated: false, bytes: 100 })
    const cut = await get(url, within(), { maxBytes: 99 })
    expect([cut.truncated, cut.body.length]).toEqual([true, 99])
  })

  test.each<[string, string, Buffer, string]>([
    ['as the answer says', 'text/plain; charset=iso-8859-1', Buffer.from([0xe4]), 'ä'],
    [
      'as the page says',
      'text/html',
      Buffer.from('<meta charset="windows-1252">\x80', 'latin1'),
      '<meta charset="windows-1252">€',
    ],
    [
      'as the XML says',
      'text/xml',
      Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?>\xe4', 'latin1'),
      '<?xml version="1.0" encoding="ISO-8859-1"?>ä',
    ],
    ['as its first bytes say', 'text/plain; charset=ascii', Buffer.from('﻿a', 'utf16le'), 'a'],
    ['as UTF-8 where the charset is unknown', 'text/plain; charset=klingon', Buffer.from('ä'), 'ä'],
    ['as UTF-8 where nothing is said', '', Buffer.from('ä'), 'ä'],
  ])('is read %s', async (_, type, bytes, text) => {
    await using server = await http((_, response) => response.setHeader('content-type', type).end(bytes))
    expect(textOfPage(await get(new URL(`http://127.0.0.1:${server.port}/`), within(), { maxBytes: 1_000 }))).toBe(text)
  })

  test('keeps headers that are sent more than once apart', async () => {
    await using server = await http((_, response) =>
      response.setHeader('set-cookie', ['a=1; expires=Sat, 21 Nov 2026', 'b=2']).end(),
    )
    const { headers } = await get(new URL(`http://127.0.0.1:${server.port}/`), within(), { maxBytes: 0 })
    expect(headers.each('set-cookie')).toEqual(['a=1; expires=Sat, 21 Nov 2026', 'b=2'])
  })

  test('is not asked for with a header that would split the request', async () => {
    expect(
      await failureOf(
        get(new URL('http://127.0.0.1:9/'), within(), { maxBytes: 0, headers: { 'x-a': 'b\r\nx-c: d' } }),
      ),
    ).toBe('unsupported')
  })

  test('of a target inside is never asked for', async () => {
    let hits = 0
    await using server = await http((_, response) => response.end(String(hits++)))
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '2130706433', 'localhost'])
      expect(
        await failureOf(get(new URL(`http://${host}:${server.port}/`), within(5_000, new Guard()), { maxBytes: 10 })),
        host,
      ).toBe('blocked')
    expect(hits).toBe(0)
  })
})

describe('redirects', () => {
  const chain = (length: number) =>
    http((request, response) => {
      const step = Number(request.url?.slice(1))
      if (step < length) response.writeHead(302, { location: `/${step + 1}` }).end('never read')
      else response.end('there')
    })

  test('are tried one by one, and each is reported', async () => {
    await using server = await chain(3)
    const { redirects, end, phases } = await walk(new URL(`http://127.0.0.1:${server.port}/0#top`), within(), {
      maxBytes: 100,
      maxHops: 3,
    })
    expect(redirects.map(({ status, location, bytes }) => [status, location, bytes])).toEqual([
      [302, '/1', 0],
      [302, '/2', 0],
      [302, '/3', 0],
    ])
    expect(end.code === 'arrived' && end.page.url.pathname).toBe('/3')
    expect(phases.total).toBeGreaterThan(0)
  })

  test('one too many end the walk', async () => {
    await using server = await chain(4)
    const url = new URL(`http://127.0.0.1:${server.port}/0`)
    expect((await walk(url, within(), { maxBytes: 100, maxHops: 3 })).end).toMatchObject({ code: 'too_many' })
    expect(await failureOf(follow(url, within(), { maxBytes: 100, maxHops: 3 }))).toBe('too_many_redirects')
    expect(await follow(url, within(), { maxBytes: 100, maxHops: 4 })).toMatchObject({ status: 200, redirects: 4 })
  })

  test('in a circle end it at once', async () => {
    let hits = 0
    await using server = await http((request, response) => {
      hits++
      response.writeHead(301, { location: request.url === '/a' ? '/b' : '/a' }).end()
    })
    const { end, redirects } = await walk(new URL(`http://127.0.0.1:${server.port}/a`), within(), {
      maxBytes: 100,
      maxHops: 20,
    })
    expect([end.code, redirects.length, hits]).toEqual(['loop', 2, 2])
  })

  test.each([
    'http://10.0.0.1/',
    'http://[::1]/',
    'http://169.254.169.254/latest',
    'http://localhost:1/',
    'http://2130706433/',
  ])('to %s are not followed, and say the same whatever is there', async location => {
    await using server = await http((_, response) => response.writeHead(302, { location }).end())
    const by = new Guard(parseAllowList('127.0.0.2/32'))
    await using outside = await http((_, response) => response.writeHead(302, { location }).end(), '127.0.0.2')
    const { end } = await walk(new URL(`http://127.0.0.2:${outside.port}/`), within(5_000, by), {
      maxBytes: 100,
      maxHops: 3,
    })
    expect(server.sockets.size).toBe(0)
    expect(end.code === 'failed' && [end.failure.code, end.failure.message]).toEqual([
      'blocked',
      'The site redirected to an address that is not public.',
    ])
  })

  test.each(['file:///etc/passwd', 'gopher://example.com/', 'data:text/html,x', 'javascript:alert(1)', 'http://'])(
    'to %s are none',
    async location => {
      await using server = await raw(`HTTP/1.1 302 Found\r\nLocation: ${location}\r\n\r\n`)
      expect(
        await failureOf(follow(new URL(`http://127.0.0.1:${server.port}/`), within(), { maxBytes: 100, maxHops: 3 })),
      ).toBe('protocol')
    },
  )

  test('to another origin take no secret along', async () => {
    const got: (string | undefined)[] = []
    await using other = await http((request, response) => {
      got.push(request.headers['x-secret']?.toString())
      response.end()
    })
    await using server = await http((request, response) => {
      got.push(request.headers['x-secret']?.toString())
      response.writeHead(302, { location: request.url === '/' ? '/own' : `http://127.0.0.1:${other.port}/` }).end()
    })
    await follow(new URL(`http://127.0.0.1:${server.port}/`), within(), {
      maxBytes: 100,
      maxHops: 3,
      secretHeaders: { 'x-secret': 's3' },
    })
    expect(got).toEqual(['s3', 's3', undefined])
  })

  test('do not wait for a body that is not read', async () => {
    await using endless = await raw('HTTP/1.1 302 Found\r\nLocation: /\r\ncontent-length: 1000000\r\n\r\nx', {
      stays: true,
    })
    expect(
      (await walk(new URL(`http://127.0.0.1:${endless.port}/`), within(), { maxBytes: 100, maxHops: 3 })).end.code,
    ).toBe('loop')
  })
})

test('an address is shown without its secrets', () => {
  expect(shownUrl('https://user:pass@example.com/a?b#c')).toBe('https://example.com/a?b#c')
  expect(shownUrl('not a url')).toBe('not a url')
})
