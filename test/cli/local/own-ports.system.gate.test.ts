import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listeningOnLinux } from '#cli/local/own-ports.ts'
import { eventually, System } from '#test/support/system.ts'

/** A site of the operator's on loopback; `/to/PORT` redirects to that port of this machine. */
let site: Server
let sitePort = 0
/** The data of all starts, one after the other: only the first makes databases. */
let dataDir = ''
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'vedette-own-ports-'))
  site = createServer((request, response) => {
    const [, port] = /^\/to\/(\d+)$/.exec(request.url ?? '') ?? []
    if (port) response.writeHead(302, { Location: `http://127.0.0.1:${port}/` }).end()
    else response.end('all is well')
  }).listen(0, '127.0.0.1')
  await once(site, 'listening')
  sitePort = (site.address() as AddressInfo).port
})
afterAll(() => {
  site.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const portOf = (url = '') => Number(new URL(url).port)

/** What the regions found, once a run of the check shows the outcome. */
const runUntil = (system: System, check: string, errorCode: string | null) =>
  eventually(`a run that ends with ${errorCode ?? 'success'}`, async () => {
    const { body } = await system.post(`/checks/${check}/request-run`)
    return body.data?.results?.find((result: { error_code: string | null }) => result.error_code === errorCode)
  })

describe('a start that listens on loopback only', { timeout: 120_000 }, () => {
  let system: System
  let platform: pg.Pool
  let ports: Record<string, number>

  beforeAll(async () => {
    system = await System.start({ regions: ['home', 'away'], args: ['--temporal-ui'], dataDir })
    const { environment, local, events } = system
    platform = new pg.Pool({ connectionString: environment.DATABASE_PLATFORM_URL ?? '', max: 1 })
    const agents = events.filter(({ part, state }) => part?.startsWith('agent-') && state === 'ready')
    ports = {
      api: portOf(local.base_url),
      metrics: portOf(local.metrics_url),
      postgres: portOf(environment.DATABASE_URL),
      clickhouse: portOf(environment.CLICKHOUSE_URL),
      temporal: Number(environment.TEMPORAL_ADDRESS?.split(':')[1]),
      'temporal-ui': portOf(local.temporal_ui_url ?? ''),
      ...Object.fromEntries(agents.map(({ part, address }) => [part ?? '', Number(String(address).split(':')[1])])),
    }
  }, 180_000)
  afterAll(async () => {
    await platform?.end()
    await system?.stop()
  })

  test('checks a site on another port of loopback', async () => {
    const monitor = await system.addMonitor({ name: 'Mine', url: `http://127.0.0.1:${sitePort}/` })
    await runUntil(system, monitor.checks[0].id, null)
  })

  test('explains how a private address is allowed', async () => {
    const { body } = await system.post('/monitors', { name: 'Router', url: 'http://192.168.1.5/' })
    expect(body.errors.url).toEqual([expect.stringMatching(/^This address is not public\. .*EGRESS_ALLOW=/)])
  })

  test('knows every port that it and its parts listen on, those that Temporal chose itself among them', () => {
    // the sample sites are there to be checked, by name in what may be reached
    const [, samples] = /127\.0\.0\.1:(\d+)$/.exec(system.environment.EGRESS_ALLOW ?? '') ?? []
    const all = listeningOnLinux(system.pid)
    expect(all).toContain(Number(samples))
    const listening = all.filter(port => port !== Number(samples))
    expect(listening).toEqual(expect.arrayContaining(Object.values(ports)))
    const temporal = listeningOnLinux(system.partPid('temporal'))
    expect(temporal.length).toBeGreaterThanOrEqual(5)
    const denied = new Set(
      [system.environment.EGRESS_DENY ?? '', readFileSync(join(system.dataDir, 'own-ports'), 'utf8')]
        .flatMap(text => text.split(/[\s,]+/))
        .filter(entry => /^\d+$/.test(entry))
        .map(Number),
    )
    expect(listening.filter(port => !denied.has(port))).toEqual([])
    listening.forEach((port, index) => {
      if (!Object.values(ports).includes(port)) ports[`other-${index}`] = port
    })
  })

  test('refuses channels of every kind with an address, and webhooks, at a port of its own', async () => {
    const reason = expect.stringContaining('may not be reached')
    const refused = async (what: string, path: string, body: unknown, token?: string) => {
      const answer = await system.post(path, body, token)
      expect([answer.status, JSON.stringify(answer.body)], what).toEqual([422, reason])
    }
    for (const [name, port] of Object.entries(ports)) {
      const url = `http://127.0.0.1:${port}/`
      const channels = [
        { type: 'webhook', config: { url: `http://localhost:${port}/` } },
        { type: 'slack', config: { webhook_url: url } },
        { type: 'discord', config: { webhook_url: url } },
        { type: 'microsoft_teams', config: { webhook_url: url } },
        { type: 'custom', config: { url, method: 'GET' } },
      ]
      for (const channel of channels)
        await refused(`${channel.type} ${name}`, '/notification-channels', { name, ...channel })
      const webhook = { name, url, events: ['team.provisioned'] }
      await refused(`webhook ${name}`, '/reseller/webhooks', webhook, system.local.reseller.token)
    }
  })

  test('refuses to save a check of any kind against a port that it opened itself', async () => {
    expect(Object.values(ports).filter(port => port > 0).length).toBeGreaterThanOrEqual(13)
    const bare = await system.addMonitor({ name: 'Bare', type: 'host', url: '127.0.0.1', checks: [] })
    const tcp = await system.post(`/monitors/${bare.id}/checks`, { type: 'tcp', settings: { port: sitePort } })
    expect(tcp.status).toBe(201)
    for (const [name, port] of Object.entries(ports)) {
      const why = ['This port of this address may not be reached.']
      for (const url of [`http://127.0.0.1:${port}/metrics`, `http://localhost:${port}/`, `https://[::1]:${port}/`]) {
        const { status, body } = await system.post('/monitors', { name, url })
        expect([status, body.errors], `${name} ${url}`).toEqual([422, { url: why }])
      }
      const host = { name, type: 'host', url: '127.0.0.1' }
      const withCheck = (check: unknown) => system.post('/monitors', { ...host, checks: [check] })
      expect((await withCheck({ type: 'tcp', settings: { port } })).body.errors, name).toEqual({
        'checks.0.settings.port': why,
      })
      expect((await withCheck({ type: 'ssl', settings: { port } })).body.errors, name).toEqual({
        'checks.0.settings.port': why,
      })
      const resolver = { type: 'dns', settings: { name: 'example.com', resolvers: [`127.0.0.1:${port}`] } }
      expect((await withCheck(resolver)).body.errors, name).toEqual({ 'checks.0.settings.resolvers.0': why })
      const added = await system.post(`/monitors/${bare.id}/checks`, { type: 'ssl', settings: { port } })
      expect(added.body.errors, name).toEqual({ 'settings.port': why })
      const changed = await system.call('PATCH', `/checks/${tcp.body.data.id}`, { settings: { port } })
      expect(changed.body.errors, name).toEqual({ 'settings.port': why })
    }
  })

  test('refuses to move a monitor to an address where the port of one of its checks is denied', async () => {
    const { postgres } = ports

    const monitor = await system.addMonitor({ name: 'Away', type: 'host', url: 'db.example.com', checks: [] })
    expect(
      (await system.post(`/monitors/${monitor.id}/checks`, { type: 'tcp', settings: { port: postgres } })).status,
    ).toBe(201)
    const { status, body } = await system.call('PATCH', `/monitors/${monitor.id}`, { url: '127.0.0.1' })
    expect([status, body.errors]).toEqual([
      422,
      { url: [`A check uses port ${postgres}, which may not be reached at this address.`] },
    ])
  })

  test('reaches none of its own ports in a run: neither by a redirect nor by a stored check', async () => {
    const guarded = async ([name, port]: [string, number]) => {
      const host = await system.addMonitor({
        name: 'Stored',
        type: 'host',
        url: '127.0.0.1',
        checks: [{ type: 'tcp', settings: { port: sitePort } }],
      })
      const [check] = host.checks
      await runUntil(system, check.id, null)
      await platform.query(
        `update checks set settings = settings || jsonb_build_object('port', $2::int) where id = $1`,
        [check.id, port],
      )
      expect(await runUntil(system, check.id, 'blocked'), name).toMatchObject({
        error_phase: 'guard',
        excerpt: null,
        seen: null,
      })
      const led = await system.addMonitor({ name, url: `http://127.0.0.1:${sitePort}/to/${port}` })
      expect(await runUntil(system, led.checks[0].id, 'blocked'), name).toMatchObject({
        error_phase: 'guard',
        excerpt: null,
      })
      for (const { id } of [host, led]) await system.call('DELETE', `/monitors/${id}`)
    }
    await Promise.all(Object.entries(ports).map(guarded))
  })

  test('refuses the new ports of a part that was started again', async () => {
    const before = listeningOnLinux(system.partPid('temporal'))
    await system.kill('temporal')
    await eventually('Temporal listens again', async () => {
      const now = listeningOnLinux(system.partPid('temporal'))
      return now.length >= 5 && now.some(port => !before.includes(port))
    })
    for (const port of listeningOnLinux(system.partPid('temporal')))
      await eventually(`port ${port} is refused`, async () => {
        const { status } = await system.post('/monitors', { name: 'x', url: `http://127.0.0.1:${port}/` })
        return status === 422
      })
  })
})

const open: [what: string, env: Record<string, string>][] = [
  ['listens everywhere', { HOST: '0.0.0.0' }],
  ['has a public address', { BASE_URL: 'https://status.example.com' }],
  ['is behind a proxy', { TRUSTED_PROXIES: '1' }],
]
test.each(open)('a start that %s reaches no loopback, at save or at run', { timeout: 240_000 }, async (_what, env) => {
  const system = await System.start({ regions: ['home'], env, dataDir })
  try {
    const url = `http://127.0.0.1:${sitePort}/`
    const { status, body } = await system.post('/monitors', { name: 'Mine', url })
    expect([status, body.errors]).toEqual([422, { url: ['This address is not public.'] }])
    const operator = { ...system.local.super_admin, device_name: 'own ports' }
    const { token } = (await system.call('POST', '/auth/token', operator, '')).body
    const asked = await system.call('POST', '/monitors', { name: 'Mine', url }, token)
    expect(asked.body.errors.url).toEqual([expect.stringContaining('EGRESS_ALLOW=')])
    const monitor = await system.addMonitor({ name: 'Moved', url: 'http://192.88.99.1.example.com/' })
    const platform = new pg.Pool({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '', max: 1 })
    await platform.query('update monitors set url = $2 where id = $1', [monitor.id, url])
    await platform.end()
    await runUntil(system, monitor.checks[0].id, 'blocked')
  } finally {
    await system.stop()
  }
})
