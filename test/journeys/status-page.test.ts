import { afterAll, beforeAll, expect, test } from 'vitest'
import { Authority } from '#test/checks/certificates.ts'
import { MailServer } from '#test/support/mail-server.ts'
import { eventually, System } from '#test/support/system.ts'

let system: System
let mail: MailServer
beforeAll(async () => {
  const authority = await Authority.make()
  mail = await MailServer.open({ certificate: await authority.issue({ names: ['localhost'] }), encryption: 'none' })
  system = await System.start({
    regions: ['eu-west'],
    env: { SMTP_URL: `smtp://127.0.0.1:${mail.port}`, MAIL_FROM: 'Vedette <vedette@example.com>' },
  })
}, 180_000)
afterAll(async () => {
  await system?.stop()
  await mail?.close()
})

const mailsTo = (address: string) => mail.arrived.filter(({ to }) => to.includes(address))
const textOf = (address: string) => mailsTo(address).map(arrived => arrived.mail.text ?? '')

test('who confirms on a status page gets each update by mail once, and the page shows it', {
  timeout: 120_000,
}, async () => {
  const created = await system.post('/status-pages', { name: 'Shop', slug: 'journey-shop', state: 'published' })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const page = created.body.data
  const part = { name: 'Orders', type: 'static', static_status: 'operational' }
  expect((await system.post(`/status-pages/${page.id}/components`, part)).status).toBe(201)
  const address = `${system.local.base_url}/status/${page.slug}`
  const read = async (path = '') => (await fetch(address + path)).text()
  await eventually('the page is served', async () => (await read()).includes('Orders'))
  expect(await read()).toContain(`href="/status/${page.slug}/subscribe"`)

  for (const email of ['reader@example.com', 'silent@example.com']) {
    const sent = await fetch(`${address}/subscribe`, { method: 'POST', body: new URLSearchParams({ email }) })
    expect(sent.status).toBe(200)
    expect(await sent.text()).toContain('Confirm your subscription')
  }
  const [question = ''] = await eventually('both are asked', async () => {
    const texts = ['reader@example.com', 'silent@example.com'].flatMap(textOf)
    return texts.length === 2 && texts
  })
  const token = /\/status-subscription\/confirm#([\w-]{43})/.exec(question)?.[1]
  expect((await system.post('/status-subscriptions/confirm', { token }, '')).status).toBe(204)

  const body = 'The provider of payments does not answer.'
  const posted = await system.post(`/status-pages/${page.id}/posts`, {
    title: 'Orders fail',
    impact: 'major',
    body,
    notify_subscribers: true,
  })
  expect(posted.status, JSON.stringify(posted.body)).toBe(201)
  await eventually('the page shows the update', async () => (await read()).includes(body), 10_000)
  await eventually('the reader is notified', async () => textOf('reader@example.com').some(text => text.includes(body)))

  const said = 'Orders are accepted again.'
  const updated = await system.post(`/status-pages/${page.id}/posts/${posted.body.data.id}/updates`, {
    phase: 'resolved',
    body: said,
    notify_subscribers: true,
  })
  expect(updated.status, JSON.stringify(updated.body)).toBe(201)
  await eventually('the reader is notified', async () => textOf('reader@example.com').some(text => text.includes(said)))
  // one question and two updates, each once
  expect(mailsTo('reader@example.com')).toHaveLength(3)
  expect(mailsTo('silent@example.com')).toHaveLength(1)
  expect(await read(`/incidents/${posted.body.data.id}`)).toContain(said)
})
