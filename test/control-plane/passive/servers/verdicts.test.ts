import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { serverAgentProgram } from '#control-plane/passive/servers/program.ts'
import { Relay } from '#test/control-plane/relay.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { openDatabases } from '#test/support/databases.ts'
import { otlpBytes, otlpMessage, remoteWriteBytes } from './encoders.ts'

const folder = mkdtempSync(join(tmpdir(), 'vedette-servers-'))
let system: Serving
let toClickhouse: Relay
let tenant: string
let session: string

beforeAll(async () => {
  const { clickhouseUrl } = await openDatabases('servers')
  toClickhouse = new Relay(clickhouseUrl)
  await toClickhouse.mend()
  system = await serving('servers', {
    roles: ['api', 'ingest'],
    config: { clickhouseUrl: toClickhouse.of(clickhouseUrl) },
  })
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
  session = (
    await createToken(system.platform, {
      kind: 'ss',
      tenantId: tenant,
      userId: user,
      name: 'test',
      scopes: [],
      expiresAt: null,
    })
  ).plain
  writeFileSync(join(folder, 'agent.mjs'), await serverAgentProgram())
})
afterAll(async () => {
  await system.close()
  await toClickhouse.cut()
  rmSync(folder, { recursive: true, force: true })
})

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
async function aServer(fields: object): Promise<Server> {
  const { data, plain_text_token } = await api('POST', '/agent-monitors', { name: 'web-1', ...fields })
  return { id: data.id, token: plain_text_token }
}

async function sendMetrics({ token }: Server, samples: object[]): Promise<number> {
  const response = await fetch(system.plane.baseUrl + serverAgentPaths.metrics, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ batch: randomUUID(), samples }),
  })
  return response.status
}
/** Ten minutes in which a metric had one value. */
const tenMinutes = (metrics: object) => Array.from({ length: 21 }, (_, i) => ({ at: Date.now() - i * 30_000, metrics }))
/** Moves the last report of a server into the past instead of waiting. */
const letPass = async ({ id }: Server, minutes: number) => {
  await system.plane.services.clickhouse.command({
    query: 'ALTER TABLE server_samples DELETE WHERE monitor_id = {id: UUID} SETTINGS mutations_sync = 2',
    query_params: { id },
  })
  await system.platform.query(
    `update agent_monitors set last_seen_at = last_seen_at - make_interval(mins => $2),
       stored_at = stored_at - make_interval(mins => $2), judged_at = judged_at - make_interval(mins => $2)
     where monitor_id = $1`,
    [id, minutes],
  )
}

const status = async ({ id }: Server) =>
  (await api('GET', `/monitors/${id}`)).data as { status: string | null; status_reason: string | null }
const becomes = (server: Server, wanted: string | null) =>
  eventually(async () => ((await status(server)).status === wanted ? await status(server) : undefined), 20_000)
const incidentsOf = async ({ id }: Server) => (await api('GET', `/incidents?monitor_id=${id}`)).data
const eventsOf = async ({ id }: Server): Promise<string[]> => {
  const { rows } = await system.platform.query<{ name: string }>(
    `select name from outbox
     where kind = 'event' and payload ->> 'monitor_id' = $1 and name not like 'monitor.%' order by id`,
    [id],
  )
  return rows.map(row => row.name)
}

describe('a server that reports metrics', () => {
  test('has a warning while a threshold is passed for long enough', async () => {
    const server = await aServer({ thresholds: [{ metric: 'cpu', above: 90, for_minutes: 5 }] })
    expect((await status(server)).status).toBeNull()
    expect(await sendMetrics(server, tenMinutes({ cpu: 20 }))).toBe(200)
    await becomes(server, 'up')
    await letPass(server, 30)
    expect(await sendMetrics(server, tenMinutes({ cpu: 97 }))).toBe(200)
    expect((await becomes(server, 'warning')).status_reason).toBe('CPU above 90 % for 5 minutes (97 %).')
    await eventually(async () => ((await eventsOf(server)).includes('warning.server_resources') ? true : undefined))
    expect((await api('GET', `/monitors/${server.id}/agent`)).data.passed).toMatchObject([{ metric: 'cpu', value: 97 }])
    expect(await incidentsOf(server)).toEqual([])
    await letPass(server, 30)
    expect(await sendMetrics(server, tenMinutes({ cpu: 20 }))).toBe(200)
    await becomes(server, 'up')
    await eventually(async () =>
      (await eventsOf(server)).join() === 'warning.server_resources,warning.cleared' ? true : undefined,
    )
  })

  test('has an incident while a critical threshold is passed', async () => {
    const server = await aServer({ thresholds: [{ metric: 'disk', above: 95, for_minutes: 1, severity: 'critical' }] })
    expect(await sendMetrics(server, tenMinutes({ disk: { '/': 99, '/srv': 10 } }))).toBe(200)
    await becomes(server, 'down')
    expect(await incidentsOf(server)).toMatchObject([
      {
        status: 'investigating',
        check_type: 'agent',
        cause: expect.stringContaining('Disk of /'),
        quorum: { policy: { mode: 'direct' } },
      },
    ])
    await letPass(server, 30)
    expect(await sendMetrics(server, tenMinutes({ disk: { '/': 40, '/srv': 10 } }))).toBe(200)
    await becomes(server, 'up')
    await eventually(async () => ((await incidentsOf(server))[0].status === 'resolved' ? true : undefined))
    expect(await eventsOf(server)).toEqual(['incident.created', 'incident.resolved'])
  })

  test('has an incident while it is silent', async () => {
    const [server, patient, neverReported] = await Promise.all([
      aServer({ no_data_after_minutes: 5 }),
      aServer({ no_data_after_minutes: null }),
      aServer({ no_data_after_minutes: 5 }),
    ])
    for (const one of [server, patient]) expect(await sendMetrics(one, tenMinutes({ cpu: 1 }))).toBe(200)
    await becomes(server, 'up')
    await becomes(patient, 'up')
    for (const one of [server, patient]) await letPass(one, 6)
    // this process has watched for seconds only: silence before that does not count
    await new Promise(resolve => setTimeout(resolve, 3_000))
    expect((await status(server)).status).toBe('up')
    await system.platform.query(
      `update agent_monitors set last_seen_at = last_seen_at - interval '1 day' where monitor_id = any($1)`,
      [[server.id, patient.id]],
    )
    await system.platform.query(`update monitors set created_at = created_at - interval '1 day' where id = any($1)`, [
      [server.id, patient.id, neverReported.id],
    ])
    const { judgeServers } = await import('#control-plane/passive/servers/watch.ts')
    expect(await judgeServers(system.plane.services, new Date(Date.now() - 3_600_000))).toBe(1)
    expect((await becomes(server, 'down')).status_reason).toContain('Nothing was heard of the server')
    expect(await incidentsOf(server)).toMatchObject([{ severity: 'critical', check_type: 'agent' }])
    expect((await status(patient)).status).toBe('up')
    expect((await status(neverReported)).status, 'a server without a first report has no status').toBeNull()
    expect(await sendMetrics(server, tenMinutes({ cpu: 1 }))).toBe(200)
    await becomes(server, 'up')
  })

  test('is not judged while its monitor is disabled', async () => {
    const server = await aServer({})
    expect(await sendMetrics(server, tenMinutes({ cpu: 1 }))).toBe(200)
    await becomes(server, 'up')
    await api('POST', `/monitors/${server.id}/disable`)
    expect((await status(server)).status).toBe('paused')
    await api('POST', `/monitors/${server.id}/enable`)
    await becomes(server, 'up')
  })
})

describe('while ClickHouse is away', () => {
  test('metrics are taken, judged and stored once when it is back, also those that are sent again', async () => {
    const servers = await Promise.all(['own', 'otlp', 'prometheus'].map(name => aServer({ name })))
    const [own, otlp, prometheus] = servers as [Server, Server, Server]
    const start = Date.now() - 60_000
    const batches = [randomUUID(), randomUUID()]
    const protobuf = { 'Content-Type': 'application/x-protobuf' }
    const send = async (path: string, { token }: Server, body: string | Buffer, headers: Record<string, string>) => {
      const response = await fetch(system.plane.baseUrl + path, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, ...headers },
        body: typeof body === 'string' ? body : new Uint8Array(body),
      })
      await response.arrayBuffer()
      return [response.status, response.headers.get('retry-after')]
    }
    /** The same each time: what a program sends that was not acknowledged. */
    const tellAll = (step: 0 | 1) => {
      const [at, total] = [start + step * 15_000, step * 1_500]
      const counted = {
        name: 'system.network.io',
        sum: 'cumulative' as const,
        points: [{ at, startAt: start - 60_000, value: total, attributes: { device: 'eth0', direction: 'receive' } }],
      }
      return Promise.all([
        send(
          serverAgentPaths.metrics,
          own,
          JSON.stringify({
            batch: batches[step],
            samples: [{ at, metrics: { cpu: step, disk: { '/': 40, '/srv': 50 } } }],
          }),
          {
            'Content-Type': 'application/json',
          },
        ),
        send(serverAgentPaths.otlp, otlp, otlpBytes(otlpMessage([counted])), protobuf),
        send(
          serverAgentPaths.remoteWrite,
          prometheus,
          remoteWriteBytes([['node_network_receive_bytes_total', { device: 'eth0' }, [[at, total]]]]),
          {
            ...protobuf,
            'Content-Encoding': 'snappy',
          },
        ),
      ])
    }
    const ids = servers.map(({ id }) => id)
    const stored = async () => {
      const result = await system.plane.services.clickhouse.query({
        query: `SELECT metric, label, value FROM server_samples FINAL
        WHERE monitor_id IN {ids: Array(UUID)} ORDER BY metric, label, at, monitor_id`,
        query_params: { ids },
        format: 'JSONCompactEachRow',
      })
      return (await result.json<[string, string, number]>()).map(row => row.join(' '))
    }
    const waiting = async () =>
      (await system.platform.query('select 1 from waiting_server_samples where monitor_id = any($1::uuid[])', [ids]))
        .rowCount
    const good = [200, 200, 204].map(code => [code, null])

    expect(await tellAll(0)).toEqual(good)
    const before = await stored()
    expect(before).toEqual(['cpu  0', 'disk / 40', 'disk /srv 50'])
    await toClickhouse.cut()
    try {
      expect(await tellAll(1)).toEqual(good)
      expect(await waiting()).toBe(3)
      await becomes(own, 'up')
    } finally {
      await toClickhouse.mend()
    }
    expect(await tellAll(1)).toEqual(good)
    await eventually(async () => ((await waiting()) === 0 ? true : undefined), 30_000)
    expect(await stored()).toEqual([
      'cpu  0',
      'cpu  1',
      'disk / 40',
      'disk / 40',
      'disk /srv 50',
      'disk /srv 50',
      'network_in eth0 100',
      'network_in eth0 100',
    ])
  })
})

describe('a threshold that is passed while ClickHouse is away', () => {
  test('opens an incident at once, is over when the values are, and all of it is stored in the end', async () => {
    const threshold = { metric: 'disk', above: 95, for_minutes: 1, severity: 'critical' }
    const server = await aServer({ thresholds: [threshold] })
    expect(await sendMetrics(server, tenMinutes({ disk: { '/': 20 } }))).toBe(200)
    await becomes(server, 'up')
    await letPass(server, 30)
    await toClickhouse.cut()
    try {
      const began = performance.now()
      expect(await sendMetrics(server, tenMinutes({ disk: { '/': 99 } }))).toBe(200)
      await becomes(server, 'down')
      expect(performance.now() - began).toBeLessThan(15_000)
      expect(await incidentsOf(server)).toMatchObject([{ status: 'investigating' }])
      const later = Array.from({ length: 21 }, (_, i) => ({
        at: Date.now() + 60_000 - i * 30_000,
        metrics: { disk: { '/': 30 } },
      }))
      await system.platform.query('delete from waiting_server_samples where monitor_id = $1', [server.id])
      expect(await sendMetrics(server, later)).toBe(200)
      await becomes(server, 'up')
    } finally {
      await toClickhouse.mend()
    }
    const count = async () => {
      const result = await system.plane.services.clickhouse.query({
        query: 'SELECT count() AS n FROM server_samples FINAL WHERE monitor_id = {id: UUID}',
        query_params: { id: server.id },
        format: 'JSONEachRow',
      })
      return Number((await result.json<{ n: string }>())[0]?.n)
    }
    await eventually(async () => ((await count()) >= 21 ? true : undefined), 30_000)
    expect(await incidentsOf(server)).toMatchObject([{ status: 'resolved' }])
  })
})

describe('the agent program while the control plane is killed and restarted', () => {
  test('loses no sample and sends none twice', { timeout: 90_000 }, async () => {
    const server = await aServer({})
    const data = join(folder, 'data')
    const children: ChildProcess[] = []
    const start = () => {
      const env = {
        PATH: process.env.PATH ?? '',
        VEDETTE_URL: system.plane.baseUrl,
        VEDETTE_TOKEN: server.token,
        VEDETTE_DATA: data,
        VEDETTE_INTERVAL: '10',
      }
      const child = spawn(process.execPath, [join(folder, 'agent.mjs')], { env, stdio: 'ignore' })
      children.push(child)
      return child
    }
    const kill = async (child: ChildProcess) => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    const waiting = () => {
      try {
        return readdirSync(join(data, 'spool')).filter(name => name.endsWith('.json'))
      } catch {
        return []
      }
    }
    const moments = async () => {
      const result = await system.plane.services.clickhouse.query({
        query: `SELECT DISTINCT toUnixTimestamp64Milli(at) AS at FROM server_samples FINAL
        WHERE monitor_id = {id: UUID} AND metric = 'memory' ORDER BY at`,
        query_params: { id: server.id },
        format: 'JSONEachRow',
      })
      return (await result.json<{ at: number }>()).map(({ at }) => at)
    }
    try {
      const first = start()
      await eventually(async () => ((await moments()).length > 0 ? true : undefined), 20_000)
      await kill(first)
      const port = Number(new URL(system.plane.baseUrl).port)
      await system.plane.close()
      const seen: number[] = []
      const second = start()
      await eventually(() => (waiting().length > 0 ? true : undefined), 20_000)
      await kill(second)
      seen.push(...waiting().map(name => JSON.parse(readFileSync(join(data, 'spool', name), 'utf8')).at))
      expect(seen.length).toBeGreaterThan(0)
      const { startControlPlane } = await import('#cli/serve/serve.ts')
      system.plane = await startControlPlane({ ...system.config, port }, ['api', 'ingest'])
      const last = start()
      await eventually(() => (waiting().length === 0 ? true : undefined), 30_000)
      await kill(last)
      expect(await moments()).toEqual(expect.arrayContaining(seen))
    } finally {
      for (const child of children) child.kill('SIGKILL')
    }
  })
})
