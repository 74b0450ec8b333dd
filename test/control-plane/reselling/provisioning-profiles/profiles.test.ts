import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const path = '/reseller/provisioning-profiles'
const unknown = '7b4f1a52-5d0e-4a3d-9c55-f1b0a1a0c001'
const small = {
  name: 'Small shop',
  plan: 'starter',
  trial_days: 14,
  feature_overrides: { monitors: 12, on_call_schedules: true },
}

const template = async (reseller: CallerUnderTest, name = 'T'): Promise<string> =>
  (
    await reseller.post('/reseller/monitor-templates', {
      name,
      monitors: [{ name_template: 'One', url_template: 'https://example.com/' }],
    })
  ).body.data.id

describe('a template beyond the plan of a profile', () => {
  const wide = {
    name: 'Wide',
    monitors: [
      { name_template: 'Fast', url_template: 'https://example.com/', check_interval: 1 },
      {
        name_template: 'Crawled',
        url_template: 'https://example.com/',
        checks: [{ type: 'uptime', interval: 1 }, { type: 'lighthouse' }],
      },
      { name_template: 'Server', type: 'agent' },
    ],
  }
  const limited = {
    plan: 'free',
    feature_overrides: { monitors: 2, server_monitoring: false, lighthouse_audits: false },
  }

  test('is refused by the fields of the template when the profile is stored or changed', async () => {
    const reseller = await given.reseller()
    const { id } = (await reseller.post('/reseller/monitor-templates', wide)).body.data
    const { status, body } = await reseller.post(path, { name: 'P', ...limited, monitor_template_id: id })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual([
      'monitor_template.monitors',
      'monitor_template.monitors.0.check_interval',
      'monitor_template.monitors.1.checks.0.interval',
      'monitor_template.monitors.1.checks.1.type',
      'monitor_template.monitors.2.type',
      'monitor_template_id',
    ])
    const feature_overrides = { monitors: 3, min_check_interval: 1, lighthouse_audits: true, server_monitoring: true }
    const allowed = { name: 'P', plan: 'pro', feature_overrides, monitor_template_id: id }
    const made = await reseller.post(path, allowed)
    expect(made.status, made.text).toBe(201)
    expect((await reseller.patch(`${path}/${made.body.data.id}`, limited)).status).toBe(422)
    expect((await reseller.patch(`${path}/${made.body.data.id}`, { trial_days: 3 })).status).toBe(200)
  })

  test('of one that was stored before stays, and changes that do not touch it are accepted', async () => {
    const reseller = await given.reseller()
    const monitor_template_id = (await reseller.post('/reseller/monitor-templates', wide)).body.data.id
    const { id } = (await reseller.post(path, { name: 'P', ...limited })).body.data
    await app.services.platform.query('update provisioning_profiles set monitor_template_id = $2 where id = $1', [
      id,
      monitor_template_id,
    ])
    expect((await reseller.patch(`${path}/${id}`, { name: 'Q' })).status).toBe(200)
    expect((await reseller.patch(`${path}/${id}`, { feature_overrides: { monitors: 3 } })).status).toBe(422)
  })
})

describe('provisioning profiles', () => {
  test('are made, read, listed by name, changed and deleted, and every step is in the audit trail', async () => {
    const reseller = await given.reseller({ scopes: ['teams:write', 'teams:read'] })
    const monitor_template_id = await template(reseller)
    const made = await reseller.post(path, { ...small, monitor_template_id })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({ ...small, branding: {}, monitor_template_id })
    const { id } = made.body.data
    expect((await reseller.get(`${path}/${id}`)).body).toEqual(made.body)
    const bare = await reseller.post(path, { name: 'Bare' })
    expect(bare.body.data).toMatchObject({
      plan: 'free',
      trial_days: null,
      feature_overrides: {},
      branding: {},
      monitor_template_id: null,
    })
    const list = (await reseller.get(`${path}?per_page=1&page=2`)).body
    expect(list.data.map((profile: { name: string }) => profile.name)).toEqual(['Small shop'])
    expect(list.meta).toEqual({ current_page: 2, last_page: 2, per_page: 1, total: 2 })

    const changed = await reseller.patch(`${path}/${id}`, {
      trial_days: null,
      monitor_template_id: null,
      feature_overrides: { monitors: null },
    })
    expect(changed.body.data).toMatchObject({
      name: 'Small shop',
      plan: 'starter',
      trial_days: null,
      monitor_template_id: null,
      feature_overrides: { monitors: null },
    })
    expect((await reseller.patch(`${path}/${id}`, {})).body).toEqual(changed.body)
    expect((await reseller.delete(`${path}/${id}`)).status).toBe(204)
    expect((await reseller.get(`${path}/${id}`)).status).toBe(404)
    expect((await app.audited(reseller)).filter(action => action.startsWith('provisioning'))).toEqual([
      'provisioning_profile.created',
      'provisioning_profile.created',
      'provisioning_profile.updated',
      'provisioning_profile.deleted',
    ])
    const { rows } = await app.services.platform.query(
      `select changes from audit_entries where tenant_id = $1 and action = 'provisioning_profile.updated'`,
      [reseller.tenantId],
    )
    expect(rows[0].changes).toEqual({
      trial_days: { before: 14, after: null },
      feature_overrides: { before: small.feature_overrides, after: { monitors: null } },
      monitor_template_id: { before: monitor_template_id, after: null },
    })
  })

  test('another reseller’s profile, and another reseller’s template, are as unknown as what never was', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const { id } = (await reseller.post(path, small)).body.data
    for (const [method, body] of [['GET'], ['PATCH', { name: 'Mine' }], ['DELETE']] as const) {
      const foreign = await rival.call(method, `${path}/${id}`, body)
      const absent = await rival.call(method, `${path}/${unknown}`, body)
      expect(foreign.status).toBe(404)
      expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' })
    }
    expect((await rival.get(path)).body.data).toEqual([])
    for (const monitor_template_id of [await template(reseller), unknown]) {
      expect((await rival.post(path, { ...small, monitor_template_id })).body.errors).toEqual({
        monitor_template_id: ['There is no such template.'],
      })
      const own = (await rival.post(path, small)).body.data.id
      expect((await rival.patch(`${path}/${own}`, { monitor_template_id })).status).toBe(422)
    }
    expect((await reseller.get(`${path}/${id}`)).body.data.name).toBe('Small shop')
  })

  test('take a reseller token with the scope and no other', async () => {
    const reader = await given.reseller({ scopes: ['teams:read'] })
    expect((await reader.get(path)).status).toBe(200)
    expect((await reader.post(path, small)).status).toBe(403)
    expect((await reader.delete(`${path}/${unknown}`)).status).toBe(403)
    expect((await (await given.reseller({ scopes: ['monitors:manage'] })).get(path)).status).toBe(403)
    for (const other of [await given.tenant(), await given.token(reader, 'sk', ['team:manage'])])
      expect((await other.get(path)).status).toBe(403)
    expect((await given.stranger().get(path)).status).toBe(401)
  })

  test('are refused with what a team would be refused with', async () => {
    const reseller = await given.reseller()
    for (const [fields, field] of [
      [{ name: '' }, 'name'],
      [{ name: 'é'.repeat(256) }, 'name'],
      [{ name: null }, 'name'],
      [{ name: undefined }, 'name'],
      [{ plan: 'gold' }, 'plan'],
      [{ plan: null }, 'plan'],
      [{ trial_days: 0 }, 'trial_days'],
      [{ trial_days: 366 }, 'trial_days'],
      [{ trial_days: 1.5 }, 'trial_days'],
      [{ trial_days: '14' }, 'trial_days'],
      [{ feature_overrides: { monitors: 'many' } }, 'feature_overrides.monitors'],
      [{ feature_overrides: { on_call_schedules: 1 } }, 'feature_overrides.on_call_schedules'],
      [{ feature_overrides: { monitors: '__remove__' } }, 'feature_overrides.monitors'],
      [{ feature_overrides: { teleportation: true } }, 'feature_overrides.teleportation'],
      [{ feature_overrides: [] }, 'feature_overrides'],
      [{ feature_overrides: null }, 'feature_overrides'],
      [{ branding: { primary_color: 'red' } }, 'branding.primary_color'],
      [{ branding: { alert_prefix: 'x'.repeat(51) } }, 'branding.alert_prefix'],
      [{ branding: { upsell_cta: 'checkout' } }, 'branding.upsell_cta'],
      [{ branding: { logo_url: 'http://127.0.0.1/logo.png' } }, 'branding.logo_url'],
      [
        { branding: { upsell_offers: { monitors: { label: 'More', url: 'http://10.0.0.1/' } } } },
        'branding.upsell_offers.monitors.url',
      ],
      [{ branding: null }, 'branding'],
      [{ monitor_template_id: 'x' }, 'monitor_template_id'],
    ] as const) {
      const { status, body } = await reseller.post(path, { ...small, ...fields })
      expect(status, JSON.stringify(fields)).toBe(422)
      expect(Object.keys(body.errors), JSON.stringify(fields)).toEqual([field])
    }
    for (const trial_days of [1, 365, null])
      expect((await reseller.post(path, { ...small, trial_days })).status).toBe(201)
    expect((await reseller.post(path, { ...small, name: 'é'.repeat(255) })).status).toBe(201)
  })

  test('take the brand’s mark away only where the plan lets them', async () => {
    const reseller = await given.reseller()
    const branding = { hide_powered_by: true }
    expect((await reseller.post(path, { ...small, branding })).status).toBe(403)
    const { id } = (await reseller.post(path, { ...small, plan: 'pro', branding })).body.data
    expect((await reseller.patch(`${path}/${id}`, { plan: 'free' })).body).toMatchObject({
      code: 'not_in_plan',
      quota: 'white_label_branding',
      plan: 'free',
    })
    expect(
      (await reseller.patch(`${path}/${id}`, { plan: 'free', feature_overrides: { white_label_branding: true } }))
        .status,
    ).toBe(200)
  })

  test('a template in use is not deleted, also when both are asked for at once', async () => {
    const reseller = await given.reseller()
    const id = await template(reseller)
    const profile = (await reseller.post(path, { name: 'Its user', monitor_template_id: id })).body.data
    const refused = await reseller.delete(`/reseller/monitor-templates/${id}`)
    expect(refused.status).toBe(422)
    expect(refused.body).toMatchObject({ code: 'in_use', errors: { monitor_template: ['Used by: Its user.'] } })
    await reseller.patch(`${path}/${profile.id}`, { monitor_template_id: null })
    expect((await reseller.delete(`/reseller/monitor-templates/${id}`)).status).toBe(204)

    for (let round = 0; round < 10; round++) {
      const contested = await template(reseller, `T${round}`)
      const [made, gone] = await Promise.all([
        reseller.post(path, { name: 'Racer', monitor_template_id: contested }),
        reseller.delete(`/reseller/monitor-templates/${contested}`),
      ])
      expect([`${made.status} ${gone.status}`]).toEqual([expect.stringMatching(/^(201 422|422 204)$/)])
    }
  })
})
