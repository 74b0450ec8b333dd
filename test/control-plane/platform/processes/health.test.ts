import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createMetrics } from '#control-plane/base/metrics.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { BadRowError } from '#control-plane/base/quarantine/reason.ts'
import { type ProcessReport, reportProcess } from '#control-plane/platform/processes/report.ts'
import { eventually } from '#test/control-plane/serving.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services
const log = pino({ level: 'silent' })

interface Shown {
  id: string
  roles: string[]
}

async function aReport(changes: Partial<ProcessReport> = {}, secondsAgo = 0): Promise<string> {
  const id = randomUUID()
  const report: ProcessReport = {
    roles: ['ingest'],
    host: `host-${id}`,
    version: '0.1.0',
    event_loop_delay_ms: 2.5,
    memory_bytes: 1_000,
    parts: { ingest: { is_ready: true, is_vital: true } },
    ingest_lag_ms: 120,
    rollup_mismatch: 0,
    ...changes,
  }
  await platform.query(
    `insert into process_reports (id, started_at, reported_at, report)
     values ($1, now() - interval '1 hour', clock_timestamp() - $2::float8 * interval '1 second', $3)`,
    [id, secondsAgo, report],
  )
  return id
}

describe('GET /platform/health', () => {
  test('shows parts, backlog and processes, among them the one that answers', async () => {
    const operator = await given.operator()
    const own = await eventually(async () => {
      const { status, body } = await operator.get('/platform/health')
      expect(status).toBe(200)
      return body.data.processes.some(({ roles }: Shown) => roles.includes('api')) ? body.data : undefined
    })
    expect(own.parts.map(({ name }: { name: string }) => name)).toEqual([
      'api',
      'ingest',
      'worker',
      'postgres',
      'clickhouse',
      'temporal',
    ])
    const part = (name: string) => own.parts.find((each: { name: string }) => each.name === name)
    expect(part('postgres')).toMatchObject({ state: 'ok', why: null, latency_ms: expect.any(Number) })
    expect(part('clickhouse')).toMatchObject({ state: 'ok', latency_ms: expect.any(Number) })
    expect(part('worker')).toMatchObject({ state: 'unavailable', latency_ms: null })
    expect(own.state).toBe('degraded')
    const process = own.processes.find(({ roles }: Shown) => roles.includes('api'))
    expect(process).toMatchObject({ is_reporting: true, not_ready: {} })
    expect(process.memory_bytes).toBeGreaterThan(1_000_000)
  })

  test('takes figures of ingest from the process that leads, and says which process is silent', async () => {
    const operator = await given.operator()
    const silent = await aReport({}, 45)
    const leader = await aReport({ rollup_mismatch: 3 })
    const { body } = await operator.get('/platform/health')
    expect(body.data).toMatchObject({ ingest_lag_ms: 120, rollup_mismatch: 3 })
    const shown = (id: string) => body.data.processes.find((each: Shown) => each.id === id)
    expect(shown(leader)).toMatchObject({ is_reporting: true, event_loop_delay_ms: 2.5, not_ready: {} })
    expect(shown(silent)).toMatchObject({ is_reporting: false })
    const ingest = body.data.parts.find(({ name }: { name: string }) => name === 'ingest')
    expect(ingest).toMatchObject({ state: 'degraded', why: `no longer reporting: host-${silent}` })
    await platform.query('delete from process_reports where id = any($1)', [[silent, leader]])
  })

  test('counts what waits and what was given up', async () => {
    const [operator, team] = [await given.operator(), await given.tenant()]
    const before = (await operator.get('/platform/health')).body.data
    await new Quarantine({ platform, log }).add('check', [
      { key: randomUUID(), tenant: team.tenantId, error: new BadRowError('Its settings cannot be read.') },
    ])
    // due tomorrow, so that no dispatcher of another test takes it
    const { rows } = await platform.query(
      `insert into outbox (tenant_id, kind, name, payload, created_at, next_at) values
         ($1, 'event', 'monitor.created', '{}', now() - interval '90 seconds', now() + interval '1 day') returning id`,
      [team.tenantId],
    )
    const after = (await operator.get('/platform/health')).body.data
    expect(after.outbox.waiting).toBeGreaterThan(0)
    expect(after.outbox.oldest_seconds).toBeGreaterThanOrEqual(90)
    expect(after.quarantined_rows).toBeGreaterThan(0)
    expect(before.quarantined_rows).toBeGreaterThanOrEqual(0)
    await platform.query('delete from outbox where id = $1', [rows[0].id])
  })

  test('survives the report of another version', async () => {
    const operator = await given.operator()
    const id = randomUUID()
    await platform.query(`insert into process_reports (id, started_at, report) values ($1, now(), '{"odd": true}')`, [
      id,
    ])
    const { status, body } = await operator.get('/platform/health')
    expect(status).toBe(200)
    expect(body.data.processes.map((each: Shown) => each.id)).not.toContain(id)
    await platform.query('delete from process_reports where id = $1', [id])
  })

  test('refuses everybody but the operator', async () => {
    for (const caller of [await given.tenant(), await given.reseller()])
      for (const path of ['/platform/health', '/platform/info']) expect((await caller.get(path)).status).toBe(403)
  })
})

test('a process reports itself, and its row ends with it; rows of dead processes end too', async () => {
  const metrics = createMetrics()
  metrics.ingestLag.observe(0.2)
  metrics.ingestLag.observe(0.4)
  const dead = await aReport({}, 120)
  const host = () =>
    platform
      .query(`select id, report from process_reports where report->>'ingest_lag_ms' = '300'`)
      .then(({ rows }) => rows)
  const readiness = async () => ({ parts: { ingest: { is_ready: true, is_vital: true } } })
  const reporting = reportProcess({ platform, log, metrics, roles: ['ingest'], readiness })
  const [row] = await eventually(async () => ((await host()).length > 0 ? host() : undefined))
  expect(row.report).toMatchObject({ roles: ['ingest'], rollup_mismatch: 0 })
  await eventually(async () => {
    const { rowCount } = await platform.query('select from process_reports where id = $1', [dead])
    return rowCount === 0 ? true : undefined
  })
  await reporting.stop()
  expect(await host()).toEqual([])
})

describe('GET /platform/info', () => {
  test('shows version, migrations of both stores and the configuration', async () => {
    const operator = await given.operator()
    const { status, body } = await operator.get('/platform/info')
    expect(status).toBe(200)
    const { postgres, clickhouse, configuration } = body.data
    expect(postgres.migrations[0].name).toBe('0001-baseline')
    expect(postgres.migrations.some(({ name }: { name: string }) => name.startsWith('rights'))).toBe(false)
    expect(postgres.version).toMatch(/^18/)
    expect(clickhouse.migrations.length).toBeGreaterThan(5)
    expect(configuration).toMatchObject({ base_url: 'http://localhost', mail: null, billing: 'none' })
  })

  test('holds no secret of the configuration', async () => {
    const operator = await given.operator()
    const { text } = await operator.get('/platform/info')
    const { config } = app.services
    const secrets = [config.secretKey, ...[config.databaseUrl, config.platformUrl].map(url => new URL(url).password)]
    for (const secret of secrets.filter(Boolean)) expect(text).not.toContain(secret)
    expect(text).not.toContain('@')
  })
})
