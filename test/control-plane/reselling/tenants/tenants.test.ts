import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { app, CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'

const { platform } = app.services
const password = 'seven unrelated purple kettles'
const wanted = (more: Record<string, unknown> = {}) => {
  const mark = randomUUID().slice(0, 12)
  return { name: `Firm ${mark}`, slug: `firm-${mark}`, owner: { email: `${mark}@owners.test`, password }, ...more }
}
const signIn = (email: string, more: Record<string, unknown> = {}) =>
  given.stranger().post('/auth/token', { email, password, device_name: 'test', ...more })

describe('POST /tenants', () => {
  test('creates a tenant whose owner can sign in, noted in both trails', async () => {
    const operator = await given.operator()
    const asked = wanted({ plan: 'starter' })
    const { status, body } = await operator.post('/tenants', asked)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      name: asked.name,
      slug: asked.slug,
      plan: 'starter',
      is_reseller: false,
      is_suspended: false,
      reseller_id: null,
      members_count: 1,
      owners: [{ email: asked.owner.email, name: asked.owner.email.split('@')[0] }],
    })
    expect((await signIn(asked.owner.email)).body.user).toMatchObject({ tenant_id: body.data.id, role: 'owner' })
    expect(await app.audited({ tenantId: body.data.id })).toContain('tenant.created')
    expect(await app.audited(operator)).toContain('tenant.created')
  })

  test.each([{}, { is_reseller: true }])('creates a tenant that no plan binds, where none is named: %j', async more => {
    const operator = await given.operator()
    const asked = wanted(more)
    const { body } = await operator.post('/tenants', asked)
    expect(body.data).toMatchObject({ is_unlimited: true })
    const { token } = (await signIn(asked.owner.email)).body
    const { limits } = (await new CallerUnderTest(body.data.id, null, token).get('/plan')).body.data
    expect(limits).toMatchObject({ monitors: null, agent_limit: null, min_check_interval: 1, sso: true })
  })

  test('creates a second reseller, who can make a token and provision a team', async () => {
    const operator = await given.operator()
    const asked = wanted({ is_reseller: true, plan: 'pro' })
    const { body } = await operator.post('/tenants', asked)
    const { token } = (await signIn(asked.owner.email)).body
    const owner = new CallerUnderTest(body.data.id, null, token)
    const made = await owner.post('/auth/reseller-token', { name: 'First', scopes: ['teams:manage'] })
    expect(made.status).toBe(201)
    const reseller = new CallerUnderTest(body.data.id, null, made.body.plain_text_token)
    const team = await reseller.post('/reseller/managed-teams', { name: 'Team', slug: `team-${randomUUID()}` })
    expect(team.status).toBe(201)
    const listed = await operator.get(`/tenants?reseller_id=${body.data.id}`)
    expect(listed.body.data).toMatchObject([{ id: team.body.data.tenant_id, managed_team_id: team.body.data.id }])
  })

  test('mails a link that sets the first password, where none is sent', async () => {
    const operator = await given.operator()
    const asked = wanted()
    const { body } = await operator.post('/tenants', {
      ...asked,
      owner: { email: asked.owner.email, name: 'Ann Other', language: 'de' },
    })
    expect(body.data.owners).toMatchObject([{ name: 'Ann Other' }])
    const { rows } = await platform.query(`select name, payload from outbox where tenant_id = $1 and kind = 'mail'`, [
      body.data.id,
    ])
    expect(rows).toMatchObject([
      { name: 'password_reset', payload: { recipient: { email: asked.owner.email, language: 'de' } } },
    ])
    expect(JSON.stringify(rows)).not.toMatch(/password-reset#/)
    expect((await signIn(asked.owner.email)).status).toBe(401)
  })

  test('refuses a slug or an address that is taken, and leaves nothing behind', async () => {
    const operator = await given.operator()
    const first = wanted()
    await operator.post('/tenants', first)
    const sameSlug = await operator.post('/tenants', { ...wanted(), slug: first.slug })
    expect([sameSlug.status, sameSlug.body.errors]).toEqual([422, { slug: ['Is already taken.'] }])
    const other = wanted({ owner: first.owner })
    const sameAddress = await operator.post('/tenants', other)
    expect([sameAddress.status, sameAddress.body.errors]).toEqual([
      422,
      { 'owner.email': ['This address has an account already.'] },
    ])
    expect((await operator.get(`/tenants?slug=${other.slug}`)).body.data).toEqual([])
  })

  test('refuses what is wrong, each field by its name', async () => {
    const operator = await given.operator()
    const weak = await operator.post(
      '/tenants',
      wanted({ owner: { email: 'a@owners.test', password: 'password1234' } }),
    )
    expect([weak.status, Object.keys(weak.body.errors)]).toEqual([422, ['owner.password']])
    const bad = await operator.post('/tenants', {
      name: ' ',
      slug: 'Not A Slug',
      plan: 'gold',
      is_reseller: 'yes',
      owner: { email: 'no-address', language: 'x' },
    })
    expect(bad.status).toBe(422)
    expect(Object.keys(bad.body.errors).sort()).toEqual([
      'is_reseller',
      'name',
      'owner.email',
      'owner.language',
      'plan',
      'slug',
    ])
    expect((await operator.post('/tenants', { ...wanted(), name: 'x'.repeat(256) })).body.errors).toHaveProperty('name')
    expect((await operator.post('/tenants', { ...wanted(), slug: 'x'.repeat(101) })).body.errors).toHaveProperty('slug')
    expect((await operator.post('/tenants', { ...wanted(), slug: `${'x'.repeat(64)}${randomUUID()}` })).status).toBe(
      201,
    )
  })
})

describe('GET /tenants', () => {
  test('filters by part of the name or slug, by slug, plan, role and state, in the requested order', async () => {
    const operator = await given.operator()
    const mark = randomUUID().slice(0, 8)
    const names = ['Alder', 'Birch', 'Cedar']
    const ids: string[] = []
    for (const [index, name] of names.entries()) {
      const asked = wanted({ name: `${name} ${mark}`, plan: index === 0 ? 'pro' : 'hobby', is_reseller: index === 2 })
      ids.push((await operator.post('/tenants', asked)).body.data.id)
    }
    await operator.patch(`/tenants/${ids[1]}`, { is_suspended: true })
    const found = async (query: string) =>
      (await operator.get(`/tenants?search=${mark}&sort=name&${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await found('')).toEqual(ids)
    expect(await found('plan=hobby')).toEqual(ids.slice(1))
    expect(await found('is_reseller=true')).toEqual([ids[2]])
    expect(await found('status=suspended')).toEqual([ids[1]])
    expect(await found('status=active')).toEqual([ids[0], ids[2]])
    expect(await found('status=deleted')).toEqual([])
    expect(await found('per_page=2&page=2')).toEqual([ids[2]])
    const { body } = await operator.get(`/tenants?search=${mark}&per_page=2`)
    expect(body.meta).toEqual({ current_page: 1, last_page: 2, per_page: 2, total: 3 })
    expect((await operator.get('/tenants?search=%25_%5C')).body.data).toEqual([])
    expect((await operator.get('/tenants?status=gone')).status).toBe(422)
  })

  test('shows one tenant, and 404 for none', async () => {
    const operator = await given.operator()
    const { data } = (await operator.post('/tenants', wanted())).body
    expect((await operator.get(`/tenants/${data.id}`)).body.data).toEqual(data)
    for (const id of [randomUUID(), 'x']) expect((await operator.get(`/tenants/${id}`)).status).toBe(404)
  })
})

describe('PATCH /tenants/{tenant}', () => {
  test('changes name, plan and role, says so in the trail once, and holds what the plan does not allow', async () => {
    const operator = await given.operator()
    const tenant = await given.tenant({ plan: 'pro' })
    for (let i = 0; i < 6; i++) await tenant.post('/monitors', { name: `m${i}`, url: 'https://example.com/' })
    const { status, body } = await operator.patch(`/tenants/${tenant.tenantId}`, {
      name: 'Renamed',
      plan: 'free',
      is_reseller: true,
    })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ name: 'Renamed', plan: 'free', is_reseller: true })
    expect(
      (await tenant.get('/monitors?per_page=100')).body.data.filter(
        (monitor: { held_by_plan: boolean }) => monitor.held_by_plan,
      ),
    ).toHaveLength(1)
    await operator.patch(`/tenants/${tenant.tenantId}`, { plan: 'free' })
    expect((await app.audited(tenant)).filter(action => action === 'tenant.updated')).toHaveLength(1)
  })

  test('lifts every limit of a tenant, and a plan that is named binds it again', async () => {
    const operator = await given.operator()
    const tenant = await given.tenant({ plan: 'free', overrides: { status_pages: 0 } })
    const path = `/tenants/${tenant.tenantId}`
    const limits = async () => (await tenant.get('/plan')).body.data
    const { body } = await operator.patch(path, { is_unlimited: true })
    expect(body.data).toMatchObject({ plan: 'free', is_unlimited: true })
    expect(await limits()).toMatchObject({ limits: { monitors: null, agent_limit: null, status_pages: 0 } })
    for (let i = 0; i < 6; i++)
      expect((await tenant.post('/monitors', { name: `m${i}`, url: 'https://example.com/' })).status).toBe(201)
    expect(await app.emitted(tenant)).not.toContain('tenant.quota_exceeded')

    expect((await operator.patch(path, { name: 'Renamed' })).body.data.is_unlimited).toBe(true)
    expect((await operator.patch(path, { plan: 'free' })).body.data.is_unlimited).toBe(false)
    expect(await limits()).toMatchObject({ limits: { monitors: 5, agent_limit: 1, status_pages: 0 } })
    expect((await tenant.get('/plan/kept-monitors')).body.data.on_hold).toHaveLength(1)
    expect((await operator.patch(path, { is_unlimited: true })).status).toBe(200)
    expect((await tenant.get('/plan/kept-monitors')).body.data.on_hold).toHaveLength(0)
    expect((await app.audited(tenant)).filter(action => action === 'tenant.updated')).toHaveLength(4)
  })

  test('refuses to lift the limits of a team that a reseller manages', async () => {
    const team = await given.team(await given.reseller())
    const { status, body } = await (await given.operator()).patch(`/tenants/${team.tenantId}`, { is_unlimited: true })
    expect([status, body.errors]).toEqual([
      422,
      { is_unlimited: ['A reseller manages this tenant: its plan applies.'] },
    ])
  })

  test('takes If-Match', async () => {
    const operator = await given.operator()
    const { id } = (await operator.post('/tenants', wanted())).body.data
    const { headers } = await operator.get(`/tenants/${id}`)
    const etag = headers.get('etag') ?? ''
    expect((await operator.patch(`/tenants/${id}`, { name: 'One' }, { headers: { 'If-Match': etag } })).status).toBe(
      200,
    )
    expect((await operator.patch(`/tenants/${id}`, { name: 'Two' }, { headers: { 'If-Match': etag } })).status).toBe(
      412,
    )
  })

  test('refuses what would lock an operator out, nest resellers, or leave teams without one', async () => {
    const operator = await given.operator()
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const errorsOf = async (id: string, body: unknown) => (await operator.patch(`/tenants/${id}`, body)).body.errors
    expect(await errorsOf(operator.tenantId, { is_suspended: true })).toHaveProperty('is_suspended')
    expect(await errorsOf(team.tenantId, { is_reseller: true })).toHaveProperty('is_reseller')
    expect(await errorsOf(reseller.tenantId, { is_reseller: false })).toHaveProperty('is_reseller')
    expect(await errorsOf(team.tenantId, { suspended_reason: 'why' })).toHaveProperty('suspended_reason')
    await platform.query('update tenants set deleted_at = now() where id = $1', [team.tenantId])
    expect(await errorsOf(team.tenantId, { name: 'x' })).toHaveProperty('tenant')
    expect((await operator.patch(`/tenants/${randomUUID()}`, { name: 'x' })).status).toBe(404)
  })
})

describe('a suspended tenant', () => {
  test('is refused by every kind of token at once, keeps its data, and is let in again afterwards', async () => {
    const operator = await given.operator()
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const monitor = (await team.post('/monitors', { name: 'Kept', url: 'https://example.com/' })).body.data
    const server = (await team.post('/agent-monitors', { name: 'Server' })).body.plain_text_token
    const callers = [
      team,
      await given.token(team, 'sk', ['monitors:read']),
      await given.token(team, 'svc', ['monitors:read']),
      await given.impersonation(reseller, team),
    ]
    for (const caller of callers) expect((await caller.get('/monitors')).status).toBe(200)
    const reason = 'A complaint of abuse'
    const { body } = await operator.patch(`/tenants/${team.tenantId}`, { is_suspended: true, suspended_reason: reason })
    expect(body.data).toMatchObject({ is_suspended: true, suspended_reason: reason, is_paused: true })
    for (const caller of callers) {
      const { status, body } = await caller.get('/monitors')
      expect([status, body.code]).toEqual([403, 'tenant_suspended'])
    }
    expect((await new CallerUnderTest('', null, server).post('/api/agent-monitors/metrics', {})).status).toBe(401)
    expect((await reseller.get(`${team.path}/monitors/${monitor.id}`)).body.data).toMatchObject({ name: 'Kept' })
    await operator.patch(`/tenants/${team.tenantId}`, { is_suspended: false })
    for (const caller of callers) expect((await caller.get('/monitors')).body.data).toHaveLength(2)
    expect((await app.audited(team)).filter(action => action.startsWith('tenant.'))).toEqual([
      'tenant.suspended',
      'tenant.unsuspended',
    ])
  })

  test('refuses a sign-in once the password was right, unless the person has another team', async () => {
    const operator = await given.operator()
    const asked = wanted()
    const { id } = (await operator.post('/tenants', asked)).body.data
    await operator.patch(`/tenants/${id}`, { is_suspended: true })
    const { status, body } = await signIn(asked.owner.email)
    expect([status, body.code]).toEqual([422, 'tenant_suspended'])
    expect(
      (await given.stranger().post('/auth/token', { email: asked.owner.email, password: 'wrong', device_name: 'test' }))
        .status,
    ).toBe(401)
    const other = await given.tenant()
    await platform.query(
      `insert into memberships (user_id, tenant_id, role) select id, $2, 'member' from users where email = $1`,
      [asked.owner.email, other.tenantId],
    )
    expect((await signIn(asked.owner.email)).body.user.tenant_id).toBe(other.tenantId)
    expect((await signIn(asked.owner.email, { tenant_id: id })).status).toBe(422)
  })

  test('leaves the work list, and what its reseller paused or ended meanwhile holds afterwards', async () => {
    const operator = await given.operator()
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await team.post('/monitors', { name: 'Site', url: 'https://example.com/' })
    const suspend = (is_suspended: boolean) => operator.patch(`/tenants/${team.tenantId}`, { is_suspended })
    const isPaused = async () => (await reseller.get(team.path)).body.data.is_paused
    const checked = async () =>
      (
        await platform.query(
          `select 1 from checks c join tenants t on t.id = c.tenant_id and t.paused_at is null where c.tenant_id = $1`,
          [team.tenantId],
        )
      ).rowCount

    await suspend(true)
    expect([await isPaused(), await checked()]).toEqual([true, 0])
    const { status, body } = await reseller.post(`${team.path}/unpause`)
    expect([status, body.code]).toEqual([403, 'tenant_suspended'])
    await suspend(false)
    expect([await isPaused(), await checked()]).toEqual([false, 1])

    await reseller.post(`${team.path}/pause`, { reason: 'unpaid' })
    await suspend(true)
    await suspend(false)
    expect(await isPaused()).toBe(true)
    expect((await reseller.post(`${team.path}/unpause`)).status).toBe(200)
    expect(await isPaused()).toBe(false)
  })

  test('is paused once its suspension ends, where its reseller paused it meanwhile', async () => {
    const operator = await given.operator()
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await operator.patch(`/tenants/${team.tenantId}`, { is_suspended: true })
    expect((await reseller.post(`${team.path}/pause`, { reason: 'unpaid' })).body.data.is_paused).toBe(true)
    await reseller.post(`${team.path}/pause`)
    await operator.patch(`/tenants/${team.tenantId}`, { is_suspended: false })
    expect((await reseller.get(team.path)).body.data).toMatchObject({ is_paused: true, paused_reason: 'unpaid' })
    expect(await app.emitted(reseller)).toEqual(['team.paused'])
    expect((await mailsOf(team)).map(({ type }) => type)).toEqual(['team_paused'])
  })

  test.each<[string, (reseller: CallerUnderTest, team: TeamUnderTest) => Promise<unknown>]>([
    [
      'restored',
      async (reseller, team) => {
        const { name } = (await reseller.get(team.path)).body.data
        await reseller.delete(team.path, { confirm_name: name })
        await reseller.post(`${team.path}/restore`)
      },
    ],
    ['detached', (reseller, team) => reseller.post(`${team.path}/decouple`)],
  ])('stays suspended when it is %s, and no mail says that it goes on', async (_, change) => {
    const operator = await given.operator()
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await operator.patch(`/tenants/${team.tenantId}`, { is_suspended: true })
    await change(reseller, team)
    expect((await operator.get(`/tenants/${team.tenantId}`)).body.data).toMatchObject({
      ...{ is_suspended: true, is_paused: true, deleted_at: null },
    })
    expect(await mailsOf(team)).toEqual([])
    await operator.patch(`/tenants/${team.tenantId}`, { is_suspended: false })
    expect((await operator.get(`/tenants/${team.tenantId}`)).body.data.is_paused).toBe(false)
  })
})

test('operators who lack the second factor that their team requires reach nothing of the installation', async () => {
  const operator = await given.operator()
  const { id } = (await operator.post('/tenants', wanted())).body.data
  expect((await operator.patch('/security-policy', { mfa_required: true, mfa_grace_days: 0 })).status).toBe(200)
  const answers = [
    await operator.get('/tenants'),
    await operator.post('/tenants', wanted()),
    await operator.patch(`/tenants/${id}`, { is_suspended: true }),
    await operator.get('/platform/health'),
    await operator.get('/platform/info'),
  ]
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.code}`))).toEqual(new Set(['403 mfa_required']))
})
