import { describe, expect, test } from 'vitest'
import { validateBranding } from '#control-plane/tenancy/branding/validate.ts'
import { Guard } from '#egress/guard.ts'
import { hostileUrls, innerSpellings } from '#test/egress/spellings.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { standIn } from './stand-in.ts'

const { platform } = app.services
const site = 'https://93.184.216.34'
const urls = [
  'logo_url',
  'logo_url_dark',
  'favicon_url',
  'footer_url',
  'privacy_url',
  'imprint_url',
  'upgrade_url',
  'support_url',
]

const refusedFields = async (caller: CallerUnderTest, body: unknown, path = '/branding') => {
  const answer = await caller.patch(path, body)
  expect(answer.status, JSON.stringify(body)).toBe(422)
  return Object.keys(answer.body.errors)
}

describe('PATCH /branding', () => {
  test('changes what is sent and nothing else; null clears', async () => {
    const team = await given.tenant()
    const all = {
      brand_name: 'Acme',
      alert_prefix: '[ACME]',
      ...Object.fromEntries(urls.map(name => [name, `${site}/${name}`])),
      primary_color: '#abc',
      secondary_color: '#A1B2C3',
      footer_text: 'Acme, 1 High Street',
      hide_powered_by: true,
      notification_from_name: 'Acme alerts',
      upsell_mode: 'active',
      upsell_cta: 'link',
      plan_labels: { free: 'Basic', hobby: 'Plus' },
      upsell_offers: { monitors: { label: 'More', url: `${site}/more` } },
      upsell_threshold: 0.9,
    }
    const { status, body } = await team.patch('/branding', all)
    expect(status).toBe(200)
    expect(body.data).toMatchObject(all)
    expect(body.data.effective).toMatchObject(all)
    const changed = await team.patch('/branding', { brand_name: 'Acme 2', footer_text: null, upsell_offers: null })
    expect(changed.body.data).toMatchObject({ ...all, brand_name: 'Acme 2', footer_text: null, upsell_offers: null })
    expect((await team.patch('/branding', {})).body).toEqual(changed.body)
    expect((await team.get('/branding')).body).toEqual(changed.body)
    const cleared = await team.patch('/branding', Object.fromEntries(Object.keys(all).map(name => [name, null])))
    expect(cleared.body.data).toMatchObject(Object.fromEntries(Object.keys(all).map(name => [name, null])))
  })

  test('is noted with before and after, once for a change', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await reseller.patch(`${team.path}/branding`, { brand_name: 'Acme', upsell_threshold: 0.5 })
    await reseller.patch(`${team.path}/branding`, { brand_name: 'Acme', upsell_threshold: 0.5 })
    for (const tenant of [reseller, team]) {
      const { rows } = await platform.query(
        'select action, entity_type, entity_id, user_id, changes from audit_entries where tenant_id = $1',
        [tenant.tenantId],
      )
      expect(rows).toEqual([
        {
          action: 'branding.updated',
          entity_type: 'tenant',
          entity_id: team.tenantId,
          user_id: reseller.userId,
          changes: { brand_name: { before: null, after: 'Acme' }, upsell_threshold: { before: null, after: 0.5 } },
        },
      ])
    }
  })

  test('two changes at once both count', async () => {
    const team = await given.tenant()
    await Promise.all([
      team.patch('/branding', { brand_name: 'Acme' }),
      team.patch('/branding', { alert_prefix: 'A' }),
      team.patch('/branding', { footer_text: 'F' }),
    ])
    expect((await team.get('/branding')).body.data).toMatchObject({
      brand_name: 'Acme',
      alert_prefix: 'A',
      footer_text: 'F',
    })
  })

  test('acts on the tenant that is stood in for, and not on others', async () => {
    const reseller = await given.reseller()
    const [team, sister] = [await given.team(reseller), await given.team(reseller)]
    expect(
      (await reseller.patch('/branding', { brand_name: 'By header' }, { headers: { 'X-Tenant-Id': team.tenantId } }))
        .status,
    ).toBe(200)
    expect((await team.get('/branding')).body.data.brand_name).toBe('By header')
    expect((await (await standIn(reseller, team)).patch('/branding', { brand_name: 'By token' })).status).toBe(200)
    expect((await team.get('/branding')).body.data.brand_name).toBe('By token')
    expect((await sister.get('/branding')).body.data.brand_name).toBe(null)
    expect((await reseller.get('/branding')).body.data.brand_name).toBe(null)
  })

  test('by those who may change settings, or branding', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const path = `${team.path}/branding`
    const body = { brand_name: 'Mine' }
    expect((await (await given.colleague(team, 'admin')).patch('/branding', body)).status).toBe(200)
    for (const role of ['member', 'viewer'] as const)
      expect((await (await given.colleague(team, role)).patch('/branding', body)).status).toBe(403)
    for (const scopes of [['settings:write'], ['settings:read']])
      expect((await (await given.token(team, 'sk', scopes)).patch('/branding', body)).status).toBe(403)
    expect((await (await given.token(reseller, 'rk', ['branding:write'])).patch(path, body)).status).toBe(200)
    expect((await (await given.token(reseller, 'rk', ['branding:manage'])).patch(path, body)).status).toBe(200)
    for (const caller of [
      await given.token(reseller, 'rk', ['branding:read', 'teams:manage']),
      await given.reseller(),
      team,
    ])
      expect((await caller.patch(path, body)).status).toBe(403)
    expect((await given.stranger().patch('/branding', body)).status).toBe(401)
  })

  test('what a managed team is offered is for its reseller to say', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    for (const body of [
      { upsell_mode: 'hidden' },
      { upsell_cta: null },
      { plan_labels: {} },
      { upsell_offers: {} },
      { upsell_threshold: 0.5 },
    ]) {
      const { status, body: answer } = await team.patch('/branding', { brand_name: 'Mine', ...body })
      expect(status).toBe(403)
      expect(answer.code).toBe('upsell_of_reseller')
    }
    expect((await team.get('/branding')).body.data.brand_name).toBe(null)
    expect((await reseller.patch(`${team.path}/branding`, { upsell_mode: 'active' })).status).toBe(200)
    expect(
      (await reseller.patch('/branding', { upsell_mode: 'silent' }, { headers: { 'X-Tenant-Id': team.tenantId } }))
        .status,
    ).toBe(200)
    expect((await team.get('/branding')).body.data.upsell_mode).toBe('silent')
  })
})

describe('hide_powered_by', () => {
  test('needs the plan’s feature, and shows no longer than that is there', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'free' })
    for (const [caller, path] of [
      [team, '/branding'],
      [reseller, `${team.path}/branding`],
    ] as const) {
      const { status, body } = await caller.patch(path, { hide_powered_by: true, brand_name: 'Mine' })
      expect(status).toBe(403)
      expect([body.code, body.quota]).toEqual(['not_in_plan', 'white_label_branding'])
      expect((await caller.patch(path, { hide_powered_by: false })).status).toBe(200)
      expect((await caller.patch(path, { hide_powered_by: null })).status).toBe(200)
    }
    expect((await team.get('/branding')).body.data.brand_name).toBe(null)

    const override = (white_label_branding: unknown) =>
      reseller.put(`${team.path}/feature-overrides`, { overrides: { white_label_branding } })
    await override(true)
    expect((await team.patch('/branding', { hide_powered_by: true })).body.data.effective.hide_powered_by).toBe(true)
    await override('__remove__')
    expect((await team.get('/branding')).body.data).toMatchObject({
      hide_powered_by: true,
      effective: { hide_powered_by: false },
    })
    for (const value of [1, 'true', []])
      expect(await refusedFields(team, { hide_powered_by: value })).toEqual(['hide_powered_by'])
  })

  test('is taken from the reseller where a team says nothing', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'free' })
    await reseller.patch('/branding', { hide_powered_by: true })
    const shown = async () => (await team.get('/branding')).body.data.effective.hide_powered_by
    expect(await shown()).toBe(true)
    await team.patch('/branding', { hide_powered_by: false })
    expect(await shown()).toBe(false)
    await team.patch('/branding', { hide_powered_by: null })
    await platform.query(`update tenants set plan = 'free' where id = $1`, [reseller.tenantId])
    expect(await shown()).toBe(false)
  })
})

describe('texts of a brand', () => {
  test.each([
    ['brand_name', 100],
    ['alert_prefix', 50],
    ['footer_text', 200],
    ['notification_from_name', 100],
  ] as const)('%s: one line of at most %i characters', async (name, most) => {
    const team = await given.tenant()
    for (const good of [
      'x',
      'x'.repeat(most),
      'ü'.repeat(most),
      '漢'.repeat(most),
      'Ben & Söhne “🔔” <b>',
      '=?utf-8?Q?x=0d=0a?=',
      '%0d%0aBcc: a@b.example',
      'مراقبة',
    ])
      expect((await team.patch('/branding', { [name]: good })).body.data[name]).toBe(good)
    const lines = [
      'x\r\nBcc: a@b.example',
      'x\nBcc: a',
      'x\rBcc: a',
      'x\n',
      'x\u2028y',
      'x\u2029y',
      'x\u0085y',
      'x\ty',
      'x\u0000',
      'x\u001b[0m',
      'x\u007f',
    ]
    for (const bad of ['', ' ', 'x'.repeat(most + 1), ...lines, 1, true, [], {}])
      expect(await refusedFields(team, { [name]: bad })).toEqual([name])
  })

  test.each(['primary_color', 'secondary_color'])('%s is a hex colour', async name => {
    const team = await given.tenant()
    for (const good of ['#000', '#fff', '#FfF', '#1f6feb', '#ABCDEF'])
      expect((await team.patch('/branding', { [name]: good })).body.data[name]).toBe(good)
    const payloads = [
      'red;}body{display:none',
      '#fff;}',
      '#fff}',
      'url(javascript:alert(1))',
      'expression(alert(1))',
      '#fff"/><script>',
      '#fff\n',
      ' #fff',
      '#fff ',
      '＃fff',
      '#ｆｆｆ',
    ]
    for (const bad of [
      '',
      '#',
      '#ff',
      '#ffff',
      '#fffff',
      '#fffffff',
      '#ggg',
      'fff',
      'red',
      'rgb(0,0,0)',
      '0xffffff',
      ...payloads,
      0,
      [],
      {},
      true,
    ])
      expect(await refusedFields(team, { [name]: bad })).toEqual([name])
  })
})

describe('addresses of a brand', () => {
  test('are http or https, of at most 500 characters', async () => {
    const team = await given.tenant()
    for (const name of urls) {
      const longest = `${site}/${'x'.repeat(500 - site.length - 1)}`
      for (const good of [longest, 'http://93.184.216.34:8080/?a=b&c=d#e', `${site}/ü/漢`])
        expect((await team.patch('/branding', { [name]: good })).body.data[name], name).toBe(good)
      for (const bad of [`${longest}x`, '', 'x', 1, [], {}, true])
        expect(await refusedFields(team, { [name]: bad })).toEqual([name])
    }
  })

  test('lead nowhere inside, however they are spelled', async () => {
    const team = await given.tenant()
    const spellings = [
      ...innerSpellings().flatMap(host => [`http://${host}/x.png`, `https://${host}:8443/`]),
      ...hostileUrls(8080),
      'https://user@example.com/',
      'https://user:pw@example.com/',
      'javascript://example.com/%0aalert(1)',
      'https:example.com',
      'https:///example.com',
      'https:/example.com',
      'https://example.com/"><script>',
      'https://example.com/\u0000',
      'https://exam\u00adple.com\\@127.0.0.1/',
    ]
    expect(spellings.length).toBeGreaterThan(600)
    for (let at = 0; at < spellings.length; at += urls.length) {
      const body = Object.fromEntries(urls.map((name, index) => [name, spellings[at + index] ?? 'http://127.0.0.1/']))
      const fields = await refusedFields(team, body)
      // text that cannot be stored is refused before any other validation
      if (!JSON.stringify(body).includes('\\u0000')) expect(fields, JSON.stringify(body)).toEqual(urls)
    }
    expect((await app.audited(team)).length).toBe(0)
  })

  test('nor by a name that resolves inside, whatever else it resolves to', async () => {
    const answers: Record<string, string[]> = {
      'out.example': ['93.184.216.34'],
      'in.example': ['10.0.0.1'],
      'both.example': ['93.184.216.34', '127.0.0.1'],
    }
    const guard = new Guard([], {
      async lookup(host) {
        const found = answers[host]
        if (!found) throw new Error('unknown')
        return found.map(address => ({ address, family: 4 }))
      },
    })
    await validateBranding(guard, { logo_url: 'https://out.example/', footer_url: 'https://unknown.example/' })
    const errors = await validateBranding(
      guard,
      {
        logo_url: 'https://in.example/',
        footer_url: 'https://out.example/',
        upsell_offers: { sso: { label: 'x', url: 'https://both.example/' } },
      },
      'branding.',
    ).catch(error => error.errors)
    expect(Object.keys(errors)).toEqual(['branding.logo_url', 'branding.upsell_offers.sso.url'])
  })

  test('a symbol that cannot be fetched is none', async () => {
    const team = await given.tenant()
    expect(await refusedFields(team, { symbol_url: 'http://127.0.0.1/x.png' })).toEqual(['symbol_url'])
    expect(await refusedFields(team, { symbol_url: 'http://unknown.invalid/x.png' })).toEqual(['symbol_url'])
    expect((await team.patch('/branding', { symbol_url: null })).status).toBe(200)
  })
})

describe('what is offered', () => {
  test('modes, calls and thresholds are of a kind', async () => {
    const team = await given.tenant()
    for (const upsell_mode of ['hidden', 'silent', 'subtle', 'active', null])
      expect((await team.patch('/branding', { upsell_mode })).body.data.upsell_mode).toBe(upsell_mode)
    for (const upsell_cta of ['none', 'link', 'contact', null])
      expect((await team.patch('/branding', { upsell_cta })).body.data.upsell_cta).toBe(upsell_cta)
    for (const upsell_threshold of [0.5, 0.501, 0.99, null])
      expect((await team.patch('/branding', { upsell_threshold })).body.data.upsell_threshold).toBe(upsell_threshold)
    for (const upsell_mode of ['loud', '', 1])
      expect(await refusedFields(team, { upsell_mode })).toEqual(['upsell_mode'])
    for (const upsell_cta of ['checkout', 'buy', '', true])
      expect(await refusedFields(team, { upsell_cta })).toEqual(['upsell_cta'])
    for (const upsell_threshold of [0.49999, 0.991, 1, 80, '0.8', -1, 0])
      expect(await refusedFields(team, { upsell_threshold })).toEqual(['upsell_threshold'])
  })

  test('labels are of plans that are', async () => {
    const team = await given.tenant()
    const plan_labels = { free: 'x', hobby: 'y'.repeat(100), starter: '漢', pro: 'Ben & Söhne' }
    expect((await team.patch('/branding', { plan_labels })).body.data.plan_labels).toEqual(plan_labels)
    expect((await team.patch('/branding', { plan_labels: {} })).body.data.plan_labels).toEqual({})
    expect(await refusedFields(team, { plan_labels: { gold: 'x' } })).toEqual(['plan_labels.gold'])
    for (const label of ['', 'x'.repeat(101), 1, null, 'x\ny'])
      expect(await refusedFields(team, { plan_labels: { pro: label } })).toEqual(['plan_labels.pro'])
    for (const map of [[], 'x', 1]) expect(await refusedFields(team, { plan_labels: map })).toEqual(['plan_labels'])
  })

  test('offers are of features that are; others are ignored', async () => {
    const team = await given.tenant()
    const upsell_offers = {
      monitors: { label: 'x'.repeat(100), url: `${site}/monitors` },
      sso: { label: 'Sign-on' },
      teleport: { label: 5 },
      toString: 1,
    }
    expect((await team.patch('/branding', { upsell_offers })).body.data.upsell_offers).toEqual({
      monitors: upsell_offers.monitors,
      sso: { label: 'Sign-on', url: null },
    })
    for (const offer of [
      {},
      { label: '' },
      { label: 'x'.repeat(101) },
      { label: null, url: site },
      { label: 'x\r\ny' },
    ])
      expect(await refusedFields(team, { upsell_offers: { sso: offer } })).toEqual(['upsell_offers.sso.label'])
    for (const url of [
      '',
      'javascript:alert(1)',
      'http://127.0.0.1/',
      'https://user@example.com/',
      `${site}/${'x'.repeat(500)}`,
      5,
    ])
      expect(await refusedFields(team, { upsell_offers: { sso: { label: 'x', url } } })).toEqual([
        'upsell_offers.sso.url',
      ])
    for (const map of [[], 'x', 1, { sso: null }, { sso: 'x' }])
      expect((await refusedFields(team, { upsell_offers: map }))[0]).toMatch(/^upsell_offers/)
  })

  test('keys that reach into prototypes are refused', async () => {
    const team = await given.tenant()
    for (const field of ['plan_labels', 'upsell_offers'])
      for (const map of [
        '{"__proto__":{"label":"x"}}',
        '{"constructor":{"prototype":{"label":"x"}}}',
        '{"prototype":"x"}',
      ])
        expect(await refusedFields(team, `{"${field}":${map}}`)).toHaveLength(1)
    expect(({} as Record<string, unknown>).label).toBeUndefined()
  })

  test('nothing that is no branding is taken', async () => {
    const team = await given.tenant()
    const other = await given.tenant()
    expect(
      (
        await team.patch('/branding', {
          tenant_id: other.tenantId,
          effective: { brand_name: 'x' },
          updated_at: null,
          plan: 'pro',
        })
      ).status,
    ).toBe(200)
    expect((await other.get('/branding')).body.data.brand_name).toBe(null)
    for (const body of [[], 'x', 1])
      expect((await team.patch('/branding', body)).status).toBe(typeof body === 'string' ? 400 : 422)
  })
})
