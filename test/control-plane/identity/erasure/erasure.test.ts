import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { Dispatcher, type OutboxEvent } from '#control-plane/outbox/dispatcher.ts'
import { linkTo } from '#test/control-plane/identity/mails.ts'
import { anAddress, aPersonIn, join, lastAudit, password, signIn } from '#test/control-plane/identity/people.ts'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'
import { findInStores } from './dump.ts'

const { platform } = app.services

interface ErasedEvent {
  tenant_id: string
  payload: {
    email: string
    name: string
    initiated_by: string
    erasure_id: string
    erased_at: string
    teams: Record<string, unknown>[]
  }
}

async function erasedEvents(resellers: readonly CallerUnderTest[]): Promise<ErasedEvent[]> {
  const { rows } = await platform.query<ErasedEvent>(
    `select tenant_id, payload from outbox where name = 'member.erased' and tenant_id = any($1) order by id`,
    [resellers.map(reseller => reseller.tenantId)],
  )
  return rows
}

/** Hands on what waits until nothing of these tenants does. */
async function handOn(tenants: readonly string[], listen: (event: OutboxEvent) => Promise<void>): Promise<void> {
  const { listener, metrics } = app.services
  const dispatcher = new Dispatcher({
    platform,
    listener,
    metrics,
    log: pino({ level: 'silent' }),
    listeners: [listen],
  })
  dispatcher.start()
  await expect
    .poll(
      async () =>
        (
          await platform.query(
            `select 1 from outbox where kind = 'event' and done_at is null and tenant_id = any($1)`,
            [tenants],
          )
        ).rowCount,
      {
        timeout: 20_000,
      },
    )
    .toBe(0)
  await dispatcher.stop()
}

/** The last mail to an address leaves the outbox as it is sent: here it is taken out. */
async function lastMail(email: string): Promise<Record<string, unknown>[]> {
  const { rows } = await platform.query(
    `delete from outbox where kind = 'mail' and payload -> 'recipient' ->> 'email' = $1
     returning name, is_personal, payload -> 'data' as data`,
    [email],
  )
  return rows
}

/** A person who has left traces wherever a person can. */
async function aTracedPerson(team: TeamUnderTest, reseller: CallerUnderTest, name: string, email: string) {
  await team.post('/invitations', { email, role: 'member' })
  const accepted = await given
    .stranger()
    .post('/invitations/accept', { token: await linkTo(team, 'invitation', email), name, password })
  const person = await aPersonIn(team.tenantId, 'member', { name, email })
  expect(person.userId).toBe(accepted.body.user.id)
  await person.patch('/profile', { name: `${name} Esq.`, timezone: 'Europe/Berlin' })
  await person.post('/profile/mfa', { password })
  await person.get('/profile/export')
  await signIn(email)
  const monitor = await person.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })
  expect(monitor.status).toBe(201)
  await (await given.tenant()).post('/invitations', { email })
  await reseller.patch(`${team.path}/members/${person.userId}`, { role: 'admin' })
  await platform.query('insert into mail_recipients (tenant_id, email, confirmed_at) values ($1, $2, now())', [
    (await given.tenant()).tenantId,
    email,
  ])
  await reseller.post(
    `${team.path}/members`,
    { name: 'Another Person', email: anAddress(), password },
    { headers: { 'Idempotency-Key': `erasure-${randomUUID()}` } },
  )
  return person
}

describe('POST /reseller/managed-teams/{managed_team}/members/{user_id}/erase', () => {
  const again = { repeats: Number(process.env.ERASURES ?? 1) - 1 }
  test(
    'no remaining row has the name, address or IP; each reseller gets one event about its own teams',
    again,
    async () => {
      const mark = randomUUID().slice(0, 13)
      const [name, email] = [`Marker-${mark} Surname-${mark}`, `marker-${mark}@people.test`]
      const [r1, r2] = [await given.reseller(), await given.reseller()]
      const [team, sister, foreign] = [
        await given.team(r1, { label: 'gold' }),
        await given.team(r1),
        await given.team(r2),
      ]
      await platform.query(`update managed_teams set external_ref = 'whmcs-7' where id = $1`, [sister.id])
      const person = await aTracedPerson(team, r1, name, email)
      await join(person.userId, sister.tenantId, 'viewer')
      await join(person.userId, foreign.tenantId, 'member')
      await platform.query(
        `insert into mail_sink_messages (id, tenant_id, recipients, subject, body)
         values (gen_random_uuid(), $1, $2, 'x', 'x')`,
        [team.tenantId, [email.toUpperCase()]],
      )
      const texts = [mark, person.ip]
      expect((await findInStores(texts)).length).toBeGreaterThan(5)

      const { status, body } = await r1.post(`${team.path}/members/${person.userId}/erase`)
      expect([status, body.data]).toEqual([
        200,
        { erasure_id: expect.any(String), user_id: person.userId, erased_at: expect.stringMatching(/Z$/) },
      ])
      expect((await person.get('/user')).status).toBe(401)
      expect((await signIn(email)).status).toBe(401)

      const events = await erasedEvents([r1, r2])
      const common = {
        email,
        name: `${name} Esq.`,
        initiated_by: 'reseller',
        erasure_id: body.data.erasure_id,
        erased_at: body.data.erased_at,
      }
      expect(events).toEqual([
        {
          tenant_id: r1.tenantId,
          payload: {
            ...common,
            teams: [
              {
                managed_tenant_id: team.tenantId,
                user_id: person.userId,
                role: 'admin',
                label: 'gold',
                external_ref: null,
              },
              {
                managed_tenant_id: sister.tenantId,
                user_id: person.userId,
                role: 'viewer',
                label: null,
                external_ref: 'whmcs-7',
              },
            ],
          },
        },
        {
          tenant_id: r2.tenantId,
          payload: {
            ...common,
            teams: [
              {
                managed_tenant_id: foreign.tenantId,
                user_id: person.userId,
                role: 'member',
                label: null,
                external_ref: null,
              },
            ],
          },
        },
      ])

      const notice = {
        user_name: `${name} Esq.`,
        user_email: email,
        ip_address: null,
        occurred_at: body.data.erased_at,
      }
      expect(await lastMail(email)).toEqual([{ name: 'security_account_deleted', is_personal: true, data: notice }])
      // all that is left are the two words that wait to be handed on
      const left = await findInStores(texts)
      expect(left.filter(row => !row.includes('"member.erased"'))).toEqual([])
      expect(left).toHaveLength(2)

      const received: OutboxEvent[] = []
      await handOn([r1.tenantId, r2.tenantId], async event => {
        if (event.name === 'member.erased') received.push(event)
      })
      expect(received.filter(event => event.payload.erasure_id === body.data.erasure_id)).toHaveLength(2)
      expect(await findInStores(texts)).toEqual([])

      expect((await team.get('/members')).status).toBe(200)
      for (const { tenantId } of [team, r1])
        expect(await lastAudit(tenantId, 'member.erased')).toMatchObject({
          user_id: r1.userId,
          entity_id: person.userId,
          changes: { initiated_by: 'reseller' },
        })
      expect(await lastAudit(foreign.tenantId, 'member.erased')).toMatchObject({
        user_id: null,
        ip: null,
        entity_id: person.userId,
      })
      expect((await r1.post(`${team.path}/members/${person.userId}/erase`)).status).toBe(404)
    },
  )

  test('a word that cannot be handed on waits, and keeps what it says', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const person = await aPersonIn(team.tenantId)
    await reseller.post(`${team.path}/members/${person.userId}/erase`)
    let isDown = true
    const listen = async (event: OutboxEvent) => {
      if (event.tenantId === reseller.tenantId && isDown) {
        isDown = false
        throw new Error('the receiver is down')
      }
      if (event.tenantId === reseller.tenantId) expect(event.payload.email).toBe(person.email)
    }
    await handOn([reseller.tenantId], listen)
    expect(isDown).toBe(false)
    expect(await erasedEvents([reseller])).toEqual([])
  })

  test('a team outlives its last member', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    expect((await reseller.post(`${team.path}/members/${team.userId}/erase`)).status).toBe(200)
    expect((await reseller.get(`${team.path}/members`)).body.data).toEqual([])
    expect((await erasedEvents([reseller]))[0]?.payload.teams).toMatchObject([
      { managed_tenant_id: team.tenantId, role: 'owner' },
    ])
  })

  test('is refused for operators, people of resellers, and the last leader of another reseller’s team', async () => {
    const [r1, r2] = [await given.reseller(), await given.reseller()]
    const team = await given.team(r1)
    const erase = async (userId: string | null) => {
      const { status, body } = await r1.post(`${team.path}/members/${userId}/erase`)
      return [status, body.code]
    }
    const operator = await given.operator()
    const foreign = await given.team(r2)
    const independent = await given.tenant()
    for (const protectedPerson of [operator, r1, r2, foreign, independent]) {
      await join(protectedPerson.userId, team.tenantId, 'member')
      expect(await erase(protectedPerson.userId)).toEqual([403, 'person_protected'])
    }
    const admin = await given.colleague(foreign, 'admin')
    await join(admin.userId, team.tenantId, 'member')
    expect(await erase(admin.userId)).toEqual([200, undefined])
    await given.colleague(independent, 'owner')
    expect(await erase(independent.userId)).toEqual([200, undefined])
    const { rows } = await platform.query('select count(*)::int as left from users where id = any($1)', [
      [operator.userId, r1.userId, r2.userId, foreign.userId],
    ])
    expect(rows[0].left).toBe(4)
  })

  test('the last administrator is protected where there is no owner at all', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const elsewhere = await given.tenant({ role: 'admin' })
    await join(elsewhere.userId, team.tenantId, 'member')
    expect((await reseller.post(`${team.path}/members/${elsewhere.userId}/erase`)).body.code).toBe('person_protected')
  })

  test('needs a living membership in that team, members:write, and the reseller whose team it is', async () => {
    const reseller = await given.reseller({ scopes: ['members:write'] })
    const [team, sister] = [await given.team(reseller), await given.team(reseller)]
    const person = await aPersonIn(sister.tenantId)
    expect((await reseller.post(`${team.path}/members/${person.userId}/erase`)).status).toBe(404)
    expect((await reseller.post(`${team.path}/members/${randomUUID()}/erase`)).status).toBe(404)
    expect((await reseller.post(`${team.path}/members/x/erase`)).status).toBe(404)
    const left = await aPersonIn(team.tenantId)
    await team.delete(`/members/${left.userId}`)
    expect((await reseller.post(`${team.path}/members/${left.userId}/erase`)).status).toBe(404)
    const reader = await given.token(reseller, 'rk', ['members:read'])
    for (const caller of [reader, await given.reseller(), sister, await given.token(sister, 'sk', ['team:manage'])])
      expect((await caller.post(`${sister.path}/members/${person.userId}/erase`)).status).toBe(403)
    expect((await reseller.post(`${sister.path}/members/${person.userId}/erase`)).status).toBe(200)
  })

  test('a service user cannot be erased', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const service = await given.colleague(team, 'member')
    await platform.query('update users set is_service = true where id = $1', [service.userId])
    expect((await reseller.post(`${team.path}/members/${service.userId}/erase`)).status).toBe(404)
  })
})

describe('DELETE /profile', () => {
  test('a person erases themselves with the password, and each reseller is notified', async () => {
    const mark = randomUUID().slice(0, 13)
    const [r1, r2] = [await given.reseller(), await given.reseller()]
    const [team, foreign] = [await given.team(r1), await given.team(r2)]
    const person = await aTracedPerson(team, r1, `Marker-${mark}`, `marker-${mark}@people.test`)
    await join(person.userId, foreign.tenantId, 'admin')
    expect((await person.delete('/profile', { password: 'wrong' })).body).toMatchObject({
      code: 'wrong_password',
      errors: { password: [expect.any(String)] },
    })
    const { status, body } = await person.delete('/profile', { password })
    expect([status, body.data.user_id]).toEqual([200, person.userId])
    expect((await person.get('/user')).status).toBe(401)
    expect((await erasedEvents([r1, r2])).map(({ payload }) => [payload.initiated_by, payload.teams.length])).toEqual([
      ['self', 1],
      ['self', 1],
    ])
    await handOn([r1.tenantId, r2.tenantId], async () => undefined)
    expect(await lastMail(person.email)).toMatchObject([
      { name: 'security_account_deleted', data: { ip_address: person.ip } },
    ])
    expect(await findInStores([mark, person.ip])).toEqual([])
    expect(await lastAudit(team.tenantId, 'member.erased')).toMatchObject({
      user_id: null,
      ip: null,
      changes: { initiated_by: 'self' },
    })
  })

  test('is refused to operators, and to the last owner of other people', async () => {
    const owner = await aPersonIn((await given.tenant({ role: 'viewer' })).tenantId, 'owner')
    expect((await owner.delete('/profile', { password })).body.code).toBe('last_owner')
    const reseller = await given.reseller()
    await platform.query('delete from memberships where tenant_id = $1', [reseller.tenantId])
    const alone = await aPersonIn(reseller.tenantId, 'owner')
    expect((await alone.delete('/profile', { password })).body.code).toBe('last_owner')
    const operator = await aPersonIn((await given.tenant()).tenantId)
    await platform.query('update users set is_super_admin = true where id = $1', [operator.userId])
    expect((await operator.delete('/profile', { password })).body.code).toBe('person_protected')
  })

  test('of two last owners who go at once, one stays', async () => {
    const tenant = await given.tenant({ role: 'viewer' })
    const [one, other] = [await aPersonIn(tenant.tenantId, 'owner'), await aPersonIn(tenant.tenantId, 'owner')]
    const answers = await Promise.all([one, other].map(person => person.delete('/profile', { password })))
    expect(answers.map(answer => answer.status).sort()).toEqual([200, 422])
  })

  test('needs a session of the person’s own, and a body', async () => {
    const person = await aPersonIn((await given.tenant()).tenantId)
    const key = await person.elsewhere(person.tenantId, 'sk', ['team:manage'])
    expect((await key.delete('/profile', { password })).body.code).toBe('session_needed')
    expect(Object.keys((await person.delete('/profile', {})).body.errors)).toEqual(['password'])
  })
})
