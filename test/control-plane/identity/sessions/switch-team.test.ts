import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aPerson, join, lastAudit } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { CookieJar } from './browser.ts'

const { platform } = app.services
const path = '/auth/team'

/** A person of two teams, in the first one. */
async function ofTwoTeams() {
  const person = await aPerson()
  const other = await given.tenant()
  await join(person.userId, other.tenantId, 'viewer')
  return { person, other }
}

describe('POST /auth/team', () => {
  test('moves the session of a browser to another team and replaces its secret', async () => {
    const { person, other } = await ofTwoTeams()
    const browser = new CookieJar()
    await browser.logIn(person.email)
    const ages = () =>
      platform.query('select dies_at, reauthenticated_at from tokens where user_id = $1 and is_browser', [
        person.userId,
      ])
    const { rows: before } = await ages()
    const secret = browser.session ?? ''
    const { status, body, text } = await browser.post(path, { tenant_id: other.tenantId })
    expect([status, body], text).toEqual([200, { tenant_id: other.tenantId }])
    expect((await browser.get('/user')).body).toMatchObject({ tenant_id: other.tenantId, role: 'viewer' })
    expect((await browser.post('/monitors', { name: 'x', url: 'https://example.com' })).status).toBe(403)
    expect((await ages()).rows).toEqual(before)
    const stolen = new CookieJar()
    stolen.cookies.set([...browser.cookies.keys()][0] ?? '', secret)
    expect((await stolen.get('/user')).status).toBe(401)
    expect((await lastAudit(person.tenantId, 'session.deleted'))?.user_id).toBe(person.userId)
    expect((await lastAudit(other.tenantId, 'session.created'))?.user_id).toBe(person.userId)
    expect((await browser.post(path, { tenant_id: person.tenantId })).status).toBe(200)
    expect((await browser.get('/user')).body).toMatchObject({ tenant_id: person.tenantId, role: 'owner' })
  })

  test('refuses teams of others, suspended ones, and those with a sign-in of their own', async () => {
    const { person, other } = await ofTwoTeams()
    const browser = await inBrowser(person)
    const switchTo = async (tenant_id: string) => {
      const { status, body } = await browser.post(path, { tenant_id })
      return [status, body.code, Object.keys(body.errors ?? {})]
    }
    const stranger = await given.tenant()
    for (const id of [stranger.tenantId, randomUUID(), 'x'])
      expect(await switchTo(id)).toEqual([422, 'invalid', ['tenant_id']])
    const reseller = await given.reseller()
    const hidden = await given.team(reseller)
    await join(person.userId, hidden.tenantId, 'member')
    await reseller.patch(`${hidden.path}/partner-sso`, { hide_password_login: true })
    expect(await switchTo(hidden.tenantId)).toEqual([422, 'password_login_hidden', ['tenant_id']])
    await platform.query('update tenants set suspended_at = now() where id = $1', [other.tenantId])
    expect(await switchTo(other.tenantId)).toEqual([422, 'tenant_suspended', ['tenant_id']])
    expect((await browser.get('/user')).body.tenant_id).toBe(person.tenantId)
  })

  test('is refused to sessions that a link or a provider has opened, and to other tokens', async () => {
    const { person, other } = await ofTwoTeams()
    const body = { tenant_id: other.tenantId }
    for (const options of [
      { isLocked: true },
      { method: 'oidc' },
      { method: 'saml' },
      { method: 'partner_sso' },
    ] as const) {
      const browser = await inBrowser(person, options)
      const answer = await browser.post(path, body)
      expect([answer.status, answer.body.code], JSON.stringify(options)).toEqual([403, 'session_needed'])
      expect((await browser.get('/user')).body.tenant_id).toBe(person.tenantId)
    }
    const own = { headers: { 'Sec-Fetch-Site': 'same-origin' } }
    expect((await person.post(path, body, own)).body.code).toBe('not_a_browser_session')
    const key = await person.elsewhere(person.tenantId, 'sk', ['settings:manage'])
    expect((await key.post(path, body, own)).body.code).toBe('session_needed')
  })
})
