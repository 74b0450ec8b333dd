import { describe, expect, test } from 'vitest'
import { decryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const path = '/reseller/monitor-templates'
const unknown = '7b4f1a52-5d0e-4a3d-9c55-f1b0a1a0c001'
const website = { name_template: 'Site of {{client}}', url_template: 'https://{{domain}}/' }
const variables = [{ name: 'client' }, { name: 'domain' }]
const shop = { name: 'Shop', monitors: [website], variables }
const plain = { name_template: 'Site', url_template: 'https://example.com/' }

const refusal = async (reseller: CallerUnderTest, body: unknown) => {
  const answer = await reseller.post(path, body)
  expect(answer.status, answer.text).toBe(422)
  return answer.body.errors
}

describe('monitor templates', () => {
  test('are made, read, listed by name, changed and deleted, and every step is in the audit trail', async () => {
    const reseller = await given.reseller({ scopes: ['teams:write', 'teams:read'] })
    const made = await reseller.post(path, shop)
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      name: 'Shop',
      monitors: [
        {
          ...website,
          type: 'website',
          check_interval: null,
          tags: [],
          checks: [{ type: 'uptime', settings: {}, is_enabled: true }],
        },
      ],
      variables: [
        { name: 'client', required: true, description: null, default: null },
        { name: 'domain', required: true, description: null, default: null },
      ],
    })
    const { id } = made.body.data
    expect((await reseller.get(`${path}/${id}`)).body).toEqual(made.body)
    await reseller.post(path, { ...shop, name: 'Agency' })
    const list = (await reseller.get(`${path}?per_page=1`)).body
    expect(list.data.map((template: { name: string }) => template.name)).toEqual(['Agency'])
    expect(list.meta).toEqual({ current_page: 1, last_page: 2, per_page: 1, total: 2 })

    const renamed = await reseller.patch(`${path}/${id}`, { name: 'Store' })
    expect(renamed.body.data).toMatchObject({ name: 'Store', monitors: made.body.data.monitors })
    expect((await reseller.patch(`${path}/${id}`, {})).body.data.updated_at).toBe(renamed.body.data.updated_at)
    expect((await reseller.delete(`${path}/${id}`)).status).toBe(204)
    expect((await reseller.get(`${path}/${id}`)).status).toBe(404)
    expect(await app.audited(reseller)).toEqual([
      'monitor_template.created',
      'monitor_template.created',
      'monitor_template.updated',
      'monitor_template.deleted',
    ])
  })

  test('another reseller’s template is as unknown as one that never was', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const { id } = (await reseller.post(path, shop)).body.data
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      const foreign = await rival.call(method, `${path}/${id}`, body)
      const absent = await rival.call(method, `${path}/${unknown}`, body)
      expect(foreign.status).toBe(404)
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' })
    }
    expect((await rival.get(path)).body.data).toEqual([])
    expect((await reseller.get(`${path}/${id}`)).body.data.name).toBe('Shop')
    expect(await app.audited(rival)).toEqual([])
  })

  test('take a reseller token with the scope and no other', async () => {
    const reader = await given.reseller({ scopes: ['teams:read'] })
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.post(path, shop)).status).toBe(403)
    expect((await reader.delete(`${path}/${unknown}`)).status).toBe(403)
    expect((await (await given.reseller({ scopes: ['monitors:manage'] })).get(path)).status).toBe(403)
    for (const other of [
      await given.tenant(),
      await given.token(reader, 'sk', ['monitors:manage']),
      await given.operator(),
    ])
      expect((await other.get(path)).status).toBe(403)
    expect((await given.stranger().get(path)).status).toBe(401)
  })
})

describe('a template is refused', () => {
  test('when a placeholder is not declared, with its path', async () => {
    const reseller = await given.reseller()
    const monitors = [
      plain,
      {
        name_template: 'Of {{who}}',
        url_template: 'https://{{ where }}/{{where}}',
        tags: ['fine', '{{tag}}'],
        checks: [{ type: 'uptime', settings: { headers: { 'X-Client': '{{header}}' } } }],
      },
    ]
    expect(await refusal(reseller, { name: 'T', monitors })).toEqual({
      'monitors.1.name_template': ['The placeholder {{who}} is not among the variables.'],
      'monitors.1.url_template': ['The placeholder {{where}} is not among the variables.'],
      'monitors.1.tags.1': ['The placeholder {{tag}} is not among the variables.'],
      'monitors.1.checks.0.settings.headers.X-Client': ['The placeholder {{header}} is not among the variables.'],
    })
    const { id } = (await reseller.post(path, shop)).body.data
    expect(
      Object.keys((await reseller.patch(`${path}/${id}`, { variables: [{ name: 'client' }] })).body.errors),
    ).toEqual(['monitors.0.url_template'])
  })

  test('when braces open no placeholder, or a placeholder stands for a name', async () => {
    const reseller = await given.reseller()
    for (const url_template of ['https://{{a', 'https://{{}}/', 'https://{{a b}}/', 'https://{{1}}/'])
      expect(Object.keys(await refusal(reseller, { name: 'T', monitors: [{ ...plain, url_template }] }))).toContain(
        'monitors.0.url_template',
      )
    const checks = [{ type: 'uptime', settings: { headers: { '{{a}}': 'x' } } }]
    expect(
      (await refusal(reseller, { name: 'T', monitors: [{ ...plain, checks }], variables: [{ name: 'a' }] }))[
        'monitors.0.checks.0.settings.headers'
      ],
    ).toContain('A placeholder stands for a value, not for a name: {{a}}.')
  })

  test('when variables are declared twice or have no proper name', async () => {
    const reseller = await given.reseller()
    expect(
      await refusal(reseller, {
        name: 'T',
        monitors: [plain],
        variables: [{ name: 'a' }, { name: 'b' }, { name: 'a' }],
      }),
    ).toEqual({
      'variables.2.name': ['Is declared twice.'],
    })
    for (const name of ['', '1a', 'a-b', 'a b', 'ä', '__proto__', `a${'b'.repeat(50)}`, null, 7])
      expect(
        Object.keys(await refusal(reseller, { name: 'T', monitors: [plain], variables: [{ name }] })),
        String(name),
      ).toEqual(['variables.0.name'])
    expect(
      (await reseller.post(path, { name: 'T', monitors: [plain], variables: [{ name: `a${'B'.repeat(48)}_` }] }))
        .status,
    ).toBe(201)
  })

  test('when what holds no placeholder could be no monitor', async () => {
    const reseller = await given.reseller()
    const refused: [Record<string, unknown>, string][] = [
      [{ type: 'cron' }, 'checks.0.settings.schedule'],
      [{ type: 'cron', checks: [] }, 'checks'],
      [{ type: 'cron', checks: [{ type: 'uptime' }] }, 'checks.0.type'],
      [
        { type: 'cron', checks: [{ type: 'cron', settings: { schedule: 'now and then' } }] },
        'checks.0.settings.schedule',
      ],
      [
        { type: 'cron', checks: [{ type: 'cron', settings: { schedule_kind: 'simple' } }] },
        'checks.0.settings.period_minutes',
      ],
      [
        { type: 'cron', checks: [{ type: 'cron', settings: { period_minutes: 60, grace_minutes: 1_441 } }] },
        'checks.0.settings.grace_minutes',
      ],
      [
        { type: 'cron', url_template: 'example.com', checks: [{ type: 'cron', settings: { period_minutes: 60 } }] },
        'url_template',
      ],
      [{ type: 'agent', checks: [{ type: 'agent' }, { type: 'ssl' }] }, 'checks.1.type'],
      [
        { type: 'agent', checks: [{ type: 'agent', settings: { thresholds: [{ metric: 'cpu', above: 100 }] } }] },
        'checks.0.settings.thresholds.0.above',
      ],
      [{ checks: [{ type: 'agent' }] }, 'checks.0.type'],
      [{ type: 'toaster' }, 'type'],
      [{ url_template: null }, 'url_template'],
      [{ type: 'host' }, 'url_template'],
      [{ url_template: 'http://127.0.0.1/' }, 'url_template'],
      [{ url_template: 'ftp://example.com/' }, 'url_template'],
      [{ url_template: '' }, 'url_template'],
      [{ url_template: 'x'.repeat(2_049) }, 'url_template'],
      [{ name_template: ' ' }, 'name_template'],
      [{ name_template: 'x'.repeat(256) }, 'name_template'],
      [{ check_interval: 0 }, 'check_interval'],
      [{ check_interval: 86_401 }, 'check_interval'],
      [{ tags: ['a,b'] }, 'tags.0'],
      [{ tags: ['x'.repeat(51)] }, 'tags.0'],
      [{ tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, 'tags'],
      [{ checks: [{ type: 'teapot' }] }, 'checks.0.type'],
      [{ checks: [{ type: 'uptime' }, { type: 'uptime' }] }, 'checks.1.type'],
      [{ checks: [{ type: 'ssl', settings: { warn_days: 'soon' } }] }, 'checks.0.settings.warn_days'],
      [{ checks: [{ type: 'dns', settings: { record_types: ['A', 'PTR'] } }] }, 'checks.0.settings.record_types.1'],
      [{ checks: [{ type: 'dns', settings: { record_types: [] } }] }, 'checks.0.settings.record_types'],
      [{ checks: [{ type: 'dns', settings: { resolvers: ['127.0.0.1'] } }] }, 'checks.0.settings.resolvers.0'],
      [{ checks: [{ type: 'dns', interval: 1 }] }, 'checks.0.interval'],
      [
        { checks: [{ type: 'lighthouse', settings: { min_scores: { performance: 101 } } }] },
        'checks.0.settings.min_scores.performance',
      ],
      [{ type: 'host', url_template: 'example.com', checks: [{ type: 'uptime' }] }, 'checks.0.type'],
      [
        { checks: [{ type: 'uptime', settings: { auth: { type: 'bearer', token: '********' } } }] },
        'checks.0.settings.auth.token',
      ],
    ]
    for (const [fields, field] of refused)
      expect(
        Object.keys(await refusal(reseller, { name: 'T', monitors: [{ ...plain, ...fields }] })),
        JSON.stringify(fields),
      ).toContain(`monitors.0.${field}`)
    const dns = {
      type: 'dns',
      settings: { record_types: ['A', 'AAAA', 'MX', 'CNAME', 'NS', 'TXT', 'SOA', 'SRV', 'CAA'] },
    }
    expect(
      (await reseller.post(path, { name: 'T', monitors: [{ ...plain, checks: [dns, dns, { type: 'lighthouse' }] }] }))
        .status,
    ).toBe(201)
  })

  test('when a placeholder stands where no text can', async () => {
    const reseller = await given.reseller()
    const withSettings = (type: string, settings: unknown) => ({
      name: 'T',
      monitors: [{ ...plain, checks: [{ type, settings }] }],
      variables: [{ name: 'a' }],
    })
    expect(
      Object.keys(await refusal(reseller, withSettings('uptime', { timeout_ms: '{{a}}', keyword_present: '{{a}}' }))),
    ).toEqual(['monitors.0.checks.0.settings.timeout_ms'])
    for (const settings of [
      { method: '{{a}}' },
      { expected_status: ['{{a}}'] },
      { auth: { type: 'bearer', token: '{{a}}' } },
      { headers: { Host: '{{a}}' } },
    ])
      expect((await reseller.post(path, withSettings('uptime', settings))).status, JSON.stringify(settings)).toBe(201)
    expect((await reseller.post(path, withSettings('dns', { record_types: ['{{a}}'], name: '{{a}}' }))).status).toBe(
      201,
    )
    const job = (settings: unknown) => ({
      ...withSettings('cron', settings),
      monitors: [{ name_template: 'Job', type: 'cron', checks: [{ type: 'cron', settings }] }],
    })
    expect((await reseller.post(path, job({ schedule: '{{a}}', timezone: '{{a}}' }))).status).toBe(201)
    expect(Object.keys(await refusal(reseller, job({ period_minutes: '{{a}}' })))).toContain(
      'monitors.0.checks.0.settings.period_minutes',
    )
    expect(Object.keys(await refusal(reseller, job({ timezone: '{{a}}' })))).toEqual([
      'monitors.0.checks.0.settings.schedule',
    ])
    expect(Object.keys(await refusal(reseller, withSettings('dns', { record_types: ['PTR'], name: '{{a}}' })))).toEqual(
      ['monitors.0.checks.0.settings.record_types.0'],
    )
  })

  test('when it is empty or too large', async () => {
    const reseller = await given.reseller()
    const many = (count: number) => Array.from({ length: count }, () => plain)
    expect((await reseller.post(path, { name: 'T', monitors: many(100) })).status).toBe(201)
    const names = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `v${index}` }))
    expect((await reseller.post(path, { name: 'T', monitors: many(1), variables: names(50) })).status).toBe(201)
    const body = (count: number) => ({
      name: 'T',
      monitors: [{ ...plain, checks: [{ type: 'uptime', settings: { body: '{{a}}'.repeat(count) } }] }],
      variables: [{ name: 'a' }],
    })
    expect((await reseller.post(path, body(1_000))).status).toBe(201)
    for (const [wrong, field] of [
      [{ name: 'T', monitors: [] }, 'monitors'],
      [{ name: 'T', monitors: many(101) }, 'monitors'],
      [{ name: 'T', monitors: null }, 'monitors'],
      [{ name: 'T' }, 'monitors'],
      [{ monitors: many(1) }, 'name'],
      [{ name: '', monitors: many(1) }, 'name'],
      [{ name: 'é'.repeat(256), monitors: many(1) }, 'name'],
      [{ name: 'T', monitors: many(1), variables: names(51) }, 'variables'],
      [{ name: 'T', monitors: many(1), variables: [{ name: 'a', default: 'x'.repeat(1_001) }] }, 'variables.0.default'],
      [
        { name: 'T', monitors: many(1), variables: [{ name: 'a', description: 'x'.repeat(501) }] },
        'variables.0.description',
      ],
      [body(1_001), 'monitors'],
      [body(100_000), 'monitors'],
    ] as const)
      expect(Object.keys(await refusal(reseller, wrong))).toContain(field)
  })
})

describe('secrets of a template', () => {
  const auth = { type: 'basic', username: 'vedette', password: 'correct horse' }
  const headers = { Authorization: 'Bearer abc', Accept: 'text/html' }
  const secret = { name: 'T', monitors: [{ ...plain, checks: [{ type: 'uptime', settings: { auth, headers } }] }] }

  test('are shown as asterisks, kept when these come back, and used when it is applied', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { id, monitors } = (await reseller.post(path, secret)).body.data
    expect(monitors[0].checks[0].settings).toEqual({
      auth: { ...auth, password: '********' },
      headers: { ...headers, Authorization: '********' },
    })
    expect((await reseller.patch(`${path}/${id}`, { name: 'U', monitors })).status).toBe(200)
    expect((await reseller.post(`${team.path}/apply-template`, { template_id: id })).status).toBe(201)
    const { rows } = await app.services.platform.query(
      'select id, settings, secrets from checks where tenant_id = $1',
      [team.tenantId],
    )
    expect(decryptSettings(app.services.config, rows[0].id, rows[0])).toMatchObject({ auth, headers })
    const { rows: stored } = await app.services.platform.query(
      'select monitors::text from monitor_templates where id = $1',
      [id],
    )
    expect(stored[0].monitors).not.toMatch(/correct horse|Bearer abc/)
    const { rows: trail } = await app.services.platform.query(
      'select changes::text from audit_entries where tenant_id = any($1)',
      [[reseller.tenantId, team.tenantId]],
    )
    expect(JSON.stringify(trail)).not.toMatch(/correct horse|Bearer abc/)
  })

  test('are tried with all variables that need no value left empty, and refused by their own fields', async () => {
    const reseller = await given.reseller()
    const optional = [
      { name: 'label', required: false },
      { name: 'host', required: false },
      { name: 'ip', default: 'nonsense' },
      { name: 'domain' },
    ]
    const errors = await refusal(reseller, {
      name: 'T',
      monitors: [
        { name_template: '{{label}}', url_template: 'https://{{domain}}/{{label}}' },
        { name_template: 'Site {{label}}', url_template: '{{host}}' },
        { name_template: 'At', url_template: 'https://{{host}}/' },
        {
          name_template: 'DNS',
          url_template: 'https://{{domain}}/',
          checks: [{ type: 'dns', settings: { resolvers: ['{{ip}}'] } }],
        },
        { ...plain, checks: [{ type: 'dns', settings: { resolvers: ['{{domain}}'] } }] },
      ],
      variables: optional,
    })
    expect(Object.keys(errors)).toEqual([
      'monitors.0.name_template',
      'monitors.1.url_template',
      'monitors.2.url_template',
      'monitors.3.checks.0.settings.resolvers.0',
    ])
    expect(errors['monitors.1.url_template']).toEqual([
      'Say what is monitored.',
      'This is so where variables that need no value are left empty, or have their default.',
    ])
  })

  test('with optional variables in tags and paths are accepted: a tag that is empty is left out', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { status, body, text } = await reseller.post(path, {
      name: 'T',
      monitors: [
        { ...plain, url_template: 'https://example.com/{{label}}', tags: ['shop', '{{label}}', 'x{{label}}'] },
      ],
      variables: [{ name: 'label', required: false }],
    })
    expect(status, text).toBe(201)
    const applied = await reseller.post(`${team.path}/apply-template`, { template_id: body.data.id })
    expect(applied.status, applied.text).toBe(201)
    expect(applied.body.data[0]).toMatchObject({ url: 'https://example.com/', tags: ['shop', 'x'] })
  })

  test('that were stored before stay usable, and a change is refused for what it makes fail alone', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const monitors = [{ ...plain, name_template: '{{label}}' }]
    const label = { name: 'label', required: false }
    const { id } = (await reseller.post(path, { name: 'T', monitors, variables: [{ name: 'label' }] })).body.data
    await app.services.platform.query(`update monitor_templates set variables = $2 where id = $1`, [
      id,
      JSON.stringify([{ ...label, description: null, default: null }]),
    ])
    const applied = await reseller.post(`${team.path}/apply-template`, { template_id: id, variables: { label: 'A' } })
    expect(applied.status, applied.text).toBe(201)
    expect((await reseller.patch(`${path}/${id}`, { name: 'Other', monitors })).status).toBe(200)
    const second = { ...plain, url_template: '{{label}}' }
    const { status, body } = await reseller.patch(`${path}/${id}`, { monitors: [...monitors, second] })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['monitors.1.url_template'])
  })

  test('are not changed beyond the plan of a profile that uses them', async () => {
    const reseller = await given.reseller()
    const { id } = (await reseller.post(path, { name: 'T', monitors: [plain] })).body.data
    const profile = { name: 'Small', plan: 'free', monitor_template_id: id }
    expect((await reseller.post('/reseller/provisioning-profiles', profile)).status).toBe(201)
    const { status, body } = await reseller.patch(`${path}/${id}`, { monitors: [{ ...plain, check_interval: 1 }] })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['monitors.0.check_interval'])
    expect(body.errors['monitors.0.check_interval'][1]).toBe('The profile Small uses this template.')
  })

  test('a placeholder for a secret is shown as what it is', async () => {
    const reseller = await given.reseller()
    const checks = [{ type: 'uptime', settings: { auth: { ...auth, password: '{{password}}' } } }]
    const { status, body } = await reseller.post(path, {
      name: 'T',
      monitors: [{ ...plain, checks }],
      variables: [{ name: 'password' }],
    })
    expect(status).toBe(201)
    expect(body.data.monitors[0].checks[0].settings.auth.password).toBe('{{password}}')
  })

  test('asterisks with nothing behind them are refused', async () => {
    const reseller = await given.reseller()
    const { id } = (await reseller.post(path, { name: 'T', monitors: [plain] })).body.data
    const { status, body } = await reseller.patch(`${path}/${id}`, {
      monitors: [{ ...plain, checks: [{ type: 'uptime', settings: { auth: { ...auth, password: '********' } } }] }],
    })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['monitors.0.checks.0.settings.auth.password'])
  })
})
