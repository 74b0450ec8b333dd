import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { certificateFindings, installationFindings } from '#cli/commands/doctor-installation.ts'
import { build as version } from '#contract/version.ts'
import { Authority, daysFromNow } from '#test/checks/certificates.ts'
import { type Databases, openDatabases } from '#test/support/databases.ts'

let databases: Databases
let owner: pg.Pool
beforeAll(async () => {
  databases = await openDatabases(`doctor_${process.pid}`)
  owner = new pg.Pool({ connectionString: databases.ownerUrl, max: 1 })
})
afterAll(() => owner.end())

async function found() {
  const { platformUrl, clickhouseUrl } = databases
  const all = await installationFindings({ DATABASE_PLATFORM_URL: platformUrl, CLICKHOUSE_URL: clickhouseUrl })
  return Object.fromEntries(all.map(({ title, state, words }) => [title, `${state}: ${words}`]))
}

const reports = (its: Partial<{ version: string; roles: string[] }>) =>
  owner.query('insert into process_reports (id, started_at, report) values (gen_random_uuid(), now(), $1)', [
    {
      roles: ['api', 'ingest', 'worker'],
      host: 'one',
      version,
      event_loop_delay_ms: 1,
      memory_bytes: 1,
      parts: { ingest: { is_ready: true, is_vital: true }, temporal: { is_ready: true, is_vital: false } },
      ingest_lag_ms: null,
      rollup_mismatch: 0,
      ...its,
    },
  ])

describe('what the doctor finds in an installation', () => {
  test('nothing runs on it: schema and clocks are right, no process reports', async () => {
    expect(await found()).toMatchObject({
      Migrations: expect.stringMatching(/^good: \d+ applied, none missing$/),
      'Clock PostgreSQL': 'good: within 2 s of this machine',
      'Clock ClickHouse': 'good: within 2 s of this machine',
      Processes: 'bad: none has reported within a minute: vedette serve',
      Events: 'good: none waits',
      History: 'good: all results are stored',
      Regions: 'good: an agent of each reports',
    })
  })

  test('backups: none, one of today, and one that is too old', async () => {
    const note = (ago: string) =>
      owner.query(`insert into backups (id, made_at) values (gen_random_uuid(), now() - $1::interval)`, [ago])
    onTestFinished(async () => void (await owner.query('delete from backups')))
    expect((await found()).Backups).toMatch(/^optional: none yet: vedette backup/)
    await note('40 hours')
    expect((await found()).Backups).toMatch(/^bad: the last is of .*, 40 hours ago: vedette backup$/)
    await note('3 hours')
    expect((await found()).Backups).toMatch(/^good: the last is of .*, 3 hours ago$/)
  })

  test('processes of two versions, one of which hangs', async () => {
    onTestFinished(async () => void (await owner.query('delete from process_reports')))
    await reports({})
    expect(await found()).toMatchObject({
      Versions: `good: 1 processes, all ${version}`,
      'Part worker': 'good: works',
    })
    await reports({ version: '0.0.1' })
    await owner.query(
      `update process_reports set reported_at = now() - interval '40 s' where report ->> 'version' = $1`,
      [version],
    )
    expect(await found()).toMatchObject({
      Versions: `bad: this is ${version}; processes run 0.0.1: restart those of another version`,
      'Part api': 'bad: no longer reporting: one',
    })
  })

  test('events that wait, a silent region and a domain that failed', async () => {
    await owner.query(`insert into regions (name) values ('eu-west'), ('us-east')`)
    await owner.query(
      `insert into agents (id, region, name, public_key, last_seen_at)
       values (gen_random_uuid(), 'eu-west', 'a', '{}', now()),
              (gen_random_uuid(), 'us-east', 'b', '{}', '2026-01-02T03:04:05Z')`,
    )
    const { rows } = await owner.query<{ id: string }>(
      `insert into tenants (id, name, slug, plan) values (gen_random_uuid(), 'T', 't-doctor', 'pro') returning id`,
    )
    await owner.query(
      `insert into custom_domains (id, tenant_id, hostname, state, last_error, txt_token)
       values (gen_random_uuid(), $1, 'status.example.com', 'failed', 'txt_missing', $2)`,
      [rows[0]?.id, 'x'.repeat(43)],
    )
    await owner.query(
      `insert into outbox (tenant_id, kind, name, payload, created_at)
       values ($1, 'event', 'monitor.created', '{}', now() - interval '5 minutes')`,
      [rows[0]?.id],
    )
    expect(await found()).toMatchObject({
      Events: expect.stringMatching(/^bad: 1 wait, the oldest for 30\d s$/),
      Mails: 'good: none waits',
      Regions: 'bad: no agent reports: us-east since 2026-01-02T03:04:05.000Z',
      'Custom domains': 'optional: status.example.com failed (txt_missing)',
    })
  })

  test('results and values of servers that wait for ClickHouse', async () => {
    await owner.query(`insert into history_waits (region, since) values ('eu-west', '2026-01-02T03:04:05Z')`)
    const { rows } = await owner.query<{ tenant: string; monitor: string }>(
      `insert into monitors (
         id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations, recovery_confirmations
       )
       select gen_random_uuid(), id, 'S', 'https://s.example', 'website', 60, 10, '{"mode": "majority"}', 2, 2
       from tenants limit 1
       returning tenant_id as tenant, id as monitor`,
    )
    await owner.query(`insert into waiting_server_samples (tenant_id, monitor_id, rows) values ($1, $2, '')`, [
      rows[0]?.tenant,
      rows[0]?.monitor,
    ])
    expect((await found()).History).toBe(
      'bad: results since 2026-01-02T03:04:05.000Z and 1 reports of servers wait to be stored in ClickHouse',
    )
    // an agent that has said nothing for a day has nothing left that would be taken
    await owner.query(`update history_waits set noted_at = now() - interval '25 hours'`)
    await owner.query('delete from waiting_server_samples')
    expect((await found()).History).toBe('good: all results are stored')
  })

  test('a schema that is older or newer than this version', async () => {
    const { rows } = await owner.query<{ name: string }>(
      `select max(name) as name from schema_migrations where name ~ '^[0-9]{4}-'`,
    )
    const newest = rows[0]?.name
    await owner.query(`update schema_migrations set name = '9999-later' where name = $1`, [newest])
    expect((await found()).Migrations).toBe('bad: the database is of a newer version (9999-later): update this one')
    await owner.query(`delete from schema_migrations where name = '9999-later'`)
    expect((await found()).Migrations).toBe(`bad: 1 are not applied (${newest}): vedette migrate`)
  })

  test('a database that does not answer', async () => {
    const findings = await installationFindings({ DATABASE_PLATFORM_URL: 'postgres://a:b@127.0.0.1:1/x' })
    expect(findings).toEqual([{ title: 'Database', state: 'bad', words: expect.stringContaining('cannot be read') }])
  })
})

test.each([
  [90, 'good', /is valid for (89|90) days$/],
  [5, 'bad', /is valid for (4|5) days: renew it$/],
  [-3, 'bad', /ended on \d{4}-\d\d-\d\d: renew it$/],
])('a certificate that ends in %i days is %s', async (days, state, words) => {
  const authority = await Authority.make()
  const issued = await authority.issue({ addresses: ['127.0.0.1'], from: daysFromNow(-30), to: daysFromNow(days) })
  const server = createServer(issued).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  expect(await certificateFindings(url)).toEqual([{ title: 'Certificate', state, words: expect.stringMatching(words) }])
})

test('an address without a certificate has no finding, one that does not answer has', async () => {
  expect(await certificateFindings('http://127.0.0.1')).toEqual([])
  expect(await certificateFindings(undefined)).toEqual([])
  expect(await certificateFindings('https://127.0.0.1:1')).toMatchObject([{ state: 'bad' }])
})
