import { beforeEach, describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

let team: CallerUnderTest
let id: string
const make = async (fields: Record<string, unknown> = {}) =>
  (await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/', ...fields })).body.data.id as string
const change = (fields: unknown, of = id) => team.patch(`/monitors/${of}`, fields)

beforeEach(async () => {
  team = await given.tenant()
  id = await make()
})

describe('PATCH /monitors/{monitor}', () => {
  test('changes what is sent and nothing else', async () => {
    const before = (await team.get(`/monitors/${id}`)).body.data
    const { status, body } = await change({
      name: 'Store',
      tags: ['a', 'a', 'b'],
      group: 'G',
      check_interval: 120,
      region_policy: { mode: 'all' },
    })
    expect(status).toBe(200)
    const { updated_at, ...rest } = body.data
    expect(rest).toEqual({
      ...before,
      updated_at: undefined,
      name: 'Store',
      tags: ['a', 'b'],
      group: 'G',
      check_interval: 120,
      effective_interval: 120,
      region_policy: { mode: 'all', count: null },
    })
    expect(updated_at > before.updated_at).toBe(true)
    expect(await app.emitted(team)).toEqual(['monitor.created', 'monitor.updated'])
  })

  test('null clears, and leaves alone what cannot be empty', async () => {
    await change({ group: 'G', notes: 'N', external_ref: 'r' })
    expect((await change({ group: null, notes: null, external_ref: null })).body.data).toMatchObject({
      group: null,
      notes: null,
      external_ref: null,
    })
    for (const field of ['name', 'url', 'check_interval', 'regions', 'tags', 'region_policy', 'metadata'])
      expect((await change({ [field]: null })).status, field).toBe(422)
  })

  test('an update without changes publishes no event', async () => {
    const before = (await team.get(`/monitors/${id}`)).body
    for (const same of [{}, { name: 'Shop' }, { tags: [], region_policy: { mode: 'majority' }, type: 'website' }])
      expect((await change(same)).body).toEqual(before)
    expect(await app.emitted(team)).toEqual(['monitor.created'])
    expect(await app.audited(team)).toEqual(['monitor.created'])
  })

  test('answers with the monitor as it is read afterwards', async () => {
    const when = { starts_at: '2120-01-01T00:00', timezone: 'UTC', duration_minutes: 60, mode: 'pause_checks' }
    const window = await team.post('/maintenance-windows', { title: 'Work', scope: { tags: ['moved'] }, ...when })
    expect((await team.post(`/maintenance-windows/${window.body.data.id}/start`)).status).toBe(200)
    const parent = await make({ name: 'Parent' })
    for (const fields of [
      { name: 'Store', notes: 'N', metadata: { long: 1, b: 'x' }, depends_on: [parent] },
      { url: 'https://store.example.com', timeout: 5, slo: { target_pct: 99.9 }, confirmations: 2 },
      {},
      { tags: ['moved'] },
      { tags: [] },
      { is_enabled: false },
      { is_enabled: true },
    ])
      expect((await change(fields)).body).toEqual((await team.get(`/monitors/${id}`)).body)
  })

  test.each([
    { url: 'http://10.0.0.1/' },
    { url: 'file:///etc/passwd' },
    { type: 'host' },
    { check_interval: 1 },
    { regions: ['mars'] },
    { confirmations: 11 },
  ])('refuses %j', async fields => {
    const { status, body } = await change(fields)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(Object.keys(fields))
  })

  test('an interval the plan no longer allows may stay, but not be set', async () => {
    await app.services.platform.query(`update tenants set plan = 'free' where id = $1`, [team.tenantId])
    expect((await change({ name: 'Kept' })).body.data).toMatchObject({ name: 'Kept', check_interval: 60 })
    expect((await change({ check_interval: 61 })).status).toBe(422)
    expect((await team.get(`/monitors/${id}/checks`)).body.data[0].effective_interval).toBe(300)
  })

  test('shows the interval of the plan beside the stored one, alone, in the list and after a change', async () => {
    expect((await team.get(`/monitors/${id}`)).body.data).toMatchObject({ check_interval: 60, effective_interval: 60 })
    await app.services.platform.query(`update tenants set plan = 'free' where id = $1`, [team.tenantId])
    const both = { check_interval: 60, effective_interval: 300 }
    expect((await team.get(`/monitors/${id}`)).body.data).toMatchObject(both)
    expect((await team.get('/monitors')).body.data).toMatchObject([both])
    expect((await change({ name: 'Store' })).body.data).toMatchObject(both)
    expect((await change({ check_interval: 600 })).body.data).toMatchObject({
      check_interval: 600,
      effective_interval: 600,
    })
  })

  test('takes a whole monitor back after a downgrade, with the interval and regions that it has', async () => {
    const regions = ['eu-west', 'us-east']
    const many = await make({ regions })
    const checks = (await team.get(`/monitors/${many}/checks`)).body.data as { id: string; interval: number | null }[]
    await team.patch(`/checks/${checks[0]?.id}`, { interval: 90 })
    await app.services.platform.query(
      `update tenants set plan = 'free', feature_overrides = '{"regions_per_monitor":1}' where id = $1`,
      [team.tenantId],
    )
    const shown = (await team.get(`/monitors/${many}`)).body.data
    const alone = await change({ ...shown, name: 'Alone' }, many)
    expect([alone.status, alone.body.errors]).toEqual([200, undefined])
    expect(alone.body.data).toMatchObject({ name: 'Alone', check_interval: 60, regions })
    const together = await team.patch('/monitors/bulk', { monitors: [{ ...shown, name: 'Together' }] })
    expect([together.status, together.body.errors]).toEqual([200, undefined])
    expect(together.body.data).toMatchObject([{ name: 'Together', check_interval: 60, regions }])
    const check = await team.patch(`/checks/${checks[0]?.id}`, { interval: 90, severity: 'minor' })
    expect([check.status, check.body.data]).toMatchObject([200, { interval: 90, effective_interval: 300 }])

    expect((await change({ regions: regions.toReversed() }, many)).status).toBe(422)
    const other = await team.patch('/monitors/bulk', { monitors: [{ id: many, check_interval: 61 }] })
    expect(Object.keys(other.body.errors)).toEqual(['monitors.0.check_interval'])
    expect((await team.patch(`/checks/${checks[0]?.id}`, { interval: 91 })).body.errors).toHaveProperty('interval')
  })

  test('disabling and enabling have events of their own', async () => {
    expect((await change({ is_enabled: false })).body.data).toMatchObject({ is_enabled: false, status: 'paused' })
    expect((await team.post(`/monitors/${id}/enable`)).body.data).toMatchObject({ is_enabled: true, status: null })
    expect((await team.post(`/monitors/${id}/enable`)).status).toBe(200)
    expect((await team.post(`/monitors/${id}/disable`)).body.data.status).toBe('paused')
    await change({ is_enabled: true, name: 'Both' })
    expect(await app.emitted(team)).toEqual([
      'monitor.created',
      'monitor.disabled',
      'monitor.enabled',
      'monitor.disabled',
      'monitor.updated',
      'monitor.enabled',
    ])
  })

  test('a timeout reaches the checks that have none of their own', async () => {
    const own = await make({ checks: [{ type: 'uptime', settings: { timeout_ms: 3_000 } }, { type: 'ssl' }] })
    await change({ timeout: 5 }, own)
    const { body } = await team.get(`/monitors/${own}/checks`)
    expect(body.data.map((check: { settings: { timeout_ms: number } }) => check.settings.timeout_ms)).toEqual([
      3_000, 5_000,
    ])
  })

  test('secrets stay with the host they were given for', async () => {
    const { body } = await team.post('/monitors', {
      name: 'Shop',
      url: 'https://shop.example.com/a',
      checks: [{ type: 'uptime', settings: { auth: { type: 'bearer', token: 'hidden' } } }],
    })
    const { id, checks } = body.data
    for (const url of ['https://else.example.com/a', 'http://shop.example.com/a', 'https://shop.example.com:8443/a'])
      expect(Object.keys((await team.patch(`/monitors/${id}`, { url })).body.errors), url).toEqual(['url'])
    expect((await team.patch(`/monitors/${id}`, { url: 'https://shop.example.com/b' })).status).toBe(200)
    await team.patch(`/checks/${checks[0].id}`, { settings: { auth: null } })
    expect((await team.patch(`/monitors/${id}`, { url: 'https://else.example.com/' })).status).toBe(200)
  })

  test('dependencies make no circle, however long', async () => {
    const ids = [id]
    for (let index = 0; index < 4; index++) ids.push(await make({ depends_on: [ids.at(-1)] }))
    expect((await change({ depends_on: [id] })).body.errors).toEqual({
      depends_on: ['A monitor cannot depend on itself.'],
    })
    expect((await change({ depends_on: [ids[4]] })).body.errors).toEqual({
      depends_on: ['The dependencies go round in a circle.'],
    })
    expect((await change({ depends_on: [ids[3]] }, ids[4])).status).toBe(200)
    expect((await change({ depends_on: [] }, ids[1])).status).toBe(200)
    expect((await change({ depends_on: [ids[4]] })).status).toBe(200)
  })

  test('two changes at once make no circle either', async () => {
    const other = await make()
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([change({ depends_on: [other] }), change({ depends_on: [id] }, other)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
      await change({ depends_on: [] })
      await change({ depends_on: [] }, other)
    }
  })

  test('ten parents, not eleven', async () => {
    const parents: string[] = []
    for (let index = 0; index < 11; index++) parents.push(await make())
    expect((await change({ depends_on: parents.slice(0, 10) })).body.data.depends_on).toEqual(parents.slice(0, 10))
    expect((await change({ depends_on: parents })).status).toBe(422)
  })

  test('a taken reference is refused, one’s own is kept', async () => {
    await change({ external_ref: 'r' })
    expect((await change({ external_ref: 'r', name: 'Still' })).status).toBe(200)
    const other = await make()
    expect((await change({ external_ref: 'r' }, other)).body.errors).toEqual({ external_ref: ['Is already taken.'] })
  })
})

describe('DELETE /monitors/{monitor}', () => {
  test('takes its checks with it, and no longer holds back its children', async () => {
    const child = await make({ depends_on: [id] })
    const check = (await team.get(`/monitors/${id}/checks`)).body.data[0].id
    expect((await team.delete(`/monitors/${id}`)).status).toBe(204)
    expect((await team.get(`/monitors/${id}`)).status).toBe(404)
    expect((await team.get(`/checks/${check}`)).status).toBe(404)
    expect((await team.delete(`/monitors/${id}`)).status).toBe(404)
    expect((await team.get(`/monitors/${child}`)).body.data.depends_on).toEqual([])
    expect((await app.emitted(team)).at(-1)).toBe('monitor.deleted')
  })

  test('frees a place in the plan', async () => {
    const small = await given.tenant({ overrides: { monitors: 1 } })
    const shop = { name: 'Shop', url: 'https://shop.example.com/' }
    const first = (await small.post('/monitors', shop)).body.data.id
    expect((await small.post('/monitors', shop)).status).toBe(422)
    await small.delete(`/monitors/${first}`)
    expect((await small.post('/monitors', shop)).status).toBe(201)
  })

  test('another tenant’s monitor is not found, and stays', async () => {
    const other = await given.tenant()
    for (const [method, suffix, body] of [
      ['GET', ''],
      ['PATCH', '', {}],
      ['DELETE', ''],
      ['POST', '/enable'],
      ['POST', '/disable'],
    ] as const)
      expect((await other.call(method, `/monitors/${id}${suffix}`, body)).status).toBe(404)
    expect((await team.get(`/monitors/${id}`)).status).toBe(200)
  })
})
