import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mostDomains } from '#control-plane/reselling/portal/view.ts'
import { aHostname } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, given } from '#test/support/app.ts'

const aSlug = () => `portal-${randomUUID()}`
const { platform, config } = app.services

describe('portal settings', () => {
  test('are those of the team, by its people, and by its reseller with the scope of portals', async () => {
    const reseller = await given.reseller({ scopes: ['portal:manage'] })
    const team = await given.team(reseller)
    const initial = await team.get('/portal')
    expect(initial.status).toBe(200)
    expect(initial.body.data).toEqual({
      slug: null,
      is_enabled: true,
      support_email: null,
      url: config.baseUrl,
      sign_up: { is_enabled: false, plan: null, profile_id: null, allowed_email_domains: [], is_open: false },
    })
    const slug = aSlug()
    const changed = await reseller.patch(`${team.path}/portal`, { slug, support_email: 'help@example.com' })
    expect(changed.body.data).toMatchObject({
      slug,
      support_email: 'help@example.com',
      url: `${config.baseUrl}/p/${slug}`,
    })
    expect((await team.get('/portal')).body.data).toEqual(changed.body.data)
    expect((await team.patch('/portal', { slug: null })).body.data.slug).toBeNull()
    expect((await team.patch('/portal', {})).status).toBe(200)
    expect(await app.audited(team)).toEqual(['portal.updated', 'portal.updated'])
    const without = await given.token(reseller, 'rk', ['branding:manage'])
    expect((await without.get(`${team.path}/portal`)).status).toBe(403)
  })

  test('of the reseller itself have sign-ups, with a plan and a profile of its own', async () => {
    const reseller = await given.reseller({ scopes: ['portal:manage', 'teams:manage'] })
    const profile = await reseller.post('/reseller/provisioning-profiles', {
      name: 'Trial',
      plan: 'pro',
      trial_days: 14,
    })
    const sign_up = {
      is_enabled: true,
      plan: 'starter',
      profile_id: profile.body.data.id,
      allowed_email_domains: ['example.com', 'example.org'],
    }
    const changed = await reseller.patch('/reseller/portal', { sign_up })
    expect(changed.body.data.sign_up).toEqual({ ...sign_up, is_open: true })
    expect((await reseller.get('/reseller/portal')).body.data).toEqual(changed.body.data)
    const off = await reseller.patch('/reseller/portal', { sign_up: { plan: null }, is_enabled: false })
    expect(off.body.data).toMatchObject({ is_enabled: false, sign_up: { ...sign_up, plan: null, is_open: false } })
    await reseller.delete(`/reseller/provisioning-profiles/${sign_up.profile_id}`)
    expect((await reseller.get('/reseller/portal')).body.data.sign_up.profile_id).toBeNull()
  })

  test('name no profile for sign-ups whose template needs values', async () => {
    const reseller = await given.reseller({ scopes: ['portal:manage', 'teams:manage'] })
    const profileWith = async (variables: unknown[]) => {
      const template = await reseller.post('/reseller/monitor-templates', {
        name: `Shop ${randomUUID()}`,
        variables,
        monitors: [{ name_template: 'Shop', url_template: 'https://{{domain}}/', type: 'website', checks: [] }],
      })
      expect(template.status, template.text).toBe(201)
      const made = { name: `Trial ${randomUUID()}`, monitor_template_id: template.body.data.id }
      return (await reseller.post('/reseller/provisioning-profiles', made)).body.data.id
    }
    const needing = await profileWith([{ name: 'domain', label: 'Domain', required: true }])
    const refused = await reseller.patch('/reseller/portal', { sign_up: { profile_id: needing } })
    expect(refused.status).toBe(422)
    expect(refused.body.errors['sign_up.profile_id'][0]).toContain('domain')
    const usual = await profileWith([{ name: 'domain', label: 'Domain', required: true, default: 'example.com' }])
    expect((await reseller.patch('/reseller/portal', { sign_up: { profile_id: usual } })).status).toBe(200)
  })

  test('of a team have no sign-ups, and name no profile of another reseller', async () => {
    const [reseller, other] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    const refused = await team.patch('/portal', { sign_up: { is_enabled: true } })
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual(['sign_up'])
    const profile = await other.post('/reseller/provisioning-profiles', { name: 'Theirs' })
    const foreign = await reseller.patch('/reseller/portal', { sign_up: { profile_id: profile.body.data.id } })
    expect(foreign.status).toBe(422)
    expect(Object.keys(foreign.body.errors)).toEqual(['sign_up.profile_id'])
  })

  test('refuse a slug of another tenant, also to two at the same moment', async () => {
    const [one, two] = [await given.tenant(), await given.tenant()]
    const slug = aSlug()
    const answers = await Promise.all([one, two].map(team => team.patch('/portal', { slug })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(answers.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'taken',
      errors: { slug: ['Is already taken.'] },
    })
  })

  test.each([
    [{ slug: 'Upper' }, 'slug'],
    [{ slug: 'a--b' }, 'slug'],
    [{ slug: 'a'.repeat(101) }, 'slug'],
    [{ support_email: 'no address' }, 'support_email'],
    [{ is_enabled: 'yes' }, 'is_enabled'],
    [{ sign_up: { plan: 'gold' } }, 'sign_up.plan'],
    [{ sign_up: { allowed_email_domains: ['@example.com'] } }, 'sign_up.allowed_email_domains.0'],
    [{ sign_up: { allowed_email_domains: ['a.example', 'A.example'] } }, 'sign_up.allowed_email_domains'],
    [
      { sign_up: { allowed_email_domains: Array.from({ length: mostDomains + 1 }, (_, n) => `a${n}.example`) } },
      'sign_up.allowed_email_domains',
    ],
  ])('refuse %j', async (body, field) => {
    const reseller = await given.reseller()
    const refused = await reseller.patch('/reseller/portal', body)
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual([field])
  })

  test('take the longest slug and as many domains as are allowed', async () => {
    const reseller = await given.reseller()
    const allowed_email_domains = Array.from({ length: mostDomains }, (_, n) => `a${n}.example`)
    const slug = `${aSlug()}-`.padEnd(100, 'a')
    expect((await reseller.patch('/reseller/portal', { slug, sign_up: { allowed_email_domains } })).status).toBe(200)
  })
})

describe('the domain of a reseller’s own portal', () => {
  test('is added, read, changed and deleted by its token', async () => {
    const reseller = await given.reseller({ scopes: ['portal:manage'] })
    const hostname = aHostname()
    const created = await reseller.post('/reseller/custom-domains', { hostname, purpose: 'portal' })
    expect(created.status).toBe(201)
    const path = `/reseller/custom-domains/${created.body.data.id}`
    expect((await reseller.get('/reseller/custom-domains')).body.data).toEqual([created.body.data])
    expect((await reseller.get(path)).body.data).toEqual(created.body.data)
    expect((await reseller.post(`${path}/verify`)).body.data.state).toBe('pending_dns')
    await platform.query(`update custom_domains set state = 'active' where hostname = $1`, [hostname])
    const { port } = new URL(config.baseUrl)
    expect((await reseller.get('/reseller/portal')).body.data.url).toBe(`http://${hostname}${port && `:${port}`}`)
    await reseller.patch('/reseller/portal', { is_enabled: false })
    expect((await reseller.get('/reseller/portal')).body.data.url).toBe(config.baseUrl)
    expect((await reseller.patch(path, { is_enabled: false })).body.data.state).toBe('disabled')
    expect((await reseller.delete(path)).status).toBe(204)
    const other = await given.reseller({ scopes: ['portal:manage'] })
    expect((await other.get(path)).status).toBe(404)
    const reader = await given.token(reseller, 'rk', ['portal:read'])
    expect((await reader.post('/reseller/custom-domains', { hostname })).status).toBe(403)
  })
})
