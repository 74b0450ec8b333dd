import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { readOtlp } from '#control-plane/passive/servers/intake/otlp.ts'
import { app, given } from '#test/support/app.ts'
import {
  otlpBytes,
  otlpMessage,
  packed,
  readExported,
  type WrittenSeries,
  writeRequestOf,
  writeRequestTwo,
} from './encoders.ts'

async function aServer() {
  const tenant = await given.tenant()
  const { body } = await tenant.post('/agent-monitors', { name: 'web-1' })
  return { id: String(body.data.id), token: String(body.plain_text_token), ip: tenant.ip }
}
type Server = Awaited<ReturnType<typeof aServer>>

async function send(path: string, { token, ip }: Server, body: string | Buffer, headers: Record<string, string>) {
  const response = await fetch(app.baseUrl + path, {
    method: 'POST',
    headers: { 'X-Forwarded-For': ip, Authorization: `Bearer ${token}`, ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  return { status: response.status, headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) }
}

async function stored({ id }: Server): Promise<string[]> {
  const result = await app.services.clickhouse.query({
    query: `SELECT metric, label, value FROM server_samples FINAL WHERE monitor_id = {id: UUID} ORDER BY metric, label, at`,
    query_params: { id },
    format: 'JSONEachRow',
  })
  return (await result.json<{ metric: string; label: string; value: number }>()).map(
    ({ metric, label, value }) => `${metric}${label && ` ${label}`} ${Math.round(value * 100) / 100}`,
  )
}

const series = (name: string, samples: [number, number][], labels: Record<string, string> = {}): WrittenSeries => ({
  labels: { __name__: name, instance: 'a:9100', job: 'node', ...labels },
  samples,
})
const root = { device: '/dev/a', fstype: 'ext4', mountpoint: '/' }
const day = 86_400_000

const one = 'application/x-protobuf'
const two = 'application/x-protobuf;proto=io.prometheus.write.v2.Request'
const versions = [
  ['1.0', one, writeRequestOf],
  ['2.0', two, writeRequestTwo],
] as const

describe.each(versions)('remote write %s', (version, type, encode) => {
  const write = async (server: Server, found: readonly WrittenSeries[]) => {
    const answer = await send(serverAgentPaths.remoteWrite, server, packed(encode(found)), {
      'Content-Type': type,
      'Content-Encoding': 'snappy',
    })
    const [samples, histograms, exemplars] = ['samples', 'histograms', 'exemplars'].map(kind =>
      answer.headers.get(`x-prometheus-remote-write-${kind}-written`),
    )
    return { status: answer.status, text: answer.bytes.toString(), written: { samples, histograms, exemplars } }
  }
  /** What the headers say: version 1.0 has none. */
  const counted = (samples: number, histograms = 0, exemplars = 0) =>
    version === '1.0'
      ? { samples: null, histograms: null, exemplars: null }
      : { samples: String(samples), histograms: String(histograms), exemplars: String(exemplars) }

  test.each([
    ['the same value', 40],
    ['another value', 41],
  ])('a part that two jobs send for one moment with %s loses nothing of the batch', async (_, second) => {
    const server = await aServer()
    const at = Date.now() - 5_000
    const { status, written } = await write(server, [
      series('node_filesystem_size_bytes', [[at, 100]], root),
      series('node_filesystem_avail_bytes', [[at, 40]], root),
      series('node_filesystem_avail_bytes', [[at, second]], { ...root, job: 'second' }),
      series('node_load1', [[at + 1_000, 1]]),
    ])
    expect({ status, written }).toEqual({ status: 204, written: counted(4) })
    expect(await stored(server)).toEqual(['disk / 60', 'disk_used / 60', 'load 1'])
  })

  test('the same sample twice in one series, and the same request again, change nothing', async () => {
    const server = await aServer()
    const at = Date.now() - 60_000
    const found = [
      series('node_memory_MemTotal_bytes', [
        [at, 1_000],
        [at, 1_000],
      ]),
      series('node_memory_MemAvailable_bytes', [
        [at, 400],
        [at, 400],
      ]),
      series('node_load1', [
        [at, 2],
        [at, 2],
      ]),
      series(
        'node_network_receive_bytes_total',
        [
          [at, 100],
          [at, 100],
          [at + 10_000, 200],
          [at + 10_000, 200],
        ],
        { device: 'eth0' },
      ),
    ]
    for (const _ of [1, 2]) expect((await write(server, found)).status).toBe(204)
    expect(await stored(server)).toEqual(['load 2', 'memory 60', 'memory_used 600', 'network_in eth0 10'])
  })

  test.each([
    ['of last month', -30 * day, 'seven days back'],
    ['of tomorrow', day, 'in the future'],
    ['before time began', -1e13, 'seven days back'],
  ])('a sample %s is answered with 400, and the others are stored', async (_, offset, why) => {
    const server = await aServer()
    const at = Date.now() - 5_000
    const { status, text, written } = await write(server, [
      series('node_load1', [
        [at + offset, 9],
        [at, 1],
      ]),
      series('node_load5', [[at, 2]]),
    ])
    expect({ status, written }).toEqual({ status: 400, written: counted(2) })
    expect(JSON.parse(text).message).toMatch(new RegExp(`${why}.*The other values are stored`))
    expect(await stored(server)).toEqual(['load 1', 'load_5m 2'])
  })

  test('samples out of their order are stored in it', async () => {
    const server = await aServer()
    const at = Date.now() - 60_000
    const found = series(
      'node_network_receive_bytes_total',
      [
        [at + 20_000, 600],
        [at, 100],
        [at + 10_000, 200],
      ],
      { device: 'eth0' },
    )
    expect((await write(server, [found])).status).toBe(204)
    expect(await stored(server)).toEqual(['network_in eth0 10', 'network_in eth0 40'])
  })

  test('a series without a name is answered with 400, and the others are stored', async () => {
    const server = await aServer()
    const at = Date.now() - 5_000
    const nameless: WrittenSeries[] = [{ labels: { instance: 'a:9100' }, samples: [[at, 1]] }, { labels: {} }]
    const { status, text, written } = await write(server, [...nameless, series('node_load1', [[at, 3]])])
    expect({ status, written }).toEqual({ status: 400, written: counted(1) })
    expect(JSON.parse(text).message).toContain('__name__')
    expect(await stored(server)).toEqual(['load 3'])
  })

  test('numbers that are none, series that are not known, histograms and exemplars are left out', async () => {
    const server = await aServer()
    const at = Date.now() - 5_000
    const { status, written } = await write(server, [
      ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value, index) =>
        series('node_load5', [[at + index, value]]),
      ),
      { ...series('node_load1', [[at, 4]]), exemplars: [at, at + 1] },
      { ...series('http_requests', []), histograms: [at, at + 1, at + 2] },
      series('up', [[at, 1]]),
      { labels: { __name__: 'orphan' }, exemplars: [at] },
    ])
    expect({ status, written }).toEqual({ status: 204, written: counted(5, 3, 3) })
    expect(await stored(server)).toEqual(['load 4'])
  })

  test('labels with line ends and signs of any writing are read', async () => {
    const server = await aServer()
    const at = Date.now() - 5_000
    const labels = { mountpoint: '/a\nb ü🚀', fstype: 'ext4', 'job.name': 'x y' }
    const { status } = await write(server, [
      series('node_filesystem_size_bytes', [[at, 100]], labels),
      series('node_filesystem_avail_bytes', [[at, 40]], labels),
    ])
    expect(status).toBe(204)
    expect(await stored(server)).toEqual(['disk /a b ü🚀 60', 'disk_used /a b ü🚀 60'])
  })

  test('a request of nothing is taken', async () => {
    expect(await write(await aServer(), [])).toMatchObject({ status: 204, written: counted(0) })
  })
})

describe('remote write, its content types', () => {
  const good = () => writeRequestOf([series('node_load1', [[Date.now() - 1_000, 1]])])
  const goodTwo = () => writeRequestTwo([series('node_load1', [[Date.now() - 1_000, 1]])])
  test.each<[type: string, status: number, body: () => Buffer]>([
    ['application/x-protobuf', 204, good],
    ['application/x-protobuf;proto=prometheus.WriteRequest', 204, good],
    ['application/x-protobuf; proto=prometheus.WriteRequest', 204, good],
    ['Application/X-Protobuf; Proto="prometheus.WriteRequest"', 204, good],
    ['application/x-protobuf; charset=utf-8; proto=io.prometheus.write.v2.Request', 204, goodTwo],
    ['application/x-protobuf;proto=io.prometheus.write.v2.Request', 204, goodTwo],
    ['application/x-protobuf;proto=io.prometheus.write.v3.Request', 415, good],
    ['application/x-protobuf;proto=', 415, good],
    ['application/json', 415, good],
    ['image/png', 415, good],
  ])('%s: %i', async (type, status, body) => {
    const server = await aServer()
    const headers = { 'Content-Type': type, 'Content-Encoding': 'snappy' }
    expect((await send(serverAgentPaths.remoteWrite, server, packed(body()), headers)).status).toBe(status)
    expect(await stored(server)).toEqual(status === 204 ? ['load 1'] : [])
  })

  test.each(['gzip', 'zstd', 'deflate', 'identity', 'snappy, snappy'])('packed as %s: 415', async encoding => {
    for (const type of [one, two]) {
      const headers = { 'Content-Type': type, 'Content-Encoding': encoding }
      expect((await send(serverAgentPaths.remoteWrite, await aServer(), packed(good()), headers)).status).toBe(415)
    }
  })

  test.each([one, two])('bytes that are not snappy, or no message, as %s: 400', async type => {
    const headers = { 'Content-Type': type, 'Content-Encoding': 'snappy' }
    const broken = packed(good())
    broken[0] = 0x30
    for (const body of [Buffer.from('x'), broken, packed(Buffer.from([0x2a, 0x7f, 1]))])
      expect((await send(serverAgentPaths.remoteWrite, await aServer(), body, headers)).status).toBe(400)
  })

  test.each<[what: string, change: (symbols: string[], refs: number[]) => number[]]>([
    ['past the end', (symbols, refs) => [...refs, symbols.length, 1]],
    ['without a value', (_, refs) => [...refs, 1]],
    ['of huge numbers', (_, refs) => [...refs, 0xffff_ffff, 0xffff_fffe]],
  ])('labels of 2.0 %s leave out their series alone, with 400', async (_, change) => {
    const server = await aServer()
    const at = Date.now() - 1_000
    const body = writeRequestTwo(
      [series('node_load1', [[at, 1]]), series('node_load5', [[at, 2]])],
      ({ symbols, timeseries: [first, ...rest] }) => ({
        symbols,
        timeseries: [{ ...first!, labelsRefs: change(symbols, first!.labelsRefs) }, ...rest],
      }),
    )
    const answer = await send(serverAgentPaths.remoteWrite, server, packed(body), {
      'Content-Type': two,
      'Content-Encoding': 'snappy',
    })
    expect([answer.status, answer.headers.get('x-prometheus-remote-write-samples-written')]).toEqual([400, '1'])
    expect(await stored(server)).toEqual(['load_5m 2'])
  })

  test('symbols behind the series that name them, and places one by one, are read', async () => {
    const server = await aServer()
    const texts = ['', '__name__', 'node_load1', 'instance', 'a']
    const varint = (value: number) => Buffer.from(value < 128 ? [value] : [(value & 127) | 128, value >> 7])
    const field = (number: number, inner: Buffer) =>
      Buffer.concat([varint(number * 8 + 2), varint(inner.length), inner])
    const sample = Buffer.alloc(18)
    sample.writeUInt8(9, 0)
    sample.writeDoubleLE(1.5, 1)
    sample.writeUInt8(16, 9)
    let at = BigInt(Date.now() - 1_000)
    let length = 10
    for (; at >= 128n; at >>= 7n) sample.writeUInt8(Number(at & 127n) | 128, length++)
    sample.writeUInt8(Number(at), length++)
    const refs = Buffer.from([1, 2, 3, 4].flatMap(ref => [8, ref]))
    const body = Buffer.concat([
      field(5, Buffer.concat([refs, field(2, sample.subarray(0, length))])),
      ...texts.map(text => field(4, Buffer.from(text))),
    ])
    const headers = { 'Content-Type': two, 'Content-Encoding': 'snappy' }
    expect((await send(serverAgentPaths.remoteWrite, server, packed(body), headers)).status).toBe(204)
    expect(await stored(server)).toEqual(['load 1.5'])
  })
})

const json = { 'Content-Type': 'application/json' }
/** An export of gauges, each with its points as they are written. */
const exportOf = (points: Record<string, object[]>, more: object = {}) => ({
  resourceMetrics: [
    {
      ...{ resource: null, schemaUrl: '' },
      scopeMetrics: [
        {
          scope: null,
          metrics: Object.entries(points).map(([name, dataPoints]) => ({ name, gauge: { dataPoints }, ...more })),
        },
      ],
    },
  ],
})
const nanos = (ms: number) => `${ms}000000`

describe('OTLP in JSON', () => {
  const at = () => Date.now() - 5_000
  const load = 'system.cpu.load_average.1m'
  test.each<[what: string, point: (at: number) => object, values: string[]]>([
    [
      'null for what is not set',
      at => ({
        timeUnixNano: nanos(at),
        asDouble: 0.25,
        asInt: null,
        attributes: null,
        exemplars: null,
        flags: null,
        startTimeUnixNano: null,
      }),
      ['load 0.25'],
    ],
    ['flag 1', at => ({ timeUnixNano: nanos(at), asDouble: 0, flags: 1 }), []],
    ['flag 1 as a text', at => ({ timeUnixNano: nanos(at), asDouble: 0, flags: '1' }), []],
    ['flags that hold 1', at => ({ timeUnixNano: nanos(at), asDouble: 0, flags: 257 }), []],
    ['flag 1 and no value', at => ({ timeUnixNano: nanos(at), flags: 1 }), []],
    ['another flag', at => ({ timeUnixNano: nanos(at), asDouble: 3, flags: 2 }), ['load 3']],
    ['no value', at => ({ timeUnixNano: nanos(at) }), []],
    ['a whole number as a text', at => ({ timeUnixNano: nanos(at), asInt: '7' }), ['load 7']],
    ['a whole number', at => ({ timeUnixNano: nanos(at), asInt: 7 }), ['load 7']],
    ['a whole number with an exponent', at => ({ timeUnixNano: nanos(at), asInt: '7e1' }), ['load 70']],
    ['zero', at => ({ timeUnixNano: nanos(at), asDouble: 0 }), ['load 0']],
    ['a number as a text', at => ({ timeUnixNano: nanos(at), asDouble: '1.5' }), ['load 1.5']],
    ['a time as a number', at => ({ timeUnixNano: at * 1e6, asDouble: 1 }), ['load 1']],
    ['NaN', at => ({ timeUnixNano: nanos(at), asDouble: 'NaN' }), []],
    ['Infinity', at => ({ timeUnixNano: nanos(at), asDouble: 'Infinity' }), []],
    ['an empty text for a number', at => ({ timeUnixNano: nanos(at), asDouble: '' }), []],
    [
      'fields that are not known',
      at => ({ timeUnixNano: nanos(at), asDouble: 1, newField: { deep: [1] }, time_unix_nano: 5 }),
      ['load 1'],
    ],
    [
      'exemplars with ids in hexadecimal',
      at => ({
        ...{ timeUnixNano: nanos(at), asDouble: 1 },
        exemplars: [{ traceId: '5B8EFFF798038103D269B633813FC60C', spanId: 'EEE19B7EC3C1B174', asInt: '3' }],
      }),
      ['load 1'],
    ],
    [
      'attributes of every kind',
      at => ({
        ...{ timeUnixNano: nanos(at), asDouble: 1 },
        attributes: [
          { key: 'a', value: { arrayValue: { values: [{ stringValue: 'x' }] } } },
          { key: 'b', value: { kvlistValue: { values: [{ key: 'c', value: { boolValue: true } }] } } },
          { key: 'd', value: { bytesValue: 'aGk=' } },
          { key: 'e', value: { doubleValue: 1.5, stringValue: null } },
          { key: 'f', value: null },
          { key: null },
          null,
        ],
      }),
      ['load 1'],
    ],
  ])('%s', async (_, point, values) => {
    const server = await aServer()
    const body = JSON.stringify(exportOf({ [load]: [point(at())] }, { sum: null, histogram: null, metadata: [] }))
    const answer = await send(serverAgentPaths.otlp, server, body, json)
    expect([answer.status, JSON.parse(answer.bytes.toString())]).toEqual([200, {}])
    expect(await stored(server)).toEqual(values)
  })

  test.each([null, {}, { resourceMetrics: null }, { resourceMetrics: [] }, { resourceMetrics: [null] }])(
    'an export of nothing, %j, is taken',
    async body => {
      const answer = await send(serverAgentPaths.otlp, await aServer(), JSON.stringify(body), json)
      expect(answer.status).toBe(body === null ? 400 : 200)
    },
  )

  test.each([
    ['a number', 1],
    ['its name', 'AGGREGATION_TEMPORALITY_DELTA'],
    ['a number as a text', '1'],
  ])('the growth of a sum is known by %s', async (_, aggregationTemporality) => {
    const server = await aServer()
    const [from, to] = [at() - 60_000, at()]
    const attributes = [
      { key: 'device', value: { stringValue: 'eth0' } },
      { key: 'direction', value: { stringValue: 'receive' } },
    ]
    const dataPoints = [{ startTimeUnixNano: nanos(from), timeUnixNano: nanos(to), asInt: '600', attributes }]
    const metrics = [{ name: 'system.network.io', sum: { aggregationTemporality, isMonotonic: true, dataPoints } }]
    const body = JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics }] }] })
    expect(
      (await send(serverAgentPaths.otlp, server, gzipSync(body), { ...json, 'Content-Encoding': 'gzip' })).status,
    ).toBe(200)
    expect(await stored(server)).toEqual(['network_in eth0 10'])
  })

  test('points of another time are counted as refused, and the others are stored', async () => {
    const server = await aServer()
    const points = [0, -30 * day, day].map(offset => ({ timeUnixNano: nanos(at() + offset), asDouble: 2 }))
    const body = JSON.stringify(exportOf({ [load]: [...points, { asDouble: 3 }] }))
    const answer = await send(serverAgentPaths.otlp, server, body, json)
    expect(answer.status).toBe(200)
    expect(JSON.parse(answer.bytes.toString())).toMatchObject({
      partialSuccess: { rejectedDataPoints: 3, errorMessage: expect.stringContaining('seven days back') },
    })
    expect(await stored(server)).toEqual(['load 2'])
  })

  test('a part with two values for one moment is counted as refused, and the first counts', async () => {
    const server = await aServer()
    const when = nanos(at())
    const of = (state: string, asInt: string) => ({
      ...{ timeUnixNano: when, asInt },
      attributes: [{ key: 'state', value: { stringValue: state } }],
    })
    const body = JSON.stringify(
      exportOf({ 'system.memory.usage': [of('used', '60'), of('free', '40'), of('free', '40'), of('free', '90')] }),
    )
    const answer = await send(serverAgentPaths.otlp, server, body, json)
    expect([answer.status, JSON.parse(answer.bytes.toString()).partialSuccess.rejectedDataPoints]).toEqual([200, 1])
    expect(await stored(server)).toEqual(['memory 60', 'memory_used 60'])
  })
})

describe('OTLP in protobuf', () => {
  const protobuf = { 'Content-Type': 'application/x-protobuf' }

  test('a point whose flags say that it has no value is left out', async () => {
    const server = await aServer()
    const at = Date.now() - 5_000
    const message = otlpMessage([
      { name: 'system.cpu.load_average.1m', points: [{ at, value: 0 }] },
      { name: 'system.cpu.load_average.5m', points: [{ at, value: 2 }] },
    ])
    const [first] = message.resourceMetrics[0]!.scopeMetrics[0]!.metrics
    Object.assign((first as { gauge: { dataPoints: object[] } }).gauge.dataPoints[0]!, { flags: 1 })
    const answer = await send(serverAgentPaths.otlp, server, otlpBytes(message), protobuf)
    expect([answer.status, answer.bytes.length]).toEqual([200, 0])
    expect(await stored(server)).toEqual(['load_5m 2'])
  })

  test('a point of another time is counted as refused, and the others are stored', async () => {
    const server = await aServer()
    const at = Date.now() - 5_000
    const points = [at, at - 30 * day].map(moment => ({ at: moment, value: 2 }))
    const body = otlpBytes(otlpMessage([{ name: 'system.cpu.load_average.1m', points }]))
    const answer = await send(serverAgentPaths.otlp, server, body, protobuf)
    expect([answer.status, readExported(answer.bytes)]).toMatchObject([
      200,
      { partialSuccess: { rejectedDataPoints: 1 } },
    ])
    expect(await stored(server)).toEqual(['load 2'])
  })

  test('attributes of every kind are read as in JSON', () => {
    const point = {
      timeUnixNano: nanos(Date.UTC(2026, 0, 5)),
      asDouble: 0.5,
      attributes: [
        { key: 'state', value: { stringValue: 'idle' } },
        { key: 'cpu', value: { intValue: '3' } },
        { key: 'a', value: { boolValue: true } },
        { key: 'b', value: { doubleValue: 1.5 } },
      ],
    }
    const message = exportOf({ 'system.cpu.utilization': [point] })
    const { resource: _, ...rest } = message.resourceMetrics[0]!
    const whole = {
      resourceMetrics: [{ ...rest, scopeMetrics: rest.scopeMetrics.map(({ metrics }) => ({ metrics })) }],
    }
    const readings = readOtlp(Buffer.from(JSON.stringify(message)), 'application/json').readings
    expect(readings).toMatchObject([{ metric: 'cpu', label: '3', value: 50 }])
    expect(readOtlp(otlpBytes(whole), 'application/x-protobuf').readings).toEqual(readings)
  })
})
