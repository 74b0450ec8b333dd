import { execFileSync } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { enrolAgent } from '#control-plane/engine/agents/enrol.ts'
import { noticeSetback } from '#control-plane/platform/restored/notice.ts'
import { addManagedTeam } from '#control-plane/reselling/managed-teams/add-managed-team.ts'
import { eraseResults, purgeTeam } from '#control-plane/reselling/managed-teams/purge.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { enrolment, makeKeys } from '#test/control-plane/engine/agents/raw-agent.ts'
import { configOn } from '#test/support/config.ts'
import { OwnPostgres } from '#test/support/own-postgres.ts'
import { store } from '#test/support/stores.ts'

/** A PostgreSQL of this file's own, to be stopped in the middle of whatever it does. */
const frozenSeconds = Number(process.env.FROZEN_SECONDS ?? 15)
const folder = mkdtempSync(join(tmpdir(), 'vedette-frozen-'))
let postgres: OwnPostgres
let plane: ControlPlane
let tenantId: string
let token: string

beforeAll(async () => {
  postgres = await OwnPostgres.open(folder, { fsync: 'off' })
  plane = await startControlPlane(configOn(postgres.stores), ['api'])
  const { platform } = plane.services
  tenantId = await createTenant(platform, { name: 'Team', slug: 'team', plan: 'pro' })
  token = (
    await createToken(platform, {
      kind: 'svc',
      tenantId,
      userId: null,
      name: 'test',
      scopes: ['monitors:manage'],
      expiresAt: null,
    })
  ).plain
})
afterAll(async () => {
  await postgres?.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** With its owner, who may be another than ours. */
const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to])

const ask = async (method: string, path: string, body?: unknown) => {
  const started = performance.now()
  const response = await fetch(`${plane.baseUrl}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': `${path}-${started}`,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  await response.text()
  return {
    status: response.status,
    retryAfter: Number(response.headers.get('retry-after')),
    ms: performance.now() - started,
  }
}
const shop = { name: 'Shop', url: 'https://shop.example.com/' }

test(`a PostgreSQL that stands still for ${frozenSeconds} seconds costs 503s, and is back in service at once`, {
  timeout: 180_000 + frozenSeconds * 1_000,
}, async () => {
  expect((await ask('POST', '/monitors', shop)).status).toBe(201)

  // some are under way while it stops, in the middle of their transactions
  const underWay = Array.from({ length: 12 }, () => ask('POST', '/monitors', shop))
  await sleep(5)
  postgres.freeze()
  const until = performance.now() + frozenSeconds * 1_000
  const during: Awaited<ReturnType<typeof ask>>[] = []
  while (performance.now() < until) {
    during.push(
      ...(await Promise.all([ask('GET', '/monitors'), ask('POST', '/monitors', shop), ask('GET', '/audit-log')])),
    )
    await sleep(200)
  }
  const thawed = performance.now()
  postgres.thaw()

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
  const backMs = performance.now() - thawed
  expect(backMs).toBeLessThan(5_000)

  const early = await Promise.all(underWay)
  for (const { status } of early) expect([201, 503]).toContain(status)
  // each request answered with 201 has a monitor and its audit entry; no half-done work was finished by another request
  const { rows } = await plane.services.platform.query<{ monitors: number; noted: number }>(
    `select (select count(*)::int from monitors) as monitors,
    (select count(*)::int from audit_entries where action = 'monitor.created') as noted`,
  )
  const created = 1 + early.filter(({ status }) => status === 201).length
  expect(rows[0]?.monitors).toBe(rows[0]?.noted)
  expect(rows[0]?.monitors).toBeGreaterThanOrEqual(created)
  expect((await ask('POST', '/monitors', shop)).status).toBe(201)
  console.log(
    `PostgreSQL frozen for ${frozenSeconds} s: ${during.length} requests refused with 503, the slowest after ${Math.round(Math.max(...during.map(({ ms }) => ms)))} ms; served again after ${Math.round(backMs)} ms; ${created} writes acknowledged, ${rows[0]?.monitors} there, none half written`,
  )
})

test('a stop during a freeze of PostgreSQL ends within ten seconds', { timeout: 60_000 }, async () => {
  const underWay = Array.from({ length: 12 }, () => ask('POST', '/monitors', shop).catch(() => null))
  await sleep(5)
  postgres.freeze()
  const started = performance.now()
  await plane.close()
  expect(performance.now() - started).toBeLessThan(10_000)
  await Promise.all(underWay)
})

test('put back to a backup it is known for what it is: nothing used since is used again, and who was purged stays purged', {
  timeout: 180_000,
}, async () => {
  postgres.thaw()
  const { url } = await store('clickhouse')
  const clickhouseUrl = Object.assign(new URL(url), { pathname: `/restored_${process.pid}` }).toString()
  await migrateClickhouse(clickhouseUrl)
  const start = async (roles: Parameters<typeof startControlPlane>[1]) => {
    plane = await startControlPlane(configOn({ ...postgres.stores, clickhouseUrl }), roles)
    return plane.services.platform
  }
  const call = async (path: string, { bearer, body }: { bearer?: string; body?: unknown }) => {
    const response = await fetch(`${plane.baseUrl}/api/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        'Content-Type': 'application/json',
        ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    await response.text()
    return response.status
  }

  let platform = await start(['api'])
  const resellerId = await createTenant(platform, { name: 'Reseller', slug: 'reseller', plan: 'pro', isReseller: true })
  const [doomed, kept] = [
    await createTenant(platform, { name: 'Doomed', slug: 'doomed', plan: 'pro' }),
    await createTenant(platform, { name: 'Kept', slug: 'kept', plan: 'pro' }),
  ]
  const [teamId] = [
    await addManagedTeam(platform, resellerId, doomed, null),
    await addManagedTeam(platform, resellerId, kept, null),
  ]
  const userId = randomUUID()
  await platform.query(
    `insert into users (id, name, email, home_tenant_id) values ($1, 'Pat', 'pat@people.test', $2)`,
    [userId, resellerId],
  )
  await platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, [
    userId,
    resellerId,
  ])
  const link = randomBytes(32).toString('base64url')
  await platform.query(
    `insert into password_resets (token_hash, user_id, expires_at) values ($1, $2, now() + interval '1 day')`,
    [hashSecret(link), userId],
  )
  const base = { tenantId: resellerId, userId, name: 'x', scopes: [], expiresAt: new Date(Date.now() + 86_400_000) }
  const { plain: session } = await createToken(platform, { ...base, kind: 'ss' })
  const impersonator = { userId, tenantId: resellerId }
  const { plain: impersonation } = await createToken(platform, {
    ...base,
    tenantId: kept,
    userId: null,
    kind: 'ik',
    scopes: ['read'],
    impersonator,
  })
  const { plain: agentToken } = await createEnrolment(platform, null)
  const enrol = async () => enrolAgent(platform, enrolment(await makeKeys(), agentToken, 'eu-west'))
  const newPassword = { token: link, password: `Vq7-${randomBytes(12).toString('base64url')}` }
  await plane.close()

  const backup = join(folder, 'backup')
  await postgres.stop()
  copy(postgres.dataDir, backup)
  await postgres.start()

  platform = await start(['api'])
  for (const bearer of [session, impersonation]) expect(await call('/tags', { bearer })).toBe(200)
  await enrol()
  expect(await call('/auth/password/reset', { body: newPassword })).toBe(204)
  expect(await call('/tags', { bearer: session })).toBe(401)
  await platform.query(`delete from tokens where kind = 'ik'`)
  const deletedAt = new Date(Date.now() - 31 * 86_400_000)
  const { rows } = await platform.query<{ deleted_at: Date }>(
    'update managed_teams set deleted_at = $2 where id = $1 returning deleted_at',
    [teamId, deletedAt],
  )
  await platform.query('update tenants set deleted_at = $2 where id = $1', [doomed, deletedAt])
  expect(
    await purgeTeam(platform, teamId, rows[0]!.deleted_at, { now: async () => new Date(), dayMs: 86_400_000 }),
  ).toBe('purged')
  expect(await eraseResults(platform, plane.services.clickhouse, doomed)).toBe('erased')
  await plane.close()

  await postgres.stop()
  rmSync(postgres.dataDir, { recursive: true })
  copy(backup, postgres.dataDir)
  await postgres.start()

  platform = await start(['api', 'worker'])
  expect(await call('/auth/password/reset', { body: newPassword })).toBe(422)
  for (const bearer of [session, impersonation]) expect(await call('/tags', { bearer })).toBe(401)
  await expect(enrol()).rejects.toMatchObject({ status: 401 })
  // a program's key goes on
  expect(await call('/monitors', { bearer: token })).toBe(200)
  const alive = async () =>
    (
      await platform.query<{ id: string }>('select id from tenants where id = any($1::uuid[])', [[doomed, kept]])
    ).rows.map(({ id }) => id)
  for (const until = Date.now() + 30_000; (await alive()).length === 2 && Date.now() < until; ) await sleep(50)
  expect(await alive()).toEqual([kept])
  // and it is noticed once
  expect(await noticeSetback(platform, plane.services.clickhouse)).toBeNull()
})
