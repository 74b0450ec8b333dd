import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { linkTo } from '#test/control-plane/identity/mails.ts'
import { anAddress, another, aPersonIn, lastAudit, password, signIn } from '#test/control-plane/identity/people.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const ask = (path: string, body: unknown) => given.stranger().post(path, body)

async function anInvitation(email = anAddress(), fields: Record<string, unknown> = {}, options = {}) {
  const owner = await given.tenant(options)
  const { body } = await owner.post('/invitations', { email, ...fields })
  return {
    owner,
    email,
    id: body.data.id as string,
    token: body.plain_text_token as string,
    mailed: await linkTo(owner, 'invitation', email),
  }
}

describe('POST /invitations/accept', () => {
  test('makes an account for a new address, and signs in to the team', async () => {
    const { owner, email, id, token } = await anInvitation(undefined, { role: 'admin' })
    const { status, body } = await ask('/invitations/accept', {
      token,
      name: 'Nia New',
      password,
      language: 'de',
      device_name: 'phone',
    })
    expect(status).toBe(201)
    expect(body.user).toMatchObject({
      name: 'Nia New',
      email,
      tenant_id: owner.tenantId,
      role: 'admin',
      language: 'de',
    })
    const nia = new CallerUnderTest(owner.tenantId, body.user.id, body.token)
    expect((await nia.get('/members')).body.meta.total).toBe(2)
    expect((await signIn(email)).status).toBe(201)
    expect((await owner.get(`/invitations/${id}`)).body.data).toMatchObject({
      status: 'accepted',
      accepted_by: body.user.id,
      accepted_at: expect.any(String),
    })
    expect(await app.emitted(owner)).toEqual(['invitation.created', 'member.added'])
    expect(await lastAudit(owner.tenantId, 'invitation.accepted')).toMatchObject({
      user_id: body.user.id,
      entity_id: id,
      ip: expect.any(String),
    })
    expect((await owner.get(`/members/${body.user.id}`)).body.data.invited_by).toBe(owner.userId)
  })

  test('an account that is there joins by its password, and by nothing less', async () => {
    const home = await given.tenant()
    const { email, userId } = await aPersonIn(home.tenantId, 'admin')
    const { owner, token, mailed } = await anInvitation(email)
    expect((await ask('/invitations/lookup', { token: mailed })).body.data).toMatchObject({
      email,
      has_account: true,
      role: 'member',
    })
    expect((await ask('/invitations/accept', { token: mailed, name: 'Another', password: another })).status).toBe(401)
    const { status, body } = await ask('/invitations/accept', { token, password })
    expect(status).toBe(201)
    expect(body.user).toMatchObject({ id: userId, name: 'Mo Member', tenant_id: owner.tenantId, role: 'member' })
    expect((await signIn(email)).body.user.tenant_id).toBe(home.tenantId)
    expect((await signIn(email, { tenant_id: owner.tenantId })).body.user).toMatchObject({
      tenant_id: owner.tenantId,
      role: 'member',
    })
    expect((await signIn(email, { tenant_id: (await given.tenant()).tenantId })).status).toBe(401)
  })

  test('is good for one: of ten who come with the token at once, one joins', async () => {
    const { owner, token } = await anInvitation()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => ask('/invitations/accept', { token, name: 'Nia New', password })),
    )
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(1)
    expect(answers.filter(answer => answer.status >= 500)).toEqual([])
    expect((await owner.get('/members')).body.meta.total).toBe(2)
    expect((await ask('/invitations/accept', { token, name: 'Nia New', password })).body.code).toBe(
      'invitation_not_open',
    )
  })

  test('unknown, revoked, declined, over and of a deleted team are one answer', async () => {
    const [revoked, declined, over, deleted] = [
      await anInvitation(),
      await anInvitation(),
      await anInvitation(),
      await anInvitation(),
    ]
    await revoked.owner.delete(`/invitations/${revoked.id}`)
    expect((await ask('/invitations/decline', { token: declined.token })).status).toBe(204)
    await platform.query(`update invitations set expires_at = now() where id = $1`, [over.id])
    await platform.query('update tenants set deleted_at = now() where id = $1', [deleted.owner.tenantId])
    const answers = new Set<string>()
    for (const token of [
      randomBytes(32).toString('base64url'),
      revoked.token,
      declined.token,
      over.token,
      deleted.token,
    ])
      for (const path of ['/invitations/accept', '/invitations/lookup', '/invitations/decline']) {
        const { status, text } = await ask(path, { token, name: 'Nia New', password })
        answers.add(`${status} ${text.replace(/"request_id":"[^"]+"/, '')}`)
      }
    expect([...answers]).toEqual([expect.stringMatching(/^422 .*invitation_not_open/)])
    expect((await over.owner.get(`/invitations/${over.id}`)).body.data.status).toBe('expired')
    expect(await lastAudit(declined.owner.tenantId, 'invitation.declined')).toMatchObject({ entity_id: declined.id })
  })

  test('names missing and weak fields of a new account', async () => {
    const { token, mailed } = await anInvitation()
    const fields = async (body: unknown) => Object.keys((await ask('/invitations/accept', body)).body.errors).sort()
    expect(await fields({})).toEqual(['password', 'token'])
    expect(await fields({ token: mailed, password })).toEqual(['name'])
    expect(await fields({ token: 'x', password, name: 'N' })).toEqual(['token'])
    expect(await fields({ token, name: 'Nia', password: 'elevenchars' })).toEqual(['password'])
    expect(await fields({ token, name: 'x'.repeat(256), password })).toEqual(['name'])
  })

  test('a plan that shrank meanwhile has no seat', async () => {
    const { owner, token } = await anInvitation()
    await platform.query(`update tenants set plan = 'free' where id = $1`, [owner.tenantId])
    expect((await ask('/invitations/accept', { token, name: 'Nia New', password })).body.code).toBe('plan_limit')
    await platform.query(`update tenants set plan = 'hobby' where id = $1`, [owner.tenantId])
    expect((await ask('/invitations/accept', { token, name: 'Nia New', password })).status).toBe(201)
  })
})

test('who has become a member meanwhile stays what they are, also where every seat is taken', async () => {
  const { owner, email, id, token } = await anInvitation(
    undefined,
    { role: 'viewer' },
    { overrides: { team_members: 2 } },
  )
  await aPersonIn(owner.tenantId, 'admin', { email })
  expect((await ask('/invitations/accept', { token, password })).body.user.role).toBe('admin')
  expect((await owner.get(`/invitations/${id}`)).body.data.status).toBe('accepted')
  expect(await app.emitted(owner)).not.toContain('member.added')
})

describe('POST /profile/invitations/accept', () => {
  test('joins the person signed in, if the invitation is to their address', async () => {
    const person = await aPersonIn((await given.tenant()).tenantId)
    const mine = await anInvitation(person.email.toUpperCase())
    const theirs = await anInvitation()
    const { status, body } = await person.post('/profile/invitations/accept', { token: mine.token })
    expect([status, body.data]).toEqual([
      200,
      { tenant_id: mine.owner.tenantId, name: expect.any(String), role: 'member' },
    ])
    expect((await person.get('/profile')).body.data.teams.map((team: { tenant_id: string }) => team.tenant_id)).toEqual(
      [person.tenantId, mine.owner.tenantId],
    )
    expect((await person.post('/profile/invitations/accept', { token: theirs.token })).body.code).toBe(
      'invitation_of_another',
    )
    const key = await person.elsewhere(person.tenantId, 'sk', ['team:manage'])
    expect((await key.post('/profile/invitations/accept', { token: theirs.token })).body.code).toBe('session_needed')
  })
})
