import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { signBody } from '#control-plane/alerting/channels/kinds/sign.ts'
import { addressHash } from '#control-plane/base/address-hash.ts'
import { moveWindows } from '#control-plane/monitoring/maintenance-windows/watch.ts'
import { paces } from '#control-plane/publishing/status-pages/subscribers/queue.ts'
import { askSubscribers, insertSubscribers } from '#control-plane/publishing/status-pages/subscribers/store.ts'
import { signingSecret } from '#control-plane/publishing/status-pages/subscribers/tokens.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { platformAt, Town } from '#test/control-plane/alerting/mail/posted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { aWindow } from '#test/control-plane/monitoring/maintenance-windows/windows.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import type { MailServer } from '#test/support/mail-server.ts'
import {
  anUpdate,
  aPage,
  aSubscriber,
  aWorker,
  type PageUnderTest,
  pathOf,
  queueUpdates,
  soon,
  waiting,
} from './subscribed.ts'

const { platform, config } = app.services
let town: Town
let server: MailServer
let mailer: ReturnType<Town['mailer']>
const open: { stop(): Promise<unknown> }[] = []
const guard = new Guard(parseAllowList('127.0.0.0/8'))
beforeAll(async () => {
  town = await Town.found()
  server = await town.server({ encryption: 'ssl' })
  mailer = town.mailer(platformAt(server))
})
afterAll(async () => {
  await Promise.all(open.map(worker => worker.stop()))
  await town.close()
})

function start(worker: ReturnType<typeof aWorker>) {
  worker.start()
  open.push(worker)
  return worker
}
const mailsTo = (address: string) => server.arrived.filter(({ to }) => to.includes(address))
const sent = (team: { tenantId: string }) => soon(async () => expect(await waiting(team)).toBe(0))

/** An active subscriber by an address of this machine, which a request may not name. */
async function aHook(
  team: { tenantId: string },
  page: PageUnderTest,
  address: string,
  { isConfirmed = true, channel = 'webhook' as 'webhook' | 'slack' } = {},
) {
  const db = platform
  const into = { tenantId: team.tenantId, pageId: page.id, source: 'self', isConfirmed } as const
  const wanted = [{ channel, address, componentIds: [], locale: 'en' as const }]
  const [{ id } = { id: '' }] = await insertSubscribers(db, config, into, wanted)
  if (!isConfirmed) await askSubscribers(db, [id], { isLimited: false })
  return id
}

describe('planned work of a window that names a page', () => {
  const move = () => moveWindows(app.services)
  const notify = { on_create: true, on_start: true, on_end: true }

  async function aScene() {
    const team = await given.tenant()
    const page = await aPage(team)
    const monitor = await aMonitor(team)
    const part = { type: 'monitor', monitor_id: monitor.id, name: 'Shop' }
    const shop = (await team.post(`/status-pages/${page.id}/components`, part)).body.data
    return { team, page, shop, scope: { monitor_ids: [monitor.id] } }
  }

  test('is sent to its subscribers when it is planned, begins and ends, by mail, webhook and Slack', async () => {
    for (const queue of ['mail', 'http'] as const) start(aWorker(queue, { mailer, guard }))
    const receiver = await Receiver.open()
    const { team, page, shop, scope } = await aScene()
    const [all, concerned, other] = [
      await aSubscriber(team, page, { locale: 'de' }),
      await aSubscriber(team, page, { component_ids: [shop.id] }),
      await aSubscriber(team, page, { component_ids: [page.components[0]] }),
    ]
    await aHook(team, page, `${receiver.url}/hook`)
    await aHook(team, page, `${receiver.url}/slack`, { channel: 'slack' })
    const said = { title: 'New disks', description: 'The shop is read-only.', status_page_ids: [page.id], notify }
    const window = await aWindow(team, { ...said, scope })
    const announced = async () => {
      await move()
      await queueUpdates()
      await sent(team)
    }
    await announced()
    for (const verb of ['start', 'stop']) {
      await team.post(`/maintenance-windows/${window.id}/${verb}`)
      await announced()
    }
    expect(mailsTo(all.address).map(({ mail }) => mail.subject)).toEqual([
      'Wartung geplant: New disks – Acme status',
      'Wartung läuft: New disks – Acme status',
      'Wartung abgeschlossen: New disks – Acme status',
    ])
    expect(mailsTo(concerned.address).map(({ mail }) => mail.subject)).toEqual([
      'Maintenance planned: New disks – Acme status',
      'Maintenance in progress: New disks – Acme status',
      'Maintenance completed: New disks – Acme status',
    ])
    for (const text of ['The shop is read-only.', 'Shop', `/status/${page.slug}`, '2120'])
      expect(mailsTo(concerned.address)[0]?.mail.text).toContain(text)
    expect(mailsTo(other.address)).toEqual([])
    expect(receiver.at('/hook').map(({ body }) => body)).toMatchObject(
      ['scheduled', 'in_progress', 'completed'].map(phase => ({
        type: 'status_page.maintenance',
        maintenance: { id: window.id, title: 'New disks', components: ['Shop'] },
        update: { phase, body: 'The shop is read-only.' },
      })),
    )
    expect(receiver.at('/slack').map(({ body }) => body.text.split('\n')[0])).toEqual([
      'Acme status: Maintenance planned: New disks',
      'Acme status: Maintenance in progress: New disks',
      'Acme status: Maintenance completed: New disks',
    ])
    await receiver.close()
  })

  test('is sent where its window says so, on published pages alone, and concerns all where it covers no component', async () => {
    start(aWorker('mail', { mailer }))
    const { team, page, shop, scope } = await aScene()
    const draft = await aPage(team, { state: 'draft' })
    const { address } = await aSubscriber(team, page, { component_ids: [page.components[0]] })
    const unread = await aSubscriber(team, draft)
    const status_page_ids = [page.id, draft.id]
    await aWindow(team, { title: 'Silent', status_page_ids })
    await aWindow(team, { title: 'Of no page', notify })
    await aWindow(team, { title: 'Of the shop', scope, status_page_ids, notify })
    await move()
    await queueUpdates()
    await team.delete(`/status-pages/${page.id}/components/${shop.id}`)
    await aWindow(team, { title: 'Of the house', scope, status_page_ids, notify })
    await move()
    await queueUpdates()
    await sent(team)
    expect(mailsTo(address).map(({ mail }) => mail.subject)).toEqual([
      'Maintenance planned: Of the house – Acme status',
    ])
    expect(mailsTo(unread.address)).toEqual([])
  })
})

describe('an update of a status page', () => {
  test('is mailed once to each active subscriber that it concerns, in their language, with a link to end it', async () => {
    start(aWorker('mail', { mailer }))
    const team = await given.tenant()
    const page = await aPage(team, { primary_color: '#aa0011' })
    const [all, first, second] = [
      await aSubscriber(team, page, { locale: 'de' }),
      await aSubscriber(team, page, { component_ids: [page.components[0]] }),
      await aSubscriber(team, page, { component_ids: [page.components[1]] }),
    ]
    const pending = await aSubscriber(team, page, { confirmed: false })
    const left = await aSubscriber(team, page)
    await platform.query(`update status_page_subscribers set state = 'unsubscribed' where id = $1`, [left.id])
    const { post } = await anUpdate(team, page, [page.components[0]!])
    await Promise.all([queueUpdates(), queueUpdates()])
    await queueUpdates()
    await sent(team)
    expect([all, first].map(({ address }) => mailsTo(address).length)).toEqual([1, 1])
    expect([second, left].map(({ address }) => mailsTo(address).length)).toEqual([0, 0])
    // only the question
    expect(mailsTo(pending.address).map(({ mail }) => mail.text?.includes('We are on it.'))).toEqual([false])
    const [german, english] = [mailsTo(all.address)[0]!.mail, mailsTo(first.address)[0]!.mail]
    expect(german.subject).toBe('In Untersuchung: Orders fail – Acme status')
    expect(english.subject).toBe('Investigating: Orders fail – Acme status')
    expect(english.text).toContain(`/status/${page.slug}/incidents/${post}`)
    expect(english.text).toContain('Part 0')
    expect(english.html).toContain('#aa0011')
    expect(english.from?.name).toBe('Acme status')
    const header = (name: string) => english.headers.find(({ key }) => key === name)?.value ?? ''
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    const [, link] = /<([^>]+)>/.exec(header('list-unsubscribe')) ?? []
    const { pathname, search } = new URL(link ?? '')
    expect((await given.stranger().post(pathname.replace('/api/v1', '') + search)).status).toBe(200)
    expect((await team.get(`${pathOf(page)}/counts`)).body.data).toEqual({ pending: 1, active: 2, unsubscribed: 2 })
  })

  test('leads to the domain of the page where the page was reached there and the plan has domains', async () => {
    start(aWorker('mail', { mailer }))
    for (const { state, overrides, isOwn } of [
      { state: 'active', overrides: { custom_domains: true }, isOwn: true },
      { state: 'active', overrides: { custom_domains: false }, isOwn: false },
      { state: 'verified', overrides: { custom_domains: true }, isOwn: false },
    ]) {
      const team = await given.tenant({ overrides })
      const page = await aPage(team)
      const hostname = `status.${randomUUID()}.example.com`
      await platform.query(
        `insert into custom_domains (id, tenant_id, hostname, purpose, target_id, state, txt_token)
         values (gen_random_uuid(), $1, $2, 'status_page', $3, $4, 'x')`,
        [team.tenantId, hostname, page.id, state],
      )
      const { address } = await aSubscriber(team, page)
      const { post } = await anUpdate(team, page)
      await queueUpdates()
      await sent(team)
      const place = isOwn ? `https://${hostname}` : `${config.baseUrl}/status/${page.slug}`
      expect(mailsTo(address)[0]?.mail.text).toContain(`${place}/incidents/${post}`)
    }
  })

  test('is posted to webhooks with a signature, and one that fails is tried again', async () => {
    start(aWorker('http', { mailer, guard }))
    const receiver = await Receiver.open()
    const team = await given.tenant()
    const page = await aPage(team)
    const id = await aHook(team, page, `${receiver.url}/hook`)
    let failures = 0
    receiver.answer = (_, response) => {
      response.statusCode = failures++ === 0 ? 500 : 200
      response.end()
    }
    const { update } = await anUpdate(team, page)
    await queueUpdates()
    await soon(async () => expect(receiver.received).toHaveLength(1))
    const attempts = 'select attempts from subscriber_messages where update_id = $1'
    await soon(async () => expect((await platform.query(attempts, [update])).rows).toEqual([{ attempts: 1 }]))
    await platform.query('update subscriber_messages set next_at = clock_timestamp() where update_id = $1', [update])
    await platform.query(`select pg_notify('subscriber_messages', '')`)
    await sent(team)
    const [one, two] = receiver.received
    expect(two?.body).toMatchObject({ type: 'status_page.update', update: { id: update, body: 'We are on it.' } })
    expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id'])
    expect(two?.headers['x-webhook-signature']).toBe(signBody(signingSecret(config, id), two!.text))
    await receiver.close()
  })

  test('is posted to Slack as plain text, after its channel was asked with a link', async () => {
    start(aWorker('http', { mailer, guard }))
    const receiver = await Receiver.open()
    const team = await given.tenant()
    const page = await aPage(team, { name: 'Acme <!channel> & sons' })
    await aHook(team, page, `${receiver.url}/asked`, { isConfirmed: false, channel: 'slack' })
    await soon(async () => expect(receiver.received).toHaveLength(1))
    const asked = receiver.received[0]!.body.text
    expect(asked).toMatch(
      /^This channel was entered to get the updates of Acme &lt;!channel&gt; &amp; sons\. Confirm: /,
    )
    const [link = ''] = /https?:\/\/\S+$/.exec(asked) ?? []
    const token = new URL(link).hash.slice(1)
    expect((await given.stranger().post('/status-subscriptions/confirm', { token })).status).toBe(204)
    const { post } = await anUpdate(team, page)
    await queueUpdates()
    await sent(team)
    expect(receiver.received.slice(1).map(({ body }) => body)).toEqual([
      {
        text: expect.stringMatching(
          new RegExp(`^Acme &lt;!channel&gt; &amp; sons: Orders fail\nWe are on it\\.\n.*/incidents/${post}$`),
        ),
        unfurl_links: false,
        unfurl_media: false,
      },
    ])
    expect(receiver.received[1]?.headers['x-webhook-signature']).toBeUndefined()
    await receiver.close()
  })

  test('mails say who made the service again once the plan no longer lets a page hide it', async () => {
    start(aWorker('mail', { mailer }))
    for (const white_label_branding of [true, false]) {
      const team = await given.tenant({ overrides: { white_label_branding } })
      const page = await aPage(team, { hide_powered_by: true })
      const { address } = await aSubscriber(team, page)
      await anUpdate(team, page)
      await queueUpdates()
      await sent(team)
      const html = mailsTo(address)[0]?.mail.html ?? ''
      expect(html.includes('Vedette')).toBe(!white_label_branding)
    }
  })

  test('reaches other hosts while one does not answer', async () => {
    start(aWorker('http', { mailer, guard }))
    const [hanging, fine] = [await Receiver.open(), await Receiver.open()]
    hanging.answer = () => undefined
    const team = await given.tenant()
    const page = await aPage(team)
    for (let n = 0; n < 60; n++) await aHook(team, page, `${hanging.url}/${n}`)
    for (let n = 0; n < 5; n++) await aHook(team, page, `${fine.url}/${n}`)
    await anUpdate(team, page)
    await queueUpdates()
    await soon(async () => expect(fine.received).toHaveLength(5))
    expect(hanging.received.length).toBeLessThanOrEqual(2 * open.length * paces.http.ofKey)
    await platform.query('delete from status_page_subscribers where page_id = $1', [page.id])
    await Promise.all([hanging.close(), fine.close()])
  })

  test('goes to the webhooks of a reseller that suppresses such mails, and to no subscriber', async () => {
    const diverted: string[] = []
    const suppressing = aWorker('mail', {
      mailer,
      divert: async ({ type, recipient }) => {
        diverted.push(`${type} ${recipient.email}`)
        return []
      },
    })
    await Promise.all(open.splice(0).map(worker => worker.stop()))
    start(suppressing)
    const team = await given.tenant()
    const page = await aPage(team)
    const { address } = await aSubscriber(team, page)
    await anUpdate(team, page)
    await queueUpdates()
    await sent(team)
    expect(diverted).toEqual([`status_page_subscription ${address}`])
    expect(mailsTo(address)).toEqual([])
    await Promise.all(open.splice(0).map(worker => worker.stop()))
  })

  test('reaches each of 2,500 subscribers once, with four fan-outs and three workers at a time', async () => {
    const team = await given.tenant({ overrides: { subscribers: null } })
    const page = await aPage(team)
    const subscribers = Array.from({ length: 2_500 }, (_, n) => ({
      channel: 'email' as const,
      address: `${n}-${randomUUID()}@example.com`,
      componentIds: [],
      locale: 'en',
    }))
    const into = { tenantId: team.tenantId, pageId: page.id, source: 'import', isConfirmed: true } as const
    await insertSubscribers(platform, config, into, subscribers)
    await anUpdate(team, page)
    await Promise.all([queueUpdates(), queueUpdates(), queueUpdates(), queueUpdates()])
    const { rows } = await platform.query('select count(*)::int as n from subscriber_messages where tenant_id = $1', [
      team.tenantId,
    ])
    expect(rows).toEqual([{ n: 2_500 }])
    const posted = new Map<string, number>()
    const counting = {
      async send({ to }: { to: { address: string }[] }) {
        for (const { address } of to) posted.set(address, (posted.get(address) ?? 0) + 1)
        return { isSent: true, by: 'platform', fell: null, refused: 0 } as const
      },
    }
    for (let n = 0; n < 3; n++) start(aWorker('mail', { mailer: counting }))
    await sent(team)
    expect(subscribers.map(({ address }) => posted.get(address)).filter(times => times !== 1)).toEqual([])
    await Promise.all(open.splice(0).map(worker => worker.stop()))
  })
})

describe('the challenge of a webhook', () => {
  test.each([
    ['as JSON', (challenge: string) => JSON.stringify({ challenge }), 'active'],
    ['as text', (challenge: string) => challenge, 'active'],
    ['not at all', () => 'ok', 'pending'],
    ['of another', () => 'A'.repeat(43), 'pending'],
  ])('that is repeated %s', async (_, reply, state) => {
    const worker = start(aWorker('http', { mailer, guard }))
    const receiver = await Receiver.open()
    receiver.answer = ({ body }, response) => response.end(reply(body.challenge))
    const team = await given.tenant()
    const page = await aPage(team)
    const id = await aHook(team, page, `${receiver.url}/hook`, { isConfirmed: false })
    await sent(team)
    expect(receiver.received[0]?.body).toMatchObject({
      type: 'subscription.challenge',
      signing_secret: signingSecret(config, id),
    })
    const [row] = (await team.get(pathOf(page))).body.data
    expect(row.state).toBe(state)
    await worker.stop()
    await receiver.close()
  })
})

test('an erased person is subscribed nowhere', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  const person = await given.colleague(team, 'member')
  const { rows } = await platform.query('select email from users where id = $1', [person.userId])
  const page = await aPage(team)
  await aSubscriber(team, page, { address: rows[0].email.toUpperCase() })
  const hash = addressHash(config, rows[0].email)
  const count = 'select count(*)::int as n from status_page_subscribers where address_hash = $1'
  expect((await platform.query(count, [hash])).rows).toEqual([{ n: 1 }])
  expect((await reseller.post(`${team.path}/members/${person.userId}/erase`)).status).toBe(200)
  expect((await platform.query(count, [hash])).rows).toEqual([{ n: 0 }])
})
