import { zstdCompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { serverAgentPaths, serverLimits } from '#contract/server-agent.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { readOtlp } from '#control-plane/passive/servers/intake/otlp.ts'
import { readOwn } from '#control-plane/passive/servers/intake/own.ts'
import { writeMessage } from '#control-plane/passive/servers/intake/protobuf.ts'
import {
  readRemoteWrite as readInSlices,
  readRemoteWriteTwo as readTwoInSlices,
} from '#control-plane/passive/servers/intake/remote-write.ts'
import { settle as settleInSlices } from '#control-plane/passive/servers/intake/settle.ts'
import { app, given } from '#test/support/app.ts'
import { atOnce } from '#test/support/at-once.ts'
import { cpuOf } from '#test/support/cpu.ts'
import { writeRequest } from './encoders.ts'

const settle = (...input: Parameters<typeof settleInSlices>) => atOnce(settleInSlices(...input))
const readRemoteWrite = (body: Buffer) => atOnce(readInSlices(body))
const readRemoteWriteTwo = (body: Buffer) => atOnce(readTwoInSlices(body))

/** An honest body of the most values takes a third of this. What took longest before its limit was found took 20 times as much. */
const mostMs = 300
const at = Date.UTC(2026, 0, 5, 12)
const most = serverLimits.batchBytesUnpacked - 1_000

const nothing = (tag: number, bytes = most) => Buffer.alloc(bytes - (bytes % 2), Buffer.from([tag, 0]))
const within = (number: number, inner: Buffer) => writeMessage([[number, inner]])
const ofMetric = (metric: Buffer) => within(1, within(2, within(2, metric)))
const metricsOf = (text: string) => Buffer.from(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[${text}]}]}]}`)
const repeated = (text: string, bytes = most) =>
  Array(Math.floor(bytes / (text.length + 1)))
    .fill(text)
    .join(',')
const header = '"batch":"11111111-1111-4111-8111-111111111111"'
const keys = (value: string, count: number) =>
  Array.from({ length: count }, (_, i) => `"${i.toString(36)}":${value}`).join(',')

const protobuf = (body: Buffer) => settle(readOtlp(body, 'application/x-protobuf').readings, {})
const json = (body: Buffer) => settle(readOtlp(body, 'application/json').readings, {})
const remoteWrite = (body: Buffer) => settle(readRemoteWrite(body).readings, {})
const remoteWriteTwo = (body: Buffer) => settle(readRemoteWriteTwo(body).readings, {})
const own = (body: Buffer) => readOwn(body, 'application/json')
const lines = (body: Buffer) => readOwn(body, 'application/x-ndjson')

const oneWhole = (series: number, samples: number) =>
  writeRequest(
    Array.from({ length: series }, (_, index) => [
      'node_filesystem_size_bytes',
      { mountpoint: '/', device: String(index) },
      Array.from({ length: samples }, () => [at, 1]),
    ]),
  )

/** Series of one mount, whose name has the most bytes that are left. */
function oneLongName(series: number): Buffer {
  const texts = ['', '__name__', 'node_filesystem_size_bytes', 'mountpoint', 'device', 'x'.repeat(most - 100 * series)]
  const one = writeMessage([
    [1, Buffer.from([1, 2, 3, 5, 4, 5])],
    [2, writeMessage([[2, at]])],
  ])
  return Buffer.concat([
    writeMessage(texts.map((text): [number, string] => [4, text])),
    ...Array<Buffer>(series).fill(within(5, one)),
  ])
}

describe('the most expensive request bodies of servers', () => {
  test.each<[what: string, status: number | 'taken', read: (body: Buffer) => unknown, body: () => Buffer]>([
    ['20,000 samples of one series and moment', 'taken', remoteWrite, () => oneWhole(1, 20_000)],
    ['20,000 series that are parts of one whole', 'taken', remoteWrite, () => oneWhole(20_000, 1)],
    ['series of nothing', 413, remoteWrite, () => nothing(10)],
    ['a series of empty labels', 413, remoteWrite, () => within(1, nothing(10))],
    ['a series of empty samples', 413, remoteWrite, () => within(1, nothing(18))],
    ['a series of empty exemplars', 413, remoteWrite, () => within(1, nothing(26))],
    ['symbols of nothing to 2.0', 413, remoteWriteTwo, () => nothing(34)],
    ['series of nothing to 2.0', 413, remoteWriteTwo, () => nothing(42)],
    ['a series of empty samples to 2.0', 413, remoteWriteTwo, () => within(5, nothing(18))],
    ['a series of empty exemplars to 2.0', 413, remoteWriteTwo, () => within(5, nothing(34))],
    ['a series of places to 2.0', 413, remoteWriteTwo, () => within(5, within(1, Buffer.alloc(most)))],
    ['a series of places one by one to 2.0', 413, remoteWriteTwo, () => within(5, nothing(8))],
    ['20,000 series of one name of megabytes to 2.0', 'taken', remoteWriteTwo, () => oneLongName(20_000)],
    ['resources of nothing', 413, protobuf, () => nothing(10)],
    ['scopes of nothing', 413, protobuf, () => within(1, nothing(18))],
    ['empty metrics', 413, protobuf, () => within(1, within(2, nothing(18)))],
    ['empty gauges', 413, protobuf, () => ofMetric(nothing(42))],
    ['empty points of a gauge', 413, protobuf, () => ofMetric(within(5, nothing(10)))],
    ['empty points of a histogram', 413, protobuf, () => ofMetric(within(9, nothing(10)))],
    ['empty attributes of a point', 413, protobuf, () => ofMetric(within(5, within(1, nothing(58))))],
    ['empty attributes of a resource', 413, protobuf, () => within(1, within(1, nothing(10)))],
    ['empty metrics in JSON', 413, json, () => metricsOf(repeated('{}'))],
    ['20,001 empty metrics in JSON', 413, json, () => metricsOf(repeated('{}', 3 * 20_001))],
    ['metrics that are none in JSON', 413, json, () => metricsOf(repeated('1'))],
    ['resources of nothing in JSON', 413, json, () => Buffer.from(`{"resourceMetrics":[${repeated('{}')}]}`)],
    [
      '20,001 points of a histogram in JSON',
      413,
      json,
      () => metricsOf(`{"histogram":{"dataPoints":[${repeated('{}', 3 * 20_001)}]}}`),
    ],
    [
      'attributes of a point in JSON',
      413,
      json,
      () => metricsOf(`{"gauge":{"dataPoints":[{"attributes":[${repeated('{}')}]}]}}`),
    ],
    ['empty lines', 400, lines, () => Buffer.alloc(most, 10)],
    ['lines that are none', 400, lines, () => Buffer.from(`{${header}}\n${'x\n'.repeat(most / 2 - 100)}`)],
    ['more lines than samples', 422, lines, () => Buffer.from(`{${header}}\n${'1\n'.repeat(20_000)}`)],
    [
      'values of one sample',
      413,
      own,
      () => Buffer.from(`{${header},"samples":[{"at":1,"metrics":{"disk":{${keys('1', 600_000)}}}}]}`),
    ],
    [
      '20,001 values of one sample',
      422,
      own,
      () => Buffer.from(`{${header},"samples":[{"at":1,"metrics":{"disk":{${keys('1', 20_001)}}}}]}`),
    ],
    [
      '20,001 metrics of one sample',
      422,
      own,
      () => Buffer.from(`{${header},"samples":[{"at":1,"metrics":{${keys('1', 20_001)}}}]}`),
    ],
    [
      '20,000 values of one sample',
      'taken',
      own,
      () => Buffer.from(`{${header},"samples":[{"at":1,"metrics":{"disk":{${keys('1', 20_000)}}}}]}`),
    ],
    ['empty samples', 413, own, () => Buffer.from(`{${header},"samples":[${repeated('{}')}]}`)],
  ])('%s: %s within little processor time', async (_, expected, read, make) => {
    const body = make()
    let status: unknown = 'taken'
    const ms = await cpuOf(() => {
      try {
        read(body)
      } catch (error) {
        status = error instanceof Refusal ? error.status : error
      }
    })
    expect(status).toBe(expected)
    expect(ms).toBeLessThan(mostMs)
  })

  test('free and cached memory are two parts, and of two free values for one moment the first counts', () => {
    const part = (source: string, role: 'used' | 'rest', bytes: number) => ({
      kind: 'part' as const,
      metric: 'memory' as const,
      label: '',
      at,
      role,
      source,
      bytes,
    })
    const parts = [part('used', 'used', 50), part('free', 'rest', 30), part('cached', 'rest', 20)]
    const { values, repeated } = settle(parts, {})
    expect([values, repeated]).toMatchObject([[{ value: 50 }, { value: 50 }], undefined])
    expect(settle([...parts, part('free', 'rest', 30)], {})).toEqual({ values, changed: {} })
    expect(settle([...parts, part('free', 'rest', 70)], {})).toEqual({ values, changed: {}, repeated: 1 })
  })
})

test('a body counts as one request for each started half megabyte of it, unpacked', async () => {
  const tenant = await given.tenant()
  const { body } = await tenant.post('/agent-monitors', { name: 'web-1' })
  const send = async (bytes: number) => {
    const response = await fetch(app.baseUrl + serverAgentPaths.metrics, {
      method: 'POST',
      headers: {
        'X-Forwarded-For': tenant.ip,
        Authorization: `Bearer ${body.plain_text_token}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'zstd',
      },
      body: new Uint8Array(zstdCompressSync(Buffer.alloc(bytes, ' '))),
    })
    return response.status
  }
  // fifteen of seven halves and a bit, which is 8 each: all of the 120
  for (let n = 0; n < 15; n++) expect(await send(7 * serverLimits.requestBytes + 1)).toBe(400)
  expect(await send(1)).toBe(429)
})
