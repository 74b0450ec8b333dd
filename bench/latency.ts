import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Stores, startServing, withStores } from './api.ts'
import { aTenant, aWebhook, happen, startReceiver } from './deliveries/world.ts'
import { claim, quantile, round } from './figures.ts'

/**
 * One event at a time on a system that does nothing else: from before its transaction commits until a receiver in
 * another process has read it.
 */
const events = Number(process.env.LATENCY_EVENTS ?? 500)

await withStores('latency', measure)

async function measure(stores: Stores): Promise<void> {
  const platform = new pg.Pool({ connectionString: stores.platformUrl, max: 2 })
  const receiver = await startReceiver()
  const worker = await startServing(stores, 'worker', { EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'warn' })
  try {
    const { id: tenantId, monitors } = await aTenant(platform, 200, ['shop'])
    await aWebhook(platform, tenantId, receiver.url, 'shop')
    const began = new Map<string, number>()
    for (let n = 0; n < events + 20; n++) {
      const incidentId = randomUUID()
      const at = performance.timeOrigin + performance.now()
      await happen(platform, [{ tenantId, monitorId: monitors[n % monitors.length]!, incidentId }])
      if (n >= 20) began.set(incidentId, at)
      await sleep(50 + Math.random() * 50)
    }
    await sleep(1_000)
    const bare: number[] = []
    for (let n = 0; n < 200; n++) {
      const at = performance.timeOrigin + performance.now()
      await platform.query('select 1')
      await fetch(receiver.url, { method: 'POST', body: '{"incident_id":"bare"}' }).then(answer => answer.text())
      bare.push(performance.timeOrigin + performance.now() - at)
    }
    const { arrivals } = await receiver.arrived()
    const delays = arrivals.flatMap(([event, , at]) => {
      const from = began.get(event)
      return from === undefined ? [] : [at - from]
    })
    claim('events that arrived', delays.length, 'at least', events)
    claim('from commit to receiver on an idle system, p99', quantile(delays, 0.99), 'under', 150, ' ms')
    console.log(`      p50 ${round(quantile(delays, 0.5))} ms, slowest ${round(Math.max(...delays))} ms`)
    console.log(
      `      bare limit, one statement and one bare POST: p50 ${round(quantile(bare, 0.5))} ms, p99 ${round(quantile(bare, 0.99))} ms`,
    )
  } finally {
    await worker.stop()
    await receiver.stop()
    await platform.end()
  }
}
