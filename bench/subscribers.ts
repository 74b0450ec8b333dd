import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { addMail } from '#control-plane/outbox/mail.ts'
import { fanOut } from '#control-plane/publishing/status-pages/subscribers/fan-out.ts'
import { insertSubscribers } from '#control-plane/publishing/status-pages/subscribers/store.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { keyring, type Stores, startServing, withStores } from './api.ts'
import { claim, median, quantile, round } from './figures.ts'

/**
 * An update of one page to 20,000 subscribers, from its row to the last mail at a local SMTP server in a process of its
 * own. Meanwhile an alert by mail of another team is put into the outbox each second: its time to the server is taken.
 */
const subscribers = Number(process.env.SUBSCRIBERS ?? 20_000)
const runs = Number(process.env.SUBSCRIBERS_RUNS ?? 1)

interface Figures {
  arrived: number
  twice: number
  lastAt: number
  alerts: Record<string, number>
}

await withStores('subscribers', measure)

async function measure(stores: Stores): Promise<void> {
  const platform = new pg.Pool({ connectionString: stores.platformUrl, max: 4 })
  const [rates, delays]: number[][] = [[], []]
  try {
    for (let db = 0; db < runs; db++) {
      const sink = await startSink()
      const worker = await startServing(stores, 'worker', {
        SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
        MAIL_FROM: 'Vedette <vedette@example.com>',
        LOG_LEVEL: 'warn',
      })
      try {
        await oneRun(platform, sink.figures, rates!, delays!)
      } finally {
        await worker.stop()
        sink.stop()
      }
    }
    claim('mails to subscribers, end to end', median(rates!), 'at least', 300, ' a second')
    claim('alerts meanwhile, the slowest to the mail server', Math.max(...delays!), 'under', 2_000, ' ms')
    console.log(
      `      ${delays!.length} alerts, median ${round(median(delays!))} ms, p95 ${round(quantile(delays!, 0.95))} ms`,
    )
  } finally {
    await platform.end()
  }
}

async function oneRun(platform: pg.Pool, figures: () => Promise<Figures>, rates: number[], delays: number[]) {
  const [team, other] = [await aTeam(platform), await aTeam(platform)]
  const update = await aPageWith(platform, team)
  await sleep(2_500)
  const put = new Map<string, number>()
  const alert = async () => {
    const email = `alert-${randomUUID()}@example.com`
    put.set(email, performance.timeOrigin + performance.now())
    const recipient = { userId: null, email, name: null, language: 'en' }
    const data = { team_name: 'Team', user_name: 'Pat' }
    await addMail(platform, keyring, { tenantId: other, type: 'member_removed', recipient, data })
  }
  await alert()
  const began = performance.timeOrigin + performance.now()
  await platform.query('update status_page_updates set notify_subscribers = true where id = $1', [update])
  await fanOut({ platform, listener: { on: () => () => undefined, onMissed: () => () => undefined }, log: console })
  for (let now = await figures(); now.arrived < subscribers; now = await figures()) {
    if (performance.timeOrigin + performance.now() - began > 180_000)
      throw new Error(`after three minutes ${now.arrived} of ${subscribers} have arrived`)
    await alert()
    await sleep(1_000)
  }
  await sleep(2_500)
  const { twice, lastAt, alerts } = await figures()
  if (twice > 0) throw new Error(`${twice} came twice`)
  for (const [email, at] of put) delays.push((alerts[email] ?? Number.POSITIVE_INFINITY) - at)
  rates.push((subscribers * 1_000) / (lastAt - began))
  console.log(`      ${subscribers} subscribers in ${round((lastAt - began) / 1_000)} s`)
}

function aTeam(platform: pg.Pool): Promise<string> {
  return createTenant(platform, { name: 'Team', slug: `t-${randomUUID()}`, plan: 'pro', isReseller: false })
}

/** A page with its subscribers and an update that is not queued yet; returns the update. */
async function aPageWith(platform: pg.Pool, tenantId: string): Promise<string> {
  const [page, post, update] = [randomUUID(), randomUUID(), randomUUID()]
  await platform.query(
    `insert into status_pages (id, tenant_id, name, slug, state) values ($1, $2, 'Acme status', $3, 'published')`,
    [page, tenantId, `p-${page}`],
  )
  await platform.query(
    `insert into status_page_posts (id, tenant_id, page_id, title, started_at) values ($1, $2, $3, 'Orders fail', now())`,
    [post, tenantId, page],
  )
  await platform.query(
    `insert into status_page_updates (id, tenant_id, post_id, body) values ($1, $2, $3, 'We are on it.')`,
    [update, tenantId, post],
  )
  const into = { tenantId, pageId: page, source: 'import', isConfirmed: true } as const
  for (let from = 0; from < subscribers; from += 2_000)
    await insertSubscribers(
      platform,
      keyring,
      into,
      Array.from({ length: Math.min(2_000, subscribers - from) }, (_, n) => ({
        channel: 'email',
        address: `${from + n}-${page}@example.com`,
        componentIds: [],
        locale: n % 2 ? 'de' : 'en',
      })),
    )
  return update
}

async function startSink() {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'subscribers', 'mail-sink.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [ports] = await once(child.stdout, 'data')
  const [port, figuresPort] = String(ports).trim().split(' ')
  return {
    port,
    figures: async () => (await fetch(`http://127.0.0.1:${figuresPort}`)).json() as Promise<Figures>,
    stop: () => child.kill('SIGKILL'),
  }
}
