import { beforeEach, describe, expect, test } from 'vitest'
import { kindNames } from '#checks/index.ts'
import { decryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { aProof } from '#test/support/a-proof.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

type View = { id: string; type: string }

let team: CallerUnderTest
let monitor: string
let check: string

beforeEach(async () => {
  team = await given.tenant()
  const { data } = (await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })).body
  monitor = data.id
  check = data.checks[0].id
})

const add = (fields: unknown) => team.post(`/monitors/${monitor}/checks`, fields)
const types = async (query = '') =>
  (await team.get(`/monitors/${monitor}/checks?${query}`)).body.data.map(({ type }: View) => type)

describe('the checks of a monitor', () => {
  test('are listed in the order of creation', async () => {
    await add({ type: 'ssl' })
    await add({ type: 'dns', is_enabled: false })
    expect(await types()).toEqual(['uptime', 'ssl', 'dns'])
    expect(await types('per_page=2&page=2')).toEqual(['dns'])
    expect(await types('is_enabled=false')).toEqual(['dns'])
    expect((await team.get(`/monitors/${monitor}/checks?per_page=101`)).status).toBe(422)
  })

  test('start without results', async () => {
    const { body } = await team.get(`/checks/${check}`)
    expect(body.data).toMatchObject({
      id: check,
      monitor_id: monitor,
      type: 'uptime',
      is_enabled: true,
      interval: null,
      effective_interval: 60,
      severity: 'critical',
      status: null,
      status_since: null,
      coverage: 'none',
      latest_result: 'pending',
      latest_run_at: null,
      latest_summary: null,
      consecutive_failures: 0,
      region_results: [],
      snoozed_until: null,
    })
    expect((await team.get(`/monitors/${monitor}/checks/${check}`)).body).toEqual(body)
  })

  test('can be added, each with the settings of its kind', async () => {
    const { status, body } = await add({ type: 'tcp', settings: { port: 443 }, interval: 120, severity: 'minor' })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ type: 'tcp', interval: 120, effective_interval: 120, severity: 'minor' })
    expect(body.data.settings).toEqual({
      port: 443,
      send: null,
      expect: null,
      ip_version: 'any',
      timeout_ms: 10_000,
      degraded_after_ms: null,
    })
    expect((await add({ type: 'ssl' })).body.data).toMatchObject({ interval: 3_600, severity: 'major' })
    expect(await app.audited(team)).toEqual(['monitor.created', 'check.created', 'check.created'])
  })

  test.each([
    [{}, ['type']],
    [{ type: 'teapot' }, ['type']],
    [{ type: 'uptime' }, ['type']],
    [{ type: 'tcp' }, ['settings.port']],
    [{ type: 'tcp', settings: { port: 65_536 } }, ['settings.port']],
    [{ type: 'tcp', settings: null }, ['settings']],
    [{ type: 'tcp', settings: { port: 443, banner: '220', method: 'GET' } }, ['settings.banner', 'settings.method']],
    [{ type: 'ssl', interval: 29 }, ['interval']],
    [{ type: 'ssl', interval: 0 }, ['interval']],
    [{ type: 'ssl', interval: 86_401 }, ['interval']],
    [{ type: 'ssl', severity: 'fatal' }, ['severity']],
    [{ type: 'dns', settings: { record_types: [] } }, ['settings.record_types']],
    [{ type: 'dns', settings: { record_types: ['A', 'SPF'] } }, ['settings.record_types.1']],
  ])('refuses %j', async (fields, errors) => {
    const { status, body } = await add(fields)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(errors)
    expect(await types()).toEqual(['uptime'])
  })

  test('explains each error in a sentence', async () => {
    const said = async (fields: object) => Object.values((await add(fields)).body.errors).flat()
    expect(await said({ type: 'teapot' })).toEqual([`Must be one of ${kindNames.join(', ')}.`])
    expect(await said({ type: 'ssl', interval: 59 })).toEqual(['A check of this kind takes 60 seconds at the least.'])
    expect(await said({ type: 'ssl', settings: { method: 'GET' } })).toEqual([
      'Checks of kind ssl have no such setting. Theirs are port, warn_days, ip_version, timeout_ms.',
    ])
  })

  test('in a browser need a plan with them, and run once a day', async () => {
    const { status, body } = await add({ type: 'lighthouse', settings: { min_scores: { seo: 90 } } })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      interval: 86_400,
      severity: 'minor',
      settings: {
        form_factor: 'mobile',
        min_scores: { performance: 50, accessibility: null, best_practices: null, seo: 90 },
        audit_seconds: 90,
      },
    })
    for (const [fields, field] of [
      [{ settings: { min_scores: { seo: 101 } } }, 'settings.min_scores.seo'],
      [{ settings: { audit_seconds: 181 } }, 'settings.audit_seconds'],
      [{ interval: 3_599 }, 'interval'],
    ] as const) {
      const { id } = body.data
      expect(Object.keys((await team.patch(`/checks/${id}`, fields)).body.errors), field).toEqual([field])
    }
    const poor = await given.tenant({ plan: 'starter' })
    const checks = [{ type: 'lighthouse' }]
    expect(await poor.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/', checks })).toMatchObject({
      status: 403,
      body: {
        code: 'not_in_plan',
        errors: { 'checks.0.type': ['The plan does not include checks of kind lighthouse.'] },
      },
    })
    const lifted = await given.tenant({ plan: 'starter', overrides: { lighthouse_audits: true } })
    expect((await lifted.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/', checks })).status).toBe(
      201,
    )
  })

  test('have different kinds, also when two are added at once; dns may repeat', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => add({ type: 'ssl' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422, 422, 422])
    expect((await add({ type: 'dns' })).status).toBe(201)
    expect((await add({ type: 'dns' })).status).toBe(201)
  })

  test('are twenty at most', async () => {
    for (let count = 1; count < 20; count++) expect((await add({ type: 'dns' })).status).toBe(201)
    expect((await add({ type: 'dns' })).status).toBe(422)
  })

  test('can be deleted', async () => {
    expect((await team.delete(`/checks/${check}`)).status).toBe(204)
    expect((await team.get(`/checks/${check}`)).status).toBe(404)
    expect(await types()).toEqual([])
    const { id } = (await add({ type: 'uptime' })).body.data
    expect((await team.delete(`/monitors/${monitor}/checks/${id}`)).status).toBe(204)
  })
})

describe('an open incident', () => {
  const open = async () => {
    const { rows } = await app.services.platform.query<{ id: string }>(
      `insert into incidents (
       id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at, confirmed_at, quorum
     )
       values (gen_random_uuid(), $1, $2, $3, 'uptime', 1, 'Shop is down', 'critical', now(), now(), $4) returning id`,
      [team.tenantId, monitor, check, JSON.stringify(aProof)],
    )
    return rows[0]!.id
  }

  test('is resolved when its check is deleted', async () => {
    const incident = await open()
    expect((await team.delete(`/checks/${check}`)).status).toBe(204)
    expect((await team.get(`/incidents/${incident}`)).body.data).toMatchObject({
      status: 'resolved',
      resolution: 'deleted',
      check_id: null,
    })
    expect((await app.emitted(team)).filter(name => name === 'incident.resolved')).toHaveLength(1)
  })

  test('is resolved with an event when its monitor is deleted', async () => {
    const incident = await open()
    expect((await team.delete(`/monitors/${monitor}`)).status).toBe(204)
    expect((await team.get(`/incidents/${incident}`)).body.data).toMatchObject({
      ...{ status: 'resolved', resolution: 'deleted', is_monitor_removed: true },
    })
    expect((await app.emitted(team)).slice(-2)).toEqual(['incident.resolved', 'monitor.deleted'])
  })
})

describe('PATCH /checks/{check}', () => {
  const change = (fields: unknown, id = check) => team.patch(`/checks/${id}`, fields)

  test('changes only the settings that are sent', async () => {
    await change({ settings: { keyword_present: 'Wilkommen ü', method: 'POST' } })
    const { status, body } = await change({ settings: { method: 'GET' }, severity: 'warning', interval: 300 })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ severity: 'warning', interval: 300, effective_interval: 300 })
    expect(body.data.settings).toMatchObject({ method: 'GET', keyword_present: 'Wilkommen ü' })
    expect((await change({ interval: null, settings: { keyword_present: null } })).body.data).toMatchObject({
      interval: null,
      settings: { keyword_present: null },
    })
  })

  test('refuses what the kind refuses, and changes nothing', async () => {
    const before = (await team.get(`/checks/${check}`)).body
    for (const fields of [
      { settings: { method: 'TRACE' } },
      { settings: { expected_status: [] } },
      { settings: 5 },
      { interval: 5 },
      { severity: null },
      { is_enabled: null },
    ])
      expect((await change({ severity: 'minor', ...fields })).status, JSON.stringify(fields)).toBe(422)
    expect((await team.get(`/checks/${check}`)).body).toEqual(before)
    expect((await change({})).body).toEqual(before)
    expect((await change({ type: 'ssl', monitor_id: crypto.randomUUID(), status: 'up' })).body).toEqual(before)
  })

  test('never shows a secret, keeps one that is sent masked, and deletes one that is removed', async () => {
    const row = async () =>
      (await app.services.platform.query('select settings, secrets from checks where id = $1', [check])).rows[0]
    const stored = async () => decryptSettings(app.services.config, check, await row())
    const secrets = {
      headers: {
        Authorization: 'Bearer hidden-1',
        Cookie: 'sid=hidden-2',
        'Oh-Dear-Health-Check-Secret': 'hidden-5',
        'X-Plain': 'shown',
      },
      auth: { type: 'basic', username: 'me', password: 'hidden-3' },
    }
    const shown = {
      headers: {
        Authorization: '********',
        Cookie: '********',
        'Oh-Dear-Health-Check-Secret': '********',
        'X-Plain': 'shown',
      },
      auth: { type: 'basic', username: 'me', password: '********' },
    }
    const { body, text } = await change({ settings: secrets })
    expect(body.data.settings).toMatchObject(shown)
    expect(text).not.toContain('hidden')
    expect(await stored()).toMatchObject(secrets)
    expect(JSON.stringify(await row())).not.toContain('hidden')

    await change({ settings: { ...shown, headers: { ...shown.headers, 'X-Plain': 'changed' } } })
    expect(await stored()).toMatchObject({ ...secrets, headers: { ...secrets.headers, 'X-Plain': 'changed' } })

    await change({
      settings: {
        headers: { authorization: '********' },
        auth: { type: 'basic', username: 'you', password: 'hidden-4' },
      },
    })
    expect(await stored()).toMatchObject({
      headers: { authorization: 'Bearer hidden-1' },
      auth: { username: 'you', password: 'hidden-4' },
    })
    expect(Object.keys((await row()).settings.headers)).toEqual(['authorization'])

    expect((await change({ settings: { auth: { type: 'bearer', token: '********' } } })).body.errors).toEqual({
      'settings.auth.token': ['There is no stored value to keep: send the value itself.'],
    })
    expect((await change({ settings: { auth: null, headers: {} } })).body.data.settings).toMatchObject({
      auth: null,
      headers: {},
    })
    expect((await change({ settings: shown })).status).toBe(422)
    expect((await team.get('/monitors')).text).not.toContain('hidden')
    const { rows } = await app.services.platform.query('select changes from audit_entries where tenant_id = $1', [
      team.tenantId,
    ])
    expect(JSON.stringify(rows)).not.toContain('hidden')
  })

  test('refuses a masked secret of a new check', async () => {
    const { body } = await team.post('/monitors', {
      name: 'M',
      url: 'https://example.com/',
      checks: [{ type: 'uptime', settings: { auth: { type: 'bearer', token: '********' } } }],
    })
    expect(Object.keys(body.errors)).toEqual(['checks.0.settings.auth.token'])
  })

  test('refuses deep or forbidden keys', async () => {
    const nested = `${'['.repeat(40)}${']'.repeat(40)}`
    expect((await change(`{"settings":{"headers":${nested}}}`)).status).toBe(400)
    expect((await change('{"settings":{"__proto__":{"x":1}}}')).status).toBe(422)
    expect((await change('{"settings":{"headers":{"constructor":"x"}}}')).status).toBe(422)
    expect((await change('{"settings":{"keyword_present":"a\\u0000b"}}')).status).toBe(422)
  })
})

describe('enable, disable, snooze, unsnooze', () => {
  const act = (action: string, body: unknown = {}) => team.post(`/checks/${check}/${action}`, body)

  test('disables and enables a check', async () => {
    expect((await act('disable')).body.data.is_enabled).toBe(false)
    expect((await team.get(`/monitors/${monitor}`)).body.data.checks[0].is_enabled).toBe(false)
    expect((await team.post(`/monitors/${monitor}/checks/${check}/enable`)).body.data.is_enabled).toBe(true)
  })

  test('snoozes until a moment, with person and reason', async () => {
    const { status, body } = await act('snooze', { minutes: 30, reason: 'Deploying ü' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ snoozed_by: team.userId, snooze_reason: 'Deploying ü' })
    const left = Date.parse(body.data.snoozed_until) - Date.now()
    expect(left).toBeGreaterThan(29 * 60_000)
    expect(left).toBeLessThanOrEqual(30 * 60_000 + 1_000)
    expect((await team.get(`/monitors/${monitor}`)).body.data.checks[0].snoozed_until).toBe(body.data.snoozed_until)

    const { rows } = await app.services.platform.query(
      `select name, payload from outbox where tenant_id = $1 and kind = 'workflow'`,
      [team.tenantId],
    )
    const untilMs = Date.parse(body.data.snoozed_until)
    expect(rows).toEqual([
      {
        name: 'snoozeEnd',
        payload: { id: `snooze-end-${check}-${untilMs}`, input: { tenantId: team.tenantId, checkId: check, untilMs } },
      },
    ])

    expect((await act('unsnooze')).body.data).toMatchObject({
      snoozed_until: null,
      snoozed_by: null,
      snooze_reason: null,
    })
    expect((await act('unsnooze')).status).toBe(200)
    const { rows: events } = await app.services.platform.query(
      `select name, payload from outbox where tenant_id = $1 and kind = 'signal'`,
      [team.tenantId],
    )
    expect(events).toEqual([
      { name: 'unsnoozed', payload: { id: `snooze-end-${check}-${untilMs}`, signal: 'unsnoozed' } },
    ])
    expect((await app.audited(team)).filter(action => action.includes('snooze'))).toEqual([
      'check.snoozed',
      'check.unsnoozed',
    ])
  })

  test('does not show a snooze that has ended', async () => {
    await act('snooze', { minutes: 1 })
    await app.services.platform.query(`update checks set snoozed_until = now() - interval '1 second' where id = $1`, [
      check,
    ])
    expect((await team.get(`/checks/${check}`)).body.data).toMatchObject({
      snoozed_until: null,
      snoozed_by: null,
      snooze_reason: null,
    })
  })

  test.each([1, 1_440])('takes %i minutes', async minutes => {
    expect((await act('snooze', { minutes })).status).toBe(200)
  })

  test.each([0, 1_441, -1, 1.5, '30', null, undefined, Number.MAX_SAFE_INTEGER])(
    'refuses %s minutes',
    async minutes => {
      const { status, body } = await act('snooze', { minutes })
      expect(status).toBe(422)
      expect(Object.keys(body.errors)).toEqual(['minutes'])
    },
  )
})

describe('access to checks', () => {
  const verbs = [
    ['GET', ''],
    ['PATCH', '', { severity: 'minor' }],
    ['POST', '/enable'],
    ['POST', '/disable'],
    ['POST', '/snooze', { minutes: 5 }],
    ['POST', '/unsnooze'],
    ['POST', '/request-run'],
    ['GET', '/results'],
    ['GET', '/timeseries'],
    ['DELETE', ''],
  ] as const

  test('is refused for other tenants, and below another monitor', async () => {
    const other = await given.tenant()
    const second = (await team.post('/monitors', { name: 'Second', url: 'https://example.com/' })).body.data.id
    for (const [method, suffix, body] of verbs) {
      expect((await other.call(method, `/checks/${check}${suffix}`, body)).status, `${method} ${suffix}`).toBe(404)
      expect(
        (await other.call(method, `/monitors/${monitor}/checks/${check}${suffix}`, body)).status,
        `${method} ${suffix}`,
      ).toBe(404)
      expect(
        (await team.call(method, `/monitors/${second}/checks/${check}${suffix}`, body)).status,
        `${method} ${suffix}`,
      ).toBe(404)
    }
    expect((await team.get(`/checks/${check}`)).body.data.severity).toBe('critical')
  })

  test('is read-only for viewers', async () => {
    for (const caller of [
      await given.colleague(team, 'viewer'),
      await given.token(team, 'sk', ['checks:read', 'monitors:manage']),
    ])
      for (const [method, suffix, body] of verbs.filter(
        ([, suffix]) => suffix !== '/results' && suffix !== '/timeseries',
      ))
        expect((await caller.call(method, `/checks/${check}${suffix}`, body)).status, `${method} ${suffix}`).toBe(
          method === 'GET' ? 200 : 403,
        )
  })

  test('is allowed to the reseller of the team', async () => {
    const [reseller, rival] = [await given.reseller({ scopes: ['monitors:manage'] }), await given.reseller()]
    const [own, sister] = [await given.team(reseller), await given.team(reseller)]
    const made = (await own.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })).body.data
    const path = `/monitors/${made.id}/checks/${made.checks[0].id}`
    for (const [method, suffix, body] of verbs.filter(
      ([, suffix]) => suffix !== '/request-run' && suffix !== '/results' && suffix !== '/timeseries',
    )) {
      expect((await rival.call(method, own.path + path + suffix, body)).status, `${method} ${suffix}`).toBe(403)
      expect((await reseller.call(method, sister.path + path + suffix, body)).status, `${method} ${suffix}`).toBe(404)
      expect((await reseller.call(method, own.path + path + suffix, body)).status, `${method} ${suffix}`).toBe(
        method === 'DELETE' ? 204 : 200,
      )
    }
  })
})
