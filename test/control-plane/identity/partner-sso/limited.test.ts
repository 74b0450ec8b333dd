import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { endpoints } from '#control-plane/endpoints.ts'
import { routesOf } from '#control-plane/http/route.ts'
import { aPerson, password } from '#test/control-plane/identity/people.ts'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'
import { Browser } from './opened.ts'

const { platform } = app.services

let reseller: CallerUnderTest
let team: TeamUnderTest
/** An owner of the team, and of another one. */
beforeAll(async () => {
  reseller = await given.reseller()
  team = await given.team(reseller)
  const elsewhere = await given.tenant()
  const insert = 'insert into memberships (user_id, tenant_id, role) values ($1, $2, $3)'
  await platform.query(insert, [team.userId, elsewhere.tenantId, 'owner'])
})

/** A new session of that owner by a link, with a rate of its own. */
async function entered(into: TeamUnderTest = team): Promise<Browser> {
  const browser = new Browser(given.stranger().ip)
  const { body } = await reseller.post(`${into.path}/sso-link`, { user_email: `${into.userId}@people.test` })
  expect((await browser.open(body.data.sso_url)).status).toBe(303)
  return browser
}

/**
 * What a session of any kind may do: read who it is and the names of scopes, prove its person, end itself, and what
 * belongs to the person in this team: how the app is shown, and how they are reached.
 */
const open = [
  ...['DELETE /auth/token', 'GET /user', 'GET /api-tokens/scopes', 'POST /auth/step-up', 'POST /auth/logout'],
  ...['GET /profile', 'PATCH /profile', 'GET /profile/contact-methods', 'POST /profile/contact-methods'],
  ...['PATCH', 'DELETE'].map(method => `${method} /profile/contact-methods/{contact_method}`),
  'POST /profile/contact-methods/{contact_method}/test',
]

describe('a session that a link opened', () => {
  const own = endpoints.flatMap(endpoint =>
    endpoint.access === 'session' ? routesOf(endpoint).map(({ method }) => ({ method, path: endpoint.path })) : [],
  )
  test('works in its team by the role of its person, and in no other team', async () => {
    const browser = await entered()
    expect((await browser.api('GET', '/monitors')).status).toBe(200)
    expect((await browser.api('GET', '/user')).body).toMatchObject({ tenant_id: team.tenantId, role: 'owner' })
  })

  test.each(own.filter(({ method, path }) => !open.includes(`${method} ${path}`)))(
    'is refused what belongs to the person: $method $path',
    async ({ method, path }) => {
      const id = '018f3a52-0000-7000-8000-000000000000'
      const browser = await entered()
      const answer = await browser.api(method as 'GET', path.replace(/\{\w+\}/g, id), method === 'GET' ? undefined : {})
      // bodies are validated before the handler: what is behind is refused in the next test
      expect([403, 422]).toContain(answer.status)
      if (answer.status === 422) expect(Object.keys(answer.body.errors).length).toBeGreaterThan(0)
    },
  )

  test('changes no password, factor, passkey, token or address with a right body', async () => {
    // long values of examples are cut off
    const examples = JSON.parse(readFileSync('contract/examples.json', 'utf8').replaceAll(' …', ''))
    const document = JSON.parse(readFileSync('contract/openapi.json', 'utf8'))
    let tried = 0
    for (const { method, path } of own) {
      const operation = document.paths[`/api/v1${path}`]?.[method.toLowerCase()]
      const reference = operation?.requestBody?.content['application/json'].schema.$ref
      if (!reference || open.includes(`${method} ${path}`)) continue
      const body = { password: 'x', ...examples[reference.split('/').at(-1)] }
      const browser = await entered()
      const answer = await browser.api(method as 'POST', path.replace(/\{\w+\}/g, randomUUID()), body)
      expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBe(403)
      tried++
    }
    expect(tried).toBeGreaterThan(8)
  })

  test('makes no keys, tokens and secret addresses, and changes neither people nor how they sign in', async () => {
    const guest = await entered()
    const member = await given.colleague(team, 'member')
    const newKey = { name: 'x', scopes: ['monitors:read'] }
    const key = await team.post('/api-keys', newKey)
    const invitation = await team.post('/invitations', { email: `${randomUUID()}@people.test` })
    const server = await team.post('/agent-monitors', { name: 'web-1' })
    for (const [method, path, body] of [
      ['POST', '/api-keys', newKey],
      ['PATCH', `/api-keys/${key.body.data.id}`, { name: 'y' }],
      ['POST', `/api-keys/${key.body.data.id}/rotate`, {}],
      ['POST', '/api-tokens', newKey],
      ['POST', '/scim-tokens', { name: 'x' }],
      ['POST', '/agent-monitors', { name: 'web-2' }],
      ['POST', `/agent-monitors/${server.body.data.id}/rotate-token`, {}],
      ['POST', '/on-call-schedules/calendar', {}],
      ['POST', '/maintenance-windows/calendar', {}],
      ['POST', `/members/${member.userId}/reset-mfa`, {}],
      ['POST', '/invitations', { email: `${randomUUID()}@people.test`, role: 'owner' }],
      ['POST', `/invitations/${invitation.body.data.id}/resend`, {}],
      ['PATCH', `/members/${member.userId}`, { role: 'owner' }],
      ['DELETE', `/members/${member.userId}`, undefined],
      ['PATCH', '/security-policy', { mfa_required: false }],
      ['PATCH', '/smtp-config', { host: 'mail.example.com', port: 587 }],
      ['PATCH', '/sso/config', { issuer: 'https://id.example.com', client_id: 'x' }],
      ['POST', '/sso/domains', { domain: 'example.com' }],
    ] as const) {
      const answer = await guest.api(method, path, body)
      expect([answer.status, answer.body.code], `${method} ${path}`).toEqual([403, 'session_needed'])
    }
    expect((await team.get(`/members/${member.userId}`)).body.data.role).toBe('member')
    // what the team works with, and what takes access away
    const monitor = { name: 'Shop', url: 'https://shop.example.com/' }
    expect((await guest.api('POST', '/monitors', monitor)).status).toBe(201)
    const channel = { type: 'webhook', name: 'Pager', config: { url: 'https://pager.example.com/hook' } }
    expect((await guest.api('POST', '/notification-channels', channel)).status).toBe(201)
    expect((await guest.api('DELETE', `/invitations/${invitation.body.data.id}`)).status).toBe(204)
    // nor later, when the session would have to be confirmed
    await platform.query(`update tokens set reauthenticated_at = now() - interval '1 hour' where user_id = $1`, [
      team.userId,
    ])
    const later = await guest.api('POST', '/api-keys', newKey)
    expect([later.status, later.body.code]).toEqual([403, 'session_needed'])
    expect((await team.get('/api-keys')).body.data).toHaveLength(1)
  })

  test('reads the profile without other teams, and changes nothing of the account but how the app is shown', async () => {
    const [elsewhere] = (await team.get('/profile')).body.data.teams.filter(
      ({ tenant_id }: { tenant_id: string }) => tenant_id !== team.tenantId,
    )
    const viewOf = (tenant_id: string, name: string) => ({ tenant_id, name, query: '?status=down' })
    const views = [viewOf(elsewhere.tenant_id, 'Elsewhere'), viewOf(team.tenantId, 'Here')]
    await team.patch('/profile', { preferences: { monitor_views: views } })
    const guest = await entered()
    const { data } = (await guest.api('GET', '/profile')).body
    expect(data).toMatchObject({ is_limited: true, teams: [{ tenant_id: team.tenantId }] })
    expect(data.preferences.monitor_views).toEqual([views[1]])

    const newViews = [viewOf(team.tenantId, 'New'), viewOf(elsewhere.tenant_id, 'Planted')]
    const preferences = { theme: 'dark', monitor_views: newViews }
    const changed = await guest.api('PATCH', '/profile', { language: 'de', timezone: 'Europe/Berlin', preferences })
    expect([changed.status, changed.body.data.preferences.monitor_views]).toEqual([200, [newViews[0]]])
    const now = (await team.get('/profile')).body.data
    expect(now).toMatchObject({ is_limited: false, language: 'de', timezone: 'Europe/Berlin' })
    expect(now.preferences).toMatchObject({ theme: 'dark', monitor_views: [views[0], newViews[0]] })

    for (const body of [{ name: 'Eve' }, { digest: 'daily' }, { monthly_report: true }, { handover_mails: false }]) {
      const answer = await guest.api('PATCH', '/profile', { language: 'en', ...body })
      expect([answer.status, answer.body.code], JSON.stringify(body)).toEqual([403, 'session_needed'])
    }
    expect((await team.get('/profile')).body.data.language).toBe('de')
  })

  test('keeps the contact methods of its person in this team', async () => {
    const guest = await entered()
    const method = { type: 'webhook', name: 'Pager', config: { url: 'https://pager.example.com/hook' } }
    const { status, body } = await guest.api('POST', '/profile/contact-methods', method)
    expect(status, JSON.stringify(body)).toBe(201)
    const listed = (await guest.api('GET', '/profile/contact-methods')).body.data
    expect(listed.map(({ id }: { id: string }) => id)).toContain(body.data.id)
    expect((await guest.api('DELETE', `/profile/contact-methods/${body.data.id}`)).status).toBe(204)
  })

  test.each(['is disabled', 'has a new secret'])('ends when the Partner SSO of the team %s', async how => {
    const ended = await given.team(reseller)
    const guest = await entered(ended)
    const own = await given.colleague(ended, 'member')
    expect((await guest.api('GET', '/user')).status).toBe(200)
    await reseller.patch(`${ended.path}/partner-sso`, { auto_register: false })
    expect((await guest.api('GET', '/user')).status).toBe(200)
    const answer =
      how === 'is disabled'
        ? await reseller.patch(`${ended.path}/partner-sso`, { enabled: false })
        : await reseller.post(`${ended.path}/partner-sso/rotate-secret`)
    expect(answer.status).toBe(200)
    expect((await guest.api('GET', '/user')).status).toBe(401)
    expect((await own.get('/user')).status).toBe(200)
  })

  test('ends when the team leaves its reseller', async () => {
    const leaving = await given.team(reseller)
    const guest = await entered(leaving)
    expect((await guest.api('GET', '/user')).status).toBe(200)
    await reseller.post(`${leaving.path}/decouple`)
    expect((await guest.api('GET', '/user')).status).toBe(401)
  })
})

test('while password sign-in is hidden, a right password is refused in this team alone', async () => {
  const person = await aPerson()
  const hidden = await given.team(reseller)
  const insert = 'insert into memberships (user_id, tenant_id, role) values ($1, $2, $3)'
  await platform.query(insert, [person.userId, hidden.tenantId, 'member'])
  await reseller.patch(`${hidden.path}/partner-sso`, { hide_password_login: true })
  const signIn = (path: string, given_: object = {}) =>
    person.post(path, {
      ...{ email: person.email, password, device_name: 'test', tenant_id: hidden.tenantId },
      ...given_,
    })
  for (const path of ['/auth/token', '/auth/login']) {
    const asked = { headers: { 'Sec-Fetch-Site': 'same-origin' } }
    const refused = await person.post(
      path,
      {
        ...{ email: person.email, password, tenant_id: hidden.tenantId },
        ...(path === '/auth/token' && { device_name: 'test' }),
      },
      asked,
    )
    expect(refused.status, path).toBe(422)
    expect(refused.body.code).toBe('password_login_hidden')
  }
  expect((await signIn('/auth/token', { password: 'a wrong password' })).status).toBe(401)
  expect((await signIn('/auth/token', { tenant_id: person.tenantId })).status).toBe(201)
  await reseller.post(`${hidden.path}/partner-sso/rotate-secret`)
  expect((await signIn('/auth/token')).status).toBe(201)
})
