import { randomUUID } from 'node:crypto'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { computeServerHours } from '#analytics/server-hours.ts'
import { serverAgentPaths, serverLimits } from '#contract/server-agent.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { holdToContract } from '#test/support/contract.ts'
import { otlpBytes, otlpMessage, readExported, remoteWriteBytes, type Series } from './encoders.ts'

let tenant: CallerUnderTest
beforeAll(async () => {
  tenant = await given.tenant()
})

interface Server {
  id: string
  token: string
}
async function aServer(of: CallerUnderTest = tenant, fields: object = {}): Promise<Server> {
  const { status, body, text } = await of.post('/agent-monitors', { name: 'web-1', ...fields })
  expect(status, text).toBe(201)
  return { id: body.data.id, token: body.plain_text_token }
}

type Bytes = string | Buffer
async function send(path: string, token: string, body: Bytes, headers: Record<string, string> = {}) {
  const response = await fetch(app.baseUrl + path, {
    method: 'POST',
    headers: {
      'X-Forwarded-For': tenant.ip,
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  const bytes = Buffer.from(await response.arrayBuffer())
  const type = response.headers.get('content-type') ?? ''
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is checked by the contract
  const json: any = type.startsWith('application/json') && bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined
  holdToContract('POST', path, response.status, type, json)
  return { status: response.status, bytes, type, json, headers: response.headers }
}
const sendMetrics = ({ token }: Server, batch: unknown, headers?: Record<string, string>) =>
  send(
    serverAgentPaths.metrics,
    token,
    typeof batch === 'string' || Buffer.isBuffer(batch) ? batch : JSON.stringify(batch),
    headers,
  )

const now = () => Date.now()
const batchOf = (...samples: object[]) => ({ batch: randomUUID(), samples })

async function stored({ id }: Server): Promise<string[]> {
  const result = await app.services.clickhouse.query({
    query: `SELECT metric, label, value, toUnixTimestamp64Milli(at) AS at FROM server_samples FINAL
      WHERE monitor_id = {id: UUID} ORDER BY metric, label, at`,
    query_params: { id },
    format: 'JSONEachRow',
  })
  return (await result.json<{ metric: string; label: string; value: number; at: number }>()).map(
    ({ metric, label, value }) => `${metric} ${label} ${Math.round(value * 100) / 100}`,
  )
}

const host = {
  name: 'web-1',
  os: 'Debian 12',
  kernel: '6.1',
  arch: 'x64',
  cores: 4,
  memory_bytes: 8_000_000_000,
  agent: '1',
}

describe('metrics in our own format', () => {
  test('are stored before the answer, and the same batch again changes nothing', async () => {
    const server = await aServer()
    const sample = {
      at: now() - 1_000,
      metrics: { cpu: 12.5, disk: { '/': 40, '/srv': 90 }, mood: 1 },
      processes: [{ name: 'nginx', cpu: 3, memory: 1 }],
    }
    const batch = { ...batchOf(sample), host }
    const answer = await sendMetrics(server, batch)
    expect(answer.json).toMatchObject({ batch: batch.batch, accepted: 3, ignored: 1 })
    expect(await stored(server)).toEqual(['cpu  12.5', 'disk / 40', 'disk /srv 90'])
    for (const again of await Promise.all([sendMetrics(server, batch), sendMetrics(server, batch)]))
      expect(again.json).toMatchObject({ accepted: 3 })
    expect(await stored(server)).toHaveLength(3)

    const { body } = await tenant.get(`/monitors/${server.id}/agent`)
    expect(body.data).toMatchObject({ host, is_silent: false, processes: [{ name: 'nginx' }], passed: [] })
    expect(body.data.metrics).toEqual(
      expect.arrayContaining([expect.objectContaining({ metric: 'disk', label: '/srv', value: 90, unit: 'percent' })]),
    )
  })

  test('can be sent as lines, packed or not', async () => {
    const server = await aServer()
    const type = { 'Content-Type': 'application/x-ndjson' }
    const lines = (cpu: number) =>
      [
        { batch: randomUUID() },
        { at: now() - 1_000 * cpu, metrics: { cpu } },
        { at: now() - 500 * cpu, metrics: { load: cpu } },
      ]
        .map(line => JSON.stringify(line))
        .join('\n')
    expect((await sendMetrics(server, lines(1), type)).status).toBe(200)
    expect((await sendMetrics(server, gzipSync(`${lines(2)}\n`), { ...type, 'Content-Encoding': 'gzip' })).status).toBe(
      200,
    )
    expect(
      (await sendMetrics(server, zstdCompressSync(lines(3)), { ...type, 'Content-Encoding': 'zstd' })).status,
    ).toBe(200)
    expect(await stored(server)).toHaveLength(6)
  })

  const good = () => ({ at: now(), metrics: { cpu: 1 } })
  test.each<[what: string, status: number, body: () => unknown, headers?: Record<string, string>]>([
    ['no JSON', 400, () => '{'],
    ['an empty body', 400, () => ''],
    ['JSON nested deep', 400, () => '['.repeat(5_000)],
    ['no batch', 422, () => ({ samples: [good()] })],
    ['no sample', 422, () => batchOf()],
    ['a list', 422, () => []],
    ['a metric that is text', 422, () => batchOf({ at: now(), metrics: { cpu: '1' } })],
    ['a label that is too long', 422, () => batchOf({ at: now(), metrics: { disk: { ['x'.repeat(121)]: 1 } } })],
    ['a label that cannot be stored', 422, () => batchOf({ at: now(), metrics: { disk: { 'a\0b': 1 } } })],
    [
      'a clock five minutes ahead and a little',
      422,
      () => batchOf(good(), { at: now() + serverLimits.futureMs + 10_000, metrics: { cpu: 1 } }),
    ],
    [
      'a clock more than a week behind',
      422,
      () => batchOf(good(), { at: now() - serverLimits.pastMs - 10_000, metrics: { cpu: 1 } }),
    ],
    ['a moment beyond all calendars', 422, () => batchOf(good(), { at: Number.MAX_SAFE_INTEGER, metrics: { cpu: 1 } })],
    ['too many samples', 422, () => batchOf(...Array.from({ length: serverLimits.batchSamples + 1 }, good))],
    [
      'too many values',
      422,
      () =>
        batchOf(
          ...Array.from({ length: 25 }, () => ({
            at: now(),
            metrics: { disk: Object.fromEntries(Array.from({ length: 900 }, (_, i) => [`/${i}`, 1])) },
          })),
        ),
    ],
    [
      'too many different things',
      422,
      () =>
        batchOf({
          at: now(),
          metrics: {
            disk: Object.fromEntries(Array.from({ length: serverLimits.batchSeries + 1 }, (_, i) => [`/${i}`, 1])),
          },
        }),
    ],
    ['more bytes than a batch has', 413, () => Buffer.alloc(serverLimits.batchBytes + 1)],
    ['a bomb', 413, () => gzipSync(Buffer.alloc(200_000_000)), { 'Content-Encoding': 'gzip' }],
    ['another bomb', 413, () => zstdCompressSync(Buffer.alloc(500_000_000)), { 'Content-Encoding': 'zstd' }],
    ['bytes that are not packed', 400, () => JSON.stringify(batchOf(good())), { 'Content-Encoding': 'gzip' }],
    ['a packing we do not know', 415, () => JSON.stringify(batchOf(good())), { 'Content-Encoding': 'br' }],
    ['two packings', 415, () => gzipSync(gzipSync('x')), { 'Content-Encoding': 'gzip, gzip' }],
    ['another content type', 415, () => JSON.stringify(batchOf(good())), { 'Content-Type': 'text/plain' }],
  ])('%s is answered with %i, and nothing of it is stored', async (_, status, body, headers) => {
    const server = await aServer()
    const answer = await sendMetrics(server, body(), headers)
    expect(answer.status, answer.bytes.toString().slice(0, 300)).toBe(status)
    expect(answer.json.message).toBeTruthy()
    expect(await stored(server)).toEqual([])
    expect((await sendMetrics(server, batchOf(good()))).status, 'and all is well afterwards').toBe(200)
  })

  test('are accepted at the edge of each limit', async () => {
    const server = await aServer()
    const most = Object.fromEntries(Array.from({ length: serverLimits.batchSeries }, (_, i) => [`/${i}`, 1]))
    expect(
      (await sendMetrics(server, batchOf({ at: now() + serverLimits.futureMs - 5_000, metrics: { disk: most } }))).json,
    ).toMatchObject({
      accepted: serverLimits.batchSeries,
    })
    const samples = Array.from({ length: serverLimits.batchSamples }, (_, i) => ({
      at: now() - serverLimits.pastMs + 60_000 + i,
      metrics: { cpu: i % 200 },
    }))
    expect((await sendMetrics(server, batchOf(...samples))).json).toMatchObject({ accepted: serverLimits.batchSamples })
    expect(await stored(server)).toContain('cpu  100')
    expect(await stored(server), 'a share is never more than the whole').not.toContain('cpu  199')
  })
})

describe('metrics by OTLP and remote write', () => {
  test('known metrics are stored, others counted; protobuf is answered with protobuf', async () => {
    const server = await aServer()
    const at = now() - 5_000
    const metrics = [
      { name: 'system.cpu.load_average.1m', points: [{ at, value: 2 }] },
      { name: 'system.network.errors', points: [{ at, value: 2 }] },
    ]
    const binary = await send(serverAgentPaths.otlp, server.token, gzipSync(otlpBytes(otlpMessage(metrics))), {
      'Content-Type': 'application/x-protobuf',
      'Content-Encoding': 'gzip',
    })
    expect([binary.status, binary.type]).toEqual([200, 'application/x-protobuf'])
    expect(readExported(binary.bytes)).toMatchObject({
      partialSuccess: { rejectedDataPoints: 1, errorMessage: expect.stringContaining('not known') },
    })
    const json = await send(serverAgentPaths.otlp, server.token, JSON.stringify(otlpMessage(metrics.slice(0, 1))))
    expect([json.status, json.json]).toEqual([200, {}])
    expect(await stored(server)).toEqual(['load  2'])
  })

  test('counters become rates between requests, and a repeated request changes nothing', async () => {
    const server = await aServer()
    const at = now() - 120_000
    const series = (index: number): Series[] => [
      ['node_cpu_seconds_total', { cpu: '0', mode: 'idle' }, [[at + index * 15_000, 100 + index * 3]]],
      ['node_memory_MemTotal_bytes', {}, [[at + index * 15_000, 1_000]]],
      ['node_memory_MemAvailable_bytes', {}, [[at + index * 15_000, 400]]],
      ['node_network_receive_bytes_total', { device: 'eth0' }, [[at + index * 15_000, index * 1_500]]],
      ['go_goroutines', {}, [[at, 9]]],
    ]
    const write = (index: number) =>
      send(serverAgentPaths.remoteWrite, server.token, remoteWriteBytes(series(index)), {
        'Content-Type': 'application/x-protobuf',
        'Content-Encoding': 'snappy',
        'X-Prometheus-Remote-Write-Version': '0.1.0',
      })
    for (const index of [0, 1, 1, 2]) expect((await write(index)).status).toBe(204)
    expect(await stored(server)).toEqual([
      'cpu 0 80',
      'cpu 0 80',
      'memory  60',
      'memory  60',
      'memory  60',
      'memory_used  600',
      'memory_used  600',
      'memory_used  600',
      'network_in eth0 100',
      'network_in eth0 100',
    ])
  })

  const protobuf = { 'Content-Type': 'application/x-protobuf' }
  const snappy = { ...protobuf, 'Content-Encoding': 'snappy' }
  const lying = Buffer.from([0xff, 0xff, 0xff, 0x7f, 0x00, 0x61])
  test.each<[what: string, status: number, path: string, body: Bytes, headers: Record<string, string>]>([
    ['snappy that promises 256 MB', 413, serverAgentPaths.remoteWrite, lying, snappy],
    ['no snappy', 400, serverAgentPaths.remoteWrite, Buffer.from('plainly not'), snappy],
    ['not packed', 415, serverAgentPaths.remoteWrite, Buffer.from('x'), protobuf],
    [
      'remote write of another version',
      415,
      serverAgentPaths.remoteWrite,
      Buffer.from('x'),
      { ...snappy, 'Content-Type': 'application/x-protobuf;proto=io.prometheus.write.v3.Request' },
    ],
    ['JSON to remote write', 415, serverAgentPaths.remoteWrite, '{}', {}],
    [
      'samples of tomorrow',
      400,
      serverAgentPaths.remoteWrite,
      remoteWriteBytes([['node_load1', {}, [[now() + 86_400_000, 1]]]]),
      snappy,
    ],
    [
      'samples of last month',
      400,
      serverAgentPaths.remoteWrite,
      remoteWriteBytes([['node_load1', {}, [[now() - 30 * 86_400_000, 1]]]]),
      snappy,
    ],
    [
      'samples before time began',
      400,
      serverAgentPaths.remoteWrite,
      remoteWriteBytes([['node_load1', {}, [[-5, 1]]]]),
      snappy,
    ],
    ['garbage to OTLP', 400, serverAgentPaths.otlp, Buffer.from([0x0a, 0x7f, 0x01]), protobuf],
    ['JSON that is no export', 400, serverAgentPaths.otlp, JSON.stringify({ resourceMetrics: 7 }), {}],
    [
      'points of tomorrow',
      400,
      serverAgentPaths.otlp,
      otlpBytes(otlpMessage([{ name: 'system.uptime', points: [{ at: now() + 86_400_000, value: 1 }] }])),
      protobuf,
    ],
    [
      'points without a time',
      400,
      serverAgentPaths.otlp,
      otlpBytes(otlpMessage([{ name: 'system.uptime', points: [{ at: 0, startAt: 0, value: 1 }] }])),
      protobuf,
    ],
  ])('%s: %i, and nothing is stored', async (_, status, path, body, headers) => {
    const server = await aServer()
    const answer = await send(path, server.token, body, headers)
    expect(answer.status, answer.bytes.toString().slice(0, 300)).toBe(status)
    expect(await stored(server)).toEqual([])
  })
})

describe('charts of long spans', () => {
  test('are read from whole hours, which stay right after repeated and late values', async () => {
    const server = await aServer()
    const hour = Math.floor(now() / 3_600_000) * 3_600_000 - 4 * 3_600_000
    const batch = batchOf(
      { at: hour, metrics: { cpu: { 0: 10, 1: 30 }, disk: { '/': 40, '/srv': 60 } } },
      { at: hour + 60_000, metrics: { cpu: { 0: 50, 1: 10 }, disk: { '/': 44 } } },
      { at: hour + 3_600_000, metrics: { cpu: 70 } },
    )
    const compute = () => computeServerHours(app.services.clickhouse, now(), 0)
    const chart = async (resolution: string) => {
      const { status, body } = await tenant.get(
        `/agent-monitors/${server.id}/metrics?metrics=cpu,disk&resolution=${resolution}` +
          `&from=${new Date(hour).toISOString()}`,
      )
      expect(status).toBe(200)
      return body.data.map(
        ({
          metric,
          label,
          points,
        }: {
          metric: string
          label: string | null
          points: { at: string; mean: number; highest: number }[]
        }) => [label ?? metric, ...points.map(({ mean, highest }) => [mean, highest])],
      )
    }
    const disks = [
      ['/', [42, 44]],
      ['/srv', [60, 60]],
    ]
    expect((await sendMetrics(server, batch)).status).toBe(200)
    await compute()
    expect(await chart('hour')).toEqual([['cpu', [25, 50], [70, 70]], ...disks])
    expect((await sendMetrics(server, batch)).status).toBe(200)
    await compute()
    expect(await chart('hour')).toEqual([['cpu', [25, 50], [70, 70]], ...disks])
    expect(
      (
        await sendMetrics(
          server,
          batchOf({ at: hour + 120_000, metrics: { cpu: { 0: 100 } } }, { at: now(), metrics: { cpu: 10 } }),
        )
      ).status,
    ).toBe(200)
    await compute()
    expect(await chart('hour')).toEqual([['cpu', [40, 100], [70, 70], [10, 10]], ...disks])
    await app.services.clickhouse.command({
      query: `ALTER TABLE server_samples DELETE WHERE monitor_id = {id: UUID} SETTINGS mutations_sync = 2`,
      query_params: { id: server.id },
    })
    expect(await chart('hour'), 'nothing of it was read from single samples but what is new').toEqual([
      ['cpu', [40, 100], [70, 70]],
      ...disks,
    ])
  })
})

describe('tokens of servers', () => {
  test('work for a day after a rotation, unless revoked', async () => {
    const server = await aServer()
    const ask = (token: string) => sendMetrics({ ...server, token }, batchOf({ at: now(), metrics: { cpu: 1 } }))
    const rotated = await tenant.post(`/agent-monitors/${server.id}/rotate-token`)
    expect(rotated.status).toBe(201)
    const second = rotated.body.plain_text_token
    expect(rotated.body.install.command).toContain(second)
    expect(Date.parse(rotated.body.old_works_until) - now()).toBeGreaterThan(23.9 * 3_600_000)
    expect([(await ask(server.token)).status, (await ask(second)).status]).toEqual([200, 200])

    await app.services.platform.query(
      `update agent_tokens set expires_at = now() - interval '1 second'
       where monitor_id = $1 and expires_at is not null`,
      [server.id],
    )
    expect([(await ask(server.token)).status, (await ask(second)).status]).toEqual([401, 200])

    const revoked = await tenant.post(`/agent-monitors/${server.id}/rotate-token`, { revoke: true })
    expect(revoked.body).toMatchObject({ old_works_until: null, data: { token: { old_works_until: null } } })
    expect([(await ask(second)).status, (await ask(revoked.body.plain_text_token)).status]).toEqual([401, 200])
    expect(await app.audited(tenant)).toContain('monitor.token_rotated')
  })

  test('give no access to other endpoints, and other tokens none to theirs', async () => {
    const server = await aServer()
    const batch = batchOf({ at: now(), metrics: { cpu: 1 } })
    for (const token of [
      '',
      tenant.token ?? '',
      'am-x',
      server.token.slice(0, -1) + (server.token.endsWith('x') ? 'y' : 'x'),
    ])
      expect((await sendMetrics({ ...server, token }, batch)).status, token.slice(0, 3)).toBe(401)
    const { status } = await fetch(`${app.baseUrl}/api/v1/agent-monitors`, {
      headers: { Authorization: `Bearer ${server.token}`, 'X-Forwarded-For': tenant.ip },
    })
    expect(status).toBe(401)
    await tenant.delete(`/agent-monitors/${server.id}`)
    expect((await sendMetrics(server, batch)).status).toBe(401)
  })

  test('are stored as hashes, and have a rate limit each', async () => {
    const server = await aServer()
    const { rows } = await app.services.platform.query(
      'select to_jsonb(k)::text as text from agent_tokens k where monitor_id = $1',
      [server.id],
    )
    expect(JSON.stringify(rows)).not.toContain(server.token.slice(3, 40))
    const answers: number[] = []
    for (let i = 0; i < 13; i++)
      answers.push(
        ...(await Promise.all(Array.from({ length: 10 }, () => sendMetrics(server, '{')))).map(({ status }) => status),
      )
    // other processes share the count while files beside this one serve: some grants may be with them, none are added
    const counted = Map.groupBy(answers, status => status)
    expect([...counted.keys()].sort()).toEqual([400, 429])
    expect(counted.get(400)?.length).toBeLessThanOrEqual(120)
    expect(answers.at(-1)).toBe(429)
    expect(
      (await sendMetrics(await aServer(), batchOf({ at: now(), metrics: { cpu: 1 } }))).status,
      'another server behind the same address',
    ).toBe(200)
  })

  test('are refused when the plan no longer has server monitoring', async () => {
    const poor = await given.tenant()
    const server = await aServer(poor)
    await app.services.platform.query(`update tenants set plan = 'free' where id = $1`, [poor.tenantId])
    const { status, json } = await sendMetrics(server, batchOf({ at: now(), metrics: { cpu: 1 } }))
    expect([status, json.code, json.quota]).toEqual([403, 'not_in_plan', 'server_monitoring'])
  })
})
