import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Role } from '#contract/scopes.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { aPersonIn, join, lastAudit, signIn } from '#test/control-plane/identity/people.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services

describe('GET /members', () => {
  test('lists the people of a team by name, with what a colleague may know', async () => {
    const owner = await given.tenant()
    const zoe = await aPersonIn(owner.tenantId, 'viewer', { name: 'Zoe Viewer' })
    const { status, body } = await owner.get('/members')
    expect(status).toBe(200)
    expect(body.meta).toMatchObject({ total: 2, current_page: 1, per_page: 15 })
    expect(body.data.map((member: { name: string }) => member.name)).toEqual(['Pat Person', 'Zoe Viewer'])
    expect(body.data[1]).toMatchObject({
      id: zoe.userId,
      user_id: zoe.userId,
      email: zoe.email,
      role: 'viewer',
      mfa_enabled: false,
      auth_methods: ['password'],
    })
    expect(body.data[1]).not.toHaveProperty('password_hash')
  })

  test('is searched by name and address, filtered by role, and paged', async () => {
    const owner = await given.tenant()
    const anna = await aPersonIn(owner.tenantId, 'admin', { name: '100% Anna_B' })
    await aPersonIn(owner.tenantId, 'member', { name: 'Bob' })
    const names = async (query: string) =>
      (await owner.get(`/members?${query}`)).body.data.map((member: { name: string }) => member.name)
    expect(await names('search=anna_b')).toEqual(['100% Anna_B'])
    expect(await names('search=100%25')).toEqual(['100% Anna_B'])
    expect(await names(`search=${anna.email.slice(0, 12)}`)).toEqual(['100% Anna_B'])
    expect(await names('search=%25')).toEqual(['100% Anna_B'])
    expect(await names('role=admin,member')).toEqual(['100% Anna_B', 'Bob'])
    expect(await names('per_page=1&page=2')).toEqual(['Bob'])
    expect(await names('page=9')).toEqual([])
    expect((await owner.get('/members?role=king')).status).toBe(422)
    expect((await owner.get('/members?per_page=101')).status).toBe(422)
  })

  test('hides service users, and people of other teams', async () => {
    const owner = await given.tenant()
    const service = await given.colleague(owner, 'admin')
    await platform.query('update users set is_service = true where id = $1', [service.userId])
    expect((await owner.get('/members')).body.meta.total).toBe(1)
    expect((await owner.get(`/members/${service.userId}`)).status).toBe(404)
    const stranger = await given.tenant()
    expect((await owner.get(`/members/${stranger.userId}`)).status).toBe(404)
    expect((await owner.get('/members/no-uuid')).status).toBe(404)
  })

  test('is read by a reseller in its own teams alone, with members:read', async () => {
    const reseller = await given.reseller({ scopes: ['members:read'] })
    const team = await given.team(reseller)
    expect((await reseller.get(`${team.path}/members`)).body.data[0].user_id).toBe(team.userId)
    expect((await reseller.get(`${team.path}/members/${team.userId}`)).body.data.role).toBe('owner')
    const foreign = await given.team(await given.reseller())
    expect((await reseller.get(`${foreign.path}/members`)).status).toBe(403)
    expect((await reseller.patch(`${team.path}/members/${team.userId}`, { role: 'admin' })).status).toBe(403)
  })
})

describe('PATCH /members/{user_id}', () => {
  test('changes a role, which counts from the next request on, for sessions and personal keys', async () => {
    const owner = await given.tenant()
    const admin = await given.colleague(owner, 'admin')
    const key = await given.token(admin, 'sk', ['team:manage'])
    expect((await key.patch(`/members/${admin.userId}`, { role: 'admin' })).status).toBe(200)
    const { status, body } = await owner.patch(`/members/${admin.userId}`, { role: 'viewer' })
    expect(status).toBe(200)
    expect(body.data.role).toBe('viewer')
    expect((await admin.get('/members')).status).toBe(200)
    for (const caller of [admin, key])
      expect((await caller.patch(`/members/${admin.userId}`, { role: 'admin' })).status).toBe(403)
    expect(await lastAudit(owner.tenantId, 'member.role_changed')).toMatchObject({
      user_id: owner.userId,
      entity_type: 'user',
      entity_id: admin.userId,
      changes: { role: { before: 'admin', after: 'viewer' } },
    })
  })

  test('a role above the caller’s own cannot be given, and an admin cannot change owners', async () => {
    const owner = await given.tenant()
    const admin = await given.colleague(owner, 'admin')
    const member = await given.colleague(owner, 'member')
    const key = await given.token(new CallerUnderTest(owner.tenantId, null, null), 'svc', ['team:manage'])
    for (const caller of [admin, key]) {
      expect((await caller.patch(`/members/${member.userId}`, { role: 'owner' })).body.code).toBe('role_too_high')
      expect((await caller.patch(`/members/${owner.userId}`, { role: 'viewer' })).body.code).toBe('role_too_high')
      expect((await caller.delete(`/members/${owner.userId}`)).body.code).toBe('role_too_high')
      expect((await caller.post(`/members/${owner.userId}/reset-mfa`)).body.code).toBe('role_too_high')
      expect((await caller.patch(`/members/${member.userId}`, { role: 'admin' })).status).toBe(200)
    }
    expect((await admin.patch(`/members/${admin.userId}`, { role: 'owner' })).body.code).toBe('role_too_high')
    expect((await owner.patch(`/members/${admin.userId}`, { role: 'owner' })).status).toBe(200)
  })

  test('members and viewers change nothing', async () => {
    const owner = await given.tenant()
    for (const role of ['member', 'viewer'] as Role[]) {
      const caller = await given.colleague(owner, role)
      expect((await caller.patch(`/members/${caller.userId}`, { role: 'admin' })).status).toBe(403)
      expect((await caller.delete(`/members/${owner.userId}`)).status).toBe(403)
    }
  })

  test('a team keeps its last owner, also when two leave at once', async () => {
    const owner = await given.tenant()
    expect((await owner.patch(`/members/${owner.userId}`, { role: 'admin' })).body).toMatchObject({
      code: 'last_owner',
      errors: { role: [expect.any(String)] },
    })
    expect((await owner.delete(`/members/${owner.userId}`)).body.code).toBe('last_owner')
    for (let round = 0; round < 3; round++) {
      const one = await given.tenant()
      const other = await given.colleague(one, 'owner')
      const answers = await Promise.all([
        one.patch(`/members/${other.userId}`, { role: 'admin' }),
        other.patch(`/members/${one.userId}`, { role: 'admin' }),
        one.delete(`/members/${one.userId}`),
      ])
      expect(answers.filter(answer => answer.status < 300).length).toBeGreaterThan(0)
      expect(answers.filter(answer => answer.status >= 500)).toEqual([])
      const { rows } = await platform.query(
        `select count(*)::int as owners from memberships where tenant_id = $1 and role = 'owner'`,
        [one.tenantId],
      )
      expect(rows[0].owners).toBe(1)
    }
  })

  test('disables a member: sessions end at once, keys are refused until the member is enabled again', async () => {
    const owner = await given.tenant()
    const mo = await aPersonIn(owner.tenantId, 'admin')
    const key = await mo.elsewhere(owner.tenantId, 'sk', ['team:read'])
    const teamKey = await mo.post('/api-keys', { name: 'CI', scopes: ['team:read'] })
    expect(teamKey.status, teamKey.text).toBe(201)
    const ofTeam = new CallerUnderTest(owner.tenantId, null, teamKey.body.plain_text_token)
    for (const caller of [mo, key, ofTeam]) expect((await caller.get('/members')).status).toBe(200)
    const { status, body } = await owner.patch(`/members/${mo.userId}`, { status: 'disabled' })
    expect([status, body.data?.status, body.data?.role]).toEqual([200, 'disabled', 'admin'])
    for (const caller of [mo, key, ofTeam]) expect((await caller.get('/members')).status).toBe(401)
    expect((await signIn(mo.email)).body.code).toBe('bad_credentials')
    expect((await owner.get('/members?status=disabled')).body.data).toMatchObject([{ user_id: mo.userId }])
    expect((await owner.get('/members?status=active')).body.meta.total).toBe(1)
    expect((await owner.patch(`/members/${mo.userId}`, { status: 'active' })).body.data.status).toBe('active')
    expect((await mo.get('/members')).status).toBe(401)
    for (const caller of [key, ofTeam]) expect((await caller.get('/members')).status).toBe(200)
    expect((await signIn(mo.email)).status).toBe(201)
    for (const [action, before, after] of [
      ['member.disabled', 'active', 'disabled'],
      ['member.enabled', 'disabled', 'active'],
    ] as const)
      expect(await lastAudit(owner.tenantId, action)).toMatchObject({
        user_id: owner.userId,
        entity_id: mo.userId,
        changes: { status: { before, after } },
      })
    const notices = (await mailsOf(owner)).filter(({ recipient }) => recipient.user_id === mo.userId)
    expect(notices.map(({ type }) => type)).toContain('security_account_blocked')
    expect(notices.at(-1)).toMatchObject({
      type: 'security_account_unblocked',
      data: { user_email: mo.email, ip_address: null },
    })
  })

  test('a disabled member enters other teams of theirs, and no one disables themself or the last active owner', async () => {
    const owner = await given.tenant()
    const other = await given.tenant()
    const mo = await aPersonIn(owner.tenantId, 'owner')
    await platform.query('update users set email_verified_at = now() where id = $1', [mo.userId])
    await join(mo.userId, other.tenantId, 'member')
    const there = await mo.elsewhere(other.tenantId)
    expect((await mo.patch(`/members/${mo.userId}`, { status: 'disabled' })).body.errors).toHaveProperty('status')
    expect((await mo.patch(`/members/${owner.userId}`, { status: 'disabled' })).status).toBe(200)
    expect((await there.patch(`/members/${other.userId}`, { status: 'disabled' })).status).toBe(403)
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    expect((await reseller.patch(`${team.path}/members/${team.userId}`, { status: 'disabled' })).body).toMatchObject({
      code: 'last_owner',
      errors: { status: [expect.any(String)] },
    })
    expect((await mo.patch(`/members/${owner.userId}`, { status: 'active' })).status).toBe(200)
    expect((await owner.post('/auth/token', {})).status).toBe(422)
    const back = await given.token(owner, 'sk', ['team:manage'])
    expect((await back.patch(`/members/${mo.userId}`, { status: 'disabled' })).status).toBe(200)
    expect((await signIn(mo.email)).body.user.tenant_id).toBe(other.tenantId)
    expect((await signIn(mo.email, { tenant_id: owner.tenantId })).body.code).toBe('bad_credentials')
    expect((await there.get('/members')).status).toBe(200)
  })

  test('is refused in another tenant’s name, and with anything but a role', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const named = { headers: { 'X-Tenant-Id': team.tenantId } }
    expect((await reseller.patch(`/members/${team.userId}`, { role: 'admin' }, named)).body.code).toBe(
      'impersonation_refused',
    )
    expect((await reseller.patch(`${team.path}/members/${team.userId}`, { role: 'admin' })).body.code).toBe(
      'last_owner',
    )
    for (const role of ['', 'king', null, 7])
      expect(Object.keys((await team.patch(`/members/${team.userId}`, { role })).body.errors)).toEqual(['role'])
    expect((await team.patch(`/members/${randomUUID()}`, { role: 'admin' })).status).toBe(404)
  })
})

describe('DELETE /members/{user_id}', () => {
  test('ends that person’s sessions and keys in the team at once, and nothing elsewhere', async () => {
    const owner = await given.tenant()
    const elsewhere = await given.tenant()
    const member = await aPersonIn(owner.tenantId, 'member')
    await join(member.userId, elsewhere.tenantId, 'member')
    const key = await member.elsewhere(owner.tenantId, 'sk', ['monitors:read'])
    const other = await member.elsewhere(elsewhere.tenantId)
    expect((await key.get('/monitors')).status).toBe(200)
    expect((await owner.delete(`/members/${member.userId}`)).status).toBe(204)
    expect([
      (await member.get('/user')).status,
      (await key.get('/monitors')).status,
      (await other.get('/user')).status,
    ]).toEqual([401, 401, 200])
    expect(await app.emitted(owner)).toEqual(['member.removed'])
    expect(await lastAudit(owner.tenantId, 'member.removed')).toMatchObject({
      entity_id: member.userId,
      changes: { role: 'member' },
    })
    const { rows } = await platform.query(
      'select count(*)::int as left from tokens where user_id = $1 and tenant_id = $2',
      [member.userId, owner.tenantId],
    )
    expect(rows[0].left).toBe(0)
    expect((await owner.delete(`/members/${member.userId}`)).status).toBe(404)
  })

  test('frees the seat', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'hobby', overrides: { team_members: 2 } })
    const member = await given.colleague(team, 'member')
    const invite = () => team.post('/invitations', { email: `${randomUUID()}@people.test` })
    expect((await invite()).body.code).toBe('plan_limit')
    expect((await team.delete(`/members/${member.userId}`)).status).toBe(204)
    expect((await invite()).status).toBe(201)
  })

  test('works through the reseller’s endpoints, for owners too as long as one is left', async () => {
    const reseller = await given.reseller({ scopes: ['members:write'] })
    const team = await given.team(reseller)
    const second = await given.colleague(team, 'owner')
    expect((await reseller.delete(`${team.path}/members/${second.userId}`)).status).toBe(204)
    expect((await reseller.delete(`${team.path}/members/${team.userId}`)).body.code).toBe('last_owner')
  })

  test('in another tenant’s name members go, owners stay', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const [owner, member] = [await given.colleague(team, 'owner'), await given.colleague(team, 'member')]
    const named = { headers: { 'X-Tenant-Id': team.tenantId } }
    expect((await reseller.delete(`/members/${owner.userId}`, undefined, named)).body.code).toBe('role_too_high')
    expect((await reseller.delete(`/members/${member.userId}`, undefined, named)).status).toBe(204)
  })
})
