import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { raiseUsage, UsageMeter } from '#control-plane/http/usage.ts'
import { app, given } from '#test/support/app.ts'

const { platform, clock } = app.services
const log = pino({ level: 'silent' })
const thisMonth = () => clock.now().toISOString().slice(0, 7)

describe('GET /reseller/managed-teams/{managed_team}/usage', () => {
  test('returns a team’s usage of this month', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    for (let n = 0; n < 3; n++) await team.post('/monitors', { name: `Shop ${n}`, url: 'https://shop.example.com/' })
    await team.get('/monitors')
    await reseller.get(`${team.path}/monitors`)
    await reseller.get('/monitors', { headers: { 'X-Tenant-Id': team.tenantId } })
    await team.get('/no-such-path')
    await raiseUsage(platform, team.tenantId, 'notifications_sent', 7, clock.now())
    await raiseUsage(platform, team.tenantId, 'webhook_deliveries', 2, clock.now())
    await raiseUsage(platform, team.tenantId, 'webhook_deliveries', 3, clock.now())
    await sleep(5_000)
    const requests = `select count::int from usage_counters where tenant_id = $1 and metric = 'api_requests'`
    expect((await platform.query(requests, [team.tenantId])).rows).toEqual([{ count: 6 }])
    const { status, body } = await reseller.get(`${team.path}/usage`)
    expect(status).toBe(200)
    expect(body).toEqual({
      data: {
        tenant_id: team.tenantId,
        period: thisMonth(),
        monitors_count: 3,
        checks_count: 0,
        // the request for the usage counts too, and may be written while it is answered
        api_requests_count: expect.toBeOneOf([6, 7]),
        notifications_sent_count: 7,
        webhook_deliveries_count: 5,
      },
    })
  })

  test('of a month that is over, and of none that is to come or is no month', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
    await raiseUsage(platform, team.tenantId, 'api_requests', 41, new Date('2025-12-31T23:59:59.999Z'))
    await raiseUsage(platform, team.tenantId, 'api_requests', 1, new Date('2026-01-01T00:00:00Z'))
    const of = async (period: string) => (await reseller.get(`${team.path}/usage?period=${period}`)).body.data
    expect(await of('2025-12')).toMatchObject({ period: '2025-12', api_requests_count: 41, monitors_count: 0 })
    expect(await of('2026-01')).toMatchObject({ period: '2026-01', api_requests_count: 1, monitors_count: 0 })
    expect(await of('2001-01')).toMatchObject({ api_requests_count: 0, checks_count: 0 })
    const next = new Date(clock.nowMs())
    next.setUTCDate(1)
    next.setUTCMonth(next.getUTCMonth() + 1)
    for (const period of [
      next.toISOString().slice(0, 7),
      '2099-01',
      '2026-13',
      '2026-00',
      '2026',
      '2026-1',
      '2026-01-01',
      '',
      'x',
      '1999-12',
      '２０２６-01',
    ]) {
      const { status: refused, body } = await reseller.get(`${team.path}/usage?period=${encodeURIComponent(period)}`)
      expect([refused, Object.keys(body.errors)], period).toEqual([422, ['period']])
    }
  })

  test('is for the reseller who manages the team, with teams:read', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    expect((await team.get(`${team.path}/usage`)).status).toBe(403)
    expect((await (await given.reseller()).get(`${team.path}/usage`)).status).toBe(403)
    expect((await (await given.reseller({ scopes: ['monitors:manage'] })).get(`${team.path}/usage`)).status).toBe(403)
    expect((await (await given.token(reseller, 'rk', ['teams:read'])).get(`${team.path}/usage`)).status).toBe(200)
    expect((await reseller.get(`/reseller/managed-teams/${randomUUID()}/usage`)).status).toBe(404)
    expect((await given.stranger().get(`${team.path}/usage`)).status).toBe(401)
  })
})

describe('the meter', () => {
  const stored = async (tenantId: string) =>
    (
      await platform.query<{ n: number }>(
        'select coalesce(sum(count), 0)::int as n from usage_counters where tenant_id = $1',
        [tenantId],
      )
    ).rows[0]!.n

  test('of several processes adds up, loses nothing it has written, and outlives a database that is away', async () => {
    const { tenantId } = await given.tenant()
    const at = clock.now()
    const meters = [1, 2, 3].map(() => new UsageMeter(platform, log))
    for (let n = 0; n < 300; n++) meters[n % 3]!.countRequest(tenantId, at)
    meters[0]!.countRequest(randomUUID(), at)
    await Promise.all(meters.map(meter => meter.flush()))
    expect(await stored(tenantId)).toBe(300)

    const away = new UsageMeter({ query: () => Promise.reject(new Error('away')) } as unknown as typeof platform, log)
    away.countRequest(tenantId, at)
    await away.flush()
    expect(await stored(tenantId)).toBe(300)
    const meter = new UsageMeter(platform, log)
    meter.countRequest(tenantId, new Date(Date.UTC(2025, 11, 31, 23, 59, 59, 999)))
    meter.countRequest(tenantId, new Date(Date.UTC(2026, 0, 1)))
    await meter.stop()
    const { rows } = await platform.query(
      `select period::text as period, count::int as count from usage_counters where tenant_id = $1
       and period < '2026-02-01' order by 1`,
      [tenantId],
    )
    expect(rows).toEqual([
      { period: '2025-12-01', count: 1 },
      { period: '2026-01-01', count: 1 },
    ])
  })
})
