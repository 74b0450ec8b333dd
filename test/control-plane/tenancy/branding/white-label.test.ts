import { expect, test } from 'vitest'
import { Visitor } from '#test/control-plane/identity/pages/visitor.ts'
import { aPersonIn, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'

const { platform } = app.services

async function aCustomer() {
  const reseller = await given.reseller()
  await platform.query(`insert into brandings (tenant_id, brand_name, hide_powered_by) values ($1, 'Hostora', true)`, [
    reseller.tenantId,
  ])
  return given.team(reseller)
}

test('a customer’s authenticator and browser keep the name of the reseller', async () => {
  const person = await inBrowser(await aPersonIn((await aCustomer()).tenantId))
  const factor = await person.post('/profile/mfa', { password })
  expect(new URL(factor.body.data.otpauth_url).searchParams.get('issuer')).toBe('Hostora')
  const options = await person.post('/profile/passkeys/options')
  expect(options.body.data.rp.name).toBe('Hostora')
})

test('pages behind the links of mails are in the brand of the team that the link names', async () => {
  const { tenantId } = await aCustomer()
  for (const path of ['/invitation', '/password-reset', '/email-verify', '/mail-recipient', '/acknowledge']) {
    const { status, html } = await new Visitor().get(`${path}?team=${tenantId}`)
    expect([path, status]).toEqual([path, 200])
    expect(html, path).toContain('Hostora')
    expect(html, path).not.toMatch(/vedette/i)
    const unknown = await new Visitor().get(`${path}?team=${encodeURIComponent("' or 1=1")}`)
    expect([path, unknown.status, unknown.html.includes('Hostora')]).toEqual([path, 200, false])
  }
})
