import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import {
  deleteExpiredSubscribers,
  pendingDays,
} from '#control-plane/publishing/status-pages/subscribers/delete-expired.ts'
import { askLimits } from '#control-plane/publishing/status-pages/subscribers/store.ts'
import { manageToken } from '#control-plane/publishing/status-pages/subscribers/tokens.ts'
import { platformAt, Town } from '#test/control-plane/alerting/mail/posted.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import type { MailServer } from '#test/support/mail-server.ts'
import { aPage, aSubscriber, aWorker, type PageUnderTest, pathOf, soon } from './subscribed.ts'

const { platform, config } = app.services
let town: Town
let server: MailServer
let worker: ReturnType<typeof aWorker>
beforeAll(async () => {
  town = await Town.found()
  server = await town.server({ encryption: 'ssl' })
  worker = aWorker('mail', { mailer: town.mailer(platformAt(server)) })
  worker.start()
})
afterAll(async () => {
  await worker.stop()
  await town.close()
})

const anAddress = () => `${randomUUID()}@example.com`
const subscribe = (page: PageUnderTest, body: unknown, caller = given.stranger()) =>
  caller.post(`/status/${page.slug}/subscribe`, body)
const counts = async (team: CallerUnderTest, page: PageUnderTest) =>
  (await team.get(`${pathOf(page)}/counts`)).body.data
const mailsTo = (address: string) => server.arrived.filter(({ to }) => to.includes(address))
async function questionTo(address: string, nth = 0): Promise<string> {
  await soon(async () => expect(mailsTo(address).length).toBeGreaterThan(nth))
  const [, token] = /confirm#([\w-]{43})/.exec(mailsTo(address)[nth]?.mail.text ?? '') ?? []
  return token ?? ''
}
const confirm = (token: string) => given.stranger().post('/status-subscriptions/confirm', { token })

describe('a subscription by a visitor', () => {
  test('is asked by mail, in force once it is confirmed, and confirmed once', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const address = anAddress()
    const answer = await subscribe(page, { address, locale: 'de', component_ids: [page.components[1]] })
    expect(answer.status).toBe(202)
    expect(await counts(team, page)).toMatchObject({ pending: 1, active: 0 })
    const token = await questionTo(address)
    expect(mailsTo(address)[0]?.mail.subject).toBe('Möchten Sie die Meldungen von Acme status?')
    expect(await counts(team, page)).toMatchObject({ pending: 1, active: 0 })
    expect((await confirm(token)).status).toBe(204)
    expect(await counts(team, page)).toMatchObject({ pending: 0, active: 1 })
    const replayed = await confirm(token)
    expect(replayed.status).toBe(422)
    expect(replayed.body.code).toBe('link_not_open')
    expect((await team.get(pathOf(page))).body.data[0]).toMatchObject({ source: 'self', locale: 'de' })
  })

  test('is accepted from a form', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const body = new URLSearchParams({ address: anAddress() }).toString()
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    const path = `/status/${page.slug}/subscribe`
    expect((await given.stranger().call('POST', path, body, { headers })).status).toBe(202)
    expect((await counts(team, page)).pending).toBe(1)
  })

  test('is answered alike whether the address is new, pending, active or unsubscribed, and changes none of them', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const [active, left] = [await aSubscriber(team, page), await aSubscriber(team, page)]
    await given.stranger().post(`/status-subscriptions/unsubscribe?token=${manageToken(config, left.id)}`)
    const pending = anAddress()
    const answers = []
    for (const address of [anAddress(), pending, pending, active.address, left.address])
      answers.push(await subscribe(page, { address }))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await counts(team, page)).toEqual({ pending: 2, active: 1, unsubscribed: 1 })
    expect((await confirm(await questionTo(left.address))).status).toBe(204)
    expect((await counts(team, page)).unsubscribed).toBe(0)
    expect(mailsTo(active.address)).toEqual([])
  })

  test('is asked a few times a week at most, and an earlier link becomes void', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const address = anAddress()
    for (let times = 0; times < askLimits.aWeek + 2; times++) {
      expect((await subscribe(page, { address })).status).toBe(202)
      await soon(async () => expect(mailsTo(address).length).toBeGreaterThan(Math.min(times, askLimits.aWeek - 1)))
    }
    expect(mailsTo(address)).toHaveLength(askLimits.aWeek)
    expect((await confirm(await questionTo(address, 0))).status).toBe(422)
    expect((await confirm(await questionTo(address, askLimits.aWeek - 1))).status).toBe(204)
  })

  test('is throttled by the address of the visitor', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const stranger = given.stranger()
    const statuses = []
    for (let times = 0; times < 12; times++)
      statuses.push((await subscribe(page, { address: anAddress() }, stranger)).status)
    expect(statuses.filter(status => status === 202)).toHaveLength(10)
    expect(statuses.at(-1)).toBe(429)
  })

  test('is refused for a draft, an unknown page, a suspended team, and unknown components', async () => {
    const team = await given.tenant()
    const draft = await aPage(team, { state: 'draft' })
    expect((await subscribe(draft, { address: anAddress() })).status).toBe(404)
    expect((await subscribe({ ...draft, slug: 'no-such-page' }, { address: anAddress() })).status).toBe(404)
    const page = await aPage(team)
    expect((await subscribe(page, { address: anAddress(), component_ids: draft.components })).status).toBe(422)
    await platform.query('update tenants set suspended_at = now() where id = $1', [team.tenantId])
    expect((await subscribe(page, { address: anAddress() })).status).toBe(404)
  })

  test('is refused where the plan has no room, for known and new addresses alike', async () => {
    const team = await given.tenant({ overrides: { subscribers: 1 } })
    const page = await aPage(team)
    const { address } = await aSubscriber(team, page)
    const answers = [await subscribe(page, { address }), await subscribe(page, { address: anAddress() })]
    expect(answers.map(({ status, body }) => [status, body.code])).toEqual([
      [422, 'subscribers_full'],
      [422, 'subscribers_full'],
    ])
  })

  test('to a private page needs what the page needs', async () => {
    const team = await given.tenant()
    const secret = await aPage(team, { access: 'password', password_hash: await hashPassword('correct horse') })
    const domain = await aPage(team, { access: 'email_domain', allowed_email_domains: ['corp.example.com'] })
    const network = await aPage(team, { access: 'ip', allowed_ips: ['192.0.2.0/24'] })
    const inside = await aPage(team, { access: 'ip', allowed_ips: ['198.0.0.0/8', '2001:db8::/32'] })
    const outcomes = []
    for (const [page, body] of [
      [secret, {}],
      [secret, { password: 'wrong' }],
      [secret, { password: 'correct horse' }],
      [domain, {}],
      [domain, { address: `${randomUUID()}@evilcorp.example.com` }],
      [domain, { address: `${randomUUID()}@Corp.Example.com` }],
      [domain, { channel: 'webhook', address: 'https://corp.example.com/@corp.example.com' }],
      [network, {}],
      [inside, {}],
    ] as const) {
      const { status, body: said } = await subscribe(page, { address: anAddress(), ...body })
      outcomes.push(status === 422 ? said.code : status)
    }
    const refused = 'page_private'
    expect(outcomes).toEqual([refused, refused, 202, refused, refused, 202, refused, refused, 202])
  })

  test('that is not confirmed is deleted after seven days', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    await subscribe(page, { address: anAddress() })
    await subscribe(page, { address: anAddress() })
    await aSubscriber(team, page)
    const age = `update status_page_subscribers set created_at = now() - $2::interval where id = (
      select id from status_page_subscribers where page_id = $1 and state = $3 limit 1)`
    await platform.query(age, [page.id, `${pendingDays} days 1 minute`, 'pending'])
    await platform.query(age, [page.id, '300 days', 'active'])
    await deleteExpiredSubscribers(platform)
    expect(await counts(team, page)).toMatchObject({ pending: 1, active: 1 })
  })
})

describe('the link in a message to a subscriber', () => {
  test('shows, changes and ends this subscription alone', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const [one, other] = [await aSubscriber(team, page), await aSubscriber(team, page)]
    const token = manageToken(config, one.id)
    const stranger = given.stranger()
    const shown = await stranger.post('/status-subscriptions/lookup', { token })
    expect(shown.body.data).toEqual({
      page_name: 'Acme status',
      state: 'active',
      locale: 'en',
      component_ids: [],
      components: page.components.map((id, n) => ({ id, name: `Part ${n}` })),
    })
    const changed = await stranger.put('/status-subscriptions', {
      token,
      component_ids: [page.components[1]],
      locale: 'de',
    })
    expect(changed.body.data).toMatchObject({ component_ids: [page.components[1]], locale: 'de' })
    expect((await stranger.put('/status-subscriptions', { token, component_ids: [randomUUID()] })).status).toBe(422)
    for (let times = 0; times < 2; times++)
      expect(
        (
          await stranger.call(
            'POST',
            `/status-subscriptions/unsubscribe?token=${token}`,
            'List-Unsubscribe=One-Click',
            {
              headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
            },
          )
        ).status,
      ).toBe(200)
    expect(
      (await stranger.get(`/status-subscriptions/unsubscribe?token=${manageToken(config, other.id)}`)).status,
    ).toBe(405)
    expect(await counts(team, page)).toEqual({ pending: 0, active: 1, unsubscribed: 1 })
    expect((await stranger.put('/status-subscriptions', { token, locale: 'en' })).status).toBe(422)
    const added = await team.post(pathOf(page), { address: one.address, confirmed: true })
    expect(added.body.code).toBe('unsubscribed')
  })

  test('cannot be forged, and has one spelling', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const { id } = await aSubscriber(team, page)
    const token = manageToken(config, id)
    const forged = [
      manageToken({ secretKey: 'another secret key that is long enough' }, id),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      Buffer.concat([
        Buffer.from(randomUUID().replaceAll('-', ''), 'hex'),
        Buffer.from(token, 'base64url').subarray(16),
      ]).toString('base64url'),
      `${token}=`,
      '',
    ]
    for (const bad of forged) {
      expect((await given.stranger().post(`/status-subscriptions/unsubscribe?token=${bad}`)).status).toBe(422)
      expect((await given.stranger().post('/status-subscriptions/lookup', { token: bad })).status).toBe(422)
      expect((await confirm(bad)).status).toBe(422)
    }
    expect((await counts(team, page)).active).toBe(1)
  })
})
