import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Agent, request } from 'undici'
import { afterAll, describe, expect, test } from 'vitest'
import { encodingFor } from '#control-plane/http/compress.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const dispatcher = new Agent()
afterAll(() => dispatcher.close())

const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const

/** The bytes as they come over the line. */
async function raw(
  path: string,
  headers: Record<string, string>,
  { method = 'GET', caller }: { method?: 'GET' | 'HEAD'; caller?: CallerUnderTest } = {},
) {
  const response = await request(app.baseUrl + path, {
    dispatcher,
    method,
    headers: {
      'X-Forwarded-For': (caller ?? given.stranger()).ip,
      ...(caller && { Authorization: `Bearer ${caller.token}` }),
      ...headers,
    },
  })
  const bytes = Buffer.from(await response.body.arrayBuffer())
  const encoding = response.headers['content-encoding'] as keyof typeof unpack | undefined
  return {
    status: response.statusCode,
    headers: response.headers,
    bytes,
    encoding,
    text: (encoding ? unpack[encoding](bytes) : bytes).toString(),
  }
}

test.each<[header: string | undefined, encoding: string | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['GZIP;q=0.5, BR;q=0.4', 'gzip'],
  ['br;q=0', undefined],
  ['*', 'br'],
  ['br;q=0, *;q=0.1', 'gzip'],
  ['gzip;q=0, *;q=0', undefined],
  ['identity', undefined],
  ['identity;q=1, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['gzip;q=x', undefined],
  ['deflate, compress', undefined],
  ['br\u0000, ;;;q=,', undefined],
])('Accept-Encoding %j is answered by %j', (header, encoding) => {
  expect(encodingFor(header)).toBe(encoding)
})

describe('an answer of more than a kilobyte', () => {
  test('is compressed as its caller accepts, under one weak tag', async () => {
    const team = await given.tenant()
    for (let n = 0; n < 15; n++) await aMonitor(team, { name: `Shop ${n}` })
    const path = '/api/v1/monitors?per_page=15'
    const plain = await raw(path, {}, { caller: team })
    expect([plain.encoding, plain.headers.vary, plain.headers['content-length']]).toEqual([
      undefined,
      'Accept-Encoding',
      String(plain.bytes.length),
    ])
    for (const encoding of ['br', 'gzip'] as const) {
      const packed = await raw(path, { 'Accept-Encoding': encoding }, { caller: team })
      expect([packed.status, packed.encoding, packed.headers.vary]).toEqual([200, encoding, 'Accept-Encoding'])
      expect(packed.headers['content-length']).toBe(String(packed.bytes.length))
      expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4)
      expect(JSON.parse(packed.text).data.map(({ id }: { id: string }) => id)).toEqual(
        JSON.parse(plain.text).data.map(({ id }: { id: string }) => id),
      )
      const known = await raw(
        path,
        { 'Accept-Encoding': encoding, 'If-None-Match': String(packed.headers.etag) },
        { caller: team },
      )
      expect([known.status, known.encoding, known.headers.vary, known.bytes.length]).toEqual([
        304,
        undefined,
        'Accept-Encoding',
        0,
      ])
    }
    const head = await raw(path, { 'Accept-Encoding': 'br' }, { method: 'HEAD', caller: team })
    expect([head.status, head.encoding, head.headers['content-length'], head.bytes.length]).toEqual([
      200,
      undefined,
      plain.headers['content-length'],
      0,
    ])
  })

  test('stays as it is when it is shorter, answers a write, or holds a secret', async () => {
    const team = await given.tenant()
    const accept = { 'Accept-Encoding': 'br, gzip' }
    const short = await raw('/api/v1/user', accept, { caller: team })
    expect([short.bytes.length < 1_024, short.encoding]).toEqual([true, undefined])
    const notes = 'x'.repeat(2_000)
    const made = await team.post(
      '/monitors',
      { name: 'Shop', url: 'https://shop.example.com/', notes },
      { headers: accept },
    )
    expect([made.status, made.headers.get('content-encoding')]).toEqual([201, null])
    const cron = await team.post('/cron-monitors', { name: 'Job', period_minutes: 5, notes })
    for (const path of [`/api/v1/cron-monitors/${cron.body.data.id}`, '/api/v1/cron-monitors']) {
      const { bytes, encoding } = await raw(path, accept, { caller: team })
      expect([bytes.length > 1_024, encoding], path).toEqual([true, undefined])
    }
  })
})

describe('a large document', () => {
  test.each(['/api/v1/openapi.json', '/api/docs/scalar.js'])(
    '%s is compressed once and read alike by everybody',
    async path => {
      const plain = await raw(path, {})
      expect([plain.status, plain.encoding, plain.headers.vary]).toEqual([200, undefined, 'Accept-Encoding'])
      expect(plain.headers.etag).toMatch(/^W\/"/)
      for (const encoding of ['br', 'gzip'] as const) {
        const packed = await raw(path, { 'Accept-Encoding': encoding })
        expect([packed.status, packed.encoding, packed.headers.etag]).toEqual([200, encoding, plain.headers.etag])
        expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 3)
        expect(packed.text === plain.text).toBe(true)
        expect(
          (await raw(path, { 'Accept-Encoding': encoding, 'If-None-Match': String(plain.headers.etag) })).status,
        ).toBe(304)
      }
    },
  )
})
