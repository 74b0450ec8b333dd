import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { Rollups } from '#analytics/rollup.ts'
import { startClickhouse } from '#test/support/clickhouse.ts'
import { makeCheck, openIngest, sender } from './given.ts'
import { type Account, chance, Ledger } from './ledger.ts'

export interface KillOptions {
  kills: number
  seed: number
  /** Taken out for the control: `acknowledge` before the rows are stored, `read` without FINAL. */
  without?: 'acknowledge' | 'read'
}

export interface KillReport extends Account {
  kills: number
  /** Cells of hours and days that differ from a recount, after the repair that follows a restart. */
  mismatches: number
  restartP99Ms: number
}

/** The control's client: says that rows are stored as soon as they are on their way. */
function hasty(clickhouse: ClickHouseClient): ClickHouseClient {
  return new Proxy(clickhouse, {
    get(target, name) {
      if (name !== 'exec') return Reflect.get(target, name, target)
      return async (params: Parameters<ClickHouseClient['exec']>[0]) => {
        target.exec(params).then(
          ({ stream }) => stream.resume(),
          () => {},
        )
        return { stream: Readable.from([]) }
      }
    },
  })
}

/**
 * Ends ClickHouse by force, again and again, while three regions send results, live and late, each batch until it is
 * acknowledged, and roll-ups go on. Then counts what became of them: the fault F3.
 */
export async function killClickhouse({ kills, seed, without }: KillOptions): Promise<KillReport> {
  const random = chance(seed)
  const server = await startClickhouse()
  const url = server.url('faults')
  await migrateClickhouse(url)
  const real = openClickhouse(url, { requestTimeoutMs: 5_000 })
  const clickhouse = without === 'acknowledge' ? hasty(real) : real
  const checks = Array.from({ length: 20 }, () => makeCheck())
  const now = () => Date.now()
  const keeper = new Rollups({ clickhouse: real, now })
  const intake = openIngest(clickhouse, now, { onTouched: hours => keeper.touched(hours) })
  for (const check of checks) intake.checks.set(check.check, check)

  const ledger = new Ledger(checks, random)
  let isOver = false
  async function agent(region: string) {
    for (let batch = 0; !isOver; batch++) {
      const { packed, keys } = ledger.batch(region, batch)
      for (;;) {
        const taken = await intake.take(packed, 'zstd', sender(region))
        if (taken.status === 200) break
        if (isOver) return
        await sleep(5)
      }
      ledger.acknowledge(keys)
      // an acknowledgement that was lost on the way
      if (random() < 0.05) await intake.take(packed, 'zstd', sender(region))
    }
  }
  async function keepRolling() {
    while (!isOver) {
      await keeper.reconcile().catch(() => {})
      await sleep(50)
    }
  }

  const working = Promise.all([...['eu-west', 'us-east', 'ap-south'].map(agent), keepRolling()])
  const restarts: number[] = []
  try {
    for (let kill = 0; kill < kills; kill++) {
      await sleep(5 + random() * 395)
      await server.kill()
      const began = performance.now()
      await server.restart()
      restarts.push(performance.now() - began)
    }
    isOver = true
    await working
    if (without === 'acknowledge') await sleep(500)
    await keeper.reconcile()
    const mismatches = await new Rollups({ clickhouse: real, now }).reconcile()

    return {
      kills,
      ...ledger.account(await ledger.stored(real, { isFinal: without !== 'read' })),
      mismatches,
      restartP99Ms: restarts.toSorted((a, b) => a - b)[Math.floor(restarts.length * 0.99)] ?? 0,
    }
  } finally {
    isOver = true
    await working.catch(() => {})
    await real.close()
    await server.stop()
  }
}

if (import.meta.main) {
  const [kills = 100, seed = Date.now() % 2 ** 31] = process.argv.slice(2).map(Number)
  console.log({ seed, ...(await killClickhouse({ kills, seed })) })
}
