import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPort } from '#cli/local/loopback.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { eventually } from '#test/control-plane/serving.ts'
import { configOn } from '#test/support/config.ts'
import { openDatabases } from '#test/support/databases.ts'
import { program } from '#test/support/program.ts'

/**
 * The leading process is killed while windows begin and end. The oracle: each window's planned times against its spans,
 * its events and its mails. No worker runs, so that events and mails stay in the outbox.
 */
const kills = Number(process.env.MAINTENANCE_KILLS ?? 4)
const windows = 3_000

let platform: pg.Pool
let environment: NodeJS.ProcessEnv
let port: number
let tenant: string
let serving: ChildProcess | undefined

beforeAll(async () => {
  const stores = await openDatabases('maintenance_kills')
  const config = configOn(stores)
  platform = new pg.Pool({ connectionString: stores.platformUrl, max: 3 })
  port = await findPort(0)
  environment = {
    ...process.env,
    DATABASE_URL: config.databaseUrl,
    DATABASE_PLATFORM_URL: config.platformUrl,
    CLICKHOUSE_URL: config.clickhouseUrl,
    SECRET_KEY: config.secretKey,
    LOG_LEVEL: 'fatal',
    HOST: '127.0.0.1',
    PORT: String(port),
    METRICS_PORT: String(await findPort(0)),
  }
  tenant = await createTenant(platform, {
    name: 'Team',
    slug: `t-${randomUUID()}`,
    plan: 'pro',
    featureOverrides: {},
    isReseller: false,
  })
  const user = randomUUID()
  await platform.query('insert into users (id, name, email, home_tenant_id) values ($1, $2, $3, $4)', [
    user,
    'Pat',
    `${user}@people.test`,
    tenant,
  ])
  await platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, [user, tenant])
})
afterAll(async () => {
  serving?.kill('SIGKILL')
  await platform.end()
})

async function serve(): Promise<void> {
  serving = spawn(process.execPath, program('serve', '--role', 'api,ingest'), {
    env: environment,
    stdio: 'ignore',
  })
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50))
    if ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) return
  throw new Error('the control plane did not become ready')
}

async function kill(): Promise<void> {
  serving?.kill('SIGKILL')
  if (serving) await once(serving, 'exit')
}

const count = async (text: string): Promise<number> =>
  (await platform.query<{ n: number }>(`select count(*)::int as n ${text}`, [tenant])).rows[0]!.n

test('each window begins and ends once although the leading process is killed, and each mail is written once', async () => {
  await platform.query(
    `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
       recovery_confirmations)
     select gen_random_uuid(), $1, 'Site ' || n, 'https://site.example/', 'website', 60, 10,
       '{"mode":"majority","count":null}', 2, 2 from generate_series(1, $2) n`,
    [tenant, windows],
  )
  // they begin one after the other, while the process is killed again and again, and each lasts four seconds
  await platform.query(
    `insert into maintenance_windows (id, tenant_id, title, monitor_ids, starts_at, timezone, duration_minutes, mode,
       notify_on_start, notify_on_end, next_starts_at, next_ends_at)
     select gen_random_uuid(), $1, m.name, array[m.id], '2026-01-01T00:00:00', 'UTC', 60,
       case when n % 2 = 0 then 'pause_checks' else 'suppress_alerts' end, true, true, s.at,
       s.at + interval '4 seconds'
     from (select *, row_number() over () as n from monitors where tenant_id = $1) m
     cross join lateral (
       select clock_timestamp() + interval '7 seconds' + n * $2 * interval '1 second' / $3 as at
     ) s`,
    [tenant, kills * 8, windows],
  )
  await platform.query(
    `insert into maintenance_notices (tenant_id, window_id, due_at, starts_at, ends_at)
     select tenant_id, id, next_starts_at - interval '1 second', next_starts_at, next_ends_at from maintenance_windows
     where tenant_id = $1`,
    [tenant],
  )
  const planned = await platform.query('select id, next_starts_at, next_ends_at from maintenance_windows')
  const moved = async () =>
    (await count(`from maintenance_windows where tenant_id = $1 and state <> 'scheduled'`)) +
    (await count(`from maintenance_windows where tenant_id = $1 and state = 'completed'`))
  for (let time = 0; time < kills; time++) {
    const before = await moved()
    await serve()
    await eventually(async () => before === 2 * windows || (await moved()) > before || undefined, 60_000)
    await sleep(Math.random() * 300)
    await kill()
  }
  await serve()
  await eventually(
    async () =>
      (await count(`from maintenance_windows where tenant_id = $1 and state <> 'completed'`)) === 0 || undefined,
    120_000,
  )
  await eventually(async () => (await count('from maintenance_notices where tenant_id = $1')) === 0 || undefined)

  const spans = await platform.query<{ window_id: string; started_at: Date; ended_at: Date }>(
    'select window_id, started_at, ended_at from maintenance_spans where tenant_id = $1',
    [tenant],
  )
  expect(spans.rows).toHaveLength(windows)
  const plannedOf = new Map(planned.rows.map(row => [row.id, row]))
  for (const { window_id, started_at, ended_at } of spans.rows)
    expect([started_at, ended_at]).toEqual([
      plannedOf.get(window_id)?.next_starts_at,
      plannedOf.get(window_id)?.next_ends_at,
    ])
  for (const name of ['maintenance.started', 'maintenance.ended']) {
    const of = `from outbox where tenant_id = $1 and kind = 'event' and name = '${name}'`
    expect(await count(of), name).toBe(windows)
    expect(await count(`from (select distinct payload ->> 'maintenance_window_id' ${of}) o`), name).toBe(windows)
  }
  const mails = await platform.query<{ occasion: string; n: number; titles: number }>(
    `select payload -> 'data' ->> 'occasion' as occasion, count(*)::int as n,
       count(distinct payload -> 'data' ->> 'title')::int as titles
     from outbox where tenant_id = $1 and kind = 'mail' and name = 'maintenance' group by 1 order by 1`,
    [tenant],
  )
  const [started, ended] = ['started', 'ended'].map(one => mails.rows.find(({ occasion }) => occasion === one))
  expect([started, ended]).toMatchObject([
    { n: windows, titles: windows },
    { n: windows, titles: windows },
  ])
  // of a window that began while no process ran, the reminder was dropped
  const reminded = mails.rows.find(({ occasion }) => occasion === 'reminder')
  expect(reminded?.n).toBe(reminded?.titles)
  console.log(`maintenance kills ${kills}: ${windows} windows, ${reminded?.n ?? 0} reminders, each once`)
}, 400_000)
