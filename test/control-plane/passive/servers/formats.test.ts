import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Refusal } from '#control-plane/base/refusal.ts'
import { readOtlp } from '#control-plane/passive/servers/intake/otlp.ts'
import { readOwn } from '#control-plane/passive/servers/intake/own.ts'
import type { Reading } from '#control-plane/passive/servers/intake/readings.ts'
import {
  readRemoteWrite as readInSlices,
  readRemoteWriteTwo as readTwoInSlices,
} from '#control-plane/passive/servers/intake/remote-write.ts'
import { type Memory, settle as settleInSlices } from '#control-plane/passive/servers/intake/settle.ts'
import { atOnce } from '#test/support/at-once.ts'
import { type OtlpMetric, otlpBytes, otlpMessage, type Series, writeRequest, writeRequestTwo } from './encoders.ts'

const settle = (...input: Parameters<typeof settleInSlices>) => atOnce(settleInSlices(...input))
const readRemoteWrite = (body: Buffer) => atOnce(readInSlices(body))

const at = Date.UTC(2026, 0, 5, 12)
const next = at + 60_000

const shown = (readings: readonly Reading[], memory: Memory = {}) =>
  settle(readings, memory)
    .values.map(
      ({ metric, label, at: when, value }) =>
        `${(when - at) / 1_000} ${metric}${label && ` ${label}`} ${Math.round(value * 100) / 100}`,
    )
    .sort()

describe('OTLP', () => {
  const table: [what: string, metrics: OtlpMetric[], values: string[]][] = [
    [
      'the share of time a core was not idle',
      [
        {
          name: 'system.cpu.utilization',
          points: [
            { at, value: 0.25, attributes: { cpu: 'cpu0', state: 'idle' } },
            { at, value: 0.7, attributes: { cpu: 'cpu0', state: 'user' } },
          ],
        },
      ],
      ['0 cpu cpu0 75'],
    ],
    [
      'seconds of idle time, as their growth',
      [
        {
          name: 'system.cpu.time',
          sum: 'cumulative',
          points: [
            { at, value: 1_000, attributes: { cpu: 'cpu0', state: 'idle' } },
            { at: next, value: 1_015, attributes: { cpu: 'cpu0', state: 'idle' } },
          ],
        },
      ],
      ['60 cpu cpu0 75'],
    ],
    [
      'memory by state',
      [
        {
          name: 'system.memory.usage',
          points: [
            { at, value: 600, attributes: { state: 'used' } },
            { at, value: 300, attributes: { state: 'free' } },
            { at, value: 100, attributes: { state: 'cached' } },
            { at, value: 50, attributes: { state: 'slab_reclaimable' } },
          ],
        },
      ],
      ['0 memory 60', '0 memory_used 600'],
    ],
    [
      'file systems, without those that hold no files',
      [
        {
          name: 'system.filesystem.usage',
          points: [
            { at, value: 80, attributes: { mountpoint: '/', type: 'ext4', state: 'used' } },
            { at, value: 20, attributes: { mountpoint: '/', type: 'ext4', state: 'free' } },
            { at, value: 5, attributes: { mountpoint: '/', type: 'ext4', state: 'reserved' } },
            { at, value: 9, attributes: { mountpoint: '/run', type: 'tmpfs', state: 'used' } },
          ],
        },
      ],
      ['0 disk / 80', '0 disk_used / 80'],
    ],
    [
      'traffic that restarts from zero',
      [
        {
          name: 'system.network.io',
          sum: 'cumulative',
          points: [
            { at, value: 6_000, attributes: { device: 'eth0', direction: 'receive' } },
            { at: next, value: 0, attributes: { device: 'eth0', direction: 'receive' } },
            { at: next + 60_000, value: 1_200, attributes: { device: 'eth0', direction: 'receive' } },
          ],
        },
      ],
      ['120 network_in eth0 20'],
    ],
    [
      'traffic sent as a delta',
      [
        {
          name: 'system.network.io',
          sum: 'delta',
          points: [{ at, value: 600, attributes: { device: 'eth0', direction: 'transmit' } }],
        },
      ],
      ['0 network_out eth0 10'],
    ],
    [
      'loads',
      [
        { name: 'system.cpu.load_average.1m', points: [{ at, value: 1.5 }] },
        { name: 'system.cpu.load_average.15m', points: [{ at, value: 0.5 }] },
      ],
      ['0 load 1.5', '0 load_15m 0.5'],
    ],
    ['no number', [{ name: 'system.cpu.load_average.1m', points: [{ at, value: Number.NaN }] }], []],
  ]
  test.each(table)('%s', (_, metrics, values) => {
    const message = otlpMessage(metrics)
    expect(shown(readOtlp(otlpBytes(message), 'application/x-protobuf').readings)).toEqual(values)
    const json = JSON.stringify(message)
    if (!json.includes('null')) expect(shown(readOtlp(Buffer.from(json), 'application/json').readings)).toEqual(values)
  })

  test('counts unknown metrics, and refuses two servers with one token', () => {
    const other = otlpMessage([
      {
        name: 'http.server.duration',
        points: [
          { at, value: 1 },
          { at, value: 2 },
        ],
      },
    ])
    expect(readOtlp(otlpBytes(other), 'application/x-protobuf')).toMatchObject({ readings: [], ignored: 2 })
    const [a, b] = ['a', 'b'].map(name =>
      otlpMessage([{ name: 'system.cpu.load_average.1m', points: [{ at, value: 1 }] }], { 'host.name': name }),
    )
    expect(() =>
      readOtlp(
        otlpBytes({ resourceMetrics: [...a!.resourceMetrics, ...b!.resourceMetrics] }),
        'application/x-protobuf',
      ),
    ).toThrow('for one server')
  })

  test('reads the names of newer collector versions', () => {
    const metrics: OtlpMetric[] = [
      {
        name: 'system.cpu.utilization',
        points: [{ at, value: 0.9, attributes: { 'cpu.logical_number': '3', 'cpu.mode': 'idle' } }],
      },
      {
        name: 'system.filesystem.utilization',
        points: [{ at, value: 0.5, attributes: { 'system.filesystem.mountpoint': '/srv' } }],
      },
    ]
    expect(shown(readOtlp(otlpBytes(otlpMessage(metrics)), 'application/x-protobuf').readings)).toEqual([
      '0 cpu 3 10',
      '0 disk /srv 50',
    ])
  })
})

describe('remote write', () => {
  const table: [what: string, series: Series[], values: string[]][] = [
    [
      'idle seconds of a core',
      [
        [
          'node_cpu_seconds_total',
          { cpu: '0', mode: 'idle' },
          [
            [at, 100],
            [next, 130],
          ],
        ],
        [
          'node_cpu_seconds_total',
          { cpu: '0', mode: 'user' },
          [
            [at, 7],
            [next, 37],
          ],
        ],
      ],
      ['60 cpu 0 50'],
    ],
    [
      'memory',
      [
        ['node_memory_MemAvailable_bytes', {}, [[at, 250]]],
        ['node_memory_MemTotal_bytes', {}, [[at, 1_000]]],
      ],
      ['0 memory 75', '0 memory_used 750'],
    ],
    [
      'a disk, and a file system in memory',
      [
        ['node_filesystem_avail_bytes', { mountpoint: '/', fstype: 'ext4' }, [[at, 10]]],
        ['node_filesystem_size_bytes', { mountpoint: '/', fstype: 'ext4' }, [[at, 100]]],
        ['node_filesystem_avail_bytes', { mountpoint: '/run', fstype: 'tmpfs' }, [[at, 10]]],
      ],
      ['0 disk / 90', '0 disk_used / 90'],
    ],
    [
      'traffic',
      [
        [
          'node_network_receive_bytes_total',
          { device: 'eth0' },
          [
            [at, 0],
            [next, 600],
          ],
        ],
      ],
      ['60 network_in eth0 10'],
    ],
    [
      'loads and temperatures',
      [
        ['node_load1', {}, [[at, 2]]],
        ['node_hwmon_temp_celsius', { chip: 'coretemp', sensor: 'temp1' }, [[at, 61]]],
      ],
      ['0 load 2', '0 temperature coretemp temp1 61'],
    ],
    ['when it was started', [['node_boot_time_seconds', {}, [[at, at / 1_000 - 3_600]]]], ['0 uptime 3600']],
    ['the mark that ends a series', [['node_load1', {}, [[at, Number.NaN]]]], []],
  ]
  test.each(table)('%s', (_, series, values) =>
    expect(shown(readRemoteWrite(writeRequest(series)).readings)).toEqual(values),
  )

  test('counts unknown series, and refuses several instances', () => {
    expect(
      readRemoteWrite(
        writeRequest([
          ['up', {}, [[at, 1]]],
          [
            'go_goroutines',
            {},
            [
              [at, 1],
              [next, 2],
            ],
          ],
        ]),
      ),
    ).toMatchObject({ readings: [], ignored: 3 })
    expect(() =>
      readRemoteWrite(
        writeRequest([
          ['node_load1', { instance: 'a' }, [[at, 1]]],
          ['node_load1', { instance: 'b' }, [[at, 1]]],
        ]),
      ),
    ).toThrow('for one server')
  })
})

describe('the memory between two requests', () => {
  const counter = (when: number, total: number): Reading => ({
    kind: 'counter',
    metric: 'network_in',
    label: 'eth0',
    at: when,
    total,
  })

  test('continues counters with the next request, and the same request again adds nothing', () => {
    const first = settle([counter(at, 100)], {})
    expect(first.values).toEqual([])
    const second = settle([counter(next, 700)], first.changed)
    expect(second.values).toMatchObject([{ at: next, value: 10 }])
    expect(settle([counter(next, 700)], { ...first.changed, ...second.changed })).toEqual({ values: [], changed: {} })
    expect(
      settle([counter(next + 3_600_000, 1e9)], second.changed).values,
      'growth over an hour says nothing of a moment',
    ).toEqual([])
  })

  test('keeps a total that is sent rarely', () => {
    const { changed } = settle(
      [{ kind: 'part', metric: 'memory', label: '', at, role: 'total', source: '', bytes: 1_000 }],
      {},
    )
    expect(
      shown(
        [{ kind: 'part', metric: 'memory', label: '', at: next, role: 'available', source: '', bytes: 100 }],
        changed,
      ),
    ).toEqual(['60 memory 90', '60 memory_used 900'])
    expect(
      shown([{ kind: 'part', metric: 'memory', label: '', at: next, role: 'available', source: '', bytes: 100 }]),
    ).toEqual([])
  })

  test('gives the same values however readings are split into requests', () => {
    const totals = fc
      .array(fc.nat(1_000), { minLength: 2, maxLength: 20 })
      .map(steps => steps.map((_, index) => steps.slice(0, index + 1).reduce((sum, step) => sum + step, 0)))
    fc.assert(
      fc.property(totals, fc.nat(20), (sums, cut) => {
        const readings = sums.map((total, index) => counter(at + index * 60_000, total))
        const whole = settle(readings, {}).values
        const first = settle(readings.slice(0, cut), {})
        expect([...first.values, ...settle(readings.slice(cut), first.changed).values]).toEqual(whole)
      }),
    )
  })
})

describe('bytes that are not a message', () => {
  test('are refused or read, and nothing else is thrown', () => {
    const good = [
      otlpBytes(otlpMessage([{ name: 'system.cpu.load_average.1m', points: [{ at, value: 1 }] }])),
      writeRequest([['node_load1', {}, [[at, 2]]]]),
      writeRequestTwo([{ labels: { __name__: 'node_load1', instance: 'a' }, samples: [[at, 2]] }]),
    ]
    const broken = fc.oneof(
      fc.uint8Array({ maxLength: 300 }),
      fc
        .tuple(fc.constantFrom(...good), fc.nat(), fc.nat(255))
        .map(([bytes, place, byte]) => Buffer.from(bytes).fill(byte, place % bytes.length, (place % bytes.length) + 1)),
      fc.tuple(fc.constantFrom(...good), fc.nat()).map(([bytes, end]) => bytes.subarray(0, end % bytes.length)),
    )
    fc.assert(
      fc.property(broken, bytes => {
        const body = Buffer.from(bytes)
        for (const read of [
          readRemoteWrite,
          (given: Buffer) => atOnce(readTwoInSlices(given)),
          (given: Buffer) => readOtlp(given, 'application/x-protobuf'),
          (given: Buffer) => readOtlp(given, 'application/json'),
          (given: Buffer) => readOwn(given, 'application/json'),
          (given: Buffer) => readOwn(given, 'application/x-ndjson'),
        ])
          try {
            settle(read(body).readings, {})
          } catch (error) {
            expect(error).toBeInstanceOf(Refusal)
          }
      }),
      { numRuns: 2_000 },
    )
  })
})
