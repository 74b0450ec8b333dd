import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPort } from '#cli/local/loopback.ts'
import type { Judgement } from '#contract/check.ts'
import { storePushedReports } from '#control-plane/engine/verdicts/pushed-reports.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { eventually } from '#test/control-plane/serving.ts'
import { configOn } from '#test/support/config.ts'
import { openDatabases } from '#test/support/databases.ts'
import { program } from '#test/support/program.ts'

/**
 * The oracle: run ids of pings that were answered 200, and how many plain ones were at each address, against those that
 * are stored.
 */
const kills = Number(process.env.PING_KILLS ?? 2)
const senders = 24
/** R8, F16: how often the control plane is away for ten minutes, with a thousand jobs that ping every minute. */
const outages = Number(process.env.OWN_OUTAGES ?? 1)
const jobs = 1_000

let platform: pg.Pool
let environment: NodeJS.ProcessEnv
let port: number
const addresses: string[] = []
/** Checks of servers without a report yet. */
const unreported: string[] = []
let serving: ChildProcess | undefined

beforeAll(async () => {
  const stores = await openDatabases('ping_kills')
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
  const tenant = await createTenant(platform, {
    name: 'Team',
    slug: `t-${randomUUID()}`,
    plan: 'pro',
    featureOverrides: {},
    isReseller: false,
  })
  addresses.push(...(await addJobs(tenant, 200, { period_minutes: 60 })))
  const { rows: servers } = await platform.query<{ check: string }>(
    `with made as (
       insert into monitors (
         id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations, recovery_confirmations
       )
       select gen_random_uuid(), $1, 'Server ' || n, 'agent://server', 'agent', 60, 10,
         '{"mode":"majority","count":null}', 2, 2
       from generate_series(1, 600) n returning id
     )
     insert into checks (id, tenant_id, monitor_id, type, settings, severity)
     select gen_random_uuid(), $1, id, 'agent', '{}', 'critical' from made returning id as check`,
    [tenant],
  )
  unreported.push(...servers.map(row => row.check))
})
afterAll(async () => {
  serving?.kill('SIGKILL')
  await platform.end()
})

/** Returns the ids of their addresses. */
async function addJobs(tenant: string, count: number, settings: Record<string, number>): Promise<string[]> {
  await platform.query(
    `with made as (
       insert into monitors (
         id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations, recovery_confirmations
       )
       select gen_random_uuid(), $1, 'Job ' || n, 'cron://job', 'cron', 60, 10,
         '{"mode":"majority","count":null}', 2, 2
       from generate_series(1, $2) n returning id
     )
     insert into checks (id, tenant_id, monitor_id, type, settings, severity)
     select gen_random_uuid(), $1, id, 'cron', $3, 'critical' from made`,
    [tenant, count, JSON.stringify(settings)],
  )
  const { rows } = await platform.query<{ id: string }>('select id from ping_addresses where tenant_id = $1', [tenant])
  return rows.map(row => row.id)
}

async function serve(): Promise<void> {
  serving = spawn(process.execPath, program('serve', '--role', 'api,ingest'), {
    env: environment,
    stdio: 'ignore',
  })
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(50)) {
    if ((await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) return
  }
  throw new Error('the control plane did not become ready')
}

/** SQL: checks whose stored warning lacks its event, or whose event lacks the stored warning. */
const halfPublished = `
  select c.id from checks c
  cross join lateral (
    select count(*) filter (where o.name = 'warning.server_resources') as begun,
      count(*) filter (where o.name = 'warning.cleared') as cleared
    from outbox o where o.kind = 'event' and o.payload ->> 'monitor_id' = c.monitor_id::text
  ) t
  where c.type = 'agent' and (
    t.begun > 1 or t.cleared > 1
    or t.begun - t.cleared <> (select count(*) from check_warnings w where w.check_id = c.id)
  )`

const warning: Judgement = {
  status: 'warning',
  code: 'threshold',
  reason: 'CPU above 90 %.',
  event: 'warning.server_resources',
}
const report = (check: string, judgement: Judgement) =>
  storePushedReports(platform, [{ check, at: Date.now(), judgement }])

test(`kill -9 of the control plane under load loses no answered ping and no reported warning, in ${kills} kills`, {
  timeout: 60_000 + kills * 15_000,
}, async () => {
  const answered: string[] = []
  const plain = new Map<string, number>()
  let sent = 0
  let taken = 0
  let isSending = true
  await serve()
  const send = async () => {
    while (isSending) {
      const rid = randomUUID()
      const isPlain = Math.random() < 0.5
      const address = addresses[sent++ % addresses.length]!
      const asked = isPlain ? {} : { method: 'POST', body: new URLSearchParams({ state: 'log', rid }) }
      const answer = await fetch(`http://127.0.0.1:${port}/api/ping/${address}`, asked).catch(() => undefined)
      const isTaken = answer?.status === 200 && (await answer.text().catch(() => '')) !== ''
      if (isTaken) taken++
      if (!isTaken) await sleep(25)
      else if (isPlain) plain.set(address, (plain.get(address) ?? 0) + 1)
      else answered.push(rid)
    }
  }
  const warned: string[] = []
  const warn = async () => {
    for (let cleared = 0; isSending; await sleep(20)) {
      const check = unreported.pop()
      if (!check) return
      await report(check, warning)
      warned.push(check)
      if (warned.length > 15) await report(warned[cleared++]!, { status: 'up' })
    }
  }
  const sending = [...Array.from({ length: senders }, send), warn()]
  for (let kill = 0; kill < kills; kill++) {
    const before = taken
    while (taken < before + 300) await sleep(20)
    const exited = once(serving!, 'exit')
    serving!.kill('SIGKILL')
    await exited
    expect((await platform.query(halfPublished)).rows).toEqual([])
    await serve()
  }
  isSending = false
  await Promise.all(sending)
  const wanted = { begun: warned.length, cleared: Math.max(0, warned.length - 15) }
  const countPublished = `
    select count(distinct payload ->> 'monitor_id') filter (where name = 'warning.server_resources')::int as begun,
      count(distinct payload ->> 'monitor_id') filter (where name = 'warning.cleared')::int as cleared
    from outbox where kind = 'event'`
  const published = async () => (await platform.query<typeof wanted>(countPublished)).rows[0]
  await eventually(async () => ((await published())?.cleared === wanted.cleared ? true : undefined), 20_000).catch(
    () => undefined,
  )
  expect(await published()).toEqual(wanted)
  expect((await platform.query(halfPublished)).rows).toEqual([])

  const { rows } = await platform.query<{ run_id: string }>('select run_id from pings where run_id is not null')
  const stored = new Set(rows.map(row => row.run_id))
  const lost = answered.filter(rid => !stored.has(rid))
  expect(stored.size).toBe(rows.length)
  const { rows: counts } = await platform.query(
    'select 1 from heartbeats h where pings <> (select count(*) from pings p where p.check_id = h.check_id)',
  )
  expect(counts).toEqual([])
  const { rows: kept } = await platform.query<{ id: string; n: number }>(
    'select a.id, count(*)::int as n from pings p join ping_addresses a using (check_id) where p.run_id is null group by a.id',
  )
  const keptAt = new Map(kept.map(({ id, n }) => [id, n]))
  const lostAt = [...plain].filter(([address, n]) => n > (keptAt.get(address) ?? 0))
  const plainAnswered = [...plain.values()].reduce((sum, n) => sum + n, 0)
  console.log(
    `${kills} kills, ${answered.length + plainAnswered} pings answered: ${lost.length + lostAt.length} lost; ${warned.length} warnings, each published once`,
  )
  expect(lost).toEqual([])
  expect(lostAt).toEqual([])
  expect(plainAnswered).toBeGreaterThan(answered.length / 4)
  expect(taken).toBeGreaterThanOrEqual(kills * 300)
})

test(`${outages} times ten minutes without the control plane: no job that pings is reported silent, and each silent one is`, {
  timeout: 60_000 + outages * 60_000,
}, async () => {
  const tenant = await createTenant(platform, {
    name: 'Jobs',
    slug: `t-${randomUUID()}`,
    plan: 'pro',
    featureOverrides: {},
    isReseller: false,
  })
  const all = await addJobs(tenant, jobs, { period_minutes: 1, grace_minutes: 1 })
  if (serving?.exitCode !== null) await serve()
  const ping = async (some: readonly string[]) => {
    const left = [...some]
    const send = async () => {
      for (let address = left.pop(); address !== undefined; address = left.pop()) {
        const answer = await fetch(`http://127.0.0.1:${port}/api/ping/${address}`)
        expect([answer.status, await answer.text()]).toEqual([200, expect.anything()])
      }
    }
    await Promise.all(Array.from({ length: senders }, send))
  }
  const count = async (text: string) =>
    (await platform.query<{ n: number }>(`select count(*)::int as n ${text}`, [tenant])).rows[0]?.n
  const areUp = () =>
    eventually(
      async () => ((await count(`from checks where tenant_id = $1 and verdict = 'up'`)) === jobs ? true : undefined),
      30_000,
    )
  /** Moves the moments of heartbeats into the past, as if that much time had passed. */
  const pass = async (interval: string, of = 'true') => {
    await platform.query(
      `update heartbeats h set expected_at = expected_at - d.past, alert_after = alert_after - d.past,
         wake_at = wake_at - d.past, last_ping_at = last_ping_at - d.past
       from (select check_id, ${interval} as past from heartbeats where tenant_id = $1 and ${of}) d where d.check_id = h.check_id`,
      [tenant],
    )
  }
  let falsely = 0
  let missed = 0
  const late: number[] = []
  for (let outage = 0; outage < outages; outage++) {
    await ping(all)
    await areUp()
    const exited = once(serving!, 'exit')
    serving!.kill('SIGKILL')
    await exited
    await platform.query(`update liveness set at = at - interval '10 minutes'`)
    await pass(`interval '10 minutes'`)
    const since = (await platform.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]!.now
    await serve()
    // each job was due nine times meanwhile
    await sleep(3_000)
    falsely += (await count(`from incidents where tenant_id = $1 and confirmed_at > '${since.toISOString()}'`)) ?? 0

    // most jobs ping again; some never do, and their deadline comes after the outage
    const silent = all.slice((outage * 200) % jobs, ((outage * 200) % jobs) + 200)
    await ping(all.filter(address => !silent.includes(address)))
    await platform.query(
      `update ingestion_gaps set started_at = started_at - interval '5 minutes', ended_at = ended_at - interval '5 minutes'`,
    )
    const areSilent = `check_id in (select check_id from ping_addresses where id in (${silent.map(id => `'${id}'`).join()}))`
    const { rows: deadlines } = await platform.query<{ in: number }>(
      `select extract(epoch from alert_after - clock_timestamp())::float8 as in from heartbeats where tenant_id = $1 and ${areSilent}`,
      [tenant],
    )
    // no later than a period and its grace after the restart
    for (const { in: seconds } of deadlines) expect(seconds).toBeLessThan(120)
    await pass(`alert_after - clock_timestamp() - random() * interval '2 seconds' - interval '1 second'`, areSilent)
    const dead = new Map(
      (
        await platform.query<{ check_id: string; at: Date }>(
          `select check_id, alert_after as at from heartbeats where tenant_id = $1 and ${areSilent}`,
          [tenant],
        )
      ).rows.map(({ check_id, at }) => [check_id, at.getTime()]),
    )
    await sleep(6_000)
    const { rows: found } = await platform.query<{ check_id: string; at: Date }>(
      'select check_id, confirmed_at as at from incidents where tenant_id = $1 and confirmed_at > $2 and resolved_at is null',
      [tenant, since],
    )
    falsely += found.filter(({ check_id }) => !dead.has(check_id)).length
    missed += dead.size - found.filter(({ check_id }) => dead.has(check_id)).length
    late.push(...found.flatMap(({ check_id, at }) => (dead.has(check_id) ? [at.getTime() - dead.get(check_id)!] : [])))
    await ping(silent)
    await areUp()
  }
  console.log(
    `own outages ${outages}: ${jobs * outages} jobs due, ${falsely} falsely reported silent, ${missed} of ${late.length + missed} silent ones missed; reported ${(Math.min(...late) / 1_000).toFixed(2)} to ${(Math.max(...late) / 1_000).toFixed(2)} s after their grace`,
  )
  expect({ falsely, missed }).toEqual({ falsely: 0, missed: 0 })
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0)
  // R14
  expect(Math.max(...late)).toBeLessThan(10_000)
})
