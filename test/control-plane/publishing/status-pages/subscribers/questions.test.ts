import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { addressHash } from '#control-plane/base/address-hash.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { deleteExpiredSubscribers } from '#control-plane/publishing/status-pages/subscribers/delete-expired.ts'
import { directoryOf, newPerson, scim } from '#test/control-plane/access/scim/directory.ts'
import { aVerifiedDomain } from '#test/control-plane/identity/sso/scene.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { aPage, aSubscriber, pathOf, waiting } from './subscribed.ts'

const { platform, config } = app.services
const anAddress = () => `${randomUUID()}@example.com`
const csvOf = (addresses: readonly string[]) =>
  [['address', ...addresses].join('\n'), { headers: { 'Content-Type': 'text/csv' } }] as const
const some = (count: number) => Array.from({ length: count }, anAddress)
const questionsOf = async (team: CallerUnderTest) => (await team.get('/mail-budget')).body.data.questions

/** Questions that were asked before, by their number, to one address or to as many. */
const asked = (team: { tenantId: string }, count: number, by: 'team' | 'visitor', address?: string) =>
  platform.query(
    `insert into mail_questions (tenant_id, address_hash, asked_by)
     select $1, coalesce($4, int4send(n)), $3 from generate_series(1, $2::int) n`,
    [team.tenantId, count, by, address === undefined ? null : addressHash(config, address)],
  )
const age = (team: { tenantId: string }) =>
  platform.query(`update tenants set created_at = now() - interval '8 days' where id = $1`, [team.tenantId])

describe('the addresses that a team asks', () => {
  test('take a place of the plan when they are imported, and keep it when they confirm', async () => {
    const team = await given.tenant({ overrides: { subscribers: 2 } })
    const page = await aPage(team)
    const path = `${pathOf(page)}/import`
    const three = some(3)
    const refused = await team.call('POST', path, ...csvOf(three))
    expect([refused.status, refused.body.code]).toEqual([422, 'plan_limit'])
    expect(refused.body).toMatchObject({ quota: 'subscribers', current: 0, limit: 2 })
    expect((await team.call('POST', path, ...csvOf(three.slice(0, 2)))).body.data.added).toBe(2)
    expect((await team.call('POST', path, ...csvOf(three.slice(0, 2)))).body.data).toMatchObject({
      added: 0,
      existing: 2,
    })
    expect((await team.post(pathOf(page), { address: anAddress() })).status).toBe(422)
    const token = 'x'.repeat(43)
    await platform.query(
      `update status_page_subscribers set token_hash = sha256($2) where id =
         (select id from status_page_subscribers where page_id = $1 limit 1)`,
      [page.id, token],
    )
    expect((await given.stranger().post('/status-subscriptions/confirm', { token })).status).toBe(204)
    expect((await given.stranger().post(`/status/${page.slug}/subscribe`, { address: anAddress() })).status).toBe(422)
  })

  test('are no more in 24 hours than a tenth of the subscribers of the plan, by import and singly', async () => {
    const team = await given.tenant({ overrides: { subscribers: 1_010 } })
    const page = await aPage(team)
    const path = `${pathOf(page)}/import`
    expect(await questionsOf(team)).toEqual({ limit: 101, sent: 0 })
    const refused = await team.call('POST', path, ...csvOf(some(102)))
    expect([refused.status, refused.body.code]).toEqual([422, 'too_many_recipients'])
    expect(refused.body.errors.address[0]).toMatch(/^At most 101 .* 101 are left\.$/)
    expect(await questionsOf(team)).toEqual({ limit: 101, sent: 0 })
    expect((await team.call('POST', path, ...csvOf(some(100)))).body.data.added).toBe(100)
    expect((await team.post(pathOf(page), { address: anAddress() })).status).toBe(201)
    expect(await questionsOf(team)).toEqual({ limit: 101, sent: 101 })
    expect((await team.post(pathOf(page), { address: anAddress() })).body.code).toBe('too_many_recipients')
    expect(await waiting(team)).toBe(101)
    await platform.query(`update mail_questions set asked_at = asked_at - interval '1 day' where tenant_id = $1`, [
      team.tenantId,
    ])
    expect((await team.post(pathOf(page), { address: anAddress() })).status).toBe(201)
  })

  test('count as asked although they are said to have confirmed, in the first seven days of a team', async () => {
    const team = await given.tenant({ overrides: { subscribers: 1_000 } })
    const page = await aPage(team)
    const path = `${pathOf(page)}/import?confirmed=true`
    expect((await team.call('POST', path, ...csvOf(some(101)))).body.code).toBe('too_many_recipients')
    expect((await team.call('POST', path, ...csvOf(some(100)))).body.data.added).toBe(100)
    expect((await team.post(pathOf(page), { address: anAddress(), confirmed: true })).body.code).toBe(
      'too_many_recipients',
    )
    expect(await waiting(team)).toBe(0)
    await age(team)
    expect((await team.call('POST', path, ...csvOf(some(101)))).body.data.added).toBe(101)
    const reseller = await given.reseller()
    const managed = await given.team(reseller, { overrides: { subscribers: 1_000 } })
    const ofManaged = `${managed.path}${pathOf(await aPage(managed))}/import?confirmed=true`
    expect((await reseller.call('POST', ofManaged, ...csvOf(some(101)))).body.data.added).toBe(101)
  })

  test('are asked three times a week, also if they are deleted and added again', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const address = anAddress()
    const addedAndDeleted = async () => {
      const { body } = await team.post(pathOf(page), { address })
      const queued = await waiting(team)
      await team.delete(`${pathOf(page)}/${body.data.id}`)
      return queued
    }
    const queued = []
    for (let time = 0; time < 5; time++) queued.push(await addedAndDeleted())
    expect(queued).toEqual([1, 1, 1, 0, 0])
  })

  test('are asked ten times a day by all teams together', async () => {
    const address = anAddress()
    for (let n = 0; n < 5; n++) await asked(await given.tenant(), 2, 'team', address)
    const team = await given.tenant()
    const page = await aPage(team)
    const added = await team.call('POST', `${pathOf(page)}/import`, ...csvOf([address, anAddress()]))
    expect(added.body.data.added).toBe(2)
    expect(await waiting(team)).toBe(1)
    const stranger = given.stranger()
    expect((await stranger.post(`/status/${page.slug}/subscribe`, { address })).status).toBe(202)
    expect(await waiting(team)).toBe(1)
  })

  test('are also new members whom a directory names, unless the team has proven their domain', async () => {
    const team = await given.tenant({ overrides: { sso: true, subscribers: 10 } })
    const directory = await directoryOf(team)
    const create = (body: object) => directory.post(`${scim}/Users`, body)
    expect((await create(newPerson())).status).toBe(201)
    expect(await questionsOf(team)).toEqual({ limit: 100, sent: 1 })
    await asked(team, 99, 'team')
    expect((await create(newPerson())).status).toBe(400)
    const userName = `${randomUUID()}@${await aVerifiedDomain(team)}`
    expect((await create(newPerson({ userName, emails: [{ value: userName, primary: true }] }))).status).toBe(201)
    expect(await questionsOf(team)).toEqual({ limit: 100, sent: 100 })
  })
})

test('visitors of pages cause as many questions a day as the plan has subscribers, at least 1,000', async () => {
  const team = await given.tenant({ overrides: { subscribers: 10 } })
  const page = await aPage(team)
  const subscribe = () => given.stranger().post(`/status/${page.slug}/subscribe`, { address: anAddress() })
  await asked(team, 999, 'visitor')
  expect((await subscribe()).status).toBe(202)
  const refused = await subscribe()
  expect([refused.status, refused.body.code]).toEqual([422, 'subscribers_full'])
  expect(await questionsOf(team)).toEqual({ limit: 100, sent: 0 })
  await aSubscriber(team, page)
})

test('a person changes the address to one that was asked three times this week by 422', async () => {
  const address = anAddress()
  const team = await given.tenant()
  await asked(team, 3, 'team', address)
  await platform.query('update users set password_hash = $2 where id = $1', [
    team.userId,
    await hashPassword('a long password of this test'),
  ])
  const refused = await team.post('/profile/email', { email: address, password: 'a long password of this test' })
  expect([refused.status, refused.body.code]).toEqual([422, 'sent_too_often'])
})

test('an address is invited ten times a day by all teams together', async () => {
  const email = anAddress()
  for (let n = 0; n < 10; n++)
    expect((await (await given.tenant()).post('/invitations', { email })).status, String(n)).toBe(201)
  const refused = await (await given.tenant()).post('/invitations', { email })
  expect([refused.status, refused.body.code]).toEqual([422, 'too_many_invitations'])
})

test('questions are forgotten after seven days', async () => {
  const team = await given.tenant()
  await asked(team, 2, 'team')
  await platform.query(
    `update mail_questions set asked_at = now() - interval '8 days'
     where id = (select min(id) from mail_questions where tenant_id = $1)`,
    [team.tenantId],
  )
  await deleteExpiredSubscribers(platform)
  const { rows } = await platform.query('select id from mail_questions where tenant_id = $1', [team.tenantId])
  expect(rows).toHaveLength(1)
})
