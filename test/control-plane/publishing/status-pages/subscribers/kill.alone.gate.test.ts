import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { fanOut } from '#control-plane/publishing/status-pages/subscribers/fan-out.ts'
import { paces } from '#control-plane/publishing/status-pages/subscribers/queue.ts'
import { insertSubscribers } from '#control-plane/publishing/status-pages/subscribers/store.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { Authority } from '#test/checks/certificates.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'
import { MailServer } from '#test/support/mail-server.ts'
import { startServe } from '#test/support/worker.ts'
import { soon } from './subscribed.ts'

const many = 400
let served: Serving
let mail: MailServer
let worker: ReturnType<typeof startServe> | undefined
beforeAll(async () => {
  const authority = await Authority.make()
  mail = await MailServer.open({ certificate: await authority.issue({ names: ['localhost'] }), encryption: 'none' })
  served = await serving('kill_subscribers', { roles: ['api'] })
})
afterAll(async () => {
  worker?.kill('SIGKILL')
  await served?.close()
  await mail?.close()
})

const start = () =>
  startServe('worker', served.config, {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'Vedette <vedette@example.com>',
  })

test('a worker that is killed while it mails subscribers: each gets the update, the few under way with the same id', {
  timeout: 180_000,
}, async () => {
  const { platform, config } = served
  const tenantId = await createTenant(platform, { name: 'Acme', slug: randomUUID(), plan: 'pro', isReseller: false })
  const [page, post, update] = [randomUUID(), randomUUID(), randomUUID()]
  await platform.query(
    `insert into status_pages (id, tenant_id, name, slug, state) values ($1, $2, 'Status', $3, 'published')`,
    [page, tenantId, `p-${page}`],
  )
  await platform.query(
    `insert into status_page_posts (id, tenant_id, page_id, title, started_at) values ($1, $2, $3, 'Down', now())`,
    [post, tenantId, page],
  )
  await platform.query(
    `insert into status_page_updates (id, tenant_id, post_id, body, notify_subscribers)
     values ($1, $2, $3, 'We are on it.', true)`,
    [update, tenantId, post],
  )
  const addresses = Array.from({ length: many }, (_, n) => `${n}@example.com`)
  await insertSubscribers(
    platform,
    config,
    { tenantId, pageId: page, source: 'import', isConfirmed: true },
    addresses.map(address => ({ channel: 'email', address, componentIds: [], locale: 'en' })),
  )
  const { log, listener } = served.plane.services
  await fanOut({ platform, log, listener })

  const first = start()
  worker = first
  mail.onTaken = () => {
    if (mail.arrived.length >= many / 4) first.kill('SIGKILL')
  }
  await once(first, 'exit')
  const before = mail.arrived.length
  expect(before).toBeLessThan(many)
  mail.onTaken = () => undefined
  // what it asked of PostgreSQL last is over, or a claim could still come after the claims expire
  const goesOn = async () => {
    const { rows } = await platform.query(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`,
    )
    expect(rows).toEqual([{ n: 0 }])
  }
  await soon(goesOn)
  // the claims of the killed process expire
  await platform.query('update subscriber_messages set next_at = clock_timestamp() where done_at is null')
  worker = start()
  const left = async () => {
    const { rows } = await platform.query('select count(*)::int as n from subscriber_messages where done_at is null')
    expect(rows).toEqual([{ n: 0 }])
  }
  await soon(left)
  const ids = Map.groupBy(mail.arrived, ({ to }) => to[0])
  expect(addresses.filter(address => !ids.has(address))).toEqual([])
  const twice = [...ids.values()].filter(mails => mails.length > 1)
  for (const mails of twice) expect(new Set(mails.map(each => each.mail.messageId)).size).toBe(1)
  // those under way, and those whose outcome was not written yet
  expect(twice.length).toBeLessThan(2 * paces.mail.atOnce + 100)
  expect(mail.arrived.length).toBe(many + twice.length)
})
