import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isPassword } from '#control-plane/identity/users/password.ts'
import { app, given } from '#test/support/app.ts'
import { aPage, hostileTexts, newPage, path } from './pages.ts'

const link = (url: string) => [{ label: 'Home', url }]
const errorFields = ({ body }: { body: { errors?: object } }) => Object.keys(body.errors ?? {})

describe('creating a status page', () => {
  test('answers a draft with its defaults and its address', async () => {
    const team = await given.tenant()
    const sent = newPage()
    const { status, body } = await team.post(path, sent)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      ...sent,
      url: `${app.services.config.baseUrl}/status/${sent.slug}`,
      description: '',
      state: 'draft',
      access: 'public',
      has_password: false,
      allowed_email_domains: [],
      allowed_ips: [],
      locale: 'en',
      locales: ['en'],
      timezone: 'UTC',
      history_days: 90,
      show_uptime: true,
      show_response: false,
      show_values: true,
      uptime_mode: 'duration',
      min_incident_minutes: 0,
      noindex: false,
      hide_powered_by: null,
      theme: 'auto',
      primary_color: null,
      logo_url: null,
      header_links: [],
      footer_links: [],
      texts: {},
    })
    expect(await app.audited(team)).toEqual(['status_page.created'])
    expect((await team.get(`${path}/${body.data.id}`)).body.data).toEqual({
      ...body.data,
      groups: [],
      components: [],
    })
  })

  test.each([
    ['name', { name: ' ' }],
    ['name', { name: 'x'.repeat(256) }],
    ['slug', { slug: 'ab' }],
    ['slug', { slug: 'x'.repeat(64) }],
    ['slug', { slug: 'Acme' }],
    ['slug', { slug: '-acme' }],
    ['slug', { slug: 'acme-' }],
    ['slug', { slug: 'a.b.c' }],
    ['slug', { slug: 'admin' }],
    ['description', { description: 'x'.repeat(2_001) }],
    ['state', { state: 'hidden' }],
    ['access', { access: 'sso' }],
    ['password', { access: 'password' }],
    ['password', { password: 'short77' }],
    ['password', { password: 'x'.repeat(201) }],
    ['allowed_email_domains', { access: 'email_domain' }],
    ['allowed_email_domains', { allowed_email_domains: ['a.example', 'A.example'] }],
    ['allowed_email_domains.0', { allowed_email_domains: ['example'] }],
    ['allowed_email_domains.0', { allowed_email_domains: ['a@example.com'] }],
    ['allowed_email_domains', { allowed_email_domains: Array.from({ length: 51 }, (_, at) => `d${at}.example`) }],
    ['allowed_ips', { access: 'ip' }],
    ['allowed_ips.0', { allowed_ips: ['192.0.2.0/33'] }],
    ['allowed_ips.0', { allowed_ips: ['example.com'] }],
    ['allowed_ips', { allowed_ips: Array.from({ length: 201 }, (_, at) => `192.0.2.${at}`) }],
    ['locale', { locale: 'fr' }],
    ['locales', { locales: [] }],
    ['locales', { locale: 'de', locales: ['en'] }],
    ['locales', { locales: ['en', 'en'] }],
    ['timezone', { timezone: 'Mars/Olympus' }],
    ['timezone', { timezone: '+02:00' }],
    ['history_days', { history_days: 6 }],
    ['history_days', { history_days: 366 }],
    ['uptime_mode', { uptime_mode: 'guessed' }],
    ['min_incident_minutes', { min_incident_minutes: -1 }],
    ['min_incident_minutes', { min_incident_minutes: 1_441 }],
    ['theme', { theme: 'neon' }],
    ['primary_color', { primary_color: 'red' }],
    ['primary_color', { primary_color: '#fff;}' }],
    ['logo_url', { logo_url: 'javascript:alert(1)' }],
    ['logo_url', { logo_url: 'http://169.254.169.254/logo.png' }],
    ['logo_url_dark', { logo_url_dark: `https://example.com/${'x'.repeat(500)}` }],
    ['header_links.0.url', { header_links: link('javascript:alert(1)') }],
    ['header_links.0.url', { header_links: link('/relative') }],
    ['footer_links.0.label', { footer_links: [{ label: 'x'.repeat(61), url: 'https://example.com/' }] }],
    ['footer_links', { footer_links: Array.from({ length: 11 }, () => link('https://example.com/')[0]) }],
    ['texts.en.announcement', { texts: { en: { announcement: 'x'.repeat(2_001) } } }],
  ])('refuses %s of %j', async (field, changes) => {
    const answer = await (await given.tenant()).post(path, newPage(changes))
    expect([answer.status, errorFields(answer)]).toEqual([422, [field]])
  })

  test.each([{ texts: { fr: {} } }, { texts: { en: { title: 'x' } } }])('refuses unknown texts: %j', async changes => {
    expect((await (await given.tenant()).post(path, newPage(changes))).status).toBe(422)
  })

  test('accepts each limit', async () => {
    const team = await given.tenant()
    const edges = {
      name: 'x'.repeat(255),
      slug: `${randomUUID()}${randomUUID()}`.replaceAll('-', '').padEnd(63, 'x').slice(0, 63),
      description: 'x'.repeat(2_000),
      access: 'ip',
      password: 'x'.repeat(200),
      allowed_email_domains: Array.from({ length: 50 }, (_, at) => `d${at}.example`),
      allowed_ips: Array.from({ length: 199 }, (_, at) => `192.0.2.${at}`).concat('2001:db8::/32'),
      locales: ['en', 'de'],
      history_days: 365,
      min_incident_minutes: 1_440,
      header_links: Array.from({ length: 10 }, (_, at) => link(`https://example.com/${at}`)[0]),
      texts: { de: { announcement: 'x'.repeat(2_000), footer: 'x'.repeat(500) } },
    }
    const { password: _, ...shown } = edges
    expect(await aPage(team, edges)).toMatchObject(shown)
    expect(await aPage(team, { slug: randomUUID().slice(0, 3), history_days: 7 })).toMatchObject({ history_days: 7 })
  })

  test('stores hostile texts as they are', async () => {
    const team = await given.tenant({ overrides: { status_pages: null } })
    for (const text of hostileTexts) {
      const sent = { name: text, description: text, texts: { en: { name: text, announcement: text } } }
      expect(await aPage(team, sent)).toMatchObject(sent)
    }
  })

  test('stores the password hashed, and shows only that there is one', async () => {
    const team = await given.tenant()
    const password = `pass ${randomUUID()}`
    const { status, text, body } = await team.post(path, newPage({ access: 'password', password }))
    expect([status, body.data.has_password]).toEqual([201, true])
    const read = async () =>
      (await app.services.platform.query('select * from status_pages where id = $1', [body.data.id])).rows[0]
    const before = await read()
    expect(await isPassword(before.password_hash, password)).toBe(true)
    expect(JSON.stringify(before) + text).not.toContain(password)
    const page = `${path}/${body.data.id}`
    expect(errorFields(await team.patch(page, { password: null }))).toEqual(['password'])
    expect((await team.patch(page, { password: `new ${password}` })).body.data.has_password).toBe(true)
    const after = await read()
    expect([
      await isPassword(after.password_hash, password),
      after.password_changed_at > before.password_changed_at,
    ]).toEqual([false, true])
    expect((await team.patch(page, { password: null, access: 'public' })).body.data.has_password).toBe(false)
    const { body: log } = await team.get(`/audit-log?entity_type=status_page&entity_id=${body.data.id}`)
    expect(JSON.stringify(log)).not.toMatch(/argon2|pass /)
  })
})

/** As if the days were over for which an address is reserved. */
const endReservation = (slug: string) =>
  app.services.platform.query(
    `update status_page_former_slugs set reserved_until = now() - interval '1 second' where slug = $1`,
    [slug],
  )

describe('the address of a page', () => {
  test('is given to one of fifty callers of many teams', async () => {
    const teams = await Promise.all(Array.from({ length: 5 }, () => given.tenant()))
    const slug = `race-${randomUUID()}`
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => teams[at % 5]!.post(path, newPage({ slug }))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 422)
    expect(refused).toHaveLength(49)
    for (const answer of refused) expect([answer.body.code, errorFields(answer)]).toEqual(['taken', ['slug']])
  })

  test('can be changed to one that is free, and not to one of another team', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const [page, foreign] = [await aPage(team), await aPage(other)]
    const answer = await team.patch(`${path}/${page.id}`, { slug: foreign.slug })
    expect([answer.status, answer.body.code, errorFields(answer)]).toEqual([422, 'taken', ['slug']])
    const slug = `free-${randomUUID()}`
    expect((await team.patch(`${path}/${page.id}`, { slug })).body.data.slug).toBe(slug)
  })

  test('is reserved for its team for 30 days after a change and after a deletion', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const [changed, deleted, foreign] = [await aPage(team), await aPage(team), await aPage(other)]
    await team.patch(`${path}/${changed.id}`, { slug: `new-${randomUUID()}` })
    await team.delete(`${path}/${deleted.id}`)
    for (const { slug } of [changed, deleted]) {
      const answers = [
        await other.post(path, newPage({ slug })),
        await other.patch(`${path}/${foreign.id}`, { slug, name: 'Other' }),
      ]
      for (const answer of answers)
        expect([answer.status, answer.body.code, errorFields(answer)]).toEqual([422, 'taken', ['slug']])
      expect((await other.get(`${path}/${foreign.id}`)).body.data).toMatchObject(foreign)
    }
    expect((await team.post(path, newPage({ slug: deleted.slug }))).status).toBe(201)
    await endReservation(changed.slug)
    expect((await other.post(path, newPage({ slug: changed.slug }))).status).toBe(201)
  })

  test('that is given up while another team asks for it is not given to that team', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const page = await aPage(team)
    for (let slug = page.slug, round = 0; round < 8; round++) {
      const next = `next-${randomUUID()}`
      const [changed, taken] = await Promise.all([
        team.patch(`${path}/${page.id}`, { slug: next }),
        other.post(path, newPage({ slug })),
      ])
      expect([changed.status, taken.status]).toEqual([200, 422])
      slug = next
    }
  })
})

describe('updating a status page', () => {
  test('changes what is sent, and says so in the audit log', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const changes = { name: 'New name', theme: 'dark', texts: { de: { name: 'Neuer Name' } }, locales: ['de', 'en'] }
    const { status, body } = await team.patch(`${path}/${page.id}`, changes)
    expect([status, body.data]).toEqual([
      200,
      {
        ...page,
        ...changes,
        updated_at: body.data.updated_at,
        content_changed_at: body.data.content_changed_at,
      },
    ])
    expect(body.data.content_changed_at > page.content_changed_at).toBe(true)
    const { body: log } = await team.get(
      `/audit-log?entity_type=status_page&entity_id=${page.id}&action=status_page.updated`,
    )
    expect(log.data[0].changes.theme).toEqual({ before: 'auto', after: 'dark' })
  })

  test('that changes nothing leaves no trace', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    expect((await team.patch(`${path}/${page.id}`, { name: page.name, texts: {} })).body.data).toEqual(page)
    expect(await app.audited(team)).toEqual(['status_page.created'])
  })

  test('publishes and withdraws it', async () => {
    const team = await given.tenant()
    const { id } = await aPage(team)
    expect((await team.patch(`${path}/${id}`, { state: 'published' })).body.data.state).toBe('published')
    expect((await team.patch(`${path}/${id}`, { state: 'draft' })).body.data.state).toBe('draft')
    expect((await app.audited(team)).filter(action => !action.endsWith('updated'))).toEqual([
      'status_page.created',
      'status_page.published',
      'status_page.unpublished',
    ])
  })

  test('refuses settings that contradict those that stay', async () => {
    const team = await given.tenant()
    const { id } = await aPage(team, { access: 'ip', allowed_ips: ['192.0.2.1'], locales: ['en', 'de'] })
    for (const [changes, field] of [
      [{ allowed_ips: [] }, 'allowed_ips'],
      [{ access: 'password' }, 'password'],
      [{ access: 'email_domain' }, 'allowed_email_domains'],
      [{ locales: ['de'] }, 'locales'],
    ] as const)
      expect(errorFields(await team.patch(`${path}/${id}`, changes))).toEqual([field])
  })

  test('hides our name only where the plan allows it', async () => {
    const [pro, hobby] = [await given.tenant(), await given.tenant({ plan: 'hobby' })]
    expect((await pro.post(path, newPage({ hide_powered_by: true }))).status).toBe(201)
    const refused = await hobby.post(path, newPage({ hide_powered_by: true }))
    expect([refused.status, refused.body.code, refused.body.quota]).toEqual([
      403,
      'not_in_plan',
      'white_label_branding',
    ])
    const { id } = await aPage(hobby, { hide_powered_by: false })
    expect((await hobby.patch(`${path}/${id}`, { hide_powered_by: true })).status).toBe(403)
  })
})

describe('status pages of a team', () => {
  test('are listed oldest first, by state', async () => {
    const team = await given.tenant()
    const [one, two, three] = [await aPage(team), await aPage(team, { state: 'published' }), await aPage(team)]
    const ids = async (query = '') => (await team.get(path + query)).body.data.map(({ id }: { id: string }) => id)
    expect(await ids()).toEqual([one.id, two.id, three.id])
    expect(await ids('?state=published')).toEqual([two.id])
    expect(await ids('?per_page=2&page=2')).toEqual([three.id])
  })

  test('are as many as the plan allows, however many ask at once', async () => {
    const team = await given.tenant()
    const answers = await Promise.all(Array.from({ length: 50 }, () => team.post(path, newPage())))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const refused = answers.filter(({ status }) => status === 422)
    expect(refused).toHaveLength(40)
    expect(refused[0]!.body).toMatchObject({ code: 'plan_limit', quota: 'status_pages', current: 10, limit: 10 })
    expect((await team.get('/plan')).body.data.usage.status_pages).toBe(10)
    expect((await team.delete(`${path}/${answers.find(({ status }) => status === 201)!.body.data.id}`)).status).toBe(
      204,
    )
    expect((await team.post(path, newPage())).status).toBe(201)
  })

  test('are no other team’s', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const { id } = await aPage(team)
    for (const answer of [
      await other.get(`${path}/${id}`),
      await other.patch(`${path}/${id}`, { name: 'Mine' }),
      await other.delete(`${path}/${id}`),
      await other.get(`${path}/${randomUUID()}`),
    ])
      expect([answer.status, answer.body.message]).toEqual([404, 'Status page not found.'])
    expect((await other.get(path)).body.data).toEqual([])
  })

  test('are the reseller’s too, by its paths, and counted in its summary', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const page = await aPage(reseller, {}, team.path)
    expect((await team.get(`${path}/${page.id}`)).body.data.slug).toBe(page.slug)
    expect((await reseller.patch(`${team.path}${path}/${page.id}`, { name: 'Ours' })).body.data.name).toBe('Ours')
    expect((await reseller.get(`${team.path}/summary`)).body.data.status_pages_count).toBe(1)
    const rival = await given.reseller()
    expect((await rival.get(`${team.path}${path}/${page.id}`)).status).toBe(403)
    expect((await reseller.delete(`${team.path}${path}/${page.id}`)).status).toBe(204)
    expect((await team.get(path)).body.data).toEqual([])
  })

  test('are read and written by the scopes of status pages alone', async () => {
    const owner = await given.tenant()
    const { id } = await aPage(owner)
    const reader = await given.token(owner, 'svc', ['status-pages:read'])
    const other = await given.token(owner, 'svc', ['incidents:manage', 'settings:manage'])
    expect((await reader.get(`${path}/${id}`)).status).toBe(200)
    expect((await reader.patch(`${path}/${id}`, { name: 'X' })).status).toBe(403)
    expect((await other.get(path)).status).toBe(403)
  })
})
