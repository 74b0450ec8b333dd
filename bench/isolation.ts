import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { ensureDatabase, ownerUrl, postgresPart } from '#cli/local/embedded/postgres.ts'
import { makeKeys } from '#cli/local/keys.ts'
import { findPort } from '#cli/local/loopback.ts'
import { showFor } from '#cli/local/show.ts'
import { Supervisor } from '#cli/local/supervise.ts'
import { TransactionClient } from '#control-plane/base/transaction-client.ts'
import { migrate } from '#control-plane/db/migrate.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { median, quantile, round } from './figures.ts'

/**
 * What it costs that PostgreSQL itself keeps tenants apart: a page of one tenant's monitors, among those of many
 * others.
 */
const tenants = Number(process.env.ISOLATION_TENANTS ?? 500)
const monitorsEach = 200
const rounds = Number(process.env.ISOLATION_ROUNDS ?? 2_000)

const page = (where: string) => `
  select id, name, url, status, created_at, updated_at from monitors where ${where} order by created_at, id limit 50`
const filter = 'tenant_id = $1'

const folder = mkdtempSync(join(tmpdir(), 'vedette-isolation-'))
const supervisor = new Supervisor({ dataDir: folder, show: showFor({ isJson: false, isTty: false }) })
try {
  const keys = makeKeys().postgres
  const options = { dataDir: join(folder, 'postgres'), port: await findPort(0), ownerPassword: keys.owner }
  await supervisor.start(await postgresPart(options))
  await ensureDatabase(options)
  const owner = ownerUrl(options)
  await migrate({ ownerUrl: owner, appPassword: keys.app, platformPassword: keys.platform })
  const app = Object.assign(new URL(owner), { username: 'vedette_app', password: keys.app }).toString()
  await measure(await connect(owner), await connect(app))
} finally {
  await supervisor.stop()
  rmSync(folder, { recursive: true, force: true })
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new TransactionClient({ connectionString })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

async function seed(owner: pg.Client): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < tenants; n++) {
    const id = await createTenant(owner as unknown as pg.PoolClient, {
      name: `Tenant ${n}`,
      slug: `t-${n}`,
      plan: 'pro',
    })
    await owner.query(
      `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy,
       confirmations, recovery_confirmations, status, created_at)
       select gen_random_uuid(), $1, 'Monitor ' || n, 'https://example.com/' || n, 'website', 60, 10,
         '{"mode":"majority","count":null}', 2, 2, 'up', now() - n * interval '1 minute'
       from generate_series(1, $2::int) n`,
      [id, monitorsEach],
    )
    ids.push(id)
  }
  await owner.query('vacuum analyze')
  return ids
}

async function measure(owner: pg.Client, app: pg.Client): Promise<void> {
  const ids = await seed(owner)
  const settingsOf = (id: string) =>
    `select set_config('app.tenant_id', '${id}', true), set_config('app.reseller_id', '', true),
     set_config('app.user_id', '${randomUUID()}', true)`
  const inTransaction = async (client: pg.Client, id: string, name: string, where: string) => {
    await client.query('start transaction read only')
    await client.query(settingsOf(id))
    const { rows } = await client.query({ name, text: page(where), values: where.includes('$1') ? [id] : [] })
    await client.query('commit')
    return rows.length
  }
  const ways: Record<string, (id: string) => Promise<number>> = {
    'plain filter, one statement': async id =>
      (await owner.query({ name: 'plain', text: page(filter), values: [id] })).rows.length,
    'plain filter, in a transaction with its settings': id => inTransaction(owner, id, 'page', filter),
    'row security and filter, as the API asks': id => inTransaction(app, id, 'page', filter),
    'row security alone': id => inTransaction(app, id, 'unfiltered', 'true'),
  }
  const times = new Map(Object.keys(ways).map(name => [name, [] as number[]]))
  for (let n = 0; n < rounds + 200; n++)
    for (const [name, ask] of Object.entries(ways)) {
      const started = performance.now()
      const found = await ask(ids[n % ids.length]!)
      if (found !== 50) throw new Error(`${name} found ${found} of 50`)
      if (n >= 200) times.get(name)?.push(performance.now() - started)
    }
  const middle = [...times].map(([name, ms]) => {
    console.log(`      ${name}: p50 ${round(median(ms))} ms, p99 ${round(quantile(ms, 0.99))} ms`)
    return median(ms)
  })
  const [plain = 1, transaction = 1, secured = 1, alone = 1] = middle
  console.log(`      row security against a plain filter: ${round(secured / plain)} times as long`)
  console.log(
    `      of this the transaction and its settings, sent together with what is asked: ${round(transaction / plain)}; the policies themselves: ${round(secured / transaction)}`,
  )
  console.log(`      without any filter of ours, by the policies alone: ${round(alone / plain)}`)
  for (const [name, client, where] of [
    ['filter and policy', app, filter],
    ['policy alone', app, 'true'],
  ] as const) {
    await client.query('begin')
    await client.query(settingsOf(ids[0]!))
    const { rows } = await client.query(`explain ${page(where)}`.replace('$1', `'${ids[0]}'`))
    await client.query('commit')
    console.log(`      plan, ${name}: ${rows.map(row => String(row['QUERY PLAN']).trim()).join(' | ')}`)
  }
  await Promise.all([owner.end(), app.end()])
}
