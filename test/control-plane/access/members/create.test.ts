import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { anAddress, another, aPersonIn, lastAudit, password, signIn } from '#test/control-plane/identity/people.ts'
import { app, given, type TeamUnderTest } from '#test/support/app.ts'

const wanted = () => ({ name: 'Nia New', email: anAddress(), password, role: 'admin' })

describe('POST /reseller/managed-teams/{managed_team}/members', () => {
  test('adds a person who can sign in, emits an event, and audits it in both logs', async () => {
    const reseller = await given.reseller({ scopes: ['members:write'] })
    const team = await given.team(reseller)
    const body = wanted()
    const { status, body: answer } = await reseller.post(`${team.path}/members`, body)
    expect(status).toBe(201)
    expect(answer.data).toMatchObject({
      name: 'Nia New',
      email: body.email,
      role: 'admin',
      language: 'en',
      timezone: 'UTC',
      mfa_enabled: false,
    })
    const session = await signIn(body.email)
    expect(session.body.user).toMatchObject({ id: answer.data.user_id, tenant_id: team.tenantId, role: 'admin' })
    expect(await app.emitted(team)).toEqual(['member.added'])
    for (const tenantId of [team.tenantId, reseller.tenantId])
      expect(await lastAudit(tenantId, 'member.added')).toMatchObject({
        user_id: reseller.userId,
        entity_id: answer.data.user_id,
        changes: { role: 'admin' },
      })
  })

  test('keeps names and addresses out of trail and outbox', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const body = wanted()
    await reseller.post(`${team.path}/members`, body)
    const { rows } = await app.services.platform.query(
      `select changes::text as text from audit_entries where tenant_id = any($1) union all select payload::text
       from outbox where tenant_id = any($1) and kind <> 'mail'`,
      [[team.tenantId, reseller.tenantId]],
    )
    expect(JSON.stringify(rows)).not.toContain(body.email)
    expect(JSON.stringify(rows)).not.toContain('Nia')
  })

  test('refuses an address that has an account, in whatever case it is written', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { email } = await aPersonIn((await given.tenant()).tenantId)
    for (const address of [email, email.toUpperCase()]) {
      const { status, body } = await reseller.post(`${team.path}/members`, { ...wanted(), email: address })
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'taken', ['email']])
    }
    const twins = anAddress()
    const answers = await Promise.all(
      [1, 2, 3].map(() => reseller.post(`${team.path}/members`, { ...wanted(), email: twins })),
    )
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 422, 422])
  })

  test('refuses weak passwords, by what is known of team, reseller and person too', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const add = (fields: Record<string, unknown>) => reseller.post(`${team.path}/members`, { ...wanted(), ...fields })
    expect((await add({ password: 'elevenchars' })).body.code).toBe('password_short')
    expect((await add({ password: 'Password1234!' })).body.code).toBe('password_weak')
    expect((await add({ password: 'seven Wilhelmina kettles', name: 'Wilhelmina Kay' })).body.code).toBe(
      'password_context',
    )
    expect((await add({ password: 'seven tenant kettles juggle' })).body.code).toBe('password_context')
    expect((await add({ password: another })).status).toBe(201)
  })

  test('names each field that is missing or wrong', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const fields = async (body: unknown) =>
      Object.keys((await reseller.post(`${team.path}/members`, body)).body.errors).sort()
    expect(await fields({})).toEqual(['email', 'name', 'password'])
    expect(await fields({ ...wanted(), name: ' ' })).toEqual(['name'])
    expect(await fields({ ...wanted(), name: 'x'.repeat(256) })).toEqual(['name'])
    expect(await fields({ ...wanted(), name: 'a\nBcc: b' })).toEqual(['name'])
    expect(await fields({ ...wanted(), email: `${'x'.repeat(250)}@a.test` })).toEqual(['email'])
    expect(await fields({ ...wanted(), role: 'king' })).toEqual(['role'])
    expect(await fields({ ...wanted(), language: 'English' })).toEqual(['language'])
    expect(await fields({ ...wanted(), password: 'x'.repeat(1_001) })).toEqual(['password'])
    expect(
      (await reseller.post(`${team.path}/members`, { ...wanted(), name: '名前 🛰️', role: undefined })).body.data,
    ).toMatchObject({
      name: '名前 🛰️',
      role: 'member',
    })
  })

  test('is for the reseller of the team with members:write alone', async () => {
    const reseller = await given.reseller({ scopes: ['members:read', 'teams:manage'] })
    const team = await given.team(reseller)
    for (const caller of [reseller, await given.reseller(), team])
      expect((await caller.post(`${team.path}/members`, wanted())).status).toBe(403)
    expect(
      (await (await given.reseller()).post(`/reseller/managed-teams/${randomUUID()}/members`, wanted())).status,
    ).toBe(404)
  })

  test('the plan’s seats hold members and invitations together, however many come at once', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { overrides: { team_members: 4 } })
    expect((await reseller.post(`${team.path}/invitations`, { email: anAddress() })).status).toBe(201)
    const answers = await Promise.all([...seats(team, reseller)])
    expect(answers.filter(answer => answer.status === 201)).toHaveLength(2)
    for (const { status, body } of answers) if (status !== 201) expect([status, body.code]).toEqual([422, 'plan_limit'])
  })
})

function* seats(team: TeamUnderTest, reseller: Awaited<ReturnType<typeof given.reseller>>) {
  for (let i = 0; i < 5; i++) {
    yield reseller.post(`${team.path}/members`, wanted())
    yield team.post('/invitations', { email: anAddress() })
  }
}
