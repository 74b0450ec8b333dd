import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { standIn } from './stand-in.ts'

const ours = {
  brand_name: 'Vedette',
  alert_prefix: null,
  logo_url: null,
  logo_url_dark: null,
  symbol_url: null,
  symbol_letter: 'V',
  favicon_url: null,
  footer_url: null,
  privacy_url: null,
  imprint_url: null,
  upgrade_url: null,
  support_url: null,
  primary_color: '#1f6feb',
  secondary_color: '#0d1b2a',
  footer_text: null,
  hide_powered_by: false,
  notification_from_name: null,
  upsell_mode: 'hidden',
  upsell_cta: 'none',
  plan_labels: {},
  upsell_offers: {},
  upsell_threshold: 0.8,
}

describe('GET /branding', () => {
  test('returns a team’s own branding and the one in effect', async () => {
    const team = await given.tenant()
    const { status, body } = await team.get('/branding')
    expect(status).toBe(200)
    const { effective, ...own } = body.data
    expect(effective).toEqual(ours)
    expect(new Set(Object.values(own))).toEqual(new Set([null]))
    expect(Object.keys(own).sort()).toEqual(
      Object.keys(ours)
        .filter(name => name !== 'symbol_letter')
        .sort(),
    )
  })

  test('a team appears as its reseller does, where it has nothing of its own', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await reseller.patch('/branding', {
      brand_name: 'Hosting & Söhne',
      favicon_url: 'https://93.184.216.34/icon.png',
      footer_text: 'From us',
      plan_labels: { free: 'Basic', pro: 'Business' },
      upsell_offers: {
        monitors: { label: 'More monitors', url: 'https://93.184.216.34/monitors' },
        sso: { label: 'Sign-on' },
      },
      upsell_mode: 'active',
    })
    await reseller.patch(`${team.path}/branding`, {
      brand_name: 'ätna',
      plan_labels: { free: 'Start' },
      upsell_offers: { monitors: { label: 'Grow' } },
      upsell_mode: 'subtle',
    })
    const { body } = await team.get('/branding')
    expect(body.data).toMatchObject({ brand_name: 'ätna', footer_text: null, plan_labels: { free: 'Start' } })
    expect(body.data.effective).toEqual({
      ...ours,
      brand_name: 'ätna',
      symbol_letter: 'Ä',
      symbol_url: 'https://93.184.216.34/icon.png',
      favicon_url: 'https://93.184.216.34/icon.png',
      footer_text: 'From us',
      plan_labels: { free: 'Start', pro: 'Business' },
      upsell_offers: { monitors: { label: 'Grow', url: null }, sso: { label: 'Sign-on', url: null } },
      upsell_mode: 'subtle',
    })
    expect((await reseller.get(`${team.path}/branding`)).body).toEqual(body)
    await app.services.platform.query('delete from managed_teams where id = $1', [team.id])
    expect((await team.get('/branding')).body.data.effective).toMatchObject({
      brand_name: 'ätna',
      footer_text: null,
      plan_labels: { free: 'Start' },
    })
  })

  test('acts on the tenant that is stood in for', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await team.patch('/branding', { brand_name: 'Theirs' })
    await reseller.patch('/branding', { brand_name: 'Mine' })
    expect((await reseller.get('/branding', { headers: { 'X-Tenant-Id': team.tenantId } })).body.data.brand_name).toBe(
      'Theirs',
    )
    expect((await (await standIn(reseller, team)).get('/branding')).body.data.brand_name).toBe('Theirs')
    expect((await reseller.get('/branding')).body.data.brand_name).toBe('Mine')
  })

  test('to those who may read settings, or branding', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const path = `${team.path}/branding`
    expect((await (await given.colleague(team, 'viewer')).get('/branding')).status).toBe(200)
    expect((await (await given.token(team, 'sk', ['monitors:manage'])).get('/branding')).status).toBe(403)
    expect((await (await given.token(reseller, 'rk', ['branding:read'])).get(path)).status).toBe(200)
    expect((await (await given.token(reseller, 'rk', ['branding:manage'])).get(path)).status).toBe(200)
    for (const caller of [await given.token(reseller, 'rk', ['teams:manage']), await given.reseller(), team])
      expect((await caller.get(path)).status).toBe(403)
    expect((await given.stranger().get('/branding')).status).toBe(401)
    expect((await reseller.get('/reseller/managed-teams/7b4f1a52-5d0e-4a3d-9c55-f1b0a1a0c001/branding')).status).toBe(
      404,
    )
  })
})
