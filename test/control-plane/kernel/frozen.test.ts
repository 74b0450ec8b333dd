import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureDatabase, ownerUrl, postgresPart } from '#cli/embedded/postgres.ts'
import { makeKeys } from '#cli/keys.ts'
import { findPort } from '#cli/loopback.ts'
import { type ControlPlane, startControlPlane } from '#cli/serve.ts'
import { showFor } from '#cli/show.ts'
import { Supervisor } from '#cli/supervise.ts'
import { migrate } from '#control-plane/migrate.ts'
import { createToken } from '#control-plane/people/tokens/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { configOn } from '#test/support/config.ts'
import { store } from '#test/support/stores.ts'

/** A PostgreSQL of this file's own, to be stopped in the middle of whatever it does. */
const frozenSeconds = Number(process.env.FROZEN_SECONDS ?? 15)
const folder = mkdtempSync(join(tmpdir(), 'vedette-frozen-'))
const supervisor = new Supervisor({ dataDir: folder, show: showFor({ isJson: false, isTty: false }) })
const dataDir = join(folder, 'postgres')
let plane: ControlPlane
let tenantId: string
let token: string

beforeAll(async () => {
  const { postgres: passwords } = makeKeys()
  const options = { dataDir, port: await findPort(0), ownerPassword: passwords.owner, overrides: { fsync: 'off', shared_buffers: '32MB' } }
  await supervisor.start(await postgresPart(options))
  await ensureDatabase(options)
  const owner = ownerUrl(options)
  await migrate({ ownerUrl: owner, appPassword: passwords.app, platformPassword: passwords.platform })
  const as = (user: string, password: string) => Object.assign(new URL(owner), { username: user, password }).toString()
  const stores = {
    appUrl: as('vedette_app', passwords.app),
    platformUrl: as('vedette_platform', passwords.platform),
    clickhouseUrl: (await store('clickhouse')).url,
  }
  plane = await startControlPlane(configOn(stores), ['api'])
  const { platform } = plane.services
  tenantId = await createTenant(platform, { name: 'Team', slug: 'team', plan: 'pro' })
  token = (await createToken(platform, { kind: 'svc', tenantId, userId: null, name: 'test', scopes: ['monitors:manage'], expiresAt: null })).plain
})
afterAll(async () => {
  thaw()
  await supervisor.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The server and all its processes. */
function processes(): number[] {
  const first = Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
  const children = readdirSync('/proc').filter(name => {
    if (!/^\d+$/.test(name)) return false
    try {
      return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === first
    } catch {
      return false
    }
  })
  return [first, ...children.map(Number)]
}

let frozen: number[] = []
function freeze(): void {
  frozen = processes()
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
}
function thaw(): void {
  for (const pid of frozen) process.kill(pid, 'SIGCONT')
  frozen = []
}

const ask = async (method: string, path: string, body?: unknown) => {
  const started = performance.now()
  const response = await fetch(`${plane.baseUrl}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Idempotency-Key': `${path}-${started}` },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await response.text()
  return { status: response.status, retryAfter: Number(response.headers.get('retry-after')), ms: performance.now() - started }
}
const shop = { name: 'Shop', url: 'https://shop.example.com/' }

test(`a PostgreSQL that stands still for ${frozenSeconds} seconds costs 503s, and is back in service at once`, { timeout: 180_000 }, async () => {
  expect((await ask('POST', '/monitors', shop)).status).toBe(201)

  // some are under way while it stops, in the middle of their transactions
  const underWay = Array.from({ length: 12 }, () => ask('POST', '/monitors', shop))
  await sleep(5)
  freeze()
  const until = performance.now() + frozenSeconds * 1_000
  const during: Awaited<ReturnType<typeof ask>>[] = []
  while (performance.now() < until) {
    during.push(...(await Promise.all([ask('GET', '/monitors'), ask('POST', '/monitors', shop), ask('GET', '/audit-log')])))
    await sleep(200)
  }
  const thawed = performance.now()
  thaw()

  for (const answer of during) {
    expect(answer.status).toBe(503)
    expect(answer.retryAfter).toBeGreaterThan(0)
    expect(answer.ms).toBeLessThan(10_000)
  }
  let served = 0
  while (served < 5 && performance.now() < thawed + 30_000) {
    served = (await ask('GET', '/monitors')).status === 200 ? served + 1 : 0
    await sleep(20)
  }
  expect(performance.now() - thawed).toBeLessThan(5_000)

  const early = await Promise.all(underWay)
  for (const { status } of early) expect([201, 503]).toContain(status)
  // whoever was told 201 has a monitor and its audit entry; nobody's half-done work was finished by another
  const { rows } = await plane.services.platform.query<{ monitors: number; noted: number }>(
    `select (select count(*)::int from monitors) as monitors, (select count(*)::int from audit_entries where action = 'monitor.created') as noted`,
  )
  const told = 1 + early.filter(({ status }) => status === 201).length
  expect(rows[0]?.monitors).toBe(rows[0]?.noted)
  expect(rows[0]?.monitors).toBeGreaterThanOrEqual(told)
  expect((await ask('POST', '/monitors', shop)).status).toBe(201)
})

test('a stop while it stands still ends within ten seconds all the same', { timeout: 60_000 }, async () => {
  const underWay = Array.from({ length: 12 }, () => ask('POST', '/monitors', shop).catch(() => null))
  await sleep(5)
  freeze()
  const started = performance.now()
  await plane.close()
  expect(performance.now() - started).toBeLessThan(10_000)
  await Promise.all(underWay)
})
