import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { enrolAgent } from '#control-plane/engine/agents/enrol.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { enrolment, makeKeys } from './raw-agent.ts'

const enrol = async (token: string, region: string) =>
  enrolAgent(app.services.platform, enrolment(await makeKeys(), token, region))

describe('the agents of an operator', () => {
  test('are enrolled by a token that is shown once, listed, and revoked for good', async () => {
    const operator = await given.operator()
    const region = `r-${randomUUID().slice(0, 8)}`
    const minted = await operator.post('/agents/enrolment-tokens', { region })
    expect(minted.status).toBe(201)
    const { token } = minted.body.data
    const id = await enrol(token, region)
    const mine = async () =>
      (await operator.get('/agents?per_page=100')).body.data.find((agent: { id: string }) => agent.id === id)
    expect(await mine()).toMatchObject({ region, state: 'never_seen', revoked_at: null })
    expect((await operator.get('/agents')).text).not.toContain(token.slice(3, 40))
    expect((await operator.delete(`/agents/${id}`)).status).toBe(204)
    expect(await mine()).toMatchObject({ state: 'revoked' })
    expect((await operator.delete(`/agents/${id}`)).status).toBe(204)
    expect(await app.audited(operator)).toEqual(['agent_enrolment.created', 'agent.revoked', 'agent.revoked'])
  })

  test('with an invalid region name are refused, and unknown agents are not found', async () => {
    const operator = await given.operator()
    expect((await operator.post('/agents/enrolment-tokens', { region: 'Not A Region' })).status).toBe(422)
    expect((await operator.delete(`/agents/${randomUUID()}`)).status).toBe(404)
    expect((await operator.delete('/agents/nonsense')).status).toBe(404)
  })

  test('are refused to every other caller', async () => {
    const tenant = await given.tenant()
    for (const caller of [tenant, await given.reseller(), await given.token(tenant, 'svc', ['monitors:manage'])]) {
      expect((await caller.get('/agents')).status).toBe(403)
      expect((await caller.post('/agents/enrolment-tokens', {})).status).toBe(403)
      expect((await caller.delete(`/agents/${randomUUID()}`)).status).toBe(403)
    }
    expect((await given.stranger().get('/agents')).status).toBe(401)
  })
})

describe('the regions of an operator', () => {
  const aRegion = () => `r-${randomUUID().slice(0, 8)}`
  const listed = async (operator: CallerUnderTest, region: string) =>
    (await operator.get('/platform/regions')).body.data.find(({ name }: { name: string }) => name === region)
  const shown = async (tenant: CallerUnderTest) =>
    (await tenant.get('/regions')).body.data.map(({ name }: { name: string }) => name)

  test('are retired when nothing uses them, and each use is named until then', async () => {
    const operator = await given.operator()
    const tenant = await given.tenant()
    const region = aRegion()
    const first = await operator.post('/agents/enrolment-tokens', { region })
    const agent = await enrol(first.body.data.token, region)
    await operator.post('/agents/enrolment-tokens', { region })
    const monitor = await tenant.post('/monitors', { name: 'Shop', url: 'https://shop.example.com', regions: [region] })
    expect(monitor.status, monitor.text).toBe(201)
    expect(await listed(operator, region)).toMatchObject({
      agents_count: 1,
      monitors_count: 1,
      enrolment_tokens_count: 1,
      is_reporting: false,
      retired_at: null,
    })

    const retire = () => operator.delete(`/platform/regions/${region}`)
    const refused = await retire()
    expect([refused.status, refused.body.code]).toEqual([422, 'region_in_use'])
    expect(refused.body.errors.region).toEqual([
      `Enrolled agents: raw (${agent}).`,
      `Monitors that name it: Shop (${monitor.body.data.id}).`,
      expect.stringMatching(/^Enrolment tokens that work: token \([\da-f-]{36}\)\.$/),
    ])
    await operator.delete(`/agents/${agent}`)
    await tenant.delete(`/monitors/${monitor.body.data.id}`)
    expect((await retire()).body.errors.region).toHaveLength(1)
    await app.services.platform.query(
      `update agent_enrolments set expires_at = now() where region = $1 and used_at is null`,
      [region],
    )

    expect((await retire()).status).toBe(204)
    expect(await listed(operator, region)).toMatchObject({ retired_at: expect.any(String), agents_count: 0 })
    expect(await shown(tenant)).not.toContain(region)
    const late = await tenant.post('/monitors', { name: 'Shop', url: 'https://shop.example.com', regions: [region] })
    expect([late.status, Object.keys(late.body.errors)]).toEqual([422, ['regions']])
    expect((await retire()).status).toBe(404)
    expect(await app.audited(operator)).toContain('region.retired')
  })

  test('count the monitors that are checked from them: those that name them, and those that name none', async () => {
    const [operator, team, paused] = [await given.operator(), await given.tenant(), await given.tenant()]
    const [region, other] = [aRegion(), aRegion()]
    await app.services.platform.query('insert into regions (name) values ($1), ($2)', [region, other])
    const counts = async () => {
      const [one, two] = [await listed(operator, region), await listed(operator, other)]
      return [one.checked_monitors_count, two.checked_monitors_count]
    }
    const [before, beforeOther] = await counts()
    const monitor = { name: 'Shop', url: 'https://shop.example.com' }
    for (const each of [team, paused]) {
      await each.post('/monitors', { ...monitor, regions: [region] })
      await each.post('/monitors', monitor)
      await each.post('/monitors', { ...monitor, is_enabled: false })
      await each.post('/cron-monitors', { name: 'Backup', period_minutes: 60 })
    }
    await app.services.platform.query('update tenants set paused_at = now() where id = $1', [paused.tenantId])
    expect(await counts()).toEqual([before + 2, beforeOther + 1])
    expect(await listed(operator, region)).toMatchObject({ monitors_count: 2 })
  })

  test('come back with a new agent of that name', async () => {
    const operator = await given.operator()
    const region = aRegion()
    await app.services.platform.query('insert into regions (name, retired_at) values ($1, now())', [region])
    const { body } = await operator.post('/agents/enrolment-tokens', { region })
    expect((await operator.delete(`/platform/regions/${region}`)).status).toBe(404)
    await enrol(body.data.token, region)
    expect(await listed(operator, region)).toMatchObject({ retired_at: null, agents_count: 1 })
  })

  test('name ten of those that use them and count the others', async () => {
    const operator = await given.operator()
    const tenant = await given.tenant()
    const region = aRegion()
    await app.services.platform.query('insert into regions (name) values ($1)', [region])
    const monitors = Array.from({ length: 12 }, (_, n) => ({
      name: `Site ${n}`,
      url: 'https://shop.example.com',
      regions: [region],
    }))
    expect((await tenant.post('/monitors/bulk', { monitors })).status).toBeLessThan(300)
    const [users] = (await operator.delete(`/platform/regions/${region}`)).body.errors.region
    expect(users.match(/Site/g)).toHaveLength(10)
    expect(users).toMatch(/, and 2 more\.$/)
  })

  test('of an unknown name are not found, and other callers are refused', async () => {
    const operator = await given.operator()
    for (const name of ['nowhere', 'Not%20A%20Region', 'x'.repeat(41), "'", '%00'])
      expect((await operator.delete(`/platform/regions/${name}`)).status).toBe(404)
    const tenant = await given.tenant()
    for (const caller of [tenant, await given.reseller(), await given.token(tenant, 'svc', ['monitors:manage'])]) {
      expect((await caller.get('/platform/regions')).status).toBe(403)
      expect((await caller.delete('/platform/regions/eu-west')).status).toBe(403)
    }
  })
})

describe('GET /regions', () => {
  test('names the regions, and whether they report', async () => {
    const tenant = await given.tenant()
    const { status, body } = await tenant.get('/regions?per_page=100')
    expect(status).toBe(200)
    expect(body.data).toEqual(
      expect.arrayContaining([{ name: 'eu-west', is_reporting: expect.any(Boolean), history_waits_since: null }]),
    )
  })

  test('needs the right to read monitors', async () => {
    const tenant = await given.tenant()
    expect((await (await given.token(tenant, 'svc', ['incidents:read'])).get('/regions')).status).toBe(403)
    expect((await (await given.token(tenant, 'svc', ['monitors:read'])).get('/regions')).status).toBe(200)
  })
})
