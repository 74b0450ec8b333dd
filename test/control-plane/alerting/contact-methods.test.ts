import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { contactChannels } from '#control-plane/alerting/contact-methods/channels.ts'
import { linkTo } from '#test/control-plane/identity/mails.ts'
import { anAddress, aPersonIn } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { Receiver } from './receiver.ts'

const { platform } = app.services
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
})
afterAll(() => receiver.close())

const path = '/profile/contact-methods'
const phone = (fields: Record<string, unknown> = {}) => ({
  name: 'My phone',
  type: 'custom',
  config: { preset: 'ntfy', fields: { topic: 'my-topic' } },
  ...fields,
})
const rowsOf = async (person: { tenantId: string }, userId: string) =>
  (
    await platform.query('select id from notification_channels where tenant_id = $1 and owner_user_id = $2', [
      person.tenantId,
      userId,
    ])
  ).rows

describe('contact methods', () => {
  test('begin with the address of the account, which follows the account and cannot be deleted', async () => {
    const owner = await given.tenant()
    const person = await aPersonIn(owner.tenantId)
    const { data } = (await person.get(path)).body
    expect(data).toMatchObject([
      {
        type: 'email',
        config: { recipients: [person.email] },
        is_account: true,
        is_enabled: true,
        verified: true,
        position: 1,
      },
    ])
    const [{ id }] = data
    expect((await person.delete(`${path}/${id}`)).status).toBe(422)
    expect(await person.patch(`${path}/${id}`, { config: { recipients: [anAddress()] } })).toMatchObject({
      status: 422,
      body: { errors: { config: [expect.any(String)] } },
    })
    const moved = anAddress()
    await platform.query('update users set email = $2 where id = $1', [person.userId!, moved])
    expect((await person.get(path)).body.data[0].config).toEqual({ recipients: [moved] })
  })

  test('are created, ordered, changed and deleted by the person, and by no other person', async () => {
    const owner = await given.tenant()
    const person = await aPersonIn(owner.tenantId)
    const made = await person.post(path, phone())
    expect(made.status).toBe(201)
    expect(made.text).not.toContain('my-topic')
    const { id } = made.body.data
    expect(made.body.data).toMatchObject({ position: 2, verified: false, is_account: false, held_by_plan: false })
    const third = (await person.post(path, phone({ name: 'Other' }))).body.data.id
    const orderOf = async () =>
      (await person.get(path)).body.data.map(({ name, position }: { name: string; position: number }) => [
        position,
        name,
      ])
    expect((await person.patch(`${path}/${third}`, { position: 1 })).body.data.position).toBe(1)
    expect(await orderOf()).toEqual([
      [1, 'Other'],
      [2, 'E-mail'],
      [3, 'My phone'],
    ])
    expect((await person.patch(`${path}/${third}`, { position: 10 })).body.data.position).toBe(3)
    expect((await person.delete(`${path}/${id}`)).status).toBe(204)
    expect(await orderOf()).toEqual([
      [1, 'E-mail'],
      [2, 'Other'],
    ])

    const colleague = await aPersonIn(owner.tenantId)
    for (const other of [owner, colleague, await given.tenant()]) {
      expect((await other.get(path)).text).not.toContain(third)
      expect((await other.patch(`${path}/${third}`, { name: 'x' })).status).toBe(404)
      expect((await other.delete(`${path}/${third}`)).status).toBe(404)
      expect((await other.post(`${path}/${third}/test`)).status).toBe(404)
    }
    expect(await app.audited(owner)).toEqual(
      expect.arrayContaining(['contact_method.created', 'contact_method.updated', 'contact_method.deleted']),
    )
  })

  test('are no channels of the team: not listed, not read, no target of a rule, not counted', async () => {
    const reseller = await given.reseller({ scopes: ['notifications:manage', 'teams:read'] })
    const team = await given.team(reseller)
    const { id } = (await team.post(path, phone())).body.data
    expect((await team.get('/notification-channels')).body).toMatchObject({ data: [], meta: { total: 0 } })
    for (const answer of [
      await team.get(`/notification-channels/${id}`),
      await team.patch(`/notification-channels/${id}`, { name: 'x' }),
      await team.delete(`/notification-channels/${id}`),
      await team.post(`/notification-channels/${id}/test`),
      await reseller.get(`${team.path}/notification-channels/${id}`),
    ])
      expect(answer.status).toBe(404)
    const rule = await team.post('/notification-rules', { channel_id: id, event_types: ['incident.created'] })
    expect([rule.status, Object.keys(rule.body.errors)]).toEqual([422, ['channel_id']])
  })

  test('administrators see types and states, and no address', async () => {
    const owner = await given.tenant()
    const person = await aPersonIn(owner.tenantId)
    const address = anAddress()
    await person.post(path, { name: 'Home', type: 'email', config: { recipients: [address] } })
    await person.post(path, phone())
    const { body, text } = await owner.get(`/members/${person.userId!}`)
    expect(body.data.contact_methods).toEqual([
      { type: 'email', verified: true },
      { type: 'email', verified: false },
      { type: 'custom', verified: false },
    ])
    expect(text + (await owner.get('/members')).text + (await owner.get('/audit-log')).text).not.toContain(address)
    const token = await linkTo(owner, 'recipient_confirm', address)
    expect((await given.stranger().post('/mail-recipients/confirm', { token })).status).toBe(204)
    expect((await owner.get(`/members/${person.userId!}`)).body.data.contact_methods[1].verified).toBe(true)
  })

  test('a test verifies one until it is changed, and shows the answer', async () => {
    const owner = await given.tenant()
    const person = await aPersonIn(owner.tenantId)
    const { id } = (await person.post(path, phone())).body.data
    // an address of this machine cannot be saved, and the guard refuses it
    const { body } = await person.post(`${path}/${id}/test`)
    expect(body.data).toMatchObject({ success: false })
    await platform.query('update notification_channels set verified_at = now() where id = $1', [id])
    expect((await person.get(path)).body.data[1].verified).toBe(true)
    expect((await person.patch(`${path}/${id}`, { name: 'Same phone' })).body.data.verified).toBe(true)
    const changed = await person.patch(`${path}/${id}`, { config: { fields: { topic: 'another' } } })
    expect(changed.body.data.verified).toBe(false)
  })

  test('ten at most; one address each; types of the plan only', async () => {
    const owner = await given.tenant()
    const person = await aPersonIn(owner.tenantId)
    const made = []
    for (let count = 0; count < 10; count++) made.push(await person.post(path, phone()))
    expect(made.map(({ status }) => status)).toEqual([...Array.from({ length: 9 }, () => 201), 422])
    expect(made.at(-1)?.body.errors).toHaveProperty('type')
    const two = { name: 'x', type: 'email', config: { recipients: [anAddress(), anAddress()] } }
    expect((await owner.post(path, two)).body.errors).toHaveProperty(['config.recipients'])
    const free = await given.tenant({ plan: 'free' })
    expect((await free.post(path, phone())).status).toBe(403)
  })

  test('go when the person leaves the team, and when the account is erased', async () => {
    const owner = await given.tenant()
    const [one, other] = [await aPersonIn(owner.tenantId), await aPersonIn(owner.tenantId)]
    for (const person of [one, other]) await person.post(path, phone())
    expect(await rowsOf(owner, one.userId!)).toHaveLength(2)
    expect((await owner.delete(`/members/${one.userId!}`)).status).toBe(204)
    expect(await rowsOf(owner, one.userId!)).toEqual([])
    await platform.query('delete from users where id = $1', [other.userId!])
    expect(await rowsOf(owner, other.userId!)).toEqual([])
  })

  test('of many people are read by one statement, enabled ones in their order, within the plan', async () => {
    const [first, second] = [await given.tenant(), await given.tenant()]
    const [one, other] = [await aPersonIn(first.tenantId), await aPersonIn(second.tenantId)]
    const push = (await one.post(path, phone())).body.data.id
    await one.patch(`${path}/${push}`, { position: 1 })
    const off = (await one.post(path, phone({ name: 'Off', is_enabled: false }))).body.data.id
    const people = [one, other].map((person, index) => ({
      tenantId: [first, second][index]!.tenantId,
      userId: person.userId!,
    }))
    const found = await contactChannels(platform, [...people, { tenantId: second.tenantId, userId: one.userId! }])
    const ofOne = found.filter(({ userId }) => userId === one.userId!)
    expect(ofOne.map(({ channel }) => channel.type)).toEqual(['custom', 'email'])
    expect(ofOne.map(({ channel }) => channel.id)).not.toContain(off)
    expect(found.filter(({ userId }) => userId === other.userId!)).toMatchObject([
      { name: 'E-mail', tenantId: second.tenantId },
    ])
    await platform.query(`update tenants set plan = 'free' where id = $1`, [first.tenantId])
    expect((await contactChannels(platform, people)).map(({ channel }) => channel.type)).toEqual(['email', 'email'])
    expect(await contactChannels(platform, [{ tenantId: randomUUID(), userId: one.userId! }])).toEqual([])
  })
})
