import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const teams = '/reseller/managed-teams'
const acme = () => ({ name: 'Acme', slug: `acme-${randomUUID()}` })
const monitors = [
  { name_template: 'Site of {{client}}', url_template: 'https://{{domain}}/' },
  { name_template: 'Mail', url_template: '{{domain}}', type: 'host' },
]

async function aProfile(reseller: CallerUnderTest, fields: Record<string, unknown> = {}): Promise<string> {
  const template = await reseller.post('/reseller/monitor-templates', {
    name: 'T',
    monitors,
    variables: [{ name: 'client' }, { name: 'domain' }],
  })
  const made = await reseller.post('/reseller/provisioning-profiles', {
    name: 'P',
    plan: 'starter',
    trial_days: 14,
    feature_overrides: { monitors: 7, status_pages: null, white_label_branding: true },
    branding: { brand_name: 'Small shops', primary_color: '#336699', hide_powered_by: true },
    monitor_template_id: template.body.data.id,
    ...fields,
  })
  expect(made.status, made.text).toBe(201)
  return made.body.data.id
}

/** Profiles that were stored before their templates were tried may have one beyond their plan. */
const storeAsBefore = (id: string, plan: string, overrides: Record<string, unknown>) =>
  app.services.platform.query('update provisioning_profiles set plan = $2, feature_overrides = $3 where id = $1', [
    id,
    plan,
    JSON.stringify(overrides),
  ])

const variables = { client: 'Acme', domain: 'acme.example' }

describe('POST /reseller/managed-teams with a profile', () => {
  test('founds a team as the profile says, its monitors filled in', async () => {
    const reseller = await given.reseller()
    const profile_id = await aProfile(reseller)
    const { status, body } = await reseller.post(teams, { ...acme(), profile_id, variables })
    expect(status, JSON.stringify(body)).toBe(201)
    expect(body.data).toMatchObject({ plan: 'starter', on_trial: true, monitors_count: 2 })
    expect(Date.parse(body.data.trial_ends_at) - Date.parse(body.data.created_at)).toBe(14 * 86_400_000)
    const inTeam = `${teams}/${body.data.id}`
    expect((await reseller.get(`${inTeam}/monitors?sort=created_at&sort_dir=asc`)).body.data).toMatchObject([
      { name: 'Site of Acme', url: 'https://acme.example/', checks: [{ type: 'uptime' }] },
      { name: 'Mail', url: 'host://acme.example', checks: [{ type: 'ping' }] },
    ])
    expect((await reseller.get(`${inTeam}/plan`)).body.data.limits).toMatchObject({ monitors: 7 })
    expect((await reseller.get(`${inTeam}/feature-overrides`)).body.data.effective_limits).toMatchObject({
      monitors: 7,
      status_pages: null,
    })
    expect((await reseller.get(`${inTeam}/branding`)).body.data).toMatchObject({
      brand_name: 'Small shops',
      primary_color: '#336699',
      hide_powered_by: true,
      footer_text: null,
    })
    const team = { tenantId: body.data.tenant_id }
    expect(await app.emitted(team)).toEqual(['monitor.created', 'monitor.created'])
    expect(await app.emitted(reseller)).toEqual(['team.provisioned'])
    expect((await app.audited(team)).sort()).toEqual(['branding.updated', 'monitor.created', 'monitor.created'])
  })

  test('creates a team with jobs and servers, and returns once how they report', async () => {
    const reseller = await given.reseller()
    const mixed = [
      ...monitors,
      {
        name_template: 'Backup of {{client}}',
        type: 'cron',
        checks: [{ type: 'cron', settings: { period_minutes: 60 } }],
      },
      { name_template: 'Server', type: 'agent' },
    ]
    const template = await reseller.post('/reseller/monitor-templates', {
      name: 'T',
      monitors: mixed,
      variables: [{ name: 'client' }, { name: 'domain' }],
    })
    const feature_overrides = { monitors: 7, white_label_branding: true, server_monitoring: true, agent_limit: 1 }
    const monitor_template_id = template.body.data.id
    const profile_id = await aProfile(reseller, { monitor_template_id, feature_overrides })
    const wanted = { ...acme(), profile_id, variables, external_ref: randomUUID() }
    const { status, body } = await reseller.post(teams, wanted)
    expect([status, body.data?.monitors_count]).toEqual([201, 4])
    expect(body.connections).toMatchObject([
      { name: 'Backup of Acme', type: 'cron', ping_url: expect.stringContaining('/api/ping/'), plain_text_token: null },
      { name: 'Server', type: 'agent', ping_url: null, plain_text_token: expect.stringMatching(/^am-/) },
    ])
    expect((await reseller.post(teams, wanted)).body).toMatchObject({ data: { id: body.data.id }, connections: [] })
    const poor = await aProfile(reseller, { monitor_template_id, feature_overrides, branding: {} })
    await storeAsBefore(poor, 'free', {})
    expect((await reseller.post(teams, { ...acme(), profile_id: poor, variables })).body).toMatchObject({
      code: 'not_in_plan',
      quota: 'server_monitoring',
    })
  })

  test('what is sent comes before what the profile says', async () => {
    const reseller = await given.reseller()
    const profile_id = await aProfile(reseller, { monitor_template_id: null })
    const { body } = await reseller.post(teams, { ...acme(), profile_id, plan: 'pro', trial_days: null })
    expect(body.data).toMatchObject({ plan: 'pro', on_trial: false, monitors_count: 0 })
  })

  test('founds nothing when the template cannot be filled, or makes more than the plan allows', async () => {
    const reseller = await given.reseller()
    const profile_id = await aProfile(reseller)
    const tight = await aProfile(reseller, { branding: {} })
    await storeAsBefore(tight, 'starter', { monitors: 1 })
    const team = acme()
    for (const [sent, field] of [
      [{ profile_id }, 'variables.client'],
      [{ profile_id, variables: { client: 'A' } }, 'variables.domain'],
      [{ profile_id, variables: { ...variables, other: 'x' } }, 'variables.other'],
      [{ profile_id, variables: { client: 'A', domain: '127.0.0.1' } }, 'monitors.0.url'],
      [{ profile_id: tight, variables }, 'monitors'],
      [{ profile_id: randomUUID(), variables }, 'profile_id'],
      [{ profile_id: 'x' }, 'profile_id'],
      [{ variables }, 'profile_id'],
    ] as const) {
      const { status, body } = await reseller.post(teams, { ...team, ...sent })
      expect(status, JSON.stringify(sent)).toBe(422)
      expect(Object.keys(body.errors), JSON.stringify(sent)).toContain(field)
    }
    expect((await reseller.get(teams)).body.data).toEqual([])
    expect(await app.emitted(reseller)).toEqual([])
    expect((await reseller.post(teams, { ...team, profile_id, variables })).status).toBe(201)
  })

  test('a plan that is sent must grant what the profile asks for', async () => {
    const reseller = await given.reseller()
    const profile_id = await aProfile(reseller, { plan: 'pro', feature_overrides: {} })
    expect((await reseller.post(teams, { ...acme(), profile_id, variables, plan: 'free' })).body).toMatchObject({
      code: 'not_in_plan',
      quota: 'white_label_branding',
      plan: 'free',
    })
    expect((await reseller.post(teams, { ...acme(), profile_id, variables })).status).toBe(201)
  })

  test('another reseller’s profile is as unknown as one that never was', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const foreign = await reseller.post(teams, { ...acme(), profile_id: await aProfile(rival), variables })
    const absent = await reseller.post(teams, { ...acme(), profile_id: randomUUID(), variables })
    expect(foreign.status).toBe(422)
    expect({ ...foreign.body, request_id: '' }).toEqual({ ...absent.body, request_id: '' })
  })

  test('values for a profile without a template are refused', async () => {
    const reseller = await given.reseller()
    const profile_id = await aProfile(reseller, { monitor_template_id: null })
    const { status, body } = await reseller.post(teams, { ...acme(), profile_id, variables })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['variables'])
  })
})
