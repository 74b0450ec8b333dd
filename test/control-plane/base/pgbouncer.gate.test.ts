import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startControlPlane } from '#cli/serve/serve.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { anonymous } from '#control-plane/base/caller.ts'
import type { Config } from '#control-plane/config.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, prepared, Serving } from '#test/control-plane/serving.ts'
import { PgBouncer } from '#test/support/pgbouncer.ts'

/** Connections that PgBouncer has for each role: far fewer than the control plane opens. */
const poolSize = 3

let pooler: PgBouncer
let served: Serving
let direct: Config
let receiver: Receiver
let site: Server
beforeAll(async () => {
  const { stores, config } = await prepared('pooled', { poolSize: 12 })
  direct = config
  pooler = await PgBouncer.open([config.databaseUrl, config.platformUrl], { poolSize })
  const pooled = {
    ...config,
    databaseUrl: pooler.through(config.databaseUrl),
    platformUrl: pooler.through(config.platformUrl),
    directUrl: config.platformUrl,
  }
  served = new Serving(stores, pooled, await startControlPlane(pooled, ['api', 'ingest', 'worker']))
  receiver = await Receiver.open()
  site = createServer((_, response) => void response.end('x'))
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  await served?.close()
  await pooler?.close()
  await receiver?.close()
  site?.close()
})

const tokenOf = async (tenantId: string) => {
  const scopes = ['monitors:manage', 'notifications:manage', 'incidents:read']
  const asked = { kind: 'svc', tenantId, userId: null, name: 'test', scopes, expiresAt: null } as const
  return (await createToken(served.platform, asked)).plain
}
async function ask(token: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${served.plane.baseUrl}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: the tests read what they asked for
  return { status: response.status, body: (await response.json()) as any }
}

test('requests of many teams share few connections, and each sees its own rows', async () => {
  const teams = await Promise.all(
    Array.from({ length: 8 }, async (_, n) => {
      const token = await tokenOf(await served.tenant())
      const made = await ask(token, 'POST', '/monitors', { name: `Of team ${n}`, url: 'https://shop.example.com/' })
      expect(made.status).toBe(201)
      return { token, name: `Of team ${n}` }
    }),
  )
  const before = await pooler.stats(direct.databaseUrl)
  const asks = Array.from({ length: 20 }, async (_, n) => {
    const { token, name } = teams[n % teams.length]!
    for (let turn = 0; turn < 20; turn++) {
      const { status, body } = await ask(token, 'GET', '/monitors')
      expect([status, body.data?.map((monitor: { name: string }) => monitor.name)]).toEqual([200, [name]])
    }
  })
  await Promise.all(asks)
  const after = await pooler.stats(direct.databaseUrl)
  expect(after.transactions - before.transactions).toBeGreaterThanOrEqual(400)
  const client = new pg.Client({ connectionString: served.stores.ownerUrl })
  await client.connect()
  const { rows } = await client.query(
    `select usename, count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name not in ('vedette-listen', 'vedette-lead')
        and usename in ('vedette_app', 'vedette_platform') group by usename`,
  )
  await client.end()
  expect(rows.length).toBe(2)
  for (const { n } of rows) expect(n).toBeLessThanOrEqual(poolSize)
})

test('a monitor goes down, and its webhook is called', async () => {
  const region = `pooled-${randomUUID().slice(0, 8)}`
  const agent = await served.agent(region, { LAG_LIMIT_MS: '20000' })
  const tenant = await served.tenant()
  const token = await tokenOf(tenant)
  const channel = await ask(token, 'POST', '/notification-channels', {
    name: 'Hook',
    type: 'webhook',
    config: { url: `${receiver.url}/hook` },
    notify_all: false,
  })
  expect(channel.status, JSON.stringify(channel.body)).toBe(201)
  const rule = { channel_id: channel.body.data.id, event_types: ['incident.created'] }
  expect((await ask(token, 'POST', '/notification-rules', rule)).status).toBe(201)
  const { port } = site.address() as AddressInfo
  await served.monitor(tenant, `http://127.0.0.1:${port}/`, { regions: [region], interval: 1 })
  await eventually(() => (agent.figures().accepted > 0 ? true : undefined))
  site.close()
  site.closeAllConnections()
  const [call] = await eventually(() => (receiver.at('/hook').length > 0 ? receiver.at('/hook') : undefined), 30_000)
  expect(call?.body).toMatchObject({ event: 'incident.created' })
  expect((await ask(token, 'GET', '/incidents')).body.data).toHaveLength(1)
}, 120_000)

test('notices and the lock of the leading process pass it by: a second process stands by', async () => {
  const second = await startControlPlane(served.config, ['ingest'])
  const ready = async (url: string) => (await (await fetch(`${url}/readyz`)).json()) as object
  expect(JSON.stringify(await ready(second.metricsUrl))).toContain('stands by')
  await second.close()
  const client = new pg.Client({ connectionString: served.stores.ownerUrl })
  await client.connect()
  const { rows } = await client.query(
    `select application_name as name from pg_stat_activity where datname = current_database()
      and application_name in ('vedette-listen', 'vedette-lead') group by 1 order by 1`,
  )
  await client.end()
  expect(rows.map(({ name }) => name)).toEqual(['vedette-lead', 'vedette-listen'])
})

test('what a session would set is set for each transaction, and nothing of it stays on the connection', async () => {
  const orm = await openOrm(served.config)
  const tenantId = await served.tenant()
  const context = { tenantId, resellerId: null, caller: anonymous, ip: '', requestId: randomUUID(), now: new Date() }
  const within = await unitOfWork(orm.em, context, em =>
    em.execute(`select current_setting('statement_timeout') as timeout, current_setting('app.tenant_id') as tenant`),
  )
  expect(within).toEqual([{ timeout: '10s', tenant: tenantId }])
  await orm.close()
  const pool = new pg.Pool({ connectionString: served.config.databaseUrl, max: 6 })
  const found = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const { rows } = await pool.query(
        `select current_setting('statement_timeout') as timeout, coalesce(current_setting('app.tenant_id', true), '')
          as tenant`,
      )
      return rows[0]
    }),
  )
  await pool.end()
  expect(new Set(found.map(each => JSON.stringify(each)))).toEqual(new Set(['{"timeout":"0","tenant":""}']))
})
