import { describe, expect, test } from 'vitest'
import { another, aPerson, aPersonIn, join, lastAudit, password, signIn } from '#test/control-plane/identity/people.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services

describe('GET and PATCH /profile', () => {
  test('shows the person with all their teams, and changes name, language and time zone', async () => {
    const person = await aPerson()
    const second = await given.tenant()
    await join(person.userId, second.tenantId, 'viewer')
    const { body } = await person.get('/profile')
    expect(body.data).toMatchObject({
      id: person.userId,
      name: 'Mo Member',
      language: 'en',
      timezone: 'UTC',
      mfa_enabled: false,
      auth_methods: ['password'],
    })
    expect(body.data.teams.map((team: { role: string }) => team.role)).toEqual(['owner', 'viewer'])
    const changed = await person.patch('/profile', { name: ' 名前 🛰️ ', timezone: 'Asia/Tokyo' })
    expect(changed.body.data).toMatchObject({
      name: '名前 🛰️',
      timezone: 'Asia/Tokyo',
      language: 'en',
      email: person.email,
    })
    expect((await person.get('/user')).body.name).toBe('名前 🛰️')
    expect(await lastAudit(person.tenantId, 'profile.updated')).toMatchObject({
      changes: { fields: ['name', 'timezone'] },
    })
    expect((await person.patch('/profile', {})).status).toBe(200)
  })

  test('leaves no word in the trail for what did not change', async () => {
    const person = await aPerson()
    await person.patch('/profile', { name: 'Mo Member', language: 'en' })
    expect(await lastAudit(person.tenantId, 'profile.updated')).toBeUndefined()
  })

  test('keeps preferences that are not sent, and refuses others than it knows', async () => {
    const person = await aPerson()
    const preferences = async () => (await person.get('/profile')).body.data.preferences
    expect(await preferences()).toEqual({ theme: 'system', density: 'comfortable', monitor_views: [] })
    const changed = await person.patch('/profile', { preferences: { theme: 'dark' } })
    expect(changed.body.data.preferences).toMatchObject({ theme: 'dark', density: 'comfortable' })
    await person.patch('/profile', { preferences: { density: 'compact' } })
    await person.patch('/profile', { name: 'Mo', preferences: {} })
    expect(await preferences()).toMatchObject({ theme: 'dark', density: 'compact' })
    expect(await lastAudit(person.tenantId, 'profile.updated')).toMatchObject({ changes: { fields: ['name'] } })
    for (const [field, wrong] of Object.entries({
      'preferences.theme': { theme: 'pink' },
      'preferences.density': { density: null },
      'preferences.colour': { colour: 'red' },
      preferences: null,
    })) {
      const { status, body } = await person.patch('/profile', { preferences: wrong })
      expect([status, Object.keys(body.errors)], field).toEqual([422, [field]])
    }
    expect(await preferences()).toMatchObject({ theme: 'dark', density: 'compact' })
  })

  test('keeps views of the list of monitors, each with a name of its own in its team', async () => {
    const person = await aPerson()
    const view = { tenant_id: person.tenantId, name: 'Shops down', query: '?status=down&tag=shop' }
    const keep = (monitor_views: unknown) => person.patch('/profile', { preferences: { monitor_views } })
    expect((await keep([view])).body.data.preferences).toMatchObject({ theme: 'system', monitor_views: [view] })
    await person.patch('/profile', { preferences: { theme: 'dark' } })
    expect((await person.get('/profile')).body.data.preferences).toMatchObject({ monitor_views: [view] })
    const longest = { ...view, name: 'x'.repeat(60), query: `?${'x'.repeat(499)}` }
    expect((await keep([longest, { ...longest, tenant_id: crypto.randomUUID() }])).status).toBe(200)
    const many = (count: number) => Array.from({ length: count }, (_, index) => ({ ...view, name: `View ${index}` }))
    expect((await keep(many(50))).status).toBe(200)
    for (const [field, wrong] of Object.entries({
      'preferences.monitor_views': [view, { ...view, query: '?tag=eu' }],
      'preferences.monitor_views.0.tenant_id': [{ ...view, tenant_id: 'mine' }],
      'preferences.monitor_views.0.name': [{ ...view, name: 'x'.repeat(61) }],
      'preferences.monitor_views.0.query': [{ ...view, query: `?${'x'.repeat(500)}` }],
    }))
      expect(Object.keys((await keep(wrong)).body.errors), field).toEqual([field])
    for (const query of ['', '?', 'status=down', '/app/team', '?a b', '?\u202e'])
      expect((await keep([{ ...view, query }])).status, query).toBe(422)
    expect((await keep(many(51))).status).toBe(422)
    expect((await person.get('/profile')).body.data.preferences.monitor_views).toHaveLength(50)
    expect((await keep([])).body.data.preferences.monitor_views).toEqual([])
  })

  test('says whether language or time zone were ever set, also to what they were', async () => {
    const person = await aPerson()
    const chose = async () => (await person.get('/profile')).body.data.chose_locale
    await person.patch('/profile', { name: 'Mo', preferences: { theme: 'dark' } })
    expect(await chose()).toBe(false)
    await person.patch('/profile', { language: 'en' })
    expect(await chose()).toBe(true)
  })

  test('names each wrong field', async () => {
    const person = await aPerson()
    for (const [field, values] of Object.entries({
      name: ['', ' ', 'x'.repeat(256), 'a\u0000b', 'a\nb', 'abc\u202edef', null, 7],
      language: ['', 'EN', 'english', 'e', 'en-us', null],
      timezone: ['', 'Mars/Olympus', '+02:00', 'Europe', 'x'.repeat(65), null],
    }))
      for (const value of values) {
        const { status, body } = await person.patch('/profile', { [field]: value })
        expect([status, Object.keys(body.errors)], `${field} ${JSON.stringify(value)}`).toEqual([422, [field]])
      }
    expect(
      (await person.patch('/profile', { name: 'x'.repeat(255), language: 'pt-BR', timezone: 'Europe/Berlin' })).status,
    ).toBe(200)
  })

  test('is for own sessions only: no key, and a session of a shown link reads the profile alone', async () => {
    const person = await aPerson()
    const locked = await person.elsewhere()
    await platform.query('update tokens set is_locked = true where user_id = $1 and name = $2', [
      person.userId,
      'another device',
    ])
    for (const caller of [await person.elsewhere(person.tenantId, 'sk', ['team:manage']), await given.reseller()])
      for (const path of ['/profile', '/profile/export', '/profile/sessions', '/profile/mfa'])
        expect((await caller.get(path)).body.code).toBe('session_needed')
    expect((await locked.get('/profile')).body.data).toMatchObject({ id: person.userId, is_limited: true })
    expect((await locked.patch('/profile', { name: 'Another' })).body.code).toBe('session_needed')
    for (const path of ['/profile/export', '/profile/sessions', '/profile/mfa'])
      expect((await locked.get(path)).body.code).toBe('session_needed')
  })
})

describe('POST /profile/password', () => {
  const change = { current_password: password, password: another }

  test('ends all other sessions and personal keys, in every team, at once', async () => {
    const person = await aPerson()
    const second = await given.tenant()
    await join(person.userId, second.tenantId, 'member')
    const others = [
      await person.elsewhere(),
      await person.elsewhere(second.tenantId),
      await person.elsewhere(person.tenantId, 'sk', ['monitors:read']),
    ]
    const colleague = await given.colleague(person, 'member')
    const service = await given.token(new CallerUnderTest(person.tenantId, null, null), 'svc', ['monitors:read'])
    expect((await person.post('/profile/password', change)).status).toBe(204)
    for (const other of others) expect((await other.get('/monitors')).status).toBe(401)
    for (const untouched of [person, colleague, service]) expect((await untouched.get('/monitors')).status).toBe(200)
    expect((await signIn(person.email)).status).toBe(401)
    expect((await signIn(person.email, { password: another })).status).toBe(201)
    expect(await lastAudit(person.tenantId, 'password.changed')).toMatchObject({
      user_id: person.userId,
      changes: null,
    })
    expect((await person.get('/profile')).body.data.password_changed_at).toEqual(expect.any(String))
  })

  test('refuses a wrong current password, the same one again, and weak ones', async () => {
    const person = await aPerson()
    const codeOf = async (fields: Record<string, unknown>) => {
      const { status, body } = await person.post('/profile/password', { ...change, ...fields })
      return [status, Object.keys(body.errors), body.code]
    }
    expect(await codeOf({ current_password: 'wrong' })).toEqual([422, ['current_password'], 'wrong_password'])
    expect(await codeOf({ password })).toEqual([422, ['password'], 'invalid'])
    expect(await codeOf({ password: 'elevenchars' })).toEqual([422, ['password'], 'password_short'])
    expect(await codeOf({ password: 'seven Member kettles juggle' })).toEqual([422, ['password'], 'password_context'])
    expect(await codeOf({ password: 'x'.repeat(1_001) })).toEqual([422, ['password'], 'invalid'])
    expect(await codeOf({ password: null })).toEqual([422, ['password'], 'invalid'])
    expect((await signIn(person.email)).status).toBe(201)
  })

  test('a megabyte is refused before validation', async () => {
    const person = await aPerson()
    expect((await person.post('/profile/password', { ...change, password: 'x'.repeat(1_048_576) })).status).toBe(413)
  })

  test('ten wrong guesses of two sessions leave the right one its way', async () => {
    const person = await aPerson()
    const sessions = [person, await person.elsewhere()]
    for (let i = 0; i < 10; i++)
      expect((await sessions[i % 2]!.post('/profile/password', { ...change, current_password: 'wrong' })).status).toBe(
        422,
      )
    expect((await sessions[0]!.post('/profile/password', change)).status).toBe(204)
  })

  test('a password with another spelling of the same letters signs in', async () => {
    const person = await aPerson()
    await person.post('/profile/password', {
      current_password: password,
      password: 'ｍild otters juggle ſeven ﬁne kettles',
    })
    expect((await signIn(person.email, { password: 'mild otters juggle seven fine kettles' })).status).toBe(201)
  })
})

describe('/profile/sessions', () => {
  test('lists the sessions in all teams, ends one, ends all others', async () => {
    const person = await aPerson()
    const second = await given.tenant()
    await join(person.userId, second.tenantId, 'member')
    const elsewhere = await person.elsewhere(second.tenantId)
    const third = await person.elsewhere()
    const { body } = await person.get('/profile/sessions')
    expect(body.data).toHaveLength(3)
    expect(body.data.filter((session: { is_current: boolean }) => session.is_current)).toMatchObject([
      { device_name: 'a device', tenant_id: person.tenantId },
    ])
    const there = body.data.find((session: { tenant_id: string }) => session.tenant_id === second.tenantId)
    expect((await person.delete(`/profile/sessions/${there.id}`)).status).toBe(204)
    expect((await elsewhere.get('/user')).status).toBe(401)
    expect((await person.delete(`/profile/sessions/${there.id}`)).status).toBe(404)
    expect((await person.delete('/profile/sessions')).body).toEqual({ data: { ended: 1 } })
    expect([(await third.get('/user')).status, (await person.get('/user')).status]).toEqual([401, 200])
  })

  test('another person’s session is not there, a colleague’s neither', async () => {
    const person = await aPerson()
    const colleague = await aPersonIn(person.tenantId)
    const { body } = await colleague.get('/profile/sessions')
    expect((await person.delete(`/profile/sessions/${body.data[0].id}`)).status).toBe(404)
    expect((await colleague.get('/user')).status).toBe(200)
  })
})

describe('DELETE /profile/teams/{tenant_id}', () => {
  test('leaves a team, whichever one is signed in to, with its sessions and keys', async () => {
    const person = await aPerson()
    const second = await given.tenant()
    await join(person.userId, second.tenantId, 'viewer')
    const there = await person.elsewhere(second.tenantId)
    expect((await person.delete(`/profile/teams/${second.tenantId}`)).status).toBe(204)
    expect([(await there.get('/user')).status, (await person.get('/user')).status]).toEqual([401, 200])
    expect((await person.get('/profile')).body.data.teams).toHaveLength(1)
    expect(await app.emitted(second)).toEqual(['member.removed'])
    expect(await lastAudit(second.tenantId, 'member.removed')).toMatchObject({
      user_id: person.userId,
      entity_id: person.userId,
    })
    expect((await person.delete(`/profile/teams/${second.tenantId}`)).status).toBe(404)
  })

  test('not as its last owner, and not one of others', async () => {
    const person = await aPerson('viewer')
    const stranger = await given.tenant()
    expect((await person.delete(`/profile/teams/${stranger.tenantId}`)).status).toBe(404)
    expect((await person.delete(`/profile/teams/${person.tenantId}`)).status).toBe(204)
    const owner = await aPersonIn((await given.tenant({ role: 'viewer' })).tenantId, 'owner')
    expect((await owner.delete(`/profile/teams/${owner.tenantId}`)).body.code).toBe('last_owner')
  })
})

describe('GET /profile/export', () => {
  test('holds everything about the person, and nothing that signs in', async () => {
    const person = await aPerson()
    await person.elsewhere(person.tenantId, 'sk', ['monitors:read'])
    await (await given.tenant()).post('/invitations', { email: person.email })
    const invited = await person.post('/invitations', { email: 'invited@people.test' })
    await person.patch('/profile', { name: 'Mona Member' })
    const { status, body, text } = await person.get('/profile/export')
    expect(status).toBe(200)
    expect(body.data.profile).toMatchObject({ name: 'Mona Member', email: person.email })
    expect(body.data.tokens.map((token: { kind: string }) => token.kind).sort()).toEqual(['sk', 'ss'])
    expect(body.data.invitations_received).toMatchObject([{ email: person.email, status: 'pending' }])
    expect(body.data.invitations_sent).toMatchObject([{ id: invited.body.data.id }])
    expect(body.data.audit_entries.map((entry: { action: string }) => entry.action)).toEqual(
      expect.arrayContaining(['invitation.created', 'profile.updated']),
    )
    for (const secret of ['argon2', 'hash', invited.body.plain_text_token, person.token ?? '', 'invited@people.test'])
      expect(text).not.toContain(secret)
    expect(await lastAudit(person.tenantId, 'profile.exported')).toMatchObject({ user_id: person.userId })
  })
})
