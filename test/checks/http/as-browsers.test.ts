import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { get, textOfPage, walk } from '#checks/http/get.ts'
import { Unpacker } from '#checks/http/unpacker.ts'
import { kinds } from '#checks/index.ts'
import type { ProbeContext } from '#checks/probe.ts'
import { runCheck } from '#checks/probes.ts'
import { RunFailure } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http, raw, tcp } from '#test/checks/servers.ts'

const guard = new Guard(parseAllowList('127.0.0.0/8'))
const within = (ms = 3_000): ProbeContext => ({ guard, signal: AbortSignal.timeout(ms), now: Date.now })
const urlOf = ({ port }: { port: number }, path = '/') => new URL(path, `http://127.0.0.1:${port}`)
const latin1 = (text: string) => Buffer.from(text, 'latin1')

const uptime = (url: URL, settings: object = {}, timeoutMs = 3_000) =>
  runCheck('uptime', { url: url.href }, kinds.uptime.settings.parse(settings), { guard, timeoutMs, now: Date.now })
const outcome = async (url: URL, settings: object = {}, timeoutMs = 3_000) => {
  const { seen, fault, phases } = await uptime(url, settings, timeoutMs)
  if (!seen) return fault?.code
  const at = new Date()
  const verdict = kinds.uptime.judge(kinds.uptime.seen.parse(seen), kinds.uptime.settings.parse(settings), {
    at,
    phases,
  })
  return verdict.code ?? verdict.status
}

describe('a head is read as browsers read it', () => {
  const ok = 'content-length: 5\r\n\r\nhello'
  test.each<[string, string]>([
    ['a folded value', `HTTP/1.1 200 OK\r\nX-A: one\r\n two\r\n\tthree\r\n${ok}`],
    ['a folded value with bare line feeds', 'HTTP/1.1 200 OK\nX-A: one\n two\n   three\ncontent-length: 5\n\nhello'],
    ['a value folded in an empty line', `HTTP/1.1 200 OK\r\nX-A:\r\n one two three\r\n${ok}`],
    ['spaces at its ends', `HTTP/1.1 200 OK\r\nX-A: \t one two three \t\r\n${ok}`],
    ['no space behind the colon', `HTTP/1.1 200 OK\r\nX-A:one two three\r\n${ok}`],
    ['a space before the colon', `HTTP/1.1 200 OK\r\nX-A : one two three\r\n${ok}`],
    ['names in any case', `HTTP/1.1 200 OK\r\nx-a: one two three\r\nCONTENT-LENGTH: 5\r\n\r\nhello`],
    ['a line that is no header', `HTTP/1.1 200 OK\r\nwhat\r\n: empty\r\nX-A: one two three\r\n${ok}`],
    ['a status line in lower case', `http/1.1 200 ok\r\nX-A: one two three\r\n${ok}`],
    ['a status line with more spaces', `HTTP/1.1   200   OK\r\nX-A: one two three\r\n${ok}`],
    ['a status line without a reason', `HTTP/1.1 200\r\nX-A: one two three\r\n${ok}`],
    ['a reason beyond ASCII', `HTTP/1.1 200 \xc3\xbcber\r\nX-A: one two three\r\n${ok}`],
    ['another version', `HTTP/1.2 200 OK\r\nX-A: one two three\r\n${ok}`],
    ['a higher version', `HTTP/2.0 200 OK\r\nX-A: one two three\r\n${ok}`],
    ['the status line of a radio', `ICY 200 OK\r\nX-A: one two three\r\n${ok}`],
    ['line breaks before it', `\r\n\r\nHTTP/1.1 200 OK\r\nX-A: one two three\r\n${ok}`],
    [
      'interim answers before it',
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nX-A: one two three\r\n${ok}`,
    ],
    [
      'a length several times',
      `HTTP/1.1 200 OK\r\nX-A: one two three\r\ncontent-length: 5, 5\r\nContent-Length: 5\r\n\r\nhello`,
    ],
    [
      'chunks, and a length beside them',
      'HTTP/1.1 200 OK\r\nX-A: one two three\r\ncontent-length: 99\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    ],
    [
      'chunks, and two lengths beside them',
      'HTTP/1.1 200 OK\r\nX-A: one two three\r\ncontent-length: 1\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
    ],
    [
      'chunks with extensions, zeros, and trailers',
      'HTTP/1.1 200 OK\r\nX-A: one two three\r\nTransfer-Encoding: Chunked\r\n\r\n00000000000000000005;a=b;c="d"\r\nhello\r\n0;last\r\nX-T: 1\r\nX-U: 2\r\n\r\n',
    ],
    [
      'chunks with bare line feeds',
      'HTTP/1.1 200 OK\nX-A: one two three\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n',
    ],
    [
      'a coding of transfer that is none',
      `HTTP/1.1 200 OK\r\nX-A: one two three\r\nTransfer-Encoding: identity\r\n${ok}`,
    ],
  ])('%s', async (_, bytes) => {
    await using site = await raw(latin1(bytes), { stays: true })
    const page = await get(urlOf(site), within(), { maxBytes: 1_000 })
    expect([page.status, page.headers.get('x-a')?.replace(/\s+/g, ' '), textOfPage(page)]).toEqual([
      200,
      'one two three',
      'hello',
    ])
    const settings = {
      keyword_present: 'hello',
      assertions: [{ source: 'header', property: 'X-A', comparison: 'contains', target: 'three' }],
    }
    expect(await outcome(urlOf(site), settings)).toBe('up')
  })

  test('repeated headers are one, and cookies are not', async () => {
    await using site = await raw(
      'HTTP/1.1 200 OK\r\nX-A: 1\r\nSet-Cookie: a=1\r\nx-a: 2\r\nSET-COOKIE: b=2\r\ncontent-length: 0\r\n\r\n',
    )
    const { headers } = await get(urlOf(site), within(), { maxBytes: 10 })
    expect([headers.get('x-a'), headers.each('set-cookie')]).toEqual(['1, 2', ['a=1', 'b=2']])
  })

  test.each([
    ['204', 'HTTP/1.1 204 No Content\r\ncontent-length: 5\r\n\r\n'],
    ['304', 'HTTP/1.1 304 Not Modified\r\ncontent-length: 5\r\n\r\n'],
  ])('%s has no body, whatever its length says', async (status, bytes) => {
    await using site = await raw(bytes, { stays: true })
    expect(await outcome(urlOf(site), { expected_status: [Number(status)] })).toBe('up')
  })

  test('an answer of HTTP/1.0 ends with the connection', async () => {
    await using site = await raw('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\n\r\nhello')
    expect(await outcome(urlOf(site), { keyword_present: 'hello' })).toBe('up')
  })

  test('many lines that are no header cost no time', async () => {
    await using site = await raw(`HTTP/1.1 200 OK\r\n${'x\r\n'.repeat(20_000)}content-length: 0\r\n\r\n`)
    const begun = performance.now()
    const { headers } = await get(urlOf(site), within(), { maxBytes: 10 })
    expect(headers.get('content-length')).toBe('0')
    expect(performance.now() - begun).toBeLessThan(500)
  })
})

describe('bytes beyond ASCII in headers', () => {
  const answering = (location: string) =>
    http((request, reply) => {
      if (request.url !== '/') return reply.writeHead(200, { 'x-path': request.url ?? '' }).end('welcome')
      reply.socket?.write(
        latin1(`HTTP/1.1 302 X\r\nLocation: ${location}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`),
      )
      reply.socket?.end()
    })

  test.each([
    ['UTF-8 in the path', '/men\xc3\xbc/\xe6\x98\xa5', '/men%C3%BC/%E6%98%A5'],
    ['UTF-8 in the query', '/a?q=\xc3\xbc', '/a?q=%C3%BC'],
    ['bytes that are no UTF-8', '/caf\xe9', '/caf%E9'],
    ['a mixture', '/caf\xe9/\xc3\xbc?\xff', '/caf%E9/%C3%BC?%FF'],
    ['what is encoded already', '/a%20b/\xc3\xa0', '/a%20b/%C3%A0'],
    ['a last byte that is a space of Latin-1', '/voil\xc3\xa0', '/voil%C3%A0'],
    ['spaces', '/a b', '/a%20b'],
    ['backslashes', '\\a\\b', '/a/b'],
    ['a tab', '/a\tb', '/ab'],
    ['a fragment', '/a#\xc3\xbc', '/a'],
    ['a relative path', 'a/../b', '/b'],
    ['dots', '/a/./b/../c', '/a/c'],
    ['a query alone', '?a=1', '/?a=1'],
    ['angle brackets and quotes', '/a"<b>', '/a%22%3Cb%3E'],
  ])('are percent-encoded in Location as they are: %s', async (_, location, path) => {
    await using site = await answering(location)
    const { end } = await walk(urlOf(site), within(), { maxBytes: 100, maxHops: 5 })
    expect(end.code === 'arrived' && end.page.headers.get('x-path')).toBe(path)
    expect(await outcome(urlOf(site))).toBe('up')
  })

  test('lead to a host by its name in Unicode', async () => {
    const names: string[] = []
    const named = new Guard(parseAllowList('127.0.0.0/8'), {
      lookup: async host => {
        names.push(host)
        return [{ address: '127.0.0.1', family: 4 }]
      },
    })
    await using site = await tcp(socket =>
      socket.once('data', data => {
        const { port } = site
        socket.end(
          latin1(
            /Host: xn--/i.test(String(data))
              ? 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
              : `HTTP/1.1 302 X\r\nLocation: //m\xc3\xbcnchen.example:${port}/\r\ncontent-length: 0\r\n\r\n`,
          ),
        )
      }),
    )
    const { end } = await walk(urlOf(site), { ...within(), guard: named }, { maxBytes: 100, maxHops: 5 })
    expect(end.code === 'arrived' && end.page.url.hostname).toBe('xn--mnchen-3ya.example')
    expect(names).toEqual(['xn--mnchen-3ya.example'])
  })

  test.each([
    ['UTF-8', 'Z\xc3\xbcrich', 'Zürich'],
    ['Latin-1', 'Z\xfcrich', 'Zürich'],
    ['four bytes', '\xf0\x9f\x98\x80', '😀'],
    ['a last byte that is a space of Latin-1', 'voil\xc3\xa0', 'voilà'],
  ])('are text in an assertion: %s', async (_, bytes, text) => {
    await using site = await raw(latin1(`HTTP/1.1 200 X\r\nX-Region: ${bytes}\r\nContent-Length: 2\r\n\r\nok`))
    for (const comparison of ['equals', 'contains'])
      expect(
        await outcome(urlOf(site), {
          assertions: [{ source: 'header', property: 'x-region', comparison, target: text }],
        }),
      ).toBe('up')
    const { seen } = await uptime(urlOf(site), {
      assertions: [{ source: 'header', property: 'x-region', comparison: 'equals', target: 'x' }],
    })
    expect(seen?.failed).toEqual([{ index: 0, actual: text }])
  })

  test('of a cookie go back as they came', async () => {
    const cookies: (string | undefined)[] = []
    await using site = await http((request, reply) => {
      cookies.push(request.headers.cookie)
      if (request.headers.cookie) return reply.end('welcome')
      reply.socket?.end(
        latin1('HTTP/1.1 302 X\r\nLocation: /\r\nSet-Cookie: a=\xc3\xbc\xe9\xa0; Path=/\r\nContent-Length: 0\r\n\r\n'),
      )
    })
    expect(await outcome(urlOf(site))).toBe('up')
    expect(cookies).toEqual([undefined, 'a=\xc3\xbc\xe9\xa0'])
  })
})

describe('a redirect', () => {
  test.each([
    [
      'without an address is an answer',
      'HTTP/1.1 302 X\r\ncontent-length: 0\r\n\r\n',
      { expected_status: [302] },
      'up',
    ],
    [
      'with an empty address is an answer',
      'HTTP/1.1 302 X\r\nLocation:\r\ncontent-length: 0\r\n\r\n',
      { expected_status: [302] },
      'up',
    ],
    [
      'with one address twice is followed',
      'HTTP/1.1 302 X\r\nLocation: ftp://a/\r\nLocation: ftp://a/\r\ncontent-length: 0\r\n\r\n',
      {},
      'protocol',
    ],
    [
      'with two addresses is refused',
      'HTTP/1.1 302 X\r\nLocation: /a\r\nLocation: /b\r\ncontent-length: 0\r\n\r\n',
      {},
      'protocol',
    ],
  ])('%s', async (_, bytes, settings, expected) => {
    await using site = await raw(bytes)
    expect(await outcome(urlOf(site), settings)).toBe(expected)
  })

  test('is followed without waiting for the end of its body', async () => {
    await using site = await tcp(socket =>
      socket.once('data', data => {
        if (String(data).startsWith('GET /there ')) return socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok')
        socket.write('HTTP/1.1 302 X\r\nLocation: /there\r\nContent-Type: text/html\r\n\r\n<a>')
        return undefined
      }),
    )
    const begun = performance.now()
    expect(await outcome(urlOf(site))).toBe('up')
    expect(performance.now() - begun).toBeLessThan(2_000)
  })

  test.each([
    [301, 'POST', 'GET', undefined],
    [302, 'POST', 'GET', undefined],
    [303, 'POST', 'GET', undefined],
    [303, 'PUT', 'GET', undefined],
    [303, 'HEAD', 'HEAD', undefined],
    [301, 'PUT', 'PUT', 'x=1'],
    [302, 'DELETE', 'DELETE', 'x=1'],
    [307, 'POST', 'POST', 'x=1'],
    [308, 'PATCH', 'PATCH', 'x=1'],
  ])('%i after %s goes on as %s', async (status, method, next, body) => {
    const seen: [string | undefined, string][] = []
    await using site = await http(async (request, reply) => {
      let text = ''
      for await (const part of request) text += part
      if (request.url === '/') return void reply.writeHead(status, { location: '/next' }).end()
      seen.push([request.method, text])
      reply.end()
    })
    await uptime(urlOf(site), { method, body: 'x=1' })
    expect(seen).toEqual([[next, body ?? '']])
  })

  test('to another origin takes no secrets along', async () => {
    const seen: Record<string, unknown>[] = []
    await using other = await http((request, reply) => {
      seen.push(request.headers)
      reply.end()
    })
    await using site = await http((_, reply) => reply.writeHead(307, { location: urlOf(other).href }).end())
    await uptime(urlOf(site), {
      auth: { type: 'bearer', token: 'secret' },
      headers: { Cookie: 'session=1', 'X-Api-Key': 'k', 'Accept-Language': 'de' },
    })
    expect(seen).toHaveLength(1)
    expect(seen[0]).not.toHaveProperty('authorization')
    expect(seen[0]).not.toHaveProperty('cookie')
    expect(seen[0]).not.toHaveProperty('x-api-key')
    expect(seen[0]).toMatchObject({ 'accept-language': 'de' })
  })

  test('that a page asks for, by a tag or a header, is not followed', async () => {
    await using site = await http((request, reply) => {
      if (request.url !== '/') return reply.writeHead(500).end()
      reply.setHeader('refresh', '0; url=/gone').end('<meta http-equiv="refresh" content="0; url=/gone">hello')
    })
    expect(await outcome(urlOf(site), { keyword_present: 'hello' })).toBe('up')
  })
})

describe('a body is decoded as browsers and curl do', () => {
  const text = '<p>Welcome to the shop</p>'
  const coded = (coding: string, body: Buffer) =>
    raw([
      Buffer.from(
        `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`,
      ),
      body,
    ])
  /** A header with all of its optional parts (RFC 1952, 2.3). */
  const namedGzip = () => {
    const plain = gzipSync(text)
    const head = Buffer.concat([plain.subarray(0, 10), Buffer.from('\x03\x00abcname\0comment\0\x00\x00', 'latin1')])
    head[3] = 4 | 8 | 16 | 2
    return Buffer.concat([head, plain.subarray(10)])
  }
  const bodies: [string, string, Buffer][] = [
    ['gzip', 'gzip', gzipSync(text)],
    ['gzip by its old name', 'X-GZip', gzipSync(text)],
    ['deflate', 'deflate', deflateSync(text)],
    ['deflate of another level', 'deflate', deflateSync(text, { level: 1 })],
    ['deflate without its wrapper', 'deflate', deflateRawSync(text)],
    ['deflate without its wrapper, stored', 'deflate', deflateRawSync(text, { level: 0 })],
    ['Brotli', 'br', brotliCompressSync(text)],
    ['Zstandard', 'zstd', zstdCompressSync(text)],
    ['gzip twice', 'gzip, gzip', gzipSync(gzipSync(text))],
    ['two codings', 'deflate, gzip', gzipSync(deflateSync(text))],
    ['three codings', 'br , zstd,deflate', deflateRawSync(zstdCompressSync(brotliCompressSync(text)))],
    ['gzip and a word that is none', 'gzip, UTF-8', gzipSync(text)],
    ['a word that is none and gzip', 'none,gzip', gzipSync(text)],
    ['no coding', 'identity', Buffer.from(text)],
    ['no coding and gzip', 'identity, gzip', gzipSync(text)],
    ['a word that is no coding', 'UTF-8', Buffer.from(text)],
    ['a coding of old', 'compress', Buffer.from(text)],
    ['nothing', '', Buffer.from(text)],
    ['gzip with zeros behind it', 'gzip', Buffer.concat([gzipSync(text), Buffer.alloc(50)])],
    ['gzip with noise behind it', 'gzip', Buffer.concat([gzipSync(text), Buffer.from('noise')])],
    ['deflate with noise behind it', 'deflate', Buffer.concat([deflateSync(text), Buffer.from('noise')])],
    ['raw deflate with noise behind it', 'deflate', Buffer.concat([deflateRawSync(text), Buffer.from('noise')])],
    [
      'gzip with what resembles a second one behind it',
      'gzip',
      Buffer.concat([gzipSync(text), Buffer.from([31, 139, 9])]),
    ],
    ['gzip with a name and a comment', 'gzip', namedGzip()],
    [
      'gzip with a wrong checksum',
      'gzip',
      gzipSync(text).fill(0, gzipSync(text).length - 8, gzipSync(text).length - 4),
    ],
  ]
  test.each(bodies)('%s', async (_, coding, body) => {
    await using site = await coded(coding, body)
    expect(await outcome(urlOf(site), { keyword_present: 'Welcome to the shop' })).toBe('up')
    // as a stream, in pieces of every size
    for (const size of [1, 7, body.length]) {
      let read = ''
      const unpacker = new Unpacker(1_000_000, part => {
        read += part
        return true
      })
      const { headers } = await get(urlOf(site), within(), { maxBytes: 0 })
      for (let at = 0; at < body.length; at += size) await unpacker.take(body.subarray(at, at + size), headers)
      await unpacker.end()
      expect([size, unpacker.state, read]).toEqual([size, 'reading', text])
    }
  })

  test.each([
    ['text as gzip', 'gzip', Buffer.from(text)],
    ['gzip as Brotli', 'br', gzipSync(text)],
    ['gzip as Zstandard', 'zstd', gzipSync(text)],
    ['one gzip as two', 'gzip, gzip', gzipSync(text)],
    ['noise as deflate', 'deflate', Buffer.from('\xff\xff\xff\xff', 'latin1')],
  ])('is unreadable where it is declared wrongly: %s', async (_, coding, body) => {
    await using site = await coded(coding, body)
    expect(await outcome(urlOf(site), { keyword_present: 'Welcome' })).toBe('protocol')
    // a check of the status alone gets it
    expect(await outcome(urlOf(site))).toBe('up')
  })

  test('Zstandard of several frames is read to its end', async () => {
    const body = Buffer.concat([zstdCompressSync('<p>Welcome '), zstdCompressSync('to the shop'), Buffer.from('noise')])
    await using site = await coded('zstd', body)
    expect(await outcome(urlOf(site), { keyword_present: 'Welcome to the shop' })).toBe('up')
  })

  test('more often than any server encodes it is refused', async () => {
    let body = Buffer.from(text)
    for (let n = 0; n < 6; n++) body = gzipSync(body)
    await using site = await coded(Array.from({ length: 6 }, () => 'gzip').join(', '), body)
    expect(await outcome(urlOf(site), { keyword_present: 'Welcome' })).toBe('protocol')
  })

  test('a bomb within a bomb is unfolded no further than the limit', async () => {
    await using site = await coded('gzip, gzip', gzipSync(gzipSync(Buffer.alloc(200_000_000))))
    const before = process.memoryUsage().rss
    const page = await get(urlOf(site), within(), { maxBytes: 100_000 })
    expect([page.body.length, page.truncated]).toEqual([100_000, true])
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000)
  })

  test('deflate of any text with and without its wrapper is distinguished', async () => {
    for (let n = 0; n < 300; n++) {
      const sample = `${n} ${'x'.repeat(n)} ${Math.sin(n)} welcome`
      for (const pack of [deflateSync, deflateRawSync])
        for (const level of [0, 1, 6, 9]) {
          let read = ''
          const unpacker = new Unpacker(1_000_000, part => {
            read += part
            return true
          })
          const headers = { get: () => 'deflate' } as unknown as Parameters<typeof unpacker.take>[1]
          await unpacker.take(pack(sample, { level }), headers)
          await unpacker.end()
          expect(read).toBe(sample)
        }
    }
  })
})

describe('text is read in the charset that browsers take', () => {
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
  test.each<[string, string, Buffer]>([
    ['UTF-16 with a mark', 'text/html', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grüße', 'utf16le')])],
    ['UTF-16 of the other order', 'text/html', Buffer.concat([Buffer.from([0xfe, 0xff]), utf16be('grüße')])],
    ['UTF-16 by its type', 'text/html; charset=utf-16le', Buffer.from('grüße', 'utf16le')],
    ['UTF-8 with a mark, whatever its type says', 'text/html; charset=iso-8859-1', Buffer.from('\ufeffgrüße')],
    ['Latin-1 by its type', 'text/html; charset="ISO-8859-1"', Buffer.from('grüße', 'latin1')],
    ['Latin-1 by its tag', 'text/html', Buffer.from('<meta charset=latin1>grüße', 'latin1')],
    [
      'Latin-1 by its older tag',
      'text/html',
      Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1">grüße', 'latin1'),
    ],
    ['UTF-8, whose tag says UTF-16', 'text/html', Buffer.from('<meta charset="utf-16">grüße')],
    ['UTF-8 whose script has a charset', 'text/html', Buffer.from('<script charset="latin1"></script>grüße')],
    ['Latin-1 that says nothing', 'text/html', Buffer.from('grüße', 'latin1')],
    ['UTF-8 that says nothing', 'text/html', Buffer.from('grüße')],
    ['UTF-8 whose charset is unknown', 'text/html; charset=klingon', Buffer.from('grüße')],
  ])('%s', async (_, type, body) => {
    await using site = await http((_request, reply) => reply.setHeader('content-type', type).end(body))
    expect(await outcome(urlOf(site), { keyword_present: 'grüße' })).toBe('up')
  })

  test('JSON with a mark is JSON', async () => {
    await using site = await http((_, reply) => reply.end('\ufeff{"a":"ü"}'))
    expect(
      await outcome(urlOf(site), {
        assertions: [{ source: 'json', property: 'a', comparison: 'equals', target: 'ü' }],
      }),
    ).toBe('up')
  })
})

describe('a body that never ends', () => {
  /** Sends a head, then more of the body at this interval. */
  const stream = (head: string, every: string, ms = 100) =>
    tcp(socket =>
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`)
        const timer = setInterval(() => socket.write(every), ms)
        socket.on('close', () => clearInterval(timer))
      }),
    )
  const chunk = '6\r\ntick!\n\r\n'

  test.each<[string, string, string, object, string]>([
    ['of events', 'Content-Type: text/event-stream', 'data: tick\n\n', {}, 'up'],
    ['of sound', 'Content-Type: audio/mpeg', 'data', {}, 'up'],
    ['of pictures', 'Content-Type: multipart/x-mixed-replace; boundary=a', '--a', {}, 'up'],
    ['of any bytes', 'Content-Type: application/octet-stream', 'data', {}, 'up'],
    ['of lines of JSON in chunks', 'Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked', chunk, {}, 'up'],
    ['of a document', 'Content-Type: text/html', '<p>', {}, 'timeout'],
    ['of no kind', 'X-A: 1', 'data', {}, 'timeout'],
    ['of text in chunks', 'Content-Type: text/plain\r\nTransfer-Encoding: chunked', chunk, {}, 'timeout'],
    ['of JSON', 'Content-Type: application/problem+json', '{', {}, 'timeout'],
    [
      'of a length that is far away',
      'Content-Type: application/octet-stream\r\nContent-Length: 999999999',
      'data',
      {},
      'timeout',
    ],
    ['with the keyword', 'Content-Type: text/event-stream', 'data: tick\n\n', { keyword_present: 'tick' }, 'up'],
    [
      'with the keyword in chunks',
      'Content-Type: text/plain\r\nTransfer-Encoding: chunked',
      chunk,
      { keyword_present: 'tick!' },
      'up',
    ],
    [
      'with an asserted text',
      'Content-Type: text/plain',
      'tick',
      { assertions: [{ source: 'body', comparison: 'contains', target: 'tick' }] },
      'up',
    ],
    [
      'with an asserted header',
      'Content-Type: text/event-stream\r\nX-A: 1',
      'tick',
      { assertions: [{ source: 'header', property: 'x-a', comparison: 'equals', target: '1' }] },
      'up',
    ],
    ['without the forbidden text', 'Content-Type: text/event-stream', 'tick', { keyword_absent: 'error' }, 'up'],
    [
      'with the keyword, without the forbidden text',
      'Content-Type: application/octet-stream',
      'tick',
      { keyword_present: 'tick', keyword_absent: 'error' },
      'up',
    ],
    [
      'with the forbidden text',
      'Content-Type: text/event-stream',
      'error',
      { keyword_absent: 'error' },
      'keyword_found',
    ],
    ['without the keyword', 'Content-Type: text/event-stream', 'tick', { keyword_present: 'welcome' }, 'timeout'],
    [
      'that should be JSON',
      'Content-Type: application/json',
      '{"a":',
      { assertions: [{ source: 'json', property: 'a', comparison: 'not_empty' }] },
      'timeout',
    ],
  ])('%s', async (_, head, every, settings, expected) => {
    await using site = await stream(head, every)
    expect(await outcome(urlOf(site), settings, 1_500)).toBe(expected)
    await expect.poll(() => site.sockets.size).toBe(0)
  })

  test('is left once it is known what it holds', async () => {
    await using site = await stream('Content-Type: text/event-stream', 'data: tick\n\n')
    for (const settings of [{}, { keyword_present: 'tick' }, { keyword_absent: 'tick' }]) {
      const begun = performance.now()
      await outcome(urlOf(site), settings, 8_000)
      expect(performance.now() - begun).toBeLessThan(3_000)
    }
  })

  test('of an unexpected status is down at once', async () => {
    await using site = await tcp(socket =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 500 Error\r\nContent-Type: text/plain\r\n\r\nwhy')
        const timer = setInterval(() => socket.write('.'), 100)
        socket.on('close', () => clearInterval(timer))
      }),
    )
    const begun = performance.now()
    const { seen, excerpt } = await uptime(urlOf(site), {}, 8_000)
    expect([seen?.status, excerpt?.slice(0, 3)]).toEqual([500, 'why'])
    expect(performance.now() - begun).toBeLessThan(3_000)
  })

  test('that stands still before its end is down', async () => {
    await using site = await raw('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello', { stays: true })
    expect(await outcome(urlOf(site), {}, 400)).toBe('timeout')
  })

  test('of events, that is silent, holds no forbidden text', async () => {
    await using site = await raw('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n', { stays: true })
    expect(await outcome(urlOf(site), { keyword_absent: 'error' }, 400)).toBe('up')
    expect(await outcome(urlOf(site), { keyword_present: 'tick' }, 400)).toBe('timeout')
  })

  test('compressed, with the keyword, is found out as well', async () => {
    const body = gzipSync(`welcome ${'x'.repeat(10_000)}`)
    await using site = await tcp(socket =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n')
        socket.write(body.subarray(0, body.length - 9))
        const timer = setInterval(() => socket.write(Buffer.alloc(1)), 100)
        socket.on('close', () => clearInterval(timer))
      }),
    )
    expect(await outcome(urlOf(site), { keyword_present: 'welcome' }, 1_500)).toBe('up')
  })

  const silent = () =>
    tcp(socket => socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n')))
  test('is not waited for by a check of the redirects alone', async () => {
    await using site = await silent()
    const settings = kinds.redirect_chain.settings.parse({})
    const { seen } = await runCheck('redirect_chain', { url: urlOf(site).href }, settings, {
      guard,
      timeoutMs: 1_000,
      now: Date.now,
    })
    expect(seen).toMatchObject({ end: 'arrived' })
  })

  test('is judged by what came where its headers count', async () => {
    await using site = await stream('Content-Type: text/html\r\nX-Frame-Options: DENY', '<p>')
    const settings = kinds.security_headers.settings.parse({ timeout_ms: 1_000 })
    const { seen, fault } = await runCheck('security_headers', { url: urlOf(site).href }, settings, {
      guard,
      timeoutMs: 2_000,
      now: Date.now,
    })
    expect(fault).toBeUndefined()
    expect(seen).toMatchObject({ status: 200 })
  })
})

test('a failure of one hop is a failure of the walk, with its cause', async () => {
  await using site = await http((_, reply) => reply.writeHead(302, { location: 'http://127.0.0.1:1/' }).end())
  const { end } = await walk(urlOf(site), within(), { maxBytes: 100, maxHops: 5 })
  expect(end.code === 'failed' && end.failure).toBeInstanceOf(RunFailure)
})
