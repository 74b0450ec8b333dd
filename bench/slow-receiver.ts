import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Stores, startServing, withStores } from './api.ts'
import { aTenant, aWebhook, happen, startReceiver } from './deliveries/world.ts'
import { claim, quantile, round } from './figures.ts'

/**
 * Whether receivers are kept apart (the program `isolation` is about tenants in the database): one of a tenant's
 * channels hangs ten seconds a call, twenty others answer at once, and two hundred events a second are spread over
 * them all.
 */
const seconds = Number(process.env.SLOW_RECEIVER_SECONDS ?? 40)
const perSecond = 200
const fast = 20

await withStores('slow-receiver', measure)

async function measure(stores: Stores): Promise<void> {
  const platform = new pg.Pool({ connectionString: stores.platformUrl, max: 4 })
  const [quick, slow] = [await startReceiver(), await startReceiver({ HANG_MS: '10000' })]
  const worker = await startServing(stores, 'worker', { EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'warn' })
  try {
    const tags = Array.from({ length: fast + 1 }, (_, n) => `tag-${n}`)
    const { id: tenantId, monitors } = await aTenant(platform, 200 * tags.length, tags)
    for (const [n, tag] of tags.entries())
      await aWebhook(platform, tenantId, n === 0 ? slow.url : `${quick.url}/${n}`, tag)
    await sleep(1_000)
    const began = new Map<string, number>()
    const start = performance.now()
    let said = 0
    while (performance.now() - start < seconds * 1_000) {
      const due = Math.floor(((performance.now() - start) / 1_000) * perSecond)
      const now = performance.timeOrigin + performance.now()
      const batch = Array.from({ length: due - said }, () => ({
        tenantId,
        monitorId: monitors[said++ % monitors.length]!,
        incidentId: randomUUID(),
      }))
      for (const { incidentId } of batch) began.set(incidentId, now)
      if (batch.length > 0) await happen(platform, batch)
      await sleep(5)
    }
    await sleep(3_000)
    const { arrivals, twice } = await quick.arrived()
    const delays = arrivals.map(([event, , at]) => at - (began.get(event) ?? Number.NaN))
    const { rows } = await platform.query<{ status: string; n: number; tries: number }>(
      `select d.status, count(*)::int as n, sum(d.attempts)::int as tries from deliveries d
       join notification_channels c on c.id = d.channel_id
       where c.config ->> 'url' = $1 group by 1 order by 1`,
      [slow.url],
    )
    console.log(`${said} events in ${seconds} s; the slow one: ${rows.map(row => `${row.n} ${row.status}`).join(', ')}`)
    claim(
      'events for the quick receivers that arrived, of those emitted',
      delays.length / Math.max(1, said - rows.reduce((sum, row) => sum + row.n, 0)),
      'at least',
      1,
    )
    claim('from commit to a quick receiver, p99', quantile(delays, 0.99), 'under', 1_000, ' ms')
    console.log(
      `      p50 ${round(quantile(delays, 0.5))} ms, slowest ${round(Math.max(...delays))} ms; ${twice} came twice`,
    )
  } finally {
    await worker.stop()
    await Promise.all([quick.stop(), slow.stop()])
    await platform.end()
  }
}
