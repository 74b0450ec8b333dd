import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import type { RunningAgent } from '#probe-agent/main.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

/*
 * A window that pauses checks, in a whole service with an agent: the target counts the requests of runs.
 */

let system: Serving
let agent: RunningAgent
let tenant: string
let session: string
let target: Server
let answer = 200
const requests: number[] = []

beforeAll(async () => {
  system = await serving('pause_checks', { roles: ['api', 'ingest'] })
  tenant = await system.tenant()
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
  const token = { kind: 'ss' as const, tenantId: tenant, userId: user, name: 'test', scopes: [], expiresAt: null }
  session = (await createToken(system.platform, token)).plain
  target = createServer((_, response) => {
    requests.push(Date.now())
    response.writeHead(answer).end()
  }).listen(0, '127.0.0.1')
  agent = await system.agent('eu-west')
})
afterAll(async () => {
  target.close()
  await system.close()
})

// biome-ignore lint/suspicious/noExplicitAny: an answer's shape is checked by the contract in other tests
async function api(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
  const response = await fetch(`${system.plane.baseUrl}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${session}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: await response.json() }
}
const rows = async (text: string, ...values: unknown[]) => (await system.platform.query(text, values)).rows

async function aWindow(monitor: string, changes: Record<string, unknown> = {}): Promise<string> {
  const { status, body } = await api('POST', '/maintenance-windows', {
    title: 'Upgrade',
    scope: { monitor_ids: [monitor] },
    starts_at: '2120-01-01T00:00',
    timezone: 'UTC',
    duration_minutes: 60,
    mode: 'pause_checks',
    ...changes,
  })
  expect(status, JSON.stringify(body)).toBe(201)
  return body.data.id
}
const act = async (window: string, verb: 'start' | 'stop') =>
  expect((await api('POST', `/maintenance-windows/${window}/${verb}`)).status).toBe(200)

describe('a window that pauses checks', () => {
  test('lets no run be made, keeps the verdict from changing, and what fails first after it decides', async () => {
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
    const one = await system.monitor(tenant, url, { interval: 1, policy: { mode: 'any', count: null } })
    const verdict = async () => (await rows('select verdict from checks where id = $1', one.check))[0]?.verdict
    const statusOf = async () => (await api('GET', `/monitors/${one.monitor}`)).body.data.status
    await eventually(async () => ((await verdict()) === 'up' ? true : undefined))

    const window = await aWindow(one.monitor)
    await act(window, 'start')
    expect(await statusOf()).toBe('maintenance')
    const lastChange = async () =>
      (
        await rows(
          'select verdict from verdict_changes where check_id = $1 order by at desc, id desc limit 1',
          one.check,
        )
      )[0]?.verdict
    await eventually(async () => ((await lastChange()) === 'paused' ? true : undefined))
    answer = 500
    const refused = await api('POST', `/checks/${one.check}/request-run`)
    expect([refused.status, refused.body.code]).toEqual([422, 'not_running'])
    expect(refused.body.errors.check).toEqual(['A maintenance window pauses its checks.'])
    expect((await api('GET', `/checks/${one.check}`)).body.data.next_check_at).toBeNull()
    // the agent knows by now: a second monitor of the same interval is checked five times meanwhile
    const witness = await system.monitor(tenant, `${url}witness`, { interval: 1 })
    const before = requests.length
    await eventually(async () => (requests.length >= before + 5 ? true : undefined))
    const { length: runs } = await rows('select 1 from incidents where check_id = $1', one.check)
    expect(runs).toBe(0)
    expect(await statusOf()).toBe('maintenance')
    const changes = await rows('select verdict from verdict_changes where check_id = $1 order by at, id', one.check)
    expect(changes.map(row => row.verdict)).toEqual(['up', 'paused'])
    await fetch(`${system.plane.baseUrl}/api/v1/monitors/${witness.monitor}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${session}` },
    })

    await act(window, 'stop')
    const incident = await eventually(
      async () => (await rows('select started_at, suppressed_by from incidents where check_id = $1', one.check))[0],
    )
    const [span] = await rows('select ended_at from maintenance_spans where monitor_id = $1', one.monitor)
    expect(incident.suppressed_by).toBeNull()
    expect(incident.started_at > span.ended_at).toBe(true)
    answer = 200
    await eventually(async () => ((await verdict()) === 'up' ? true : undefined))
    expect(await statusOf()).toBe('up')
  }, 90_000)

  test('leaves the time of the window and that without agents out of an incident, as uptime does', async () => {
    answer = 500
    const url = `http://127.0.0.1:${(target.address() as AddressInfo).port}/`
    const one = await system.monitor(tenant, url, { interval: 1, policy: { mode: 'any', count: null } })
    const check = async () => (await rows('select verdict, coverage from checks where id = $1', one.check))[0]
    const incident = async () => (await api('GET', `/incidents?monitor_id=${one.monitor}`)).body.data[0]
    await eventually(async () => await incident())

    const window = await aWindow(one.monitor, { exclude_from_uptime: false })
    await act(window, 'start')
    await sleep(4_000)
    await act(window, 'stop')
    await sleep(1_500)
    await system.stopAgent(agent)
    await eventually(async () => ((await check()).coverage === 'none' ? true : undefined), 60_000)
    agent = await system.agent('eu-west')
    await eventually(async () => ((await check()).coverage === 'full' ? true : undefined), 60_000)
    answer = 200
    const ended = await eventually(async () => ((await incident()).resolved_at ? await incident() : undefined))
    const { downtime_s, paused_s, no_data_s } = (await api('GET', `/monitors/${one.monitor}/uptime`)).body.data
    expect(paused_s).toBeGreaterThanOrEqual(3)
    expect(no_data_s).toBeGreaterThan(0)
    expect(ended.duration_s).toBe(downtime_s)
    const [event] = await rows(
      `select payload from outbox where tenant_id = $1 and name = 'incident.resolved' and payload ->> 'incident_id' = $2`,
      tenant,
      ended.id,
    )
    expect(event.payload.duration_s).toBe(downtime_s)
    const whole = Math.floor((Date.parse(ended.resolved_at) - Date.parse(ended.started_at)) / 1_000)
    expect(ended.duration_s).toBeLessThan(whole - 3)
  }, 180_000)

  test('expects no ping of a job, and begins its grace again at the end', async () => {
    const job = await system.monitor(tenant, 'cron://job', {
      kind: 'cron',
      settings: { period_minutes: 1, grace_minutes: 1 },
    })
    const [address] = await rows('select id from ping_addresses where check_id = $1', job.check)
    expect((await fetch(`${system.plane.baseUrl}/api/ping/${address.id}`)).status).toBe(200)
    const beat = async () =>
      (await rows('select expected_at, alert_after, wake_at from heartbeats where check_id = $1', job.check))[0]
    await eventually(async () => ((await beat()).expected_at ? true : undefined))
    const window = await aWindow(job.monitor)
    await act(window, 'start')
    await eventually(async () => ((await beat()).wake_at === null ? true : undefined))
    // a job that runs in the window is expected no more for it
    await fetch(`${system.plane.baseUrl}/api/ping/${address.id}`)
    await rows(`update heartbeats set wake_at = now(), alert_after = now() where check_id = $1`, job.check)
    await eventually(async () => ((await beat()).wake_at === null ? true : undefined))
    expect(await rows('select 1 from incidents where check_id = $1', job.check)).toEqual([])
    await act(window, 'stop')
    const ended = Date.now()
    const armed = await eventually(async () => ((await beat()).alert_after ? beat() : undefined))
    expect(armed.alert_after.getTime()).toBeGreaterThan(ended + 60_000)
    expect(await rows('select 1 from incidents where check_id = $1', job.check)).toEqual([])
  }, 60_000)

  test('expects no metrics of a server, and counts its silence from the end on', async () => {
    const made = await api('POST', '/agent-monitors', { name: 'web-1', no_data_after_minutes: 5 })
    const { id, check_id: check } = made.body.data
    const window = await aWindow(id)
    await act(window, 'start')
    await rows(
      `update agent_monitors set last_seen_at = clock_timestamp() - interval '1 hour' where monitor_id = $1`,
      id,
    )
    await rows(`update monitors set switched_at = clock_timestamp() - interval '2 hours' where id = $1`, id)
    const { judgeServers } = await import('#control-plane/passive/servers/watch.ts')
    const judge = () => judgeServers(system.plane.services, new Date(Date.now() - 3_600_000))
    await judge()
    await act(window, 'stop')
    await judge()
    expect(await rows('select 1 from incidents where check_id = $1', check)).toEqual([])
    expect((await rows('select reported from agent_monitors where monitor_id = $1', id))[0].reported).not.toBe(
      'no_data',
    )
    await rows(
      `update maintenance_spans set ended_at = ended_at - interval '6 minutes',
         started_at = started_at - interval '1 hour' where monitor_id = $1`,
      id,
    )
    await judge()
    expect((await rows('select reported from agent_monitors where monitor_id = $1', id))[0].reported).toBe('no_data')
  }, 60_000)
})
