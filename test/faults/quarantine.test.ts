import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Readiness } from '#cli/serve/health.ts'
import type { QuarantineKind } from '#control-plane/base/quarantine/kinds.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'
import { quantile } from '../../bench/figures.ts'
import { type Bad, provoked } from './quarantine-cases.ts'
import { Scene } from './quarantine-scene.ts'

/**
 * R10, R11, R14 for two hundred monitors of other tenants while there is a bad row of every kind; the process that
 * reads them is killed meanwhile, so that its start reads them too. The gate holds the promised figures, and
 * `QUARANTINE_GOAL` the figures that we aim at.
 */
const isDeadlock = (error: unknown) => error instanceof Error && 'code' in error && error.code === '40P01'

const isGoal = process.env.QUARANTINE_GOAL !== undefined
const bounds = isGoal
  ? { fastMs: 3_000, slowMs: 5_000, silenceMs: 2_000, notifiedP99Ms: 1_000, notifiedMs: 5_000 }
  : { fastMs: 10_000, slowMs: 10_000, silenceMs: 10_000, notifiedP99Ms: 3_000, notifiedMs: 10_000 }
const [intervalS, timeoutS] = [10, 2]
/** Too few monitors of one tenant to make a storm. */
const [tenants, sitesOfEach] = [50, 3]

interface Watched {
  tenant: string
  monitor: string
  check: string
}

let system: System
let site: Site
let receiver: Receiver
let scene: Scene
let operator: string
const sites: Watched[] = []
const jobs: Watched[] = []

beforeAll(async () => {
  ;[site, receiver] = [await Site.open(), await Receiver.open()]
  system = await System.start({ regions: ['eu-west'] })
  scene = new Scene(system, site, receiver)
  const { email, password } = system.local.super_admin
  operator = (await system.call('POST', '/auth/token', { email, password, device_name: 'test' }, '')).body.token
  await Promise.all(Array.from({ length: tenants }, aTenantThatIsWatched))
  await eventually('all are up', async () => (await upOf(sites)) === sites.length, 60_000)
}, 260_000)
afterAll(async () => {
  await scene?.close()
  await system?.stop()
  await receiver?.close()
  await site?.close()
})

async function aTenantThatIsWatched(): Promise<void> {
  const featureOverrides = { min_check_interval: 1, monitors: null }
  const tenant = await createTenant(scene.owner, {
    ...{ name: 'Team', slug: `t-${crypto.randomUUID()}`, plan: 'pro', featureOverrides, isReseller: false },
  })
  await scene.webhook(tenant, '/watched')
  const rows = await scene.sql(
    `with made as (
       insert into monitors (
         id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations, recovery_confirmations
       )
       select gen_random_uuid(), $1::uuid, 'Watched',
         case when n = 0 then 'cron:job' else $2 || '/' || $1::text || '/' || n end,
         case when n = 0 then 'cron' else 'website' end, $3, $4, '{"mode":"majority","count":null}', 2, 2
       from generate_series(0, $5::int) n returning id, type
     )
     insert into checks (id, tenant_id, monitor_id, type, settings, severity)
     select gen_random_uuid(), $1, id, case type when 'cron' then 'cron' else 'uptime' end,
       case type when 'cron' then '{"period_minutes": 60, "grace_minutes": 1}'::jsonb
         else jsonb_build_object('timeout_ms', $4::int * 1000) end, 'critical'
     from made
     returning tenant_id as tenant, monitor_id as monitor, id as check, type`,
    ...[tenant, site.url, intervalS, timeoutS, sitesOfEach],
  )
  for (const { type, ...watched } of rows) (type === 'cron' ? jobs : sites).push(watched)
}

const checksOf = (watched: readonly Watched[]) => watched.map(({ check }) => check)
const upOf = async (watched: readonly Watched[]) =>
  (await scene.sql(`select count(*)::int as n from checks where id = any($1) and verdict = 'up'`, checksOf(watched)))[0]
    .n

interface Listed {
  id: string
  kind: QuarantineKind
  key: string
}
const quarantined = async (): Promise<Listed[]> =>
  (await system.get('/platform/quarantine?per_page=100', operator)).body.data

async function killControlPlane(): Promise<void> {
  const pid = system.partPid('control-plane')
  process.kill(pid, 'SIGKILL')
  const killedAt = new Date()
  await eventually('another process', async () => ![pid, 0].includes(system.partPid('control-plane')), 60_000, 20)
  const isLeading = async () => {
    const { parts } = (await (await fetch(`${system.local.base_url}/readyz`)).json()) as Readiness
    return Object.values(parts).every(part => part.is_ready)
  }
  await eventually('ready', () => isLeading().catch(() => false), 60_000, 50)
  // what was due while no process received pings is excused: that time is over
  const isReceiving = async () =>
    (await scene.sql(`select at > $1 as yes from liveness where name = 'pings'`, killedAt))[0].yes
  await eventually('pings received', isReceiving, 60_000, 50)
}

/** Makes each site fail at some moment of an interval, and returns when. */
async function failAll(): Promise<Map<string, { at: number; isFast: boolean }>> {
  const urls = new Map(
    (
      await scene.sql(
        'select id, url from monitors where id = any($1)',
        sites.map(({ monitor }) => monitor),
      )
    ).map(row => [row.id, row.url]),
  )
  const failed = new Map<string, { at: number; isFast: boolean }>()
  const fail = async ({ monitor, check }: Watched, index: number) => {
    await sleep(Math.random() * intervalS * 1_000)
    const isFast = index % 4 > 0
    const at = site.become(
      isFast ? (['error', 'reset'] as const)[index % 2]! : 'hang',
      new URL(urls.get(monitor)).pathname,
    )
    failed.set(check, { at, isFast })
  }
  await Promise.all(sites.map(fail))
  return failed
}

/** Each job pings once more, and its deadline is set within the same time. */
async function fallSilent(): Promise<Map<string, number>> {
  const statuses = await Promise.all(jobs.map(job => scene.ping(job)))
  expect(new Set(statuses)).toEqual(new Set([200]))
  const rows = await scene.sql(
    `update heartbeats h set expected_at = clock_timestamp(), alert_after = d.at, wake_at = d.at
     from (
       select check_id, clock_timestamp() + (2 + random() * $2::float8) * interval '1 second' as at
       from heartbeats where check_id = any($1)
     ) d
     where d.check_id = h.check_id returning h.check_id, h.alert_after`,
    ...[checksOf(jobs), intervalS],
  )
  return new Map(rows.map(({ check_id, alert_after }) => [check_id, alert_after.getTime()]))
}

interface Incident {
  id: string
  check_id: string
  created_at: Date
}
const incidents = async (): Promise<Incident[]> =>
  scene.sql(
    'select id, check_id, created_at from incidents where check_id = any($1)',
    checksOf([...sites, ...jobs]),
  ) as Promise<Incident[]>

test('a bad row of every kind delays no other tenant, is listed and counted, and is handled once it is mended', async () => {
  const bad = new Map<QuarantineKind, Bad>()
  await Promise.all(provoked.map(async ([kind, provoke]) => bad.set(kind, await provoke(scene))))
  await killControlPlane()
  for (const { meet } of bad.values()) await meet?.()

  const [failed, deadlines] = await Promise.all([failAll(), fallSilent()])
  const list = eventually(
    'all are listed',
    async () => {
      const keys = new Set((await quarantined()).map(({ kind, key }) => `${kind} ${key}`))
      return [...bad].every(([kind, { key }]) => keys.has(`${kind} ${key}`))
    },
    60_000,
    500,
  )
  await list.catch(async error => {
    const kinds = new Set((await quarantined()).map(({ kind }) => kind))
    throw new Error(`${error.message}: ${[...bad.keys()].filter(kind => !kinds.has(kind))}`)
  })
  await eventually(
    'all others have incidents',
    async () => (await incidents()).length >= sites.length + jobs.length,
    60_000,
  )
  const found = await incidents()
  const notified = () => new Map(receiver.at('/watched').map(({ body, at }) => [body.incident_id, at]))
  await eventually('all others are notified', async () => found.every(({ id }) => notified().has(id)), 30_000).catch(
    () => undefined,
  )

  expect(found).toHaveLength(sites.length + jobs.length)
  const late = { fast: [] as number[], slow: [] as number[], silence: [] as number[], notified: [] as number[] }
  const arrivals = notified()
  for (const { id, check_id, created_at } of found) {
    const at = created_at.getTime()
    const failure = failed.get(check_id)
    if (failure)
      late[failure.isFast ? 'fast' : 'slow'].push(
        at - failure.at - intervalS * 1_000 - (failure.isFast ? 0 : timeoutS * 1_000),
      )
    else late.silence.push(at - deadlines.get(check_id)!)
    late.notified.push((arrivals.get(id) ?? Number.POSITIVE_INFINITY) - at)
  }
  const most = (of: number[]) => `${(Math.max(...of) / 1_000).toFixed(1)} s`
  console.log(
    `quarantine: ${bad.size} bad rows, ${found.length} other incidents: fast failures at most interval ${most(late.fast)}, slow ones interval, timeout ${most(late.slow)}, ` +
      `silence ${(Math.min(...late.silence) / 1_000).toFixed(1)} to ${most(late.silence)} late, notified after p99 ${Math.round(quantile(late.notified, 0.99))} ms, at most ${most(late.notified)}`,
  )
  // the gate's figures are meant for a machine that does little else
  const crowding = isGoal ? 1 : Math.max(1, (loadavg()[0] ?? 0) / availableParallelism())
  expect(Math.max(...late.fast)).toBeLessThanOrEqual(bounds.fastMs * crowding)
  expect(Math.max(...late.slow)).toBeLessThanOrEqual(bounds.slowMs * crowding)
  expect(Math.min(...late.silence)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...late.silence)).toBeLessThanOrEqual(bounds.silenceMs * crowding)
  expect(quantile(late.notified, 0.99)).toBeLessThan(bounds.notifiedP99Ms * crowding)
  expect(Math.max(...late.notified)).toBeLessThan(bounds.notifiedMs * crowding)

  const counted = await system.metrics()
  for (const kind of bad.keys())
    expect(counted.get(`vedette_quarantined_rows{kind="${kind}"}`), kind).toBeGreaterThanOrEqual(1)

  // one after the other, and again: dropping a trigger locks a table that a statement of the service may wait for
  for (const { mend } of bad.values())
    await mend().catch(error => {
      if (!isDeadlock(error)) throw error
      return mend()
    })
  await Promise.all(
    (await quarantined()).map(({ id }) => system.post(`/platform/quarantine/${id}/retry`, {}, operator)),
  )
  await eventually('none is quarantined', async () => (await quarantined()).length === 0, 60_000, 500).catch(
    async error => {
      throw new Error(`${error.message}: ${(await quarantined()).map(({ kind }) => kind)}`)
    },
  )
  const undone = async () => {
    const answers = await Promise.all(
      [...bad].map(async ([kind, { isDone }]) => ((await isDone?.()) === false ? kind : null)),
    )
    return answers.filter(kind => kind !== null)
  }
  await expect.poll(undone, { timeout: 70_000, interval: 500 }).toEqual([])
  const after = await system.metrics()
  for (const kind of bad.keys()) expect(after.get(`vedette_quarantined_rows{kind="${kind}"}`) ?? 0, kind).toBe(0)
}, 260_000)
