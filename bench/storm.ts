import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { eventually, System } from '#test/support/system.ts'
import { claim, quantile, round } from './figures.ts'
import { Nginx } from './nginx.ts'
import { usageOf } from './processes.ts'

/**
 * Five thousand monitors of three regions fail at once: when are all incidents open, and does the API stay quick
 * meanwhile.
 */
const monitors = Number(process.env.STORM_MONITORS ?? 5_000)
const interval = Number(process.env.STORM_INTERVAL ?? 30)

const paths = ['/monitors?per_page=50', '/incidents?per_page=50', '/dashboard/stats', '/monitors?status=down']

/**
 * Asks ten times a second whether the answer before has come or not: a slow answer must not spare us the questions it
 * would have slowed.
 */
class Asking {
  refused = 0
  readonly #latencies = new Map<string, number[]>()
  readonly #system: System
  readonly #asked: Promise<void>[] = []
  readonly #timer: NodeJS.Timeout

  constructor(system: System) {
    this.#system = system
    this.#timer = setInterval(() => {
      const asked = this.#ask(paths[this.#asked.length % paths.length] ?? '/monitors')
      asked.catch(() => undefined)
      this.#asked.push(asked)
    }, 100)
  }

  async end(): Promise<this> {
    clearInterval(this.#timer)
    await Promise.all(this.#asked)
    return this
  }

  async #ask(path: string): Promise<void> {
    const started = performance.now()
    const { status } = await this.#system.get(path)
    const took = performance.now() - started
    if (status !== 200) this.refused++
    this.#latencies.set(path, [...(this.#latencies.get(path) ?? []), took])
  }

  get latencies(): number[] {
    return [...this.#latencies.values()].flat()
  }

  print(when: string): void {
    for (const [path, ms] of this.#latencies)
      console.log(
        `      GET ${path} ${when}: p50 ${round(quantile(ms, 0.5))} ms, p99 ${round(quantile(ms, 0.99))} ms of ${ms.length}`,
      )
  }
}

/** How late turns of the control plane's event loop were since it was last asked. */
async function loopDelay(): Promise<string> {
  const text = await (await fetch(system.local.metrics_url)).text()
  const ms = (name: string) =>
    round(1_000 * Number(new RegExp(`^vedette_nodejs_eventloop_lag_${name}_seconds (\\S+)`, 'm').exec(text)?.[1]))
  return `p50 ${ms('p50')} ms, p99 ${ms('p99')} ms, at most ${ms('max')} ms late`
}

let site = await Nginx.open()
const { port } = site
const system = await System.start({ env: { LOG_LEVEL: 'warn' } })
const client = new pg.Client({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '' })
await client.connect()
try {
  await client.query(
    `update tenants set feature_overrides = '{"min_check_interval":1,"monitors":null}' where id = $1`,
    [system.local.team.tenant_id],
  )
  for (let first = 0; first < monitors; first += 1_000) {
    const batch = Array.from({ length: Math.min(1_000, monitors - first) }, (_, i) => ({
      name: `m${first + i}`,
      url: `${site.url}/${first + i}`,
      check_interval: interval,
      timeout: 5,
    }))
    const { status, body } = await system.post('/monitors/bulk', { monitors: batch })
    if (status !== 201) throw new Error(`bulk create answered ${status}: ${JSON.stringify(body).slice(0, 400)}`)
  }
  await eventually(
    'all sites up',
    async () =>
      (await client.query(`select 1 from monitors where status is distinct from 'up' limit 1`)).rowCount === 0,
    180_000,
    1_000,
  )

  const calm = new Asking(system)
  await sleep(interval * 1_000)
  await calm.end()
  calm.print('while all is well')

  const before = usageOf(system.pid).byPart
  await loopDelay()
  const asking = new Asking(system)
  await site.close()
  site = await Nginx.open(500, port)
  const down = Date.now()
  await eventually(
    'all incidents',
    async () => Number((await client.query('select count(*) as n from incidents')).rows[0].n) >= monitors,
    180_000,
    250,
  )
  const all = Date.now()
  const { latencies, refused } = await asking.end()
  const after = usageOf(system.pid).byPart
  const { rows } = await client.query<{ ms: number }>(
    'select extract(epoch from created_at - confirmed_at) * 1000 as ms from incidents',
  )
  const open = rows.map(row => Number(row.ms))
  console.log(
    `${monitors} monitors down at once, a run every ${interval} s: all incidents open ${round((all - down) / 1_000)} s later`,
  )
  claim('from the confirming run to the incident row, slowest', Math.max(...open) / 1_000, 'under', 10, ' s')
  console.log(`      p50 ${round(quantile(open, 0.5))} ms, p99 ${round(quantile(open, 0.99))} ms`)
  claim(`API meanwhile, p99 of ${latencies.length}`, quantile(latencies, 0.99), 'under', 200, ' ms')
  claim('of them answered otherwise than 200', refused, 'under', 1)
  console.log(
    `      p50 ${round(quantile(latencies, 0.5))} ms; p99 of ${calm.latencies.length} while all was well ${round(quantile(calm.latencies, 0.99))} ms`,
  )
  asking.print('in the storm')
  console.log(`      event loop of the control plane: ${await loopDelay()}`)
  const secondsOf = (parts: typeof before, name: string) =>
    (parts.get(name) ?? []).reduce((sum, { cpuS }) => sum + cpuS, 0)
  console.log(
    `      processor: ${[...after.keys()].map(name => `${name} ${round(secondsOf(after, name) - secondsOf(before, name))} s`).join(', ')}`,
  )
} finally {
  await client.end()
  await system.stop()
  await site.close()
}
