import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { generate } from 'otplib'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Internet, RemoteSite } from '#test/support/namespaces.ts'
import { program } from '#test/support/program.ts'
import { eventually, System } from '#test/support/system.ts'

/**
 * F7, F8, F9, F10, F18: regions on hosts of their own, cut off, lossy, with wrong clocks, frozen and replaced. R6: two
 * hundred sites that are well are checked all the while, and none of them has an incident.
 */
const regions = ['eu', 'us', 'ap'] as const
const skewLibrary = [
  '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1',
  '/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1',
].find(existsSync)

let internet: Internet
let system: System
let site: RemoteSite
let folder: string
let operator: string
let crowd: string[] = []
let crowdSince = 0
const crowdSize = 200
const crowdIntervalS = 10
/**
 * How long they are checked, with faults in turn to the end: about as long as the tests of the modules beside it take.
 * `npm run faults` runs it for hours.
 */
const watchedMs = Number(process.env.WATCHED_MINUTES ?? 10) * 60_000
const agents = new Map<string, ChildProcess>()
let said = ''

async function join_(region: string, env: Record<string, string> = {}): Promise<void> {
  const { body } = await system.post('/agents/enrolment-tokens', { region }, operator)
  const dataDir = join(folder, region)
  const child = internet.spawn(region, process.execPath, program('probe'), {
    ...process.env,
    ALLOW_INSECURE_URL: '1',
    VEDETTE_URL: `http://${internet.gateway}:${new URL(system.local.base_url).port}`,
    REGION: region,
    ENROLMENT_TOKEN: body.data.token ?? body.token,
    DATA_DIR: dataDir,
    EGRESS_ALLOW: internet.range,
    ANCHORS: `http://${internet.gateway}:${new URL(system.local.base_url).port}/healthz`,
    LOG_LEVEL: 'warn',
    ...env,
  })
  for (const stream of [child.stderr, child.stdout])
    stream?.on('data', chunk => {
      said = (said + chunk).slice(-4_000)
    })
  agents.set(region, child)
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-regions-'))
  internet = Internet.open()
  internet.host('site')
  for (const region of regions) internet.host(region)
  site = await RemoteSite.open(internet, 'site')
  system = await System.start({ regions: ['home'], env: { HOST: '0.0.0.0', EGRESS_ALLOW: internet.range } })
  operator = await anOperator()
  for (const region of regions)
    await join_(
      region,
      region === 'ap' && skewLibrary
        ? { LD_PRELOAD: skewLibrary, FAKETIME: '-1h', FAKETIME_DONT_FAKE_MONOTONIC: '1' }
        : {},
    )
  await eventually(
    'all regions are known',
    async () => (await system.get('/regions')).body.data.length === 4,
    40_000,
    250,
  ).catch(error => {
    throw new Error(`${error.message}; the agents said: ${said}`)
  })
  crowd = await addCrowd()
  // a region that is cut off while most sites have no vote yet is unreliable before any site warns of it
  await eventually('the crowd is up', async () => (await upCount()) >= crowdSize, 90_000, 500)
  crowdSince = Date.now()
}, 240_000)

afterAll(async () => {
  for (const child of agents.values()) {
    if (child.exitCode !== null) continue
    const ended = once(child, 'exit')
    child.kill('SIGCONT')
    child.kill('SIGTERM')
    await ended
  }
  await system?.stop()
  await site?.close()
  internet?.close()
  if (folder) rmSync(folder, { recursive: true, force: true })
}, 60_000)

/** A token of the operator, who needs a second factor where the installation is reached by others. */
async function anOperator(): Promise<string> {
  const { email, password } = system.local.super_admin
  const { token } = (await system.call('POST', '/auth/token', { email, password, device_name: 'faults' })).body
  const { secret } = (await system.post('/profile/mfa', { password }, token)).body.data
  const code = await generate({ secret })
  const { status, body } = await system.post('/profile/mfa/confirm', { code }, token)
  if (status !== 200) throw new Error(`confirming the second factor answered ${status}: ${JSON.stringify(body)}`)
  return token
}

async function addCrowd(): Promise<string[]> {
  const { team, reseller } = system.local
  const overrides = await system.call(
    'PUT',
    `/reseller/managed-teams/${team.id}/feature-overrides`,
    { overrides: { monitors: 2 * crowdSize } },
    reseller.token,
  )
  if (overrides.status !== 200)
    throw new Error(`raising the limit answered ${overrides.status}: ${JSON.stringify(overrides.body)}`)
  const { status, body } = await system.post('/monitors/bulk', {
    monitors: Array.from({ length: crowdSize }, (_, n) => ({
      name: `well ${n}`,
      url: `${site.url}/well/${n}`,
      regions: [...regions],
      check_interval: crowdIntervalS,
      timeout: 5,
    })),
  })
  if (status !== 201) throw new Error(`adding the crowd answered ${status}: ${JSON.stringify(body).slice(0, 500)}`)
  return body.data.map((monitor: { id: string }) => monitor.id)
}

const upCount = async (): Promise<number> => (await system.get('/monitors?status=up&per_page=1')).body.meta.total
const becomes = (id: string, wanted: string, withinMs = 25_000) =>
  eventually(`monitor becomes ${wanted}`, async () => (await system.monitor(id)).status === wanted, withinMs)
const watched = (name: string, check_interval = 2) =>
  system.addMonitor({ name, url: `${site.url}/${name}`, regions: [...regions], check_interval, timeout: 2 })

describe('three regions of which one is in trouble', () => {
  test('all three see the site, also the one whose clock is an hour slow; results carry the right time', async () => {
    const monitor = await watched('clock')
    await becomes(monitor.id, 'up', 40_000)
    const [check] = (await system.get(`/monitors/${monitor.id}/checks`)).body.data
    const results = await eventually(
      'results of all regions',
      async () => {
        const { data } = (await system.get(`/checks/${check.id}/results?per_page=50`)).body
        return new Set(data.map((result: { region: string }) => result.region)).size === 3 && data
      },
      20_000,
    )
    for (const result of results as { at: string }[])
      expect(Math.abs(Date.parse(result.at) - Date.now())).toBeLessThan(60_000)
    expect((await system.monitor(monitor.id)).coverage).toBe('full')
  })

  test('the site unreachable from one region only is a warning that names it, and opens no incident', async () => {
    const monitor = await watched('local-fault')
    await becomes(monitor.id, 'up')
    internet.cut('us', 'site')
    await becomes(monitor.id, 'warning')
    const [check] = (await system.get(`/monitors/${monitor.id}/checks`)).body.data
    expect(JSON.stringify(check)).toContain('us')
    await sleep(6_000)
    expect(await system.incidents(monitor.id)).toEqual([])
    internet.heal('us', 'site')
    await becomes(monitor.id, 'up')
  })

  test('a region cut off from us judges nothing; the others still find an outage; its backlog arrives afterwards', async () => {
    const monitor = await watched('cut-off', 1)
    await becomes(monitor.id, 'up')
    internet.cut('eu', 'gateway')
    const cutAt = Date.now()
    await eventually(
      'coverage is partial',
      async () => (await system.monitor(monitor.id)).coverage === 'partial',
      40_000,
    )
    expect((await system.monitor(monitor.id)).status).toBe('up')
    expect(await system.incidents(monitor.id)).toEqual([])

    site.become('error', '/cut-off')
    const incident = await eventually(
      'an incident by the other two',
      async () => (await system.incidents(monitor.id))[0],
      20_000,
    )
    const { data } = (await system.get(`/incidents/${incident.id}`)).body
    expect(data.quorum.failed.sort()).toEqual(['ap', 'us'])
    site.become('up', '/cut-off')
    await becomes(monitor.id, 'up')
    await sleep(Math.max(0, cutAt + 9_000 - Date.now())) // long enough for a backlog
    const healedAt = Date.now()
    internet.heal('eu', 'gateway')
    const [check] = (await system.get(`/monitors/${monitor.id}/checks`)).body.data
    await eventually(
      'the backlog of the cut region',
      async () => {
        const { data: results } = (await system.get(`/checks/${check.id}/results?region=eu&per_page=100`)).body
        return (
          results.filter(
            (result: { at: string }) => Date.parse(result.at) > cutAt && Date.parse(result.at) < healedAt - 2_000,
          ).length >= 5
        )
      },
      60_000,
    )
    expect(await system.incidents(monitor.id)).toHaveLength(1)
  }, 180_000)

  test('with every region cut off, nothing is judged at all', async () => {
    const monitor = await watched('all-cut')
    await becomes(monitor.id, 'up', 40_000)
    for (const region of regions) internet.setLink(region, 'down')
    await eventually('coverage is none', async () => (await system.monitor(monitor.id)).coverage === 'none', 40_000)
    const { status, state } = await system.monitor(monitor.id)
    expect([status, state.state, state.cause]).toEqual([null, 'unknown', 'no_region'])
    expect(await system.incidents(monitor.id)).toEqual([])
    for (const region of regions) internet.setLink(region, 'up')
    await eventually(
      'coverage is full again',
      async () => (await system.monitor(monitor.id)).coverage === 'full',
      60_000,
    )
    await sleep(4_000)
    expect(await system.incidents(monitor.id)).toEqual([])
  }, 180_000)

  test('an agent frozen past its lease and replaced has no vote when it resumes', async () => {
    const monitor = await watched('zombie')
    await becomes(monitor.id, 'up', 40_000)
    const frozen = agents.get('us')
    const inside = frozen?.pid ?? 0
    process.kill(inside, 'SIGSTOP')
    await eventually(
      'the region is missed',
      async () => (await system.monitor(monitor.id)).coverage === 'partial',
      40_000,
    )
    agents.delete('us')
    await join_('us', { DATA_DIR: join(folder, 'us-again') })
    await eventually(
      'the replacement covers the region',
      async () => (await system.monitor(monitor.id)).coverage === 'full',
      60_000,
    )
    process.kill(inside, 'SIGCONT')
    await sleep(5_000)
    expect((await system.monitor(monitor.id)).coverage).toBe('full')
    expect(await system.incidents(monitor.id)).toEqual([])
    frozen?.kill('SIGKILL')
  }, 180_000)

  test(
    'whichever fault one region has, no site that is well has an incident',
    async () => {
      const faults: ((region: string) => Promise<void>)[] = [
        async region => {
          internet.cut(region, 'site')
          await sleep(5_000)
          internet.heal(region, 'site')
        },
        async region => {
          internet.cut(region, 'gateway')
          await sleep(5_000)
          internet.heal(region, 'gateway')
        },
        region => internet.flicker(region, 'site', 5_000),
        region => internet.flicker(region, 'gateway', 5_000),
        async region => {
          internet.setLink(region, 'down')
          await sleep(5_000)
          internet.setLink(region, 'up')
        },
        async region => {
          agents.get(region)?.kill('SIGSTOP')
          await sleep(5_000)
          agents.get(region)?.kill('SIGCONT')
        },
      ]
      let partitions = 0
      for (; Date.now() < crowdSince + watchedMs; partitions++) {
        const region = regions[partitions % regions.length] ?? 'eu'
        await faults[Math.floor(partitions / regions.length) % faults.length]?.(region)
        await sleep(1_000)
      }
      const client = new pg.Client({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '' })
      await client.connect()
      const { rows } = await client.query<{ n: number }>(
        'select count(*)::int as n from incidents where monitor_id = any($1)',
        [crowd],
      )
      await client.end()
      const minutes = (Date.now() - crowdSince) / 60_000
      const runs = Math.round((minutes * 60 * crowdSize * regions.length) / crowdIntervalS)
      const hours = (minutes * crowdSize) / 60
      console.log(
        `false incidents ${rows[0]?.n} in ${hours.toFixed(1)} monitor-hours of ${crowdSize} sites that were well (bound ${(3 / hours).toPrecision(2)} an hour), about ${runs} runs due, ${partitions} intervals of trouble beside those of the other tests`,
      )
      expect(rows[0]?.n).toBe(0)
      await eventually('all are seen well', async () => (await upCount()) >= crowdSize, 40_000, 500)
    },
    120_000 + watchedMs,
  )
})
