import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'
import { forge } from './forge.ts'
import { Browser, formOf } from './opened.ts'

const { platform } = app.services

let reseller: CallerUnderTest
beforeAll(async () => {
  reseller = await given.reseller()
})

const anAddress = () => `${randomUUID()}@customer.example`
const aBrowser = () => new Browser(given.stranger().ip)

async function linkTo(team: TeamUnderTest, user_email: string, more: object = {}): Promise<string> {
  const { body } = await reseller.post(`${team.path}/sso-link`, { user_email, ...more })
  return body.data.sso_url
}
const change = (team: TeamUnderTest, body: object) => reseller.patch(`${team.path}/partner-sso`, body)
const peopleOf = async (email: string) =>
  (
    await platform.query(
      `select u.id, u.name, u.language, u.email_verified_at, u.password_hash, m.tenant_id, m.role
       from users u left join memberships m on m.user_id = u.id where u.email = $1`,
      [email],
    )
  ).rows
const sessionsIn = async (tenantId: string) =>
  (
    await platform.query(
      `select user_id, is_locked, is_browser, auth_method, dies_at - created_at as life, expires_at <= dies_at as ends
       from tokens where tenant_id = $1 and auth_method = 'partner_sso'`,
      [tenantId],
    )
  ).rows
/** A person with a password, whose address is `proven`. */
async function anAccount(email: string, isProven = true): Promise<string> {
  const id = randomUUID()
  await platform.query(
    'insert into users (id, name, email, email_verified_at) values ($1, $2, $3, case when $4 then now() end)',
    [id, 'Pat Elsewhere', email, isProven],
  )
  return id
}
const join = (userId: string, tenantId: string, role = 'member') =>
  platform.query('insert into memberships (user_id, tenant_id, role) values ($1, $2, $3)', [userId, tenantId, role])

describe('a link', () => {
  test('registers a person once, and signs the same person in by later links', async () => {
    const team = await given.team(reseller)
    const email = anAddress()
    const browser = aBrowser()
    const opened = await browser.open(
      await linkTo(team, email, { user_name: 'Pat', redirect_to: '/app/monitors?tab=1' }),
    )
    expect(opened.status).toBe(303)
    expect(opened.headers.location).toBe('/app/monitors?tab=1')
    const [person] = await peopleOf(email)
    expect(person).toMatchObject({
      name: 'Pat',
      language: 'en',
      email_verified_at: null,
      password_hash: null,
      tenant_id: team.tenantId,
      role: 'member',
    })
    const user = await browser.api('GET', '/user')
    expect(user.body).toMatchObject({ id: person.id, email, tenant_id: team.tenantId, role: 'member' })
    const again = await aBrowser().open(await linkTo(team, email.toUpperCase()))
    expect(again.status).toBe(303)
    expect(again.headers.location).toBe('/app')
    expect(await peopleOf(email)).toHaveLength(1)
    const sessions = await sessionsIn(team.tenantId)
    expect(sessions).toHaveLength(2)
    for (const session of sessions)
      expect(session).toMatchObject({
        user_id: person.id,
        is_locked: true,
        is_browser: true,
        life: expect.objectContaining({ hours: 8 }),
        ends: true,
      })
  })

  test('is entered in the audit trails of the team and of its reseller, and the member is an event', async () => {
    const team = await given.team(reseller)
    await aBrowser().open(await linkTo(team, anAddress()))
    const inTeam = await app.audited(team)
    expect(inTeam.filter(action => /sso|member|session/.test(action)).sort()).toEqual([
      'member.added',
      'partner_sso.updated',
      'session.created',
      'sso_link.created',
      'sso_link.used',
    ])
    expect(await app.audited(reseller)).toEqual(expect.arrayContaining(['member.added', 'sso_link.used']))
    expect(await app.emitted(team)).toContain('member.added')
  })

  test('works once', async () => {
    const team = await given.team(reseller)
    const link = await linkTo(team, anAddress())
    expect((await aBrowser().open(link)).status).toBe(303)
    const second = await aBrowser().open(link)
    expect(second.status).toBe(403)
    expect(second.html).toContain('This link was used already')
    expect(second.headers['set-cookie'] ?? []).not.toEqual(expect.arrayContaining([expect.stringMatching(/^vedette=/)]))
    expect(await sessionsIn(team.tenantId)).toHaveLength(1)
  })

  test('is not used up by previews, scanners and a browser that only shows the page', async () => {
    const team = await given.team(reseller)
    const link = await linkTo(team, anAddress())
    const { pathname, search } = new URL(link)
    for (let round = 0; round < 5; round++) {
      expect((await aBrowser().call('HEAD', pathname + search)).status).toBe(200)
      expect((await aBrowser().show(link)).status).toBe(200)
    }
    expect(await sessionsIn(team.tenantId)).toHaveLength(0)
    expect((await aBrowser().open(link)).status).toBe(303)
  })

  test('keeps its token out of caches, referrers, search engines and frames', async () => {
    const link = await linkTo(await given.team(reseller), anAddress())
    const { headers, html } = await aBrowser().show(link)
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    })
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(html).toContain('<meta name="robots" content="noindex">')
    expect(html).not.toMatch(/<script>|style=|onclick/)
    const script = await aBrowser().call('GET', '/sso/partner/send.js')
    expect(script.html).toContain('history.replaceState')
  })

  test('that is refused is not used up', async () => {
    const team = await given.team(reseller)
    const link = await linkTo(team, anAddress())
    await change(team, { enabled: false })
    expect((await aBrowser().open(link)).html).toContain('switched off')
    await change(team, { enabled: true })
    expect((await aBrowser().open(link)).status).toBe(303)
  })

  test('of the former secret ends when the secret is rotated', async () => {
    const team = await given.team(reseller)
    const link = await linkTo(team, anAddress())
    await reseller.post(`${team.path}/partner-sso/rotate-secret`)
    expect((await aBrowser().open(link)).html).toContain('This link does not work')
  })

  test('from before a restore of the database is refused', async () => {
    const team = await given.team(reseller)
    const link = await linkTo(team, anAddress())
    await platform.query('update partner_sso set links_valid_from = clock_timestamp() where tenant_id = $1', [
      team.tenantId,
    ])
    expect((await aBrowser().open(link)).html).toContain('This link has expired')
  })
})

describe('the form of the page', () => {
  const refused = async (change: (form: Record<string, string>) => Record<string, string>, headers = {}) => {
    const team = await given.team(reseller)
    const browser = aBrowser()
    const page = await browser.show(await linkTo(team, anAddress()))
    const answer = await browser.call('POST', '/sso/partner', change(formOf(page.html)!), headers)
    expect(await sessionsIn(team.tenantId)).toHaveLength(0)
    return answer.status
  }

  test('is taken from our own page alone', async () => {
    expect(await refused(form => form, { 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
    expect(await refused(form => form, { 'Sec-Fetch-Site': 'same-site' })).toBe(403)
    expect(await refused(({ form_token: _, ...form }) => form)).toBe(403)
    expect(await refused(form => ({ ...form, form_token: 'x'.repeat(43) }))).toBe(403)
    expect(await refused(form => form, { Cookie: '' })).toBe(403)
    expect(await refused(form => form, { 'Content-Type': 'text/plain' })).toBe(415)
    expect(await refused(form => ({ ...form, more: 'x'.repeat(20_000) }))).toBe(413)
  })

  test('of one browser does not sign another browser in', async () => {
    const team = await given.team(reseller)
    const page = await aBrowser().show(await linkTo(team, anAddress()))
    const other = aBrowser()
    await other.show(await linkTo(team, anAddress()))
    expect((await other.call('POST', '/sso/partner', formOf(page.html))).status).toBe(403)
  })

  test('is taken without Fetch Metadata, as over plain http', async () => {
    const browser = aBrowser()
    const page = await browser.show(await linkTo(await given.team(reseller), anAddress()))
    const headers = { 'Sec-Fetch-Site': undefined, Origin: 'null' }
    expect((await browser.call('POST', '/sso/partner', formOf(page.html), headers)).status).toBe(303)
  })
})

describe('an account', () => {
  test('of another team has to be invited, whatever the settings say', async () => {
    const email = anAddress()
    const elsewhere = await given.tenant()
    await join(await anAccount(email), elsewhere.tenantId)
    const team = await given.team(reseller)
    for (const address of [email, email.toUpperCase()]) {
      const refused = await aBrowser().open(await linkTo(team, address))
      expect(refused.status).toBe(403)
      expect(refused.html).toContain('An invitation is needed')
    }
    await change(team, { auto_link_existing_users: true, auto_register: true })
    expect((await aBrowser().open(await linkTo(team, email))).status).toBe(403)
    expect(await sessionsIn(team.tenantId)).toHaveLength(0)
    expect(await peopleOf(email)).toEqual([expect.objectContaining({ tenant_id: elsewhere.tenantId })])
  })

  test('of a deleted team is an account elsewhere too', async () => {
    const email = anAddress()
    const elsewhere = await given.tenant()
    await join(await anAccount(email), elsewhere.tenantId)
    await platform.query('update tenants set deleted_at = now() where id = $1', [elsewhere.tenantId])
    expect((await aBrowser().open(await linkTo(await given.team(reseller), email))).status).toBe(403)
  })

  test('of an operator or of the people of a reseller is never linked, not even as a member', async () => {
    const team = await given.team(reseller)
    const operator = await given.operator()
    const rival = await given.reseller()
    const staff = await given.colleague(reseller, 'viewer')
    for (const caller of [operator, rival, staff]) {
      await join(caller.userId!, team.tenantId, 'owner')
      const refused = await aBrowser().open(await linkTo(team, `${caller.userId}@people.test`))
      expect(refused.status).toBe(403)
      expect(refused.html).toContain('An invitation is needed')
    }
    expect(await sessionsIn(team.tenantId)).toHaveLength(0)
  })

  test('of a member is linked where the team allows it, and keeps its role and its password', async () => {
    const team = await given.team(reseller)
    const member = await given.colleague(team, 'admin')
    const email = `${member.userId}@people.test`
    await change(team, { auto_link_existing_users: false })
    const refused = await aBrowser().open(await linkTo(team, email))
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('href="/login"')
    await change(team, { auto_link_existing_users: true })
    expect((await aBrowser().open(await linkTo(team, email))).status).toBe(303)
    await change(team, { auto_link_existing_users: false })
    expect((await aBrowser().open(await linkTo(team, email))).status).toBe(303)
    expect(await peopleOf(email)).toEqual([expect.objectContaining({ id: member.userId, role: 'admin' })])
    expect((await app.audited(team)).filter(action => action === 'partner_sso.account_linked')).toHaveLength(1)
  })

  test('of a member who is in other teams too signs in to this one', async () => {
    const team = await given.team(reseller)
    const elsewhere = await given.tenant()
    const member = await given.colleague(team, 'member')
    await join(member.userId!, elsewhere.tenantId, 'owner')
    const browser = aBrowser()
    expect((await browser.open(await linkTo(team, `${member.userId}@people.test`))).status).toBe(303)
    expect((await browser.api('GET', '/user')).body.tenant_id).toBe(team.tenantId)
  })

  test('of a disabled member is refused', async () => {
    const team = await given.team(reseller)
    const member = await given.colleague(team, 'member')
    await platform.query('update memberships set disabled_at = now() where user_id = $1', [member.userId])
    const refused = await aBrowser().open(await linkTo(team, `${member.userId}@people.test`))
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('Your access is switched off')
  })

  test('without any team joins where linking is allowed', async () => {
    const team = await given.team(reseller)
    const email = anAddress()
    const id = await anAccount(email)
    await change(team, { auto_link_existing_users: false })
    expect((await aBrowser().open(await linkTo(team, email))).status).toBe(403)
    await change(team, { auto_link_existing_users: true })
    expect((await aBrowser().open(await linkTo(team, email))).status).toBe(303)
    expect(await peopleOf(email)).toEqual([expect.objectContaining({ id, tenant_id: team.tenantId, role: 'member' })])
  })

  test('that has not proven the address elsewhere is neither linked nor in the way', async () => {
    const team = await given.team(reseller)
    const elsewhere = await given.tenant()
    const email = anAddress()
    const id = await anAccount(email, false)
    await join(id, elsewhere.tenantId, 'owner')
    expect((await aBrowser().open(await linkTo(team, email))).status).toBe(303)
    const people = await peopleOf(email)
    expect(people).toHaveLength(2)
    expect(people).toContainEqual(expect.objectContaining({ id, tenant_id: elsewhere.tenantId, role: 'owner' }))
  })

  test('is not made where registering is off', async () => {
    const team = await given.team(reseller)
    const email = anAddress()
    await change(team, { auto_register: false })
    const refused = await aBrowser().open(await linkTo(team, email))
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('You have no account here')
    expect(await peopleOf(email)).toEqual([])
  })

  test('is not made beyond the seats of the plan, and the reseller gets the event', async () => {
    const team = await given.team(reseller, { overrides: { team_members: 2 } })
    const first = anAddress()
    expect((await aBrowser().open(await linkTo(team, first))).status).toBe(303)
    const second = anAddress()
    const refused = await aBrowser().open(await linkTo(team, second))
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('The team is full')
    expect(await peopleOf(second)).toEqual([])
    expect(await app.emitted(team)).toContain('tenant.quota_exceeded')
    expect((await aBrowser().open(await linkTo(team, first))).status).toBe(303)
  })
})

describe('a team', () => {
  const suspend = 'update tenants set suspended_at = now() where id = $1'
  const pause = 'update tenants set paused_at = now() where id = $1'
  const away: [string, string, RegExp][] = [
    ['is suspended', suspend, /This team is paused/],
    ['is paused', pause, /This team is paused/],
    ['is deleted', 'update tenants set deleted_at = now() where id = $1', /This link does not work/],
    ['is in the trash', 'update managed_teams set deleted_at = now() where tenant_id = $1', /This link does not work/],
    ['has lost its reseller', 'delete from managed_teams where tenant_id = $1', /This link does not work/],
  ]
  test.each(away)('that %s opens no session', async (_, statement, said) => {
    const team = await given.team(reseller)
    const link = await linkTo(team, anAddress())
    const browser = aBrowser()
    const { html } = await browser.show(link)
    await platform.query(statement, [team.tenantId])
    const refused = await browser.call('POST', '/sso/partner', formOf(html))
    expect(refused.status).toBe(403)
    expect(refused.html).toMatch(said)
    expect(await sessionsIn(team.tenantId)).toHaveLength(0)
  })

  test('of a suspended reseller opens no session', async () => {
    const other = await given.reseller()
    const team = await given.team(other)
    const { body } = await other.post(`${team.path}/sso-link`, { user_email: anAddress() })
    await platform.query(suspend, [other.tenantId])
    expect((await aBrowser().open(body.data.sso_url)).status).toBe(403)
  })
})

test('a refusal is in the language of the browser and in the brand of the reseller', async () => {
  const branded = await given.reseller()
  await branded.patch('/branding', { brand_name: 'Hosting <Süd>', support_url: 'https://example.com/help' })
  const team = await given.team(branded)
  const { body } = await branded.post(`${team.path}/sso-link`, { user_email: anAddress() })
  const link = body.data.sso_url
  const shown = await aBrowser().show(link, { 'Accept-Language': 'de' })
  expect(shown.html).toContain('<html lang="de">')
  expect(shown.html).toContain('Hosting &lt;Süd&gt;')
  await aBrowser().open(link)
  const browser = aBrowser()
  const page = await browser.show(link)
  const refused = await browser.call('POST', '/sso/partner', formOf(page.html), { 'Accept-Language': 'de-AT' })
  expect(refused.html).toContain('Dieser Link wurde schon benutzt')
  expect(refused.html).toContain('Hosting &lt;Süd&gt;')
  expect(refused.html).toContain('https://example.com/help')
})

describe('a link of another team', () => {
  test('opens neither team, whichever slug and secret it has', async () => {
    const rival = await given.reseller()
    const [ours, sister, foreign] = [await given.team(reseller), await given.team(reseller), await given.team(rival)]
    const secretOf = async (by: CallerUnderTest, team: TeamUnderTest) => {
      await by.patch(`${team.path}/partner-sso`, { enabled: true, auto_register: true })
      return (await by.post(`${team.path}/partner-sso/rotate-secret`)).body.shared_secret as string
    }
    const slugOf = async (team: TeamUnderTest) =>
      (await platform.query('select slug from tenants where id = $1', [team.tenantId])).rows[0].slug as string
    const secrets = [await secretOf(reseller, ours), await secretOf(reseller, sister), await secretOf(rival, foreign)]
    const slugs = await Promise.all([ours, sister, foreign].map(slugOf))
    const teams = [ours, sister, foreign]
    const nowS = Math.floor(app.services.clock.nowMs() / 1000)
    const claims = (aud: number, tenant: number) => ({
      ...{ jti: randomUUID(), iat: nowS, exp: nowS + 300, aud: teams[aud]!.tenantId, tenant: slugs[tenant] },
      email: anAddress(),
    })
    for (let key = 0; key < 3; key++)
      for (let aud = 0; aud < 3; aud++)
        for (let tenant = 0; tenant < 3; tenant++)
          for (let url = 0; url < 3; url++) {
            const token = forge(claims(aud, tenant), secrets[key]!)
            const isRight = key === aud && aud === tenant && tenant === url
            const opened = await aBrowser().open(
              `http://any.example/sso/partner?${new URLSearchParams({ token, tenant: slugs[url]! })}`,
            )
            expect(opened.status, `${key} ${aud} ${tenant} ${url}`).toBe(isRight ? 303 : 403)
          }
    for (const team of teams) expect(await sessionsIn(team.tenantId)).toHaveLength(1)
  })

  test.each([
    '',
    '?',
    '?token=x',
    '?tenant=x',
    '?token=a&token=b&tenant=x',
    '?token=%00&tenant=%00',
    '?token=x&tenant=..%2f',
  ])('or no link at all is refused: %j', async query => {
    const refused = await aBrowser().call('GET', `/sso/partner${query}`)
    expect(refused.status).toBe(403)
    expect(refused.html).toContain('This link does not work')
  })
})
