import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { machineNamed } from '#control-plane/passive/servers/intake/machine.ts'
import { judgeServers } from '#control-plane/passive/servers/watch.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { otlpBytes, otlpMessage, remoteWriteBytes } from './encoders.ts'

let system: Serving
let tenant: string
let session: string

beforeAll(async () => {
  system = await serving('machines', { roles: ['api', 'ingest'] })
  tenant = await system.tenant({})
  const user = randomUUID()
  await system.platform.query(`insert into users (id, name, email, home_tenant_id) values ($1, 'Pat', $2, $3)`, [
    user,
    `${user}@people.test`,
    tenant,
  ])
  await system.platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, [
    user,
    tenant,
  ])
  const options = { tenantId: tenant, userId: user, name: 'test', expiresAt: null }
  session = (await createToken(system.platform, { ...options, kind: 'ss', scopes: [] })).plain
})
afterAll(() => system.close())

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is checked by the contract in other tests
async function api(method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(`${system.plane.baseUrl}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${session}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  expect(response.status, text).toBeLessThan(300)
  return text === '' ? undefined : JSON.parse(text)
}

interface Server {
  id: string
  token: string
}
async function aServer(fields: object = {}): Promise<Server> {
  const { data, plain_text_token } = await api('POST', '/agent-monitors', { name: 'web', ...fields })
  return { id: data.id, token: plain_text_token }
}

async function send({ token }: Server, path: string, body: string | Buffer, headers: Record<string, string>) {
  const response = await fetch(system.plane.baseUrl + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, ...headers },
    body: typeof body === 'string' ? body : new Uint8Array(body),
  })
  const text = await response.text()
  return { status: response.status, text }
}
const json = { 'Content-Type': 'application/json' }
const protobuf = { 'Content-Type': 'application/x-protobuf' }

const hostOf = (name: string) => ({
  ...{ name, os: 'Debian 12', kernel: '6.1', arch: 'x64' },
  ...{ cores: 4, memory_bytes: 8_000_000_000, agent: '1' },
})
/** Ten minutes in which a metric had one value. */
const tenMinutes = (metrics: object) => Array.from({ length: 21 }, (_, i) => ({ at: Date.now() - i * 30_000, metrics }))
const report = (server: Server, name: string, metrics: object = { cpu: 1 }, samples = tenMinutes(metrics)) =>
  send(server, serverAgentPaths.metrics, JSON.stringify({ batch: randomUUID(), host: hostOf(name), samples }), json)

const reportOtlp = (server: Server, name: string) =>
  send(
    server,
    serverAgentPaths.otlp,
    otlpBytes(
      otlpMessage([{ name: 'system.cpu.load_average.1m', points: [{ at: Date.now(), value: 2 }] }], {
        'host.name': name,
      }),
    ),
    protobuf,
  )
const reportPrometheus = (server: Server, labels: Record<string, string>, more: Record<string, string> = {}) =>
  send(
    server,
    serverAgentPaths.remoteWrite,
    remoteWriteBytes([
      ['node_load1', labels, [[Date.now(), 3]]],
      ['node_uname_info', { ...labels, ...more }, [[Date.now(), 1]]],
    ]),
    { ...protobuf, 'Content-Encoding': 'snappy' },
  )

const read = async ({ id }: Server) => (await api('GET', `/agent-monitors/${id}`)).data
const becomes = (server: Server, wanted: string) =>
  eventually(async () => {
    const { rows } = await system.platform.query('select status from monitors where id = $1', [server.id])
    return rows[0].status === wanted ? await read(server) : undefined
  }, 20_000)

const timesOf = {
  first: ['host_heard_at', 'last_seen_at'],
  second: ['second_since', 'second_heard_at'],
} as const
/** Moves reports into the past instead of waiting. */
const letPass = ({ id }: Server, seconds: number, whose: (keyof typeof timesOf)[] = ['first', 'second']) =>
  system.platform.query(
    `update agent_monitors set ${whose
      .flatMap(key => timesOf[key])
      .map(column => `${column} = ${column} - make_interval(secs => $2)`)
      .join(', ')} where monitor_id = $1`,
    [id, seconds],
  )
const judge = () => judgeServers(system.plane.services, new Date(Date.now() - 3_600_000))

async function valuesOf({ id }: Server, metric: string): Promise<number[]> {
  const result = await system.plane.services.clickhouse.query({
    query: `SELECT DISTINCT value FROM server_samples FINAL
      WHERE monitor_id = {id: UUID} AND metric = {metric: String} ORDER BY value`,
    query_params: { id, metric },
    format: 'JSONEachRow',
  })
  return (await result.json<{ value: number }>()).map(({ value }) => value)
}
const changesOf = async ({ id }: Server) => {
  const { rows } = await system.platform.query<{ changes: unknown }>(
    `select changes from audit_entries where action = 'monitor.machine_changed' and entity_id = $1 order by created_at`,
    [id],
  )
  return rows.map(({ changes }) => changes)
}

describe('two machines that report with one token', () => {
  test('a full disk of the first stays an incident, and the second is refused by name', async () => {
    const threshold = { metric: 'disk', above: 90, for_minutes: 1, severity: 'critical' }
    const server = await aServer({ thresholds: [threshold] })
    expect((await report(server, 'web1', { disk: { '/': 99 } })).status).toBe(200)
    await becomes(server, 'down')
    const refused = await report(server, 'web2', { disk: { '/': 10 } })
    expect(refused.status).toBe(409)
    expect(JSON.parse(refused.text)).toMatchObject({
      code: 'second_server',
      message: expect.stringMatching(/\bweb1\b.*\bweb2\b/),
    })
    expect((await report(server, 'web1', { disk: { '/': 99 } })).status).toBe(200)
    expect(await valuesOf(server, 'disk')).toEqual([99])
    const { status, status_reason, host } = await read(server)
    expect([status, status_reason, host.name]).toEqual(['down', 'Disk of / above 90 % for 1 minute (99 %).', 'web1'])
  })

  test('the monitor is degraded and names both for as long as both report', async () => {
    const server = await aServer()
    await report(server, 'web1')
    await becomes(server, 'up')
    expect((await report(server, 'web2')).status).toBe(409)
    await report(server, 'web1')
    const { state, status_reason } = await becomes(server, 'warning')
    expect(state.state).toBe('degraded')
    expect(status_reason).toBe('Two servers report with this token: web1 and web2.')
    const { rows } = await system.platform.query(
      `select 1 from outbox where name = 'warning.server_resources' and payload ->> 'monitor_id' = $1`,
      [server.id],
    )
    expect(rows).toHaveLength(1)
    await letPass(server, 420, ['second'])
    await report(server, 'web1')
    expect((await becomes(server, 'up')).status_reason).toBeNull()
  })

  test('the silence of the first is an incident, and then the second is bound', async () => {
    const server = await aServer({ no_data_after_minutes: 2 })
    await report(server, 'web1')
    expect((await report(server, 'web2')).status).toBe(409)
    await report(server, 'web1')
    await becomes(server, 'warning')
    await letPass(server, 150)
    expect((await report(server, 'web2')).status).toBe(409)
    await judge()
    expect((await becomes(server, 'down')).status_reason).toMatch(/^Nothing was .* for 2 minutes\.$/)
    await letPass(server, 60)
    expect((await report(server, 'web2')).status).toBe(200)
    expect((await becomes(server, 'up')).host.name).toBe('web2')
    expect(await changesOf(server)).toEqual([{ host_name: { before: 'web1', after: 'web2' } }])
  })

  test('OTLP and remote write are refused for good, by their own rules', async () => {
    const [otlp, prometheus, local, unnamed] = [await aServer(), await aServer(), await aServer(), await aServer()]
    expect((await reportOtlp(otlp, 'web1')).status).toBe(200)
    const refused = await reportOtlp(otlp, 'web2')
    expect([refused.status, refused.text]).toEqual([400, expect.stringMatching(/web1.*web2/)])
    expect((await reportOtlp(otlp, 'WEB1.example.com')).status).toBe(200)

    expect((await reportPrometheus(prometheus, { instance: 'web1:9100' })).status).toBe(204)
    expect((await reportPrometheus(prometheus, { instance: 'web2:9100' })).status).toBe(400)
    expect((await reportPrometheus(prometheus, { instance: 'localhost:9100', host: 'web2' })).status).toBe(400)
    expect((await reportPrometheus(prometheus, { instance: '10.0.0.7:9100' })).status).toBe(204)

    const near = { instance: 'localhost:9100' }
    expect((await reportPrometheus(local, near, { nodename: 'web1' })).status).toBe(204)
    expect((await reportPrometheus(local, near, { nodename: 'web2' })).status).toBe(400)

    for (const _ of [1, 2]) expect((await reportPrometheus(unnamed, {})).status).toBe(204)
    expect((await reportPrometheus(unnamed, near)).status).toBe(204)
  })
})

describe('a machine that gets another name', () => {
  test('counts as alive, is bound once the former name is silent, and the change is in the audit log', async () => {
    const server = await aServer()
    const [first, second] = ['load-a', 'load-b']
    await report(server, first, { load: 1 })
    await letPass(server, 300)
    const before = (await read(server)).last_heard_at
    expect((await report(server, second, { load: 2 })).status).toBe(409)
    expect((await read(server)).last_heard_at > before).toBe(true)
    await letPass(server, 61)
    // of what waited at the sender, values of the time of the former name are left out
    const samples = [0, 600_000].map(ago => ({ at: Date.now() - ago, metrics: { load: ago === 0 ? 3 : 4 } }))
    expect((await report(server, second, {}, samples)).status).toBe(200)
    expect(await valuesOf(server, 'load')).toEqual([1, 3])
    expect((await becomes(server, 'up')).host.name).toBe(second)
    expect(await changesOf(server)).toEqual([{ host_name: { before: first, after: second } }])
    const { data } = await api('GET', `/monitors/${server.id}/agent`)
    expect(data.host.name).toBe(second)
  })
})

describe('values that are old when they arrive', () => {
  const late = (metrics: object, minutes = 10) =>
    tenMinutes(metrics).map(({ at }) => ({ at: at - minutes * 60_000, metrics }))
  /** Two reports, and the first of them was minutes ago. */
  const reportLate = async (server: Server, metrics: object) => {
    expect((await report(server, 'db1', {}, late(metrics))).status).toBe(200)
    await system.platform.query(
      `update agent_monitors set late_since = late_since - interval '3 minutes' where monitor_id = $1`,
      [server.id],
    )
    expect((await report(server, 'db1', {}, late(metrics))).status).toBe(200)
  }

  test('are judged by when they arrive, where the clock of the server is slow', async () => {
    const threshold = { metric: 'disk', above: 90, for_minutes: 1, severity: 'critical' }
    const server = await aServer({ thresholds: [threshold] })
    await reportLate(server, { disk: { '/': 99 } })
    expect((await becomes(server, 'down')).status_reason).toBe('Disk of / above 90 % for 1 minute (99 %).')
  })

  test('make the monitor degraded with the reason until they come in time', async () => {
    const server = await aServer()
    await reportLate(server, { cpu: 1 })
    const { state, status_reason } = await becomes(server, 'warning')
    expect([state.state, status_reason]).toEqual([
      'degraded',
      'Values arrive 10 minutes late: the server’s clock is slow, or something delays them.',
    ])
    await report(server, 'db1')
    await becomes(server, 'up')
  })

  test('are no matter where a spool is sent after an outage', async () => {
    const threshold = { metric: 'cpu', above: 90, for_minutes: 1, severity: 'critical' }
    const server = await aServer({ thresholds: [threshold] })
    await report(server, 'db1')
    await becomes(server, 'up')
    for (const minutes of [180, 120, 60]) await report(server, 'db1', {}, late({ cpu: 99 }, minutes))
    await judge()
    await report(server, 'db1')
    await judge()
    const { rows } = await system.platform.query(
      'select reported, late_since from agent_monitors where monitor_id = $1',
      [server.id],
    )
    expect(rows).toEqual([{ reported: 'up ', late_since: null }])
  })

  test('a report without any known value does not keep a server alive', async () => {
    const server = await aServer()
    const body = remoteWriteBytes([['up', { instance: 'web1:9100' }, [[Date.now(), 0]]]])
    const headers = { ...protobuf, 'Content-Encoding': 'snappy' }
    expect((await send(server, serverAgentPaths.remoteWrite, body, headers)).status).toBe(204)
    expect((await read(server)).last_heard_at).toBeNull()
  })
})

describe('the uptime of a server', () => {
  test('a critical threshold uses up the error budget, in uptime, report and objective', async () => {
    const threshold = { metric: 'disk', above: 90, for_minutes: 1, severity: 'critical' }
    const server = await aServer({ thresholds: [threshold], slo: { target_pct: 99.9, window_days: 7 } })
    await report(server, 'web1', { disk: { '/': 99 } })
    await becomes(server, 'down')
    const used = await eventually(async () => {
      await new Promise(resolve => setTimeout(resolve, 500))
      const { data } = await api('GET', `/monitors/${server.id}/slo`)
      return data.used_s >= 1 ? data : undefined
    })
    expect(used.uptime_pct).toBeLessThan(100)
    const day = new Date().toISOString().slice(0, 10)
    const { data } = await api('GET', `/monitors/${server.id}/report?from=${day}&to=${day}`)
    expect(data.overall.uptime_pct).toBeLessThan(100)
    const batch = await api('POST', '/monitors/stats-batch', { monitor_ids: [server.id] })
    expect(batch.data[0].uptime_30d).toBeLessThan(100)
  })
})

describe('a threshold that must last a minute', () => {
  test('is not exceeded by values of seconds on both sides of a full minute', async () => {
    const intoMinute = Date.now() % 60_000
    if (intoMinute > 45_000 || intoMinute < 1_000)
      await new Promise(resolve => setTimeout(resolve, (61_500 - intoMinute) % 60_000))
    const threshold = { metric: 'disk', above: 90, for_minutes: 1, severity: 'critical' }
    const server = await aServer({ thresholds: [threshold] })
    const now = Date.now()
    const lastMinute = Math.floor(now / 60_000) * 60_000 - 1_000
    const samples = [lastMinute, now - 1].map(at => ({ at, metrics: { disk: { '/': 99 } } }))
    await report(server, 'web1', {}, samples)
    await becomes(server, 'up')
    await report(server, 'web1', {}, [{ at: lastMinute - 60_000, metrics: { disk: { '/': 99 } } }])
    await becomes(server, 'down')
  })
})

test.each([
  ['Web1.Example.COM', 'web1.example.com'],
  ['web1:9100', 'web1'],
  ['10.0.0.7:9100', '10.0.0.7'],
  ['[2001:db8::1]:9100', '[2001:db8::1]'],
  ['2001:db8::1', '2001:db8::1'],
  ['localhost:9100', null],
  ['127.0.0.1:9100', null],
  ['[::1]:9100', null],
  ['localhost.localdomain', null],
  ['', null],
  ['we\0b', 'we b'],
])('the machine that %j names is %j', (text, name) => expect(machineNamed(text)).toBe(name))
