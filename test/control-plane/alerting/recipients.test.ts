import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { attempt } from '#control-plane/alerting/deliveries/attempt.ts'
import { deleteExpiredDeliveries } from '#control-plane/alerting/deliveries/delete-expired.ts'
import { composeMessage } from '#control-plane/alerting/dispatch/message.ts'
import type { Mailer } from '#control-plane/alerting/mail/mailer.ts'
import { noteRefused } from '#control-plane/alerting/recipients/refused.ts'
import { platformAt, setServer, Town } from '#test/control-plane/alerting/mail/posted.ts'
import { linkTo, mailsOf } from '#test/control-plane/identity/mails.ts'
import { anAddress, aPersonIn } from '#test/control-plane/identity/people.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import type { MailServer } from '#test/support/mail-server.ts'

const { platform, bounded, config, guard, log } = app.services
let town: Town
let server: MailServer
let mailer: Mailer
beforeAll(async () => {
  town = await Town.found()
  server = await town.server({ encryption: 'ssl' })
  mailer = town.mailer(platformAt(server))
})
afterAll(() => town.close())

const ask = (path: string, body: unknown) => given.stranger().post(path, body)
const aChannel = (owner: CallerUnderTest, recipients: string[]) =>
  owner.post('/notification-channels', { name: 'Mail', type: 'email', config: { recipients } })
const statesOf = (answer: { body: { data: { recipients: { email: string; state: string }[] } } }) =>
  Object.fromEntries(answer.body.data.recipients.map(({ email, state }) => [email, state]))
const questionsTo = async (of: { tenantId: string }, email: string) =>
  (await mailsOf(of)).filter(({ type, recipient }) => type === 'recipient_confirm' && recipient.email === email)

/** One attempt to deliver a message to an e-mail channel, as by the delivery worker. */
async function deliver(tenantId: string, recipients: string[]) {
  const body = composeMessage({
    event: 'team.paused',
    at: new Date(),
    payload: { tenant_name: 'Acme', reason: 'unpaid' },
  }).text
  const channel = { id: randomUUID(), tenantId, type: 'email' as const, config: { recipients }, secrets: null }
  const sent = await attempt({ bounded, config, guard, log, platform, mailer }, { id: randomUUID(), channel, body })
  return { ...sent, reached: recipients.filter(address => server.arrived.some(({ to }) => to.includes(address))) }
}

describe('the recipients of an e-mail channel', () => {
  test('get only one question mail until they confirm; members with a verified address get mail at once', async () => {
    const owner = await given.tenant()
    const member = await aPersonIn(owner.tenantId)
    const [one, two] = [anAddress(), anAddress()]
    const created = await aChannel(owner, [member.email, one, two])
    expect(created.status).toBe(201)
    expect(statesOf(created)).toEqual({ [member.email]: 'member', [one]: 'pending', [two]: 'pending' })
    expect(await questionsTo(owner, member.email)).toEqual([])
    const [question, ...more] = await questionsTo(owner, one)
    expect(more).toEqual([])
    expect(question!.data.confirm_url).toMatch(/^http:\/\/localhost\/mail-recipient#[\w-]{43}$/)
    expect((await deliver(owner.tenantId, [member.email, one, two])).reached).toEqual([member.email])

    const token = await linkTo(owner, 'recipient_confirm', one)
    for (let again = 0; again < 2; again++) expect((await ask('/mail-recipients/confirm', { token })).status).toBe(204)
    expect(statesOf(await owner.get(`/notification-channels/${created.body.data.id}`))).toMatchObject({
      [one]: 'confirmed',
      [two]: 'pending',
    })
    expect(statesOf({ body: { data: (await owner.get('/notification-channels')).body.data[0] } })).toMatchObject({
      [one]: 'confirmed',
    })
    expect((await deliver(owner.tenantId, [one, two])).reached).toEqual([one])
  })

  test('are not asked again for another channel of the team, but for another team', async () => {
    const [owner, other] = [await given.tenant(), await given.tenant()]
    const email = anAddress()
    for (const address of [email, email.toUpperCase()]) expect((await aChannel(owner, [address])).status).toBe(201)
    await aChannel(other, [email])
    expect([(await questionsTo(owner, email)).length, (await questionsTo(other, email)).length]).toEqual([1, 1])
    expect(
      (await ask('/mail-recipients/confirm', { token: await linkTo(owner, 'recipient_confirm', email) })).status,
    ).toBe(204)
    expect((await deliver(owner.tenantId, [email])).isDelivered).toBe(true)
    expect((await deliver(other.tenantId, [email])).isDelivered).toBe(false)
  })

  test('that unsubscribe stay unsubscribed, also if they are added again', async () => {
    const owner = await given.tenant()
    const email = anAddress()
    const { body } = await aChannel(owner, [email])
    const token = await linkTo(owner, 'recipient_confirm', email)
    await ask('/mail-recipients/confirm', { token })
    for (let again = 0; again < 2; again++)
      expect((await ask('/mail-recipients/unsubscribe', { token })).status).toBe(204)
    await owner.delete(`/notification-channels/${body.data.id}`)
    expect(statesOf(await aChannel(owner, [email]))).toEqual({ [email]: 'unsubscribed' })
    expect(await questionsTo(owner, email)).toHaveLength(1)
    expect(await deliver(owner.tenantId, [email])).toMatchObject({
      isDelivered: false,
      error: 'unconfirmed',
      reached: [],
    })
  })

  test('without a mailbox are refused until a mail is taken, and may be asked once more', async () => {
    const owner = await given.tenant()
    const [one, two] = [anAddress(), anAddress()]
    const { body } = await aChannel(owner, [one, two])
    await ask('/mail-recipients/confirm', { token: await linkTo(owner, 'recipient_confirm', one) })
    for (const address of [one, two]) await noteRefused(platform, owner.tenantId, address)
    const path = `/notification-channels/${body.data.id}`
    expect(statesOf(await owner.get(path))).toEqual({ [one]: 'refused', [two]: 'refused' })
    expect((await owner.post(`${path}/recipients/resend`, { email: one })).status).toBe(422)
    expect((await owner.post(`${path}/recipients/resend`, { email: two })).status).toBe(204)
    expect((await deliver(owner.tenantId, [one, two])).reached).toEqual([one])
    expect(statesOf(await owner.get(path))).toEqual({ [one]: 'confirmed', [two]: 'refused' })
  })

  test('that were refused as members are asked when they are strangers', async () => {
    const owner = await given.tenant()
    const member = await aPersonIn(owner.tenantId)
    await noteRefused(platform, owner.tenantId, member.email)
    await owner.delete(`/members/${member.userId}`)
    await aChannel(owner, [member.email])
    expect(await questionsTo(owner, member.email)).toHaveLength(1)
  })

  test('of whom none has confirmed make deliveries fail, and a test says why', async () => {
    const owner = await given.tenant()
    const { body } = await aChannel(owner, [anAddress()])
    const tested = await owner.post(`/notification-channels/${body.data.id}/test`)
    expect(tested.body.data).toMatchObject({ success: false, error: 'unconfirmed' })
  })

  test('added later are asked, also a member with an unverified address', async () => {
    const owner = await given.tenant()
    const member = await aPersonIn(owner.tenantId)
    const { body } = await aChannel(owner, [member.email])
    await platform.query('update users set email_verified_at = null where id = $1', [member.userId])
    const email = anAddress()
    const changed = await owner.patch(`/notification-channels/${body.data.id}`, {
      config: { recipients: [member.email, email] },
    })
    expect(statesOf(changed)).toEqual({ [member.email]: 'pending', [email]: 'pending' })
    expect([(await questionsTo(owner, member.email)).length, (await questionsTo(owner, email)).length]).toEqual([1, 1])
  })

  test('of before the migration are confirmed', async () => {
    const owner = await given.tenant()
    const email = anAddress()
    await platform.query(
      `insert into notification_channels (id, tenant_id, name, type, config) values ($1, $2, 'Old', 'email', $3)`,
      [randomUUID(), owner.tenantId, JSON.stringify({ recipients: [email] })],
    )
    await platform.query(
      `insert into mail_recipients (tenant_id, email, confirmed_at)
       select tenant_id, jsonb_array_elements_text(config -> 'recipients')::citext, now()
       from notification_channels where type = 'email' and tenant_id = $1 on conflict do nothing`,
      [owner.tenantId],
    )
    expect((await deliver(owner.tenantId, [email])).reached).toEqual([email])
  })

  test('are asked three times a week at most, and only until they answer', async () => {
    const owner = await given.tenant()
    const email = anAddress()
    const { body } = await aChannel(owner, [email])
    const resend = (to: string) => owner.post(`/notification-channels/${body.data.id}/recipients/resend`, { email: to })
    const answers = await Promise.all([resend(email), resend(email), resend(email)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 204, 422])
    expect((await resend(email)).body.code).toBe('sent_too_often')
    expect((await resend(anAddress())).body.code).toBe('not_a_recipient')
    expect(
      (await (await given.tenant()).post(`/notification-channels/${body.data.id}/recipients/resend`, { email })).status,
    ).toBe(404)
    await ask('/mail-recipients/confirm', { token: await linkTo(owner, 'recipient_confirm', email) })
    expect((await resend(email)).body.code).toBe('already_confirmed')
  })

  test('are limited to a hundred questions of a team a day, and an address to five teams a day', {
    timeout: 60_000,
  }, async () => {
    const owner = await given.tenant()
    const many = () => Array.from({ length: 50 }, anAddress)
    for (let i = 0; i < 2; i++) expect((await aChannel(owner, many())).status).toBe(201)
    const { status, body } = await aChannel(owner, [anAddress()])
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'too_many_recipients', ['config.recipients']])
    expect((await owner.get('/notification-channels')).body.meta.total).toBe(2)

    const email = anAddress()
    const owners = await Promise.all(Array.from({ length: 6 }, () => given.tenant()))
    const asked: number[] = []
    for (const each of owners) {
      expect((await aChannel(each, [email])).status).toBe(201)
      asked.push((await questionsTo(each, email)).length)
    }
    expect(asked).toEqual([1, 1, 1, 1, 1, 0])
  })

  test('are asked by the platform’s server only, as the team’s own could read the link', async () => {
    const owner = await given.tenant()
    const own = await town.server()
    await setServer({ ...owner, port: own.port })
    await aChannel(owner, [anAddress()])
    const office = town.mailWorker(mailer)
    await expect.poll(async () => (await mailsOf(owner)).length).toBe(0)
    await office.stop()
    expect(own.arrived).toEqual([])
  })

  test('refuses malformed tokens', async () => {
    for (const path of ['/mail-recipients/confirm', '/mail-recipients/unsubscribe']) {
      expect(Object.keys((await ask(path, { token: 'x' })).body.errors)).toEqual(['token'])
      expect((await ask(path, { token: 'a'.repeat(43) })).body.code).toBe('link_not_open')
    }
  })
})

describe('test mails', () => {
  test('are limited to five a minute for a whole team', async () => {
    const owner = await given.tenant()
    const member = await aPersonIn(owner.tenantId, 'admin')
    const { body } = await aChannel(owner, [member.email])
    const statuses: number[] = []
    for (let i = 0; i < 7; i++)
      statuses.push((await (i % 2 ? owner : member).post(`/notification-channels/${body.data.id}/test`)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    const refused = await owner.post(`/notification-channels/${body.data.id}/test`)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('a team’s budget of mails a day', () => {
  test('suppresses mails beyond it, counts and lists them, and notifies the administrators once', async () => {
    const owner = await given.tenant({ overrides: { mails_per_day: 3 } })
    const members = [await aPersonIn(owner.tenantId, 'admin'), await aPersonIn(owner.tenantId)]
    const to = members.map(({ email }) => email)
    expect((await deliver(owner.tenantId, to)).isDelivered).toBe(true)
    expect(await deliver(owner.tenantId, to)).toMatchObject({
      isDelivered: false,
      error: 'mail_budget',
      answer: expect.stringContaining('3 mails a day'),
    })
    expect((await deliver(owner.tenantId, to.slice(0, 1))).isDelivered).toBe(true)
    expect((await deliver(owner.tenantId, to.slice(0, 1))).error).toBe('mail_budget')
    const { body } = await owner.get('/mail-budget')
    expect(body.data).toMatchObject({ limit: 3, sent: 3, kept_back: 3, days: [{ sent: 3, kept_back: 3 }] })
    const notices = (await mailsOf(owner)).filter(({ type }) => type === 'mail_budget_exceeded')
    expect(notices.map(({ recipient }) => recipient.user_id).sort()).toEqual([owner.userId, members[0]!.userId].sort())
    expect(notices[0]!.data).toMatchObject({ limit: 3 })
  })

  test('does not count mails that failed, nor mails by the team’s own server', async () => {
    const owner = await given.tenant({ overrides: { mails_per_day: 1 } })
    const { email } = await aPersonIn(owner.tenantId)
    server.refuses = () => true
    expect((await deliver(owner.tenantId, [email])).error).toBe('mail')
    server.refuses = () => false
    expect((await owner.get('/mail-budget')).body.data).toMatchObject({ sent: 0, kept_back: 0 })
    const own = await town.server()
    await setServer({ ...owner, port: own.port })
    for (let i = 0; i < 3; i++) expect((await deliver(owner.tenantId, [email])).isDelivered).toBe(true)
    expect((await owner.get('/mail-budget')).body.data).toMatchObject({ sent: 0, kept_back: 0 })
  })

  test('is kept for ninety days', async () => {
    const owner = await given.tenant()
    await platform.query(
      `insert into mail_budgets (tenant_id, day, sent) select $1, current_date - n, 1 from unnest(array[1, 89, 91]) n`,
      [owner.tenantId],
    )
    await deleteExpiredDeliveries(platform)
    expect((await owner.get('/mail-budget')).body.data.days).toHaveLength(2)
  })

  test('is that of the plan, and is not exceeded by concurrent mails', async () => {
    const owner = await given.tenant({ overrides: { mails_per_day: 5 } })
    const { email } = await aPersonIn(owner.tenantId)
    const sent = await Promise.all(Array.from({ length: 12 }, () => deliver(owner.tenantId, [email])))
    expect(sent.filter(({ isDelivered }) => isDelivered)).toHaveLength(5)
    const limits = await Promise.all(
      (['free', 'pro'] as const).map(
        async plan => (await (await given.tenant({ plan })).get('/mail-budget')).body.data.limit,
      ),
    )
    expect(limits).toEqual([200, 20_000])
  })
})
