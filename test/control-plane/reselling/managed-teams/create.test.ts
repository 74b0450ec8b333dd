import { describe, expect, test } from 'vitest'
import { aPersonIn } from '#test/control-plane/identity/people.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const acme = (fields: Record<string, unknown> = {}) => ({
  name: 'Acme',
  slug: `acme-${crypto.randomUUID()}`,
  ...fields,
})
const teams = '/reseller/managed-teams'
const good = 'copper lantern walks quietly 42'
const address = () => `${crypto.randomUUID()}@people.test`
const count = async (reseller: CallerUnderTest) =>
  (
    await platform.query<{ n: number }>('select count(*)::int as n from managed_teams where reseller_id = $1', [
      reseller.tenantId,
    ])
  ).rows[0]?.n

const raceRounds = Number(process.env.RACE_ROUNDS ?? 1)

describe('POST /reseller/managed-teams', () => {
  test('provisions a team and emits an event to the reseller', async () => {
    const reseller = await given.reseller({ scopes: ['teams:write'] })
    const wanted = acme({
      plan: 'pro',
      label: 'gold',
      trial_days: 14,
      external_ref: 'crm-7',
      metadata: { tier: 3, vip: true, note: null },
    })
    const { status, body } = await reseller.post(teams, wanted)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      name: 'Acme',
      slug: wanted.slug,
      plan: 'pro',
      label: 'gold',
      external_ref: 'crm-7',
      metadata: { tier: 3, vip: true, note: null },
      monitors_count: 0,
      monitors_up_count: 0,
      monitors_down_count: 0,
      is_paused: false,
      paused_at: null,
      paused_reason: null,
      on_trial: true,
      deleted_at: null,
      days_until_purge: null,
    })
    expect(body.data.public_id).toMatch(/^VT-[0-9A-Z]{8}$/)
    const days = (Date.parse(body.data.trial_ends_at) - Date.parse(body.data.created_at)) / 86_400_000
    expect(days).toBe(14)
    expect(body.data.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(await app.emitted(reseller)).toEqual(['team.provisioned'])
    expect(await app.audited(reseller)).toEqual(['managed_tenant.created'])
    const { rows } = await platform.query('select name, payload from outbox where tenant_id = any($1) order by id', [
      [reseller.tenantId, body.data.tenant_id],
    ])
    const endsAtMs = Date.parse(body.data.trial_ends_at)
    expect(rows).toContainEqual({
      name: 'team.provisioned',
      payload: { managed_team_id: body.data.id, tenant_id: body.data.tenant_id, tenant_name: 'Acme', label: 'gold' },
    })
    expect(rows).toContainEqual({
      name: 'trial',
      payload: {
        id: `trial:${body.data.id}:${endsAtMs}`,
        input: { teamId: body.data.id, tenantId: body.data.tenant_id, endsAtMs },
      },
    })
  })

  test('a name and a slug are enough', async () => {
    const reseller = await given.reseller()
    const { status, body } = await reseller.post(teams, acme())
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      plan: 'free',
      label: null,
      external_ref: null,
      metadata: {},
      on_trial: false,
      trial_ends_at: null,
    })
    expect((await reseller.get('/monitors', { headers: { 'X-Tenant-Id': body.data.tenant_id } })).status).toBe(200)
  })

  test('makes an owner who can sign in', async () => {
    const reseller = await given.reseller()
    const email = address()
    const { body } = await reseller.post(
      teams,
      acme({ admin_email: email, admin_name: 'Ada Admin', admin_password: good }),
    )
    const signedIn = await given.stranger().post('/auth/token', { email, password: good, device_name: 'test' })
    expect(signedIn.status).toBe(201)
    expect(signedIn.body.user).toMatchObject({
      name: 'Ada Admin',
      email,
      tenant_id: body.data.tenant_id,
      role: 'owner',
    })
    const { rows } = await platform.query('select members from tenant_counts where tenant_id = $1', [
      body.data.tenant_id,
    ])
    expect(rows).toEqual([{ members: 1 }])
    const { rows: events } = await platform.query(
      `select name, payload from outbox where tenant_id = $1 and kind = 'event'`,
      [body.data.tenant_id],
    )
    expect(events).toEqual([
      {
        name: 'member.added',
        payload: { tenant_id: body.data.tenant_id, user_id: signedIn.body.user.id, role: 'owner' },
      },
    ])
    expect(
      JSON.stringify(
        (await platform.query('select changes from audit_entries where tenant_id = $1', [reseller.tenantId])).rows,
      ),
    ).not.toContain(email)
  })

  test('refuses every token but a reseller token with the scope', async () => {
    const reseller = await given.reseller({ scopes: ['teams:read', 'members:manage', 'monitors:manage'] })
    const session = await given.token(reseller, 'ss', [])
    for (const caller of [await given.tenant(), reseller, session, await given.token(reseller, 'sk', ['team:manage'])])
      expect((await caller.post(teams, acme())).status).toBe(403)
    expect((await given.stranger().post(teams, acme())).status).toBe(401)
    expect(await count(reseller)).toBe(0)
  })

  test('refuses a slug that is taken, by whomever, and leaves nothing of it', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const wanted = acme()
    await rival.post(teams, wanted)
    const { status, body } = await reseller.post(teams, {
      ...wanted,
      external_ref: 'x',
      admin_email: address(),
      admin_password: good,
    })
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'taken', errors: { slug: ['Is already taken.'] } })
    expect(await count(reseller)).toBe(0)
    expect(await app.emitted(reseller)).toEqual([])
  })

  test('refuses an address that has an account, and leaves no team', async () => {
    const reseller = await given.reseller()
    const { email } = await aPersonIn((await given.tenant()).tenantId)
    const { status, body } = await reseller.post(
      teams,
      acme({ admin_email: email.toUpperCase(), admin_password: good }),
    )
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual(['admin_email'])
    expect(await count(reseller)).toBe(0)
  })

  test.each([
    ['admin_password', { admin_email: 'a@people.test' }],
    ['admin_password', { admin_email: 'a@people.test', admin_password: 'elevenchars' }],
    ['admin_password', { admin_email: 'a@people.test', admin_password: 'password1234' }],
    ['admin_password', { admin_email: 'ada.lovelace@people.test', admin_password: 'lovelace walks quietly 42' }],
    ['admin_email', { admin_password: good }],
    ['admin_email', { admin_name: 'Ada' }],
    ['admin_email', { admin_email: 'no-address', admin_password: good }],
    ['admin_name', { admin_email: 'a@people.test', admin_password: good, admin_name: 'x'.repeat(256) }],
    ['name', { name: '' }],
    ['name', { name: '   ' }],
    ['name', { name: 'x'.repeat(256) }],
    ['name', { name: null }],
    ['name', { name: undefined }],
    ['name', { name: 7 }],
    ['name', { name: 'a\u0000b' }],
    ['slug', { slug: '' }],
    ['slug', { slug: undefined }],
    ['slug', { slug: 'Acme' }],
    ['slug', { slug: 'acme_' }],
    ['slug', { slug: '-acme' }],
    ['slug', { slug: 'acme-' }],
    ['slug', { slug: 'ac--me' }],
    ['slug', { slug: 'acmé' }],
    ['slug', { slug: 'acme\n' }],
    ['slug', { slug: 'a'.repeat(101) }],
    ['plan', { plan: 'enterprise' }],
    ['plan', { plan: null }],
    ['label', { label: 'x'.repeat(256) }],
    ['trial_days', { trial_days: 0 }],
    ['trial_days', { trial_days: 366 }],
    ['trial_days', { trial_days: 1.5 }],
    ['trial_days', { trial_days: '14' }],
    ['external_ref', { external_ref: '' }],
    ['external_ref', { external_ref: 'x'.repeat(256) }],
    ['metadata', { metadata: [] }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])) }],
    ['metadata.deep', { metadata: { deep: { er: 1 } } }],
    ['metadata.long', { metadata: { long: 'x'.repeat(501) } }],
  ])('refuses %s of %j', async (field, fields) => {
    const reseller = await given.reseller()
    const { status, body } = await reseller.post(teams, acme(fields))
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([field])
    expect(await count(reseller)).toBe(0)
  })

  test.each([
    { name: 'x'.repeat(255) },
    { name: 'Ünï <b>©</b> 株式会社' },
    { slug: crypto.randomUUID().slice(0, 1).replace(/\d/, 'q') + crypto.randomUUID().slice(0, 7) },
    { slug: `${crypto.randomUUID()}-${'a'.repeat(63)}` },
    { label: 'x'.repeat(255) },
    { label: null },
    { trial_days: 1 },
    { trial_days: 365 },
    { trial_days: null },
    { external_ref: 'x'.repeat(255) },
    { metadata: { long: 'x'.repeat(500) } },
    { metadata: Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n])) },
  ])('takes %j', async fields => {
    const reseller = await given.reseller()
    const { status, body } = await reseller.post(teams, acme(fields))
    expect(status).toBe(201)
    const { trial_days: _, ...same } = fields as Record<string, unknown>
    expect(body.data).toMatchObject(same)
  })

  test('says in plain words what is wrong with each field', async () => {
    const reseller = await given.reseller()
    const { body } = await reseller.post(teams, { plan: 'gold', label: 7, trial_days: 366, metadata: { deep: {} } })
    expect(body).toMatchObject({
      message: 'The given data was invalid.',
      errors: {
        name: ['Is needed.'],
        slug: ['Is needed.'],
        plan: ['Must be one of free, hobby, starter, pro.'],
        label: ['Must be text.'],
        trial_days: ['Must be at most 365.'],
        'metadata.deep': ['Must be text of at most 500 characters, a number, true, false or null.'],
      },
    })
  })

  test('takes nothing for granted that only the database says', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const own = {
      id: crypto.randomUUID(),
      tenant_id: rival.tenantId,
      reseller_id: rival.tenantId,
      is_reseller: true,
      public_id: 'VT-1',
      deleted_at: new Date(),
    }
    const { body } = await reseller.post(
      teams,
      acme({ ...own, is_paused: true, monitors_count: 9, created_at: '2001-01-01T00:00:00Z' }),
    )
    expect(body.data).toMatchObject({ is_paused: false, monitors_count: 0, deleted_at: null })
    expect(body.data.id).not.toBe(own.id)
    expect(body.data.tenant_id).not.toBe(rival.tenantId)
    expect(await count(rival)).toBe(0)
    const { rows } = await platform.query('select is_reseller from tenants where id = $1', [body.data.tenant_id])
    expect(rows).toEqual([{ is_reseller: false }])
  })
})

test('with an Idempotency-Key the same call is done once', async () => {
  const reseller = await given.reseller()
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const wanted = acme()
  const [first, again] = [
    await reseller.post(teams, wanted, { headers }),
    await reseller.post(teams, wanted, { headers }),
  ]
  expect([first.status, again.status]).toEqual([201, 201])
  expect(again.body).toEqual(first.body)
  expect(await count(reseller)).toBe(1)
  expect((await reseller.post(teams, acme(), { headers })).status).toBe(422)
})

describe('the same external_ref again', () => {
  test('answers the team that has it and changes nothing', async () => {
    const reseller = await given.reseller()
    const first = await reseller.post(teams, acme({ external_ref: 'crm-1', label: 'gold' }))
    const again = await reseller.post(teams, {
      name: 'Other',
      slug: first.body.data.slug,
      external_ref: 'crm-1',
      label: 'lead',
      plan: 'pro',
    })
    expect(again.status).toBe(201)
    expect(again.body).toEqual(first.body)
    expect(await app.emitted(reseller)).toEqual(['team.provisioned'])
    expect(await app.audited(reseller)).toEqual(['managed_tenant.created'])
  })

  test('says that the team was there, and which of the fields sent it has other values for', async () => {
    const reseller = await given.reseller()
    const admin = () => ({ admin_email: address(), admin_password: good })
    const wanted = acme({
      external_ref: 'crm-5',
      label: 'gold',
      plan: 'pro',
      metadata: { tier: 3 },
      trial_days: 14,
      ...admin(),
    })
    const headersOf = async (body: object) => {
      const { status, headers, text } = await reseller.post(teams, body)
      expect(status).toBe(201)
      expect(text).not.toContain('differing')
      return [headers.get('x-vedette-existing'), headers.get('x-vedette-differing')]
    }
    expect(await headersOf(wanted)).toEqual([null, null])
    expect(await headersOf(wanted)).toEqual(['true', null])
    const { name, slug } = wanted
    const external_ref = 'crm-5'
    expect(await headersOf({ name, slug, external_ref })).toEqual(['true', null])
    const all = {
      name: 'Other',
      slug: `${slug}-2`,
      plan: 'hobby',
      label: null,
      metadata: {},
      trial_days: 15,
      ...admin(),
    }
    expect(await headersOf({ ...all, external_ref })).toEqual([
      'true',
      'name, slug, plan, label, metadata, trial_days, admin_email',
    ])
    expect(await headersOf({ ...wanted, trial_days: null })).toEqual(['true', 'trial_days'])
    expect(await count(reseller)).toBe(1)
  })

  test('at once, twenty times: one team, one event', { timeout: 30_000 + raceRounds * 10_000 }, async () => {
    for (let round = 0; round < raceRounds; round++) {
      const reseller = await given.reseller()
      const wanted = acme({ external_ref: 'crm-2' })
      const answers = await Promise.all(Array.from({ length: 20 }, () => reseller.post(teams, wanted)))
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
      expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1)
      expect(await count(reseller)).toBe(1)
      expect(await app.emitted(reseller)).toEqual(['team.provisioned'])
    }
  })

  test('of another reseller is a team of its own', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const mine = await reseller.post(teams, acme({ external_ref: 'crm-3' }))
    const theirs = await rival.post(teams, acme({ external_ref: 'crm-3' }))
    expect(theirs.status).toBe(201)
    expect(theirs.body.data.id).not.toBe(mine.body.data.id)
  })

  test('differs by letter case and form', async () => {
    const reseller = await given.reseller()
    for (const external_ref of ['é', 'e\u0301', 'É', 'E'])
      expect((await reseller.post(teams, acme({ external_ref }))).status).toBe(201)
    expect(await count(reseller)).toBe(4)
  })

  test('of a deleted team is refused', async () => {
    const reseller = await given.reseller()
    const { body } = await reseller.post(teams, acme({ external_ref: 'crm-4' }))
    await platform.query('update managed_teams set deleted_at = now() where id = $1', [body.data.id])
    const again = await reseller.post(teams, acme({ external_ref: 'crm-4' }))
    expect(again.status).toBe(422)
    expect(again.body).toMatchObject({ code: 'team_deleted', errors: { external_ref: [expect.any(String)] } })
  })

  test('says of a slug that it belongs to a deleted team of the reseller, and of no other', async () => {
    const reseller = await given.reseller()
    const slug = `t-${crypto.randomUUID()}`
    const { id } = (await reseller.post('/reseller/managed-teams', { name: 'Acme', slug })).body.data
    expect((await reseller.delete(`/reseller/managed-teams/${id}`, { confirm_name: 'Acme' })).status).toBe(204)
    const again = await reseller.post('/reseller/managed-teams', { name: 'Acme', slug })
    expect([again.status, again.body.code, again.body.errors]).toEqual([
      422,
      'team_deleted',
      { slug: ['Belongs to a team that is deleted: restore it, or choose another.'] },
    ])
    const other = await (await given.reseller()).post('/reseller/managed-teams', { name: 'Acme', slug })
    expect([other.status, other.body.errors]).toEqual([422, { slug: ['Is already taken.'] }])
  })
})
