import { createHmac, timingSafeEqual } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { planLimits, plannedFeatures } from '#contract/plans.ts'
import { encryptWebhookSecret } from '#control-plane/tenancy/branding/webhook-secret.ts'
import { signUpgrade, upgradeLink } from '#control-plane/tenancy/plans/upgrade-link.ts'
import { app, given } from '#test/support/app.ts'

const absent: readonly string[] = plannedFeatures
const site = 'https://93.184.216.34'
const shop = { name: 'Shop', url: 'https://shop.example.com/' }

const aTeam = async (branding: Record<string, unknown>, overrides: Record<string, unknown> = {}) => {
  const reseller = await given.reseller()
  const team = await given.team(reseller, { plan: 'hobby', overrides })
  expect((await reseller.patch('/branding', branding)).status).toBe(200)
  return { reseller, team, upsell: async () => (await team.get('/plan')).body.data.upsell }
}
const secretOf = (reseller: { tenantId: string }, secret: string) =>
  app.services.platform.query('update tenants set webhook_secret = $2 where id = $1', [
    reseller.tenantId,
    encryptWebhookSecret(app.services.config, reseller.tenantId, secret),
  ])

describe('the upsell block of GET /plan', () => {
  test('by default is silent', async () => {
    const { upsell } = await aTeam({ plan_labels: { hobby: 'Basic' }, upgrade_url: `${site}/upgrade` })
    expect(await upsell()).toMatchObject({
      mode: 'hidden',
      cta: 'none',
      plan_label: 'Basic',
      suggested_plan: null,
      url: null,
      features: [],
    })
  })

  test('offers nothing that the service does not have', async () => {
    const offer = { label: 'More', url: `${site}/more` }
    const upsell_offers = Object.fromEntries([...plannedFeatures, 'monitors'].map(feature => [feature, offer]))
    const { reseller, team, upsell } = await aTeam(
      { upsell_mode: 'active', upsell_cta: 'contact', support_url: `${site}/help`, upsell_offers },
      Object.fromEntries(
        plannedFeatures.map(feature => [feature, typeof planLimits.free[feature] === 'boolean' ? false : 0]),
      ),
    )
    const { offers, features } = await upsell()
    const offered: string[] = features.map(({ feature }: { feature: string }) => feature)
    expect(offered).toContain('custom_smtp')
    expect(offered.filter(feature => absent.includes(feature))).toEqual([])
    expect(Object.keys(offers)).toEqual(['monitors'])
    const { limits, usage } = (await team.get('/plan')).body.data
    expect([...Object.keys(limits), ...Object.keys(usage)].filter(feature => absent.includes(feature))).toEqual([])
    // a reseller may prepare them: what it overrides it reads back
    expect((await reseller.get(`${team.path}/feature-overrides`)).body.data.overrides).toMatchObject({
      sms_credits: 0,
    })
  })

  test('speaks of what is locked, used up, and in active mode of what nearly is', async () => {
    const { reseller, team, upsell } = await aTeam(
      {
        upsell_mode: 'active',
        upsell_cta: 'contact',
        support_url: `${site}/help`,
        upsell_offers: { monitors: { label: 'More monitors', url: `${site}/more` } },
      },
      { monitors: 4, team_members: 1 },
    )
    await team.post('/monitors/bulk', { monitors: [shop, shop, shop] })
    const near = async (feature: string) =>
      (await upsell()).features.find((each: { feature: string }) => each.feature === feature)
    expect(await near('monitors')).toBeUndefined()
    expect(await near('team_members')).toEqual({
      feature: 'team_members',
      state: 'reached',
      current: 1,
      limit: 1,
      suggested_plan: 'starter',
      label: null,
      url: `${site}/help`,
    })
    expect(await near('custom_smtp')).toMatchObject({
      state: 'locked',
      current: null,
      limit: null,
      suggested_plan: 'pro',
      url: `${site}/help`,
    })
    expect(await near('api_access')).toBeUndefined()

    await reseller.patch(`${team.path}/branding`, { upsell_threshold: 0.75 })
    expect(await near('monitors')).toEqual({
      feature: 'monitors',
      state: 'near',
      current: 3,
      limit: 4,
      suggested_plan: 'starter',
      label: 'More monitors',
      url: `${site}/more`,
    })
    await reseller.patch(`${team.path}/branding`, { upsell_threshold: 0.76 })
    expect(await near('monitors')).toBeUndefined()
    await reseller.patch(`${team.path}/branding`, { upsell_threshold: 0.5, upsell_mode: 'subtle' })
    expect(await near('monitors')).toBeUndefined()
    expect(await near('custom_smtp')).toBeDefined()
    for (const upsell_mode of ['silent', 'hidden']) {
      await reseller.patch(`${team.path}/branding`, { upsell_mode })
      expect(await upsell()).toMatchObject({ mode: upsell_mode, features: [], url: null })
    }
  })

  test('links to the upgrade page, signed with the reseller’s secret', async () => {
    const { reseller, team, upsell } = await aTeam({
      upsell_mode: 'active',
      upsell_cta: 'link',
      upgrade_url: `${site}/upgrade?from=app&sig=forged&feature=x#plans`,
    })
    const unsigned = new URL((await upsell()).url)
    expect(unsigned.searchParams.get('sig')).toBeNull()
    expect(unsigned.searchParams.get('ts')).toMatch(/^\d{10}$/)

    await secretOf(reseller, 'whsec ✓')
    const { url, features } = await upsell()
    const link = new URL(url)
    expect(link.origin + link.pathname + link.hash).toBe(`${site}/upgrade#plans`)
    const { sig, ts, ...parameters } = Object.fromEntries(link.searchParams)
    expect(parameters).toEqual({ from: 'app', tenant: team.tenantId, plan: 'hobby', suggested_plan: 'starter' })
    expect(Math.abs(Number(ts) - Date.now() / 1_000)).toBeLessThan(60)
    expect(sig).toBe(
      createHmac('sha256', 'whsec ✓').update(`tenant=${team.tenantId}&plan=hobby&ts=${ts}`).digest('hex'),
    )
    const smtp = new URL(features.find((each: { feature: string }) => each.feature === 'custom_smtp').url)
    expect(Object.fromEntries(smtp.searchParams)).toMatchObject({
      feature: 'custom_smtp',
      suggested_plan: 'pro',
      sig: expect.stringMatching(/^[\da-f]{64}$/),
    })
  })

  test('is verified by its receiver: another tenant, plan, time or secret does not hold, nor an old link', async () => {
    const { reseller, upsell } = await aTeam({
      upsell_mode: 'active',
      upsell_cta: 'link',
      upgrade_url: `${site}/upgrade`,
    })
    await secretOf(reseller, 'of the receiver')
    /** As a reseller's page does it, from the specification alone. */
    const verifies = (link: URL, secret = 'of the receiver', now = Date.now()) => {
      const [tenant, plan, ts, sig] = ['tenant', 'plan', 'ts', 'sig'].map(name => link.searchParams.get(name) ?? '')
      const right = createHmac('sha256', secret).update(`tenant=${tenant}&plan=${plan}&ts=${ts}`).digest()
      const given = Buffer.from(sig ?? '', 'hex')
      const isRight = given.length === right.length && timingSafeEqual(given, right)
      return isRight && Math.abs(now / 1_000 - Number(ts)) <= 300
    }
    const { url } = await upsell()
    const forged = (name: string, value: string) => {
      const link = new URL(url)
      link.searchParams.set(name, value)
      return link
    }
    expect(verifies(new URL(url))).toBe(true)
    expect(verifies(new URL(url), 'another secret')).toBe(false)
    expect(verifies(new URL(url), 'of the receiver', Date.now() + 3_600_000)).toBe(false)
    for (const [name, value] of [
      ['tenant', crypto.randomUUID()],
      ['plan', 'pro'],
      ['ts', String(Math.floor(Date.now() / 1_000) + 5)],
      ['sig', '00'],
    ] as const)
      expect(verifies(forged(name, value)), name).toBe(false)
  })

  test('never reveals the secret', async () => {
    const { reseller, team } = await aTeam({
      upsell_mode: 'active',
      upsell_cta: 'link',
      upgrade_url: `${site}/upgrade`,
    })
    await secretOf(reseller, 'top-secret-words')
    for (const answer of [
      await team.get('/plan'),
      await reseller.get(`${team.path}/plan`),
      await team.get('/branding'),
      await reseller.get('/branding'),
    ]) {
      expect(answer.status).toBe(200)
      expect(answer.text).not.toMatch(/top-secret-words|webhook_secret|v1\./)
    }
  })

  test('without an upgrade page, or a call, leads nowhere', async () => {
    const { reseller, upsell } = await aTeam({
      upsell_mode: 'active',
      upsell_cta: 'link',
      upsell_offers: { custom_smtp: { label: 'Own mail', url: `${site}/smtp` } },
    })
    const smtp = async () =>
      (await upsell()).features.find((each: { feature: string }) => each.feature === 'custom_smtp')
    expect((await upsell()).url).toBeNull()
    expect((await smtp()).url).toBe(`${site}/smtp`)
    await reseller.patch('/branding', { upsell_cta: 'none' })
    expect(await smtp()).toMatchObject({ label: 'Own mail', url: null })
  })

  test('of the largest plan suggests nothing', async () => {
    const { team, upsell } = await aTeam({ upsell_mode: 'active' })
    await app.services.platform.query(
      `update tenants set plan = 'pro', feature_overrides = '{"monitors":0,"custom_smtp":false}' where id = $1`,
      [team.tenantId],
    )
    const block = await upsell()
    expect(block.suggested_plan).toBeNull()
    expect(block.features.map((each: { suggested_plan: string | null }) => each.suggested_plan)).toEqual([null, null])
  })
})

describe('signing', () => {
  const at = new Date('2026-11-21T12:00:00Z')
  const key = 'secret'
  const hmac = (text: string) => createHmac('sha256', key).update(text).digest('hex')

  test('is of tenant, plan and moment, in this order', () => {
    expect(signUpgrade(key, { tenantId: 'b3c1', plan: 'pro' }, 1_795_262_400)).toBe(
      hmac('tenant=b3c1&plan=pro&ts=1795262400'),
    )
    expect(signUpgrade(key, { tenantId: 'b3c1', plan: 'pro' }, 1)).toBe(
      '68122cf7020a98ab64e51c8f2197a53116106a090564fa2a41f414dd7302ab97',
    )
  })

  test('no value can pass for another field', () => {
    const sign = (tenantId: string, plan: string) => signUpgrade(key, { tenantId, plan }, 1)
    expect(sign('a&plan=pro', 'free')).toBe(hmac('tenant=a%26plan%3Dpro&plan=free&ts=1'))
    expect(sign('a', 'pro&ts=9')).not.toBe(sign('a', 'pro'))
    expect(sign('a', 'ü b')).toBe(hmac('tenant=a&plan=%C3%BC%20b&ts=1'))
  })

  test('overrides what the page’s own address says of these', () => {
    const link = new URL(
      upgradeLink('https://u.example/?tenant=x&tenant=y&ts=0&sig=z&keep=1', {
        tenantId: 't',
        plan: 'free',
        secret: null,
        at,
      }),
    )
    expect([...link.searchParams.keys()].sort()).toEqual(['keep', 'plan', 'tenant', 'ts'])
    expect(link.searchParams.getAll('tenant')).toEqual(['t'])
  })
})
