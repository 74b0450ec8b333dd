import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { type KindName, kindNames, kinds } from '#checks/index.ts'
import { reports } from '#checks/reports.ts'
import { endpoints } from '#control-plane/endpoints.ts'
import { aMonitor, minutesAgo } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

let managed: { reseller: CallerUnderTest; team: { id: string; tenant_id: string } }
beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  const reseller = await given.reseller()
  const { body } = await reseller.post('/reseller/managed-teams', {
    name: 'Acme',
    slug: `acme-${randomUUID()}`,
    plan: 'pro',
  })
  managed = { reseller, team: body.data }
}, 120_000)

interface Run {
  region: string
  kind: string
  at: Date
  outcome?: string
  reason?: string
  seen?: unknown
}

const storeRun = (
  owner: CallerUnderTest,
  monitor: { id: string },
  check: string,
  { region, kind, at, outcome = 'up', reason = '', seen }: Run,
) =>
  app.services.clickhouse.insert({
    table: 'check_results',
    format: 'JSONEachRow',
    values: [
      {
        tenant_id: owner.tenantId,
        monitor_id: monitor.id,
        check_id: check,
        region,
        kind,
        due: at.getTime(),
        attempt: 0,
        at: at.getTime(),
        received_at: at.getTime(),
        run_reason: 'due',
        outcome,
        reason,
        response_ms: 20,
        seen: seen === undefined ? '' : JSON.stringify(seen),
      },
    ],
  })

const certificate = {
  issuer: 'CN=Example CA',
  subject: 'CN=shop.example',
  names: ['shop.example'],
  valid_from: '2026-01-01T00:00:00.000Z',
  valid_to: '2026-04-01T00:00:00.000Z',
  days_left: 40,
  fingerprint: 'AA:BB',
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  matches_host: true,
  chain_error: null,
}

describe('GET /monitors/{monitor}/<statistic>', () => {
  test.each(reports.map(({ statistic, kind }) => [statistic, kind.name] as const))(
    '%s is that of the %s check, for team and reseller',
    async (statistic, kind) => {
      expect(endpoints.filter(({ path }) => path === `/monitors/{monitor}/${statistic}`)).toHaveLength(1)
      const { reseller, team } = managed
      const monitor = await aMonitor({ tenantId: team.tenant_id }, { kinds: [kind] })
      const { status, body } = await reseller.get(
        `/reseller/managed-teams/${team.id}/monitors/${monitor.id}/${statistic}`,
      )
      expect(status, JSON.stringify(body)).toBe(200)
      expect(body.data).toMatchObject({
        monitor_id: monitor.id,
        check_id: monitor.check,
        check_ids: [monitor.check],
        type: kind,
        status: null,
        regions: [],
        days: [],
      })
      expect('changes' in body.data).toBe(kinds[kind as KindName].changeDetection !== undefined)
    },
  )

  test('shows the newest result of each region, the verdict, and the days', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant, { kinds: ['uptime', 'ssl'] })
    const check = monitor.checks[1] as string
    await app.services.platform.query(
      `update checks set verdict = 'warning', verdict_since = now(), verdict_reason = 'Soon.', failing_regions = '{us}'
       where id = $1`,
      [check],
    )
    await storeRun(tenant, monitor, check, {
      region: 'eu',
      kind: 'ssl',
      at: minutesAgo(3),
      seen: { ...certificate, days_left: 41 },
    })
    await storeRun(tenant, monitor, check, { region: 'eu', kind: 'ssl', at: minutesAgo(2), seen: certificate })
    await storeRun(tenant, monitor, check, {
      region: 'us',
      kind: 'ssl',
      at: minutesAgo(1),
      outcome: 'down',
      reason: 'The connection was refused.',
    })
    const { body } = await tenant.get(`/monitors/${monitor.id}/certificate`)
    expect(body.data).toMatchObject({
      status: 'warning',
      status_reason: 'Soon.',
      failing_regions: ['us'],
      changes: [],
      regions: [
        { region: 'eu', outcome: 'up', result: 'succeeded', latest: certificate },
        { region: 'us', outcome: 'down', result: 'failed', summary: 'The connection was refused.', latest: null },
      ],
    })
    const total = (name: 'total_checks' | 'failed') =>
      body.data.days.reduce((sum: number, day: Record<string, number>) => sum + (day[name] ?? 0), 0)
    expect([total('total_checks'), total('failed')]).toEqual([3, 1])
  })

  test('lists changes, newest first', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant, { kinds: ['ssl'] })
    for (const [minutes, issuer] of [
      [50, 'A'],
      [20, 'B'],
    ] as const)
      await app.services.platform.query(
        `insert into check_changes (id, tenant_id, check_id, at, event, regions, payload)
         values ($1, $2, $3, $4, 'certificate.renewed', '{eu,us}', $5)`,
        [randomUUID(), tenant.tenantId, monitor.check, minutesAgo(minutes), JSON.stringify({ issuer })],
      )
    const { body } = await tenant.get(`/monitors/${monitor.id}/certificate`)
    expect(body.data.changes).toMatchObject([
      { event: 'certificate.renewed', regions: ['eu', 'us'], details: { issuer: 'B' } },
      { details: { issuer: 'A' } },
    ])
  })

  test('chooses among several checks of the kind', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant, { kinds: ['dns', 'dns'] })
    const of = async (query: string) => (await tenant.get(`/monitors/${monitor.id}/dns-history${query}`)).body.data
    const [first, second] = monitor.checks
    expect([...(await of('')).check_ids].sort()).toEqual([first, second].sort())
    for (const check of monitor.checks) expect((await of(`?check=${check}`)).check_id).toBe(check)
  })

  test('refuses a missing check and a period that is too long', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant, { kinds: ['uptime'] })
    const missing = await tenant.get(`/monitors/${monitor.id}/certificate`)
    expect([missing.status, missing.body.message]).toEqual([404, 'This monitor has no ssl check.'])
    const ssl = await aMonitor(tenant, { kinds: ['ssl'] })
    expect((await tenant.get(`/monitors/${ssl.id}/certificate?check=${monitor.check}`)).status).toBe(404)
    expect((await tenant.get(`/monitors/${ssl.id}/certificate?check=no`)).status).toBe(422)
    expect((await tenant.get(`/monitors/${randomUUID()}/certificate`)).status).toBe(404)
    const other = await given.tenant()
    expect((await other.get(`/monitors/${ssl.id}/certificate`)).status).toBe(404)
    const span = (from: string, to: string) => tenant.get(`/monitors/${ssl.id}/certificate?from=${from}&to=${to}`)
    expect((await span('2026-01-01', '2026-03-31')).status).toBe(200)
    expect((await span('2026-01-01', '2026-04-02')).status).toBe(422)
  })
})

test('a kind has one report at most, and each report has an existing kind', () => {
  const names = reports.map(({ kind }) => kind.name)
  expect(names.filter(name => !kindNames.some(known => known === name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
  expect(new Set(reports.map(({ statistic }) => statistic)).size).toBe(reports.length)
})
