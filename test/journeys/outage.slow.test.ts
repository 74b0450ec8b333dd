import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Authority, daysFromNow, selfSigned } from '#test/checks/certificates.ts'
import { https } from '#test/checks/servers.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { a, DnsServer } from '#test/egress/dns-server.ts'
import { sufferOutages, type Tally, faults as waysToFail } from '#test/faults/outages.ts'
import { eventually, System } from '#test/support/system.ts'
import { type Mood, Site } from '#test/support/target.ts'

let system: System
let site: Site
let folder: string
/**
 * Eight kinds of outages, ten of each, go on beside all other tests of this file; `npm run faults` asks for more
 * rounds.
 */
const rounds = Number(process.env.OUTAGE_ROUNDS ?? 1)
let eighty: Promise<Tally>

beforeAll(async () => {
  site = await Site.open()
  const authority = await Authority.make()
  folder = mkdtempSync(join(tmpdir(), 'vedette-outages-'))
  writeFileSync(join(folder, 'authority.pem'), authority.pem)
  system = await System.start({ env: { NODE_EXTRA_CA_CERTS: join(folder, 'authority.pem') } })
  eighty = sufferOutages(system, authority, { ofEach: 10, rounds, intervalS: 10, timeoutS: 2 })
  eighty.catch(() => {}) // awaited by its own test
}, 180_000)
afterAll(async () => {
  await eighty.catch(() => {})
  await system?.stop()
  await site?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

const status = (id: string, wanted: string) =>
  eventually(`monitor becomes ${wanted}`, async () => (await system.monitor(id)).status === wanted)
const openIncident = (id: string) =>
  eventually('an incident opens', async () => (await system.incidents(id)).find(incident => !incident.resolved_at))

describe('a site, three regions and a quorum', () => {
  test('up, down, up again: one incident with its proof, resolved by the regions themselves', async () => {
    const monitor = await system.addMonitor({ name: 'Shop', url: `${site.url}/shop` })
    expect(monitor.status).toBeNull()
    await status(monitor.id, 'up')

    site.become('error', '/shop')
    const incident = await openIncident(monitor.id)
    expect(incident).toMatchObject({
      status: 'investigating',
      severity: 'critical',
      check_type: 'uptime',
      monitor_id: monitor.id,
      monitor_name: 'Shop',
    })
    const { data } = (await system.get(`/incidents/${incident.id}`)).body
    expect(data.quorum.required).toBe(2)
    expect([...data.quorum.asked].sort()).toEqual(['ap-south', 'eu-west', 'us-east'])
    expect(data.quorum.failed.length).toBeGreaterThanOrEqual(2)
    for (const region of data.quorum.failed) {
      expect(data.quorum.regions[region].http_status).toBe(500)
      expect(data.quorum.regions[region].phases.total).toBeGreaterThan(0)
    }
    await status(monitor.id, 'down')

    site.become('up', '/shop')
    await status(monitor.id, 'up')
    const after = (await system.incidents(monitor.id))[0]
    expect(after).toMatchObject({ id: incident.id, status: 'resolved', resolution: 'recovered' })
    expect(Date.parse(after.resolved_at)).toBeGreaterThan(Date.parse(after.started_at))
  })

  const faults: { mood: Mood; settings?: Record<string, unknown>; code: RegExp }[] = [
    { mood: 'wrong-body', settings: { keyword_present: 'all is well' }, code: /keyword/ },
    { mood: 'reset', code: /reset/ },
    { mood: 'hang', code: /timeout/ },
    { mood: 'drip', code: /timeout/ },
  ]
  test.each(faults)(
    'a target that answers with $mood is found, by all regions',
    async ({ mood, settings = {}, code }) => {
      const path = `/${mood}`
      const monitor = await system.addMonitor({
        name: mood,
        url: site.url + path,
        timeout: 1,
        checks: [{ type: 'uptime', settings }],
      })
      await status(monitor.id, 'up')
      site.become(mood, path)
      const incident = await openIncident(monitor.id)
      const { data } = (await system.get(`/incidents/${incident.id}`)).body
      expect(JSON.stringify(data)).toMatch(code)
    },
  )

  test('an expired certificate is detected, with its cause', async () => {
    const expired = await selfSigned({ addresses: ['127.0.0.1'], from: daysFromNow(-30), to: daysFromNow(-1) })
    await using server = await https(expired, (_, response) => response.end('all is well'))
    const monitor = await system.addMonitor({
      name: 'Expired',
      url: `https://127.0.0.1:${server.port}/`,
      checks: [{ type: 'ssl', settings: {}, severity: 'major' }],
    })
    const incident = await openIncident(monitor.id)
    expect(incident).toMatchObject({ check_type: 'ssl', severity: 'major' })
    expect(JSON.stringify((await system.get(`/incidents/${incident.id}`)).body.data.quorum)).toMatch(/expired/)
  })

  test('changed records and name servers of a zone are notified once; a missing name is detected', async () => {
    let isGone = false
    let [address, server] = ['198.51.100.7', 'ns1.example.net']
    const names = await DnsServer.open((name, type) => {
      if (type === 'NS') return name === 'example.com' ? [{ type: 'NS', name, data: server, ttl: 1 }] : []
      return isGone ? 'nxdomain' : type === 'A' ? a(name, address) : []
    })
    const receiver = await Receiver.open()
    try {
      const channel = await system.post('/notification-channels', {
        name: 'Zone',
        type: 'webhook',
        config: { url: receiver.url },
        // the incidents of the other tests' monitors are not its own
        notify_all: false,
      })
      const event_types = ['dns.records_changed', 'dns.nameserver_changed']
      expect((await system.post('/notification-rules', { channel_id: channel.body.data.id, event_types })).status).toBe(
        201,
      )
      const monitor = await system.addMonitor({
        name: 'Zone',
        url: 'http://zone.example.com',
        checks: [{ type: 'dns', settings: { record_types: ['A'], resolvers: [names.address] } }],
      })
      await status(monitor.id, 'up')
      const [check] = (await system.get(`/monitors/${monitor.id}/checks`)).body.data
      const requestRun = () => system.post(`/checks/${check.id}/request-run`)
      await requestRun()

      ;[address, server] = ['198.51.100.8', 'ns2.example.net']
      for (const _ of [1, 2]) await requestRun()
      const receivedChanges = () =>
        receiver.received.map(({ body }) => [body.event, body.data?.changes ?? body.changes])
      await eventually('both changes are notified', async () => receiver.received.length >= 2)
      const changes = [
        { type: 'NS', old: ['ns1.example.net'], new: ['ns2.example.net'] },
        { type: 'A', old: ['198.51.100.7'], new: ['198.51.100.8'] },
      ]
      expect(new Map(receivedChanges() as [string, unknown][])).toEqual(
        new Map(event_types.map(event => [event, changes])),
      )
      const history = (await system.get(`/monitors/${monitor.id}/dns-history`)).body.data
      expect(history.changes.map(({ event }: { event: string }) => event).sort()).toEqual([...event_types].sort())
      await requestRun()
      expect(receiver.received).toHaveLength(2)

      isGone = true
      await requestRun()
      const incident = await openIncident(monitor.id)
      expect(JSON.stringify((await system.get(`/incidents/${incident.id}`)).body.data.quorum)).toMatch(/dns_not_found/)
    } finally {
      names.close()
      await receiver.close()
    }
  })

  test('slow but right is a warning, and no incident', async () => {
    const monitor = await system.addMonitor({
      name: 'Slow',
      url: `${site.url}/slow`,
      checks: [{ type: 'uptime', settings: { degraded_after_ms: 300 } }],
    })
    await status(monitor.id, 'up')
    site.slowMs = 600
    site.become('slow', '/slow')
    await status(monitor.id, 'warning')
    expect(await system.incidents(monitor.id)).toEqual([])
  })

  test('a paused monitor is not checked, and a changed interval takes effect at once', async () => {
    const monitor = await system.addMonitor({ name: 'Pause', url: `${site.url}/pause`, check_interval: 1 })
    await status(monitor.id, 'up')
    expect((await system.call('PATCH', `/monitors/${monitor.id}`, { is_enabled: false })).status).toBe(200)
    const requests = () => site.log.filter(seen => seen.path === '/pause').length
    // on a busy machine the agents learn of it later; then nothing more comes
    let before = -1
    await expect
      .poll(
        async () => {
          before = requests()
          await sleep(2_500)
          return requests() - before
        },
        { interval: 0 },
      )
      .toBe(0)
    await sleep(2_500)
    expect(requests()).toBe(before)
    expect((await system.monitor(monitor.id)).status).toBe('paused')

    expect(
      (await system.call('PATCH', `/monitors/${monitor.id}`, { is_enabled: true, check_interval: 30 })).body.data,
    ).toMatchObject({
      is_enabled: true,
      check_interval: 30,
    })
    await sleep(1_500)
    const slower = requests()
    await sleep(3_000)
    expect(requests() - slower).toBeLessThanOrEqual(3)
    expect(
      (await system.call('PATCH', `/monitors/${monitor.id}`, { check_interval: 1 })).body.data.check_interval,
    ).toBe(1)
    await sleep(1_200)
    const faster = requests()
    await sleep(3_000)
    expect(requests() - faster).toBeGreaterThanOrEqual(6)
  })

  test('a requested run returns phases from every region', async () => {
    const monitor = await system.addMonitor({ name: 'Now', url: `${site.url}/now`, check_interval: 3_600 })
    const [check] = (await system.get(`/monitors/${monitor.id}/checks`)).body.data
    const { status: code, body } = await system.post(`/checks/${check.id}/request-run`)
    expect(code).toBe(200)
    expect(JSON.stringify(body)).toContain('ap-south')
    expect(site.log.filter(seen => seen.path === '/now').length).toBeGreaterThanOrEqual(3)
  })

  test('a child whose parent is down opens nothing, until the parent is back', async () => {
    const parent = await system.addMonitor({ name: 'Parent', url: `${site.url}/parent` })
    const child = await system.addMonitor({ name: 'Child', url: `${site.url}/child`, depends_on: [parent.id] })
    await status(parent.id, 'up')
    await status(child.id, 'up')
    site.become('error', '/parent')
    site.become('error', '/child')
    await openIncident(parent.id)
    await status(child.id, 'down')
    expect(await system.incidents(child.id)).toEqual([])
    site.become('up', '/parent')
    await status(parent.id, 'up')
    await openIncident(child.id)
  })

  test(
    'outages of eight kinds are detected and resolved once and in time, without false alarms',
    async () => {
      const { outages, falseIncidents, doubled } = await eighty
      const times = (of: (outage: Tally['outages'][number]) => number | null) =>
        outages.map(of).filter(ms => ms !== null)
      const [found, over] = [times(outage => outage.foundMs), times(outage => outage.overMs)]
      console.log(
        `${found.length} of ${outages.length} outages found, slowest after ${Math.max(...found)} ms (bound 22,000), ${over.length} over, slowest after ${Math.max(...over)} ms; ${falseIncidents} false, ${doubled} doubled`,
      )
      for (const fault of waysToFail)
        expect(
          outages.filter(outage => outage.fault === fault && outage.foundMs !== null),
          fault,
        ).toHaveLength(10 * rounds)
      expect(over).toHaveLength(outages.length)
      expect({ falseIncidents, doubled }).toEqual({ falseIncidents: 0, doubled: 0 })
    },
    120_000 * rounds,
  )
})
