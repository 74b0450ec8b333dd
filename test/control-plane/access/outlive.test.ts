import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { tenantScopes } from '#contract/scopes.ts'
import { enrolAgent } from '#control-plane/engine/agents/enrol.ts'
import { enrolment, makeKeys } from '#test/control-plane/engine/agents/raw-agent.ts'
import { anAddress, password } from '#test/control-plane/identity/people.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'
import { aTeamWithDirectory, directoryOf, newPerson, patchOf, scim } from './scim/directory.ts'

const { platform } = app.services

/** What takes a person's right to administer a team away. */
const losses: [how: string, lose: (owner: CallerUnderTest, person: CallerUnderTest) => Promise<unknown>][] = [
  ['demoted to viewer', (owner, { userId }) => owner.patch(`/members/${userId}`, { role: 'viewer' })],
  ['demoted to member', (owner, { userId }) => owner.patch(`/members/${userId}`, { role: 'member' })],
  ['disabled', (owner, { userId }) => owner.patch(`/members/${userId}`, { status: 'disabled' })],
  ['removed', (owner, { userId }) => owner.delete(`/members/${userId}`)],
  ['leaving', (_, person) => person.delete(`/profile/teams/${person.tenantId}`)],
  ['erased', (_, { userId }) => platform.query('delete from users where id = $1', [userId])],
]

describe('the token of a directory', () => {
  test.each(losses)('does nothing once the administrator who created it is %s', async (_, lose) => {
    const { owner } = await aTeamWithDirectory()
    const maker = await given.colleague(owner, 'admin')
    const directory = await directoryOf(maker)
    expect((await directory.get(`${scim}/Users`)).status).toBe(200)
    await lose(owner, maker)
    expect((await directory.get(`${scim}/Users`)).status).toBe(403)
    expect((await directory.post(`${scim}/Users`, newPerson({ roles: [{ value: 'admin' }] }))).status).toBe(403)
    const raise = patchOf({ op: 'add', path: 'roles', value: 'admin' })
    expect((await directory.patch(`${scim}/Users/${maker.userId}`, raise)).status).toBe(403)
    const { body } = await owner.get('/scim-tokens')
    expect(body.data.map((token: { is_refused: boolean }) => token.is_refused)).toEqual([true, false])
    const { rows } = await platform.query(
      `select role from memberships where tenant_id = $1 and user_id = $2 and role in ('owner', 'admin')
         and disabled_at is null`,
      [owner.tenantId, maker.userId],
    )
    expect(rows).toEqual([])
  })

  test('works again when the person administers the team again, also one whom the directory itself has demoted', async () => {
    const { owner } = await aTeamWithDirectory()
    const maker = await given.colleague(owner, 'admin')
    const directory = await directoryOf(maker)
    const demote = patchOf({ op: 'add', path: 'roles', value: 'viewer' })
    expect((await directory.patch(`${scim}/Users/${maker.userId}`, demote)).status).toBe(200)
    expect((await directory.get(`${scim}/Users`)).status).toBe(403)
    await owner.patch(`/members/${maker.userId}`, { role: 'owner' })
    expect((await directory.get(`${scim}/Users`)).status).toBe(200)
  })

  test('that a key created follows the person behind the key', async () => {
    const { owner } = await aTeamWithDirectory()
    const maker = await given.colleague(owner, 'admin')
    const { body } = await maker.post('/api-keys', { name: 'CI', scopes: [...tenantScopes] })
    const directory = await directoryOf(new CallerUnderTest(owner.tenantId, null, body.plain_text_token))
    expect((await directory.get(`${scim}/Users`)).status).toBe(200)
    await owner.delete(`/members/${maker.userId}`)
    expect((await directory.get(`${scim}/Users`)).status).toBe(403)
  })

  test('that a person of the reseller or the operator created follows that person', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { overrides: { sso: true } })
    const colleague = await given.colleague(reseller, 'admin')
    const operator = await given.operator()
    for (const maker of [colleague, operator]) {
      const made = await maker.post('/scim-tokens', { name: 'x' }, { headers: { 'X-Tenant-Id': team.tenantId } })
      // in the name of another tenant no one creates them: one that was created in the team before
      expect(made.status).toBe(403)
      const own = await directoryOf(team)
      await platform.query('update scim_tokens set created_by = $2 where tenant_id = $1', [team.tenantId, maker.userId])
      expect((await own.get(`${scim}/Users`)).status).toBe(200)
      expect((await team.get('/scim-tokens')).body.data[0].is_refused).toBe(false)
      await platform.query(`update memberships set role = 'member' where user_id = $1`, [maker.userId])
      await platform.query('update users set is_super_admin = false where id = $1', [maker.userId])
      expect((await own.get(`${scim}/Users`)).status).toBe(403)
      await platform.query('delete from scim_tokens where tenant_id = $1', [team.tenantId])
    }
  })
})

describe('an open invitation', () => {
  const accept = (token: string) =>
    given.stranger().post('/invitations/accept', { token, name: 'Nia New', password, device_name: 'phone' })

  test.each(losses)('is not open once the owner who made it is %s', async (_, lose) => {
    const owner = await given.tenant()
    const maker = await given.colleague(owner, 'owner')
    const { body } = await maker.post('/invitations', { email: anAddress(), role: 'owner' })
    const lookUp = () => given.stranger().post('/invitations/lookup', { token: body.plain_text_token })
    expect((await lookUp()).status).toBe(200)
    await lose(owner, maker)
    for (const refused of [await lookUp(), await accept(body.plain_text_token)])
      expect([refused.status, refused.body.code]).toEqual([422, 'invitation_not_open'])
  })

  test('to a role that its maker may still give stays open', async () => {
    const owner = await given.tenant()
    const maker = await given.colleague(owner, 'owner')
    const invited = async (role: string) =>
      (await maker.post('/invitations', { email: anAddress(), role })).body.plain_text_token
    const [asOwner, asAdmin] = [await invited('owner'), await invited('admin')]
    await owner.patch(`/members/${maker.userId}`, { role: 'admin' })
    expect((await accept(asOwner)).status).toBe(422)
    expect((await accept(asAdmin)).status).toBe(201)
  })

  test('that a key made follows the person behind the key', async () => {
    const owner = await given.tenant()
    const maker = await given.colleague(owner, 'admin')
    const { body } = await maker.post('/api-keys', { name: 'CI', scopes: [...tenantScopes] })
    const key = new CallerUnderTest(owner.tenantId, null, body.plain_text_token)
    const invited = await key.post('/invitations', { email: anAddress() })
    expect(invited.status, invited.text).toBe(201)
    await owner.delete(`/members/${maker.userId}`)
    expect((await accept(invited.body.plain_text_token)).status).toBe(422)
  })
})

test('an enrolment token enrols no agent once the operator who made it is none', async () => {
  const operator = await given.operator()
  const region = `r-${randomUUID().slice(0, 8)}`
  const { body } = await operator.post('/agents/enrolment-tokens', { region })
  const enrol = async () => enrolAgent(platform, enrolment(await makeKeys(), body.data.token, region))
  await platform.query('update users set is_super_admin = false where id = $1', [operator.userId])
  await expect(enrol()).rejects.toMatchObject({ status: 401 })
  await platform.query('update users set is_super_admin = true where id = $1', [operator.userId])
  expect(await enrol()).toEqual(expect.any(String))
})

test('the address of an on-call calendar shows nothing while its person is disabled in the team', async () => {
  const owner = await given.tenant()
  const colleague = await given.colleague(owner, 'member')
  const { pathname } = new URL((await colleague.post('/on-call-schedules/calendar')).body.data.url)
  expect((await given.stranger().get(pathname)).status).toBe(200)
  await owner.patch(`/members/${colleague.userId}`, { status: 'disabled' })
  expect((await given.stranger().get(pathname)).status).toBe(404)
  await owner.patch(`/members/${colleague.userId}`, { status: 'active' })
  expect((await given.stranger().get(pathname)).status).toBe(200)
})
