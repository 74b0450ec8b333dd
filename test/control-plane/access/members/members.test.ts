import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Role } from '#contract/scopes.ts'
import { aPersonIn, join, lastAudit } from '#test/control-plane/identity/people.ts'
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
    for (const role of ['', 'king', null, 7, undefined])
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
