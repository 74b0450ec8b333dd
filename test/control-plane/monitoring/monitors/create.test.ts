import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'

const shop = { name: 'Shop', url: 'https://shop.example.com/' }

const raceRounds = Number(process.env.RACE_ROUNDS ?? 1)

describe('POST /monitors', () => {
  test('creates a monitor with one uptime check, an event and an audit entry', async () => {
    const team = await given.tenant()
    const { status, body } = await team.post('/monitors', shop)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      ...shop,
      type: 'website',
      tags: [],
      group: null,
      notes: null,
      is_enabled: true,
      held_by_plan: false,
      status: null,
      status_reason: null,
      status_changed_at: null,
      coverage: 'none',
      coverage_since: null,
      check_interval: 60,
      timeout: 10,
      regions: [],
      region_policy: { mode: 'majority', count: null },
      confirmations: 2,
      recovery_confirmations: 2,
      depends_on: [],
      external_ref: null,
      metadata: {},
      last_checked_at: null,
    })
    expect(body.data.checks).toMatchObject([
      { type: 'uptime', is_enabled: true, severity: 'critical', status: null, coverage: 'none', snoozed_until: null },
    ])
    expect(body.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(await app.emitted(team)).toEqual(['monitor.created'])
    expect(await app.audited(team)).toEqual(['monitor.created'])
    expect((await team.get(`/monitors/${body.data.id}`)).body).toEqual(body)
  })

  test('accepts every field', async () => {
    const team = await given.tenant()
    const parent = (await team.post('/monitors', shop)).body.data.id
    const full = {
      name: 'Läden 商店 🛒',
      url: 'https://example.com/a?b=c#d',
      type: 'website',
      tags: ['eu', 'null', 'a "quoted" \\ {tag}'],
      group: 'Shops',
      notes: 'Line one\nline two',
      is_enabled: false,
      check_interval: 86_400,
      timeout: 60,
      regions: ['eu-west', 'us-east'],
      region_policy: { mode: 'count', count: 2 },
      confirmations: 1,
      recovery_confirmations: 10,
      depends_on: [parent],
      external_ref: 'ref-1',
      metadata: { owner: 'ops', tier: 1, is_public: true, none: null },
    }
    const checks = [
      { type: 'uptime', settings: { method: 'HEAD' }, interval: 120, severity: 'minor', is_enabled: false },
      { type: 'ssl' },
      { type: 'dns', settings: { record_types: ['A'] } },
      { type: 'dns', settings: { record_types: ['MX'] }, severity: 'warning' },
    ]
    const { status, body } = await team.post('/monitors', { ...full, checks })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ ...full, status: 'paused', status_reason: 'Disabled.' })
    expect(body.data.checks.map(({ type, severity, is_enabled }: never) => ({ type, severity, is_enabled }))).toEqual([
      { type: 'uptime', severity: 'minor', is_enabled: false },
      { type: 'ssl', severity: 'major', is_enabled: true },
      { type: 'dns', severity: 'major', is_enabled: true },
      { type: 'dns', severity: 'warning', is_enabled: true },
    ])
  })

  test('gives a host a ping check, and normalises its address', async () => {
    const team = await given.tenant()
    for (const [url, stored] of [
      ['example.com', 'host://example.com'],
      ['host://example.com', 'host://example.com'],
      ['93.184.216.34', 'host://93.184.216.34'],
      ['2606:2800:220:1:248:1893:25c8:1946', 'host://[2606:2800:220:1:248:1893:25c8:1946]'],
    ]) {
      const { status, body } = await team.post('/monitors', { name: 'Host', type: 'host', url })
      expect(status, url).toBe(201)
      expect(body.data.url).toBe(stored)
      expect(body.data.checks).toMatchObject([{ type: 'ping' }])
    }
  })

  test.each([
    ['name', ''],
    ['name', ' '],
    ['name', 'x'.repeat(256)],
    ['name', null],
    ['name', 5],
    ['name', undefined],
    ['name', 'a\0b'],
    ['url', 'ftp://example.com/'],
    ['url', 'javascript:alert(1)'],
    ['url', 'example com'],
    ['url', 'https://'],
    ['url', 'http:///example.com'],
    ['url', 'http:/\\127.0.0.1'],
    ['url', 'https://exa\tmple.com/'],
    ['url', 'https://exam ple.com/'],
    ['url', 'http://127.0.0.1/'],
    ['url', 'http://2130706433/'],
    ['url', 'http://[::ffff:10.0.0.1]/'],
    ['url', 'http://169.254.169.254/latest/meta-data'],
    ['url', 'http://localhost:8080/'],
    ['url', 'https://user:secret@example.com/'],
    ['url', `https://example.com/${'x'.repeat(2_048)}`],
    ['type', 'cron'],
    ['type', 'agent'],
    ['type', 'ship'],
    ['tags', ['a,b']],
    ['tags', ['']],
    ['tags', ['x'.repeat(51)]],
    ['tags', Array.from({ length: 21 }, (_, index) => `t${index}`)],
    ['group', ''],
    ['notes', 'x'.repeat(5_001)],
    ['is_enabled', 'yes'],
    ['check_interval', 29],
    ['check_interval', 0],
    ['check_interval', 86_401],
    ['check_interval', 60.5],
    ['timeout', 0],
    ['timeout', 61],
    ['regions', ['mars']],
    ['regions', ['EU']],
    ['region_policy', { mode: 'count' }],
    ['region_policy', { mode: 'any', count: 1 }],
    ['region_policy', { mode: 'count', count: 0 }],
    ['region_policy', 'any'],
    ['confirmations', 0],
    ['confirmations', 11],
    ['recovery_confirmations', 0],
    ['depends_on', ['not-a-uuid']],
    ['depends_on', ['7b4f1a52-5d0e-4a3d-9c55-f1b0a1a0c001']],
    ['external_ref', ''],
    ['metadata', { key: { deep: true } }],
    ['metadata', []],
    ['checks', Array.from({ length: 21 }, () => ({ type: 'dns' }))],
    ['checks', [{ type: 'teapot' }]],
    ['checks', [{ type: 'uptime' }, { type: 'uptime' }]],
    ['checks', [{ type: 'tcp' }]],
    ['checks', [{ type: 'uptime', settings: { method: 'TRACE' } }]],
    ['checks', [{ type: 'uptime', interval: 5 }]],
    ['checks', [{ type: 'uptime', severity: 'fatal' }]],
  ])('refuses %s = %j', async (field, value) => {
    const team = await given.tenant()
    const { status, body } = await team.post('/monitors', { ...shop, [field]: value })
    expect(status).toBe(422)
    expect(
      Object.keys(body.errors).every(path => path === field || path.startsWith(`${field}.`)),
      JSON.stringify(body.errors),
    ).toBe(true)
    expect(await app.emitted(team)).toEqual([])
  })

  test('refuses a web address for a host, and an uptime check of a host', async () => {
    const team = await given.tenant()
    expect((await team.post('/monitors', { name: 'H', type: 'host', url: 'https://example.com/' })).status).toBe(422)
    expect((await team.post('/monitors', { name: 'H', type: 'host', url: '10.1.2.3' })).status).toBe(422)
    const { body } = await team.post('/monitors', {
      name: 'H',
      type: 'host',
      url: 'example.com',
      checks: [{ type: 'uptime' }],
    })
    expect(Object.keys(body.errors)).toEqual(['checks.0.type'])
  })

  test('ignores read-only fields', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const sent = {
      ...shop,
      id: other.tenantId,
      tenant_id: other.tenantId,
      status: 'up',
      held_by_plan: true,
      coverage: 'full',
      created_at: '2001-01-01T00:00:00Z',
    }
    const { body } = await team.post('/monitors', sent)
    expect(body.data).toMatchObject({ status: null, held_by_plan: false, coverage: 'none' })
    expect(body.data.id).not.toBe(other.tenantId)
    expect((await other.get(`/monitors/${body.data.id}`)).status).toBe(404)
  })

  test('an external reference belongs to one monitor of a tenant', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    expect((await team.post('/monitors', { ...shop, external_ref: 'r' })).status).toBe(201)
    const { status, body } = await team.post('/monitors', { ...shop, external_ref: 'r' })
    expect(status).toBe(422)
    expect(body.errors).toEqual({ external_ref: ['Is already taken.'] })
    expect((await other.post('/monitors', { ...shop, external_ref: 'r' })).status).toBe(201)
  })

  test('a parent must be the tenant’s own', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const foreign = (await other.post('/monitors', shop)).body.data.id
    const { status, body } = await team.post('/monitors', { ...shop, depends_on: [foreign] })
    expect(status).toBe(422)
    expect(body.errors).toEqual({ depends_on: ['Names a monitor that does not exist.'] })
  })

  test('the plan limits monitors, interval and regions', async () => {
    const team = await given.tenant({ plan: 'free', overrides: { monitors: 2, regions_per_monitor: 1 } })
    expect((await team.post('/monitors', shop)).body.data.check_interval).toBe(300)
    expect((await team.post('/monitors', { ...shop, check_interval: 299 })).body.errors).toEqual({
      check_interval: ['The plan allows 300 seconds at the least.'],
    })
    expect((await team.post('/monitors', { ...shop, regions: ['eu-west', 'us-east'] })).body.errors).toEqual({
      regions: ['The plan allows one region a monitor.'],
    })
    expect((await team.post('/monitors', { ...shop, regions: ['eu-west', 'eu-west'] })).status).toBe(201)
    const { status, body } = await team.post('/monitors', shop)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'plan_limit',
      message: 'The plan\u2019s limit is reached: monitors, current 2, limit 2.'.replace('\u2019', "'"),
    })
  })

  test('of fifty created at once, a limit of ten lets through ten', async () => {
    const team = await given.tenant({ overrides: { monitors: 10 } })
    const answers = await Promise.all(Array.from({ length: 50 }, () => team.post('/monitors', shop)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    expect(answers.filter(({ status, body }) => status === 422 && body.code === 'plan_limit')).toHaveLength(40)
    expect((await team.get('/monitors')).body.meta.total).toBe(10)
  })

  test('of a hundred created at once, one below the limit, exactly one is made', {
    timeout: 30_000 + raceRounds * 10_000,
  }, async () => {
    for (let round = 0; round < raceRounds; round++) {
      const team = await given.tenant({ overrides: { monitors: 3 } })
      for (let n = 0; n < 2; n++) expect((await team.post('/monitors', shop)).status).toBe(201)
      const answers = await Promise.all(Array.from({ length: 100 }, () => team.post('/monitors', shop)))
      const refused = answers.filter(({ status, body }) => status === 422 && body.code === 'plan_limit').length
      expect([answers.filter(({ status }) => status === 201).length, refused]).toEqual([1, 99])
      expect((await team.get('/monitors')).body.meta.total).toBe(3)
    }
  })

  test('viewers and tokens without the scope may not', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    for (const caller of [
      await given.colleague(team, 'viewer'),
      await given.token(team, 'sk', ['monitors:read', 'checks:manage']),
      await given.impersonation(reseller, team, ['read']),
    ])
      expect((await caller.post('/monitors', shop)).status).toBe(403)
    for (const caller of [
      await given.colleague(team, 'member'),
      await given.token(team, 'sk', ['monitors:manage']),
      await given.impersonation(reseller, team, ['write']),
    ])
      expect((await caller.post('/monitors', shop)).status).toBe(201)
    expect((await given.stranger().post('/monitors', shop)).status).toBe(401)
  })
})
