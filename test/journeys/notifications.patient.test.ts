import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authority } from '#test/checks/certificates.ts'
import { chats } from '#test/control-plane/alerting/channels/messages.ts'
import { vendors } from '#test/control-plane/alerting/channels/vendors.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { MailServer } from '#test/support/mail-server.ts'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'

let system: System
let site: Site
let receiver: Receiver
let mail: MailServer
beforeAll(async () => {
  const authority = await Authority.make()
  ;[site, receiver, mail] = await Promise.all([
    Site.open(),
    Receiver.open(),
    MailServer.open({ certificate: await authority.issue({ names: ['localhost'] }), encryption: 'none' }),
  ])
  system = await System.start({
    env: {
      PAGERDUTY_URL: `${receiver.url}/pagerduty`,
      TELEGRAM_URL: `${receiver.url}/telegram`,
      SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      MAIL_FROM: 'Vedette <vedette@example.com>',
    },
  })
}, 180_000)
afterAll(async () => {
  await system?.stop()
  await Promise.all([site?.close(), receiver?.close(), mail?.close()])
})

const bot = '123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11'
const channels = {
  webhook: { url: '/team', secret: 'hush hush hush hush' },
  email: { recipients: ['ops@example.com'] },
  slack: { webhook_url: '/slack' },
  discord: { webhook_url: '/discord' },
  microsoft_teams: { webhook_url: '/teams' },
  pagerduty: { routing_key: 'R0UTINGKEY0123456789' },
  telegram: { bot_token: bot, chat_id: '-1001234' },
}
const paths = {
  slack: '/slack',
  discord: '/discord',
  microsoft_teams: '/teams',
  pagerduty: '/pagerduty/v2/enqueue',
  telegram: `/telegram/bot${bot}/sendMessage`,
}

test('an outage and its end are notified to every kind of channel of the team and to the reseller', {
  timeout: 120_000,
}, async () => {
  const { reseller, team } = system.local
  for (const [type, config] of Object.entries(channels)) {
    const reached = Object.fromEntries(
      Object.entries(config).map(([name, value]) => [
        name,
        String(value).startsWith('/') ? receiver.url + value : value,
      ]),
    )
    const channel = await system.post('/notification-channels', { name: type, type, config: reached })
    expect(channel.status, JSON.stringify(channel.body)).toBe(201)
  }
  // the address is no member's: it is asked first, and gets nothing else until it confirms
  const question = await eventually('the question is there', async () => mail.arrived[0])
  const confirmation = /\/mail-recipient#([\w-]{43})/.exec(question.mail.text ?? '')?.[1]
  expect((await system.post('/mail-recipients/confirm', { token: confirmation })).status).toBe(204)
  mail.arrived.length = 0
  const hook = await system.post(
    '/reseller/webhooks',
    { name: 'CRM', url: `${receiver.url}/reseller`, events: ['monitor.down', 'monitor.up'] },
    reseller.token,
  )
  expect(hook.status).toBe(201)

  const monitor = await system.addMonitor({ name: 'Shop', url: `${site.url}/shop` })
  await eventually('the site is up', async () => (await system.monitor(monitor.id)).status === 'up')
  // the first attempt fails: the retry is woken by the durable process
  receiver.answer = ({ path }, response) =>
    path === '/reseller' && receiver.at(path).length === 1 ? response.writeHead(500).end() : response.end('ok')
  site.become('error', '/shop')

  const opened = await eventually('the team is notified', async () => receiver.at('/team')[0])
  expect(opened.body).toMatchObject({
    event: 'incident.created',
    monitor_id: monitor.id,
    monitor_name: 'Shop',
    severity: 'critical',
    resolved_at: null,
  })
  expect(opened.body.quorum.failed.length).toBeGreaterThanOrEqual(opened.body.quorum.required)
  expect(opened.headers['x-webhook-signature']).toBe(
    createHmac('sha256', 'hush hush hush hush').update(opened.text).digest('hex'),
  )
  // R11: from the row to its receivers
  const [incident] = await system.incidents(monitor.id)
  for (const path of ['/team', ...Object.values(paths)]) {
    const first = await eventually(`${path} is notified`, async () => receiver.at(path)[0])
    expect(first.at - Date.parse(incident.created_at), path).toBeLessThan(3_000)
  }
  const { asked, failed, required } = opened.body.quorum
  const agreed = `${failed.length} of ${asked.length} regions (${required} needed)`
  const isRead = (nth: number, words: readonly string[]) => {
    for (const type of chats) {
      const body = receiver.at(paths[type])[nth]?.body
      expect(vendors[type].safeParse(body).error?.issues ?? [], type).toEqual([])
      const text = JSON.stringify(body).replaceAll('\\\\', '')
      for (const part of words) expect(text, type).toContain(part)
    }
  }
  isRead(0, [
    'Shop is down',
    opened.body.cause.replace(/\.$/, ''),
    `${site.url}/shop`,
    agreed,
    ...failed,
    `/app/incidents/${opened.body.incident_id}`,
  ])
  const message = await eventually('the mail is there', async () => mail.arrived[0])
  const subject = `Shop is down: ${opened.body.cause.replace(/\.$/, '')} (${failed.length} of ${asked.length} regions)`
  expect(message).toMatchObject({ to: ['ops@example.com'], mail: { subject: expect.stringContaining(subject) } })
  expect(message.mail.text).toContain(`Address: ${site.url}/shop\nSeen by: ${agreed}\nSince: `)

  // opening the link of the mail changes nothing, using it notifies the pager and the chats
  const [link = '', token = ''] = /http\S+\/acknowledge#([\w-]+)/.exec(message.mail.text ?? '') ?? []
  expect((await fetch(link)).status).toBe(200)
  const seen = await system.post('/incidents/acknowledge-by-link/lookup', { token })
  expect(seen.body.data).toMatchObject({ incident_id: opened.body.incident_id, acknowledged_at: null })
  expect((await system.post('/incidents/acknowledge-by-link', { token })).body.data.acknowledged_at).not.toBeNull()
  const pages = receiver.at(paths.pagerduty)
  const acknowledged = await eventually(
    'the pager is notified of the acknowledgement',
    async () => receiver.at(paths.pagerduty)[1],
  )
  expect(acknowledged.body).toMatchObject({ event_action: 'acknowledge', dedup_key: pages[0]?.body.dedup_key })
  for (const path of Object.values(paths)) {
    if (path === paths.pagerduty) continue
    const taken = await eventually(`${path} is notified of the acknowledgement`, async () => receiver.at(path)[1])
    expect(JSON.stringify(taken.body), path).toMatch(/Shop is down.*: acknowledged/)
  }

  const forwarded = await eventually('the reseller is notified', async () => receiver.at('/reseller')[0])
  expect(forwarded.body).toMatchObject({
    event: 'monitor.down',
    incident_id: opened.body.incident_id,
    _managed_tenant: { managed_tenant_id: team.tenant_id },
  })

  site.become('up', '/shop')
  const ended = await eventually('the team is notified of the end', async () => receiver.at('/team')[1])
  expect(ended.body).toMatchObject({
    event: 'incident.resolved',
    incident_id: opened.body.incident_id,
    status: 'resolved',
  })
  for (const path of Object.values(paths))
    await eventually(`${path} is notified of the end`, async () => receiver.at(path)[2])
  for (const type of chats) {
    const { body } = receiver.at(paths[type]).at(-1)!
    if (type === 'pagerduty')
      expect(body).toMatchObject({ event_action: 'resolve', dedup_key: pages[0]?.body.dedup_key })
    else expect(JSON.stringify(body), type).toMatch(/Shop is up again.*It lasted \d/)
  }
  const end = await eventually('the mail of the end is there', async () => mail.arrived[1])
  expect(end).toMatchObject({
    to: ['ops@example.com'],
    mail: { subject: expect.stringMatching(/Shop is up again after \d/) },
  })
  expect(end.mail.text).toContain(`The cause was: ${opened.body.cause}`)

  const again = await eventually('the reseller is notified again', async () => receiver.at('/reseller')[1])
  expect(again.text).toBe(forwarded.text)
  expect(again.at - forwarded.at).toBeGreaterThanOrEqual(10_000)
  expect(again.at - forwarded.at).toBeLessThan(13_000)
  const over = await eventually('the reseller is notified of the end', async () => receiver.at('/reseller')[2])
  expect(over.body).toMatchObject({
    event: 'monitor.up',
    incident_id: opened.body.incident_id,
    _managed_tenant: { managed_tenant_id: team.tenant_id },
  })
  const deliveries = (await system.get(`/reseller/webhooks/${hook.body.data.id}/deliveries`, reseller.token)).body.data
  expect(deliveries.at(-1).attempts[0]).toMatchObject({ status_code: 500, error: 'http_status' })
  expect(receiver.received.length).toBe(2 + 3 * Object.keys(paths).length + 3)
  expect(mail.arrived).toHaveLength(2)
})
