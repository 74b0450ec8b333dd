import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Stores, startServing, withStores } from './api.ts'
import { bareRate } from './deliveries/bare.ts'
import { aTenant, aWebhook, type Happened, happen, openIncidents, secret, startReceiver } from './deliveries/world.ts'
import { claim, median, round } from './figures.ts'
import { usageOf } from './processes.ts'

/**
 * The time from events in the outbox to the last stored delivery: claimed, matched by rules with a monitor's tag,
 * signed, sent to a receiver in a process of its own, and logged with the decision. Each event has its own receiver.
 */
const events = Number(process.env.DISPATCH_EVENTS ?? 20_000)
const runs = Number(process.env.DISPATCH_RUNS ?? 3)
const tenants = 50
/** Each fails and recovers: the second event of a monitor is queued behind the first. */
const monitorsEach = events / tenants / 2
const tags = ['shop', 'office', 'night', 'lab']
const flags = process.env.DISPATCH_PROF ? ['--cpu-prof', `--cpu-prof-dir=${process.env.DISPATCH_PROF}`] : []

await withStores('dispatch', measure)

async function measure(stores: Stores): Promise<void> {
  const platform = new pg.Pool({ connectionString: stores.platformUrl, max: 4 })
  const owner = new pg.Pool({ connectionString: stores.ownerUrl, max: 1 })
  const receiver = await startReceiver()
  try {
    const owned: Awaited<ReturnType<typeof aTenant>>[] = []
    for (let n = 0; n < tenants; n++) {
      const tenant = await aTenant(platform, monitorsEach, tags)
      for (const [index, tag] of tags.entries())
        await aWebhook(platform, tenant.id, `${receiver.url}/${n}-${index}`, tag)
      owned.push(tenant)
    }
    const worker = await startServing(stores, 'worker', { EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'warn' }, flags)
    try {
      const rates: number[] = []
      const statements: number[] = []
      const bare: number[] = []
      for (let run = 0; run <= runs; run++) {
        const many = run === 0 ? 1_000 : events // the first is to warm up
        const all: Happened[] = Array.from({ length: many }, (_, n) => {
          const { id, monitors } = owned[n % tenants]!
          return {
            tenantId: id,
            monitorId: monitors[Math.floor(n / tenants) % monitors.length]!,
            incidentId: randomUUID(),
          }
        })
        await owner.query('truncate deliveries, outbox, incidents cascade')
        await openIncidents(platform, all)
        await owner.query('vacuum analyze')
        await receiver.arrived()
        await sleep(2_500)
        const before = { said: await statementsOf(platform), cpu: usageOf(process.pid) }
        const began = performance.now()
        await happen(platform, all)
        let asked = 1
        for (let delivered = 0; delivered < many; asked++) {
          await sleep(100)
          const { rows } = await platform.query<{ n: number }>(
            `select count(*)::int as n from deliveries where status = 'delivered'`,
          )
          delivered = rows[0]?.n ?? 0
          if (performance.now() - began > 120_000)
            throw new Error(`after two minutes ${delivered} of ${many} are delivered`)
        }
        const seconds = (performance.now() - began) / 1_000
        const cpu = usageOf(process.pid)
        await sleep(1_500) // figures of statements come late
        const said = (await statementsOf(platform)) - before.said - asked
        const { arrivals, twice, wrong } = await receiver.arrived()
        if (new Set(arrivals.map(([event]) => event)).size !== many)
          throw new Error(`${arrivals.length} of ${many} arrived`)
        if (wrong > 0 || twice > 0) throw new Error(`${wrong} were signed wrongly, ${twice} came twice`)
        const parts = [...cpu.byPart].map(([part, family]) => {
          const earlier = before.cpu.byPart.get(part)?.reduce((sum, { cpuS }) => sum + cpuS, 0) ?? 0
          return `${part} ${round(((family.reduce((sum, { cpuS }) => sum + cpuS, 0) - earlier) * 1e6) / many)}`
        })
        console.log(
          `      ${many} events: ${round(many / seconds)} deliveries a second,
           ${round(said / many)} statements each; processor µs each: ${parts.join(', ')}`,
        )
        if (run === 0) continue
        rates.push(many / seconds)
        statements.push(said / many)
        bare.push(await bareRate(receiver.url, secret))
        await receiver.arrived()
      }
      claim('signed deliveries, end to end and logged', median(rates), 'at least', 800, ' a second')
      claim('SQL statements a delivery', Math.max(...statements), 'under', 3)
      console.log(
        `      bare limit, the same messages signed and sent with nothing before or after: ${round(median(bare))} a second; ratio ${round(median(rates) / median(bare))}`,
      )
    } finally {
      await worker.stop()
    }
  } finally {
    await receiver.stop()
    await Promise.all([platform.end(), owner.end()])
  }
}

/** Each statement is a transaction of its own here, and PostgreSQL counts those. Its own housekeeping is among them. */
async function statementsOf(platform: pg.Pool): Promise<number> {
  const { rows } = await platform.query<{ n: string }>(
    'select xact_commit + xact_rollback as n from pg_stat_database where datname = current_database()',
  )
  return Number(rows[0]?.n)
}
