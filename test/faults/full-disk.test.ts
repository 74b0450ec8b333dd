import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'

/**
 * F29: PostgreSQL, ClickHouse, Temporal, the spools of the agents, all logs and the records of the start itself lie on
 * one disk, and it is full for a while. `FULL_DISK_SECONDS=60` is the run of `npm run faults`.
 */
const fullSeconds = Number(process.env.FULL_DISK_SECONDS ?? 15)
const regions = ['eu-west', 'us-east']
const sites = 5

let site: Site
let system: System
const checks: { monitor: string; check: string; path: string }[] = []

beforeAll(async () => {
  site = await Site.open()
  system = await System.start({ regions, diskMb: 700 })
  const client = new pg.Client({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '' })
  await client.connect()
  await client.query(`update tenants set feature_overrides = '{"min_check_interval":1}' where id = $1`, [
    system.local.team.tenant_id,
  ])
  await client.end()
  for (let i = 0; i < sites; i++) {
    const path = `/${i}`
    const { id, checks: made } = await system.addMonitor({
      name: path,
      url: site.url + path,
      check_interval: 1,
      timeout: 2,
    })
    checks.push({ monitor: id, check: made[0].id, path })
  }
  for (const { monitor } of checks) await eventually('up', async () => (await system.monitor(monitor)).status === 'up')
}, 180_000)
afterAll(async () => {
  await system?.stop()
  await site?.close()
})

/** Takes every byte that is free, again and again, as parts give some back. */
async function fillFor(seconds: number, meanwhile: () => Promise<void>): Promise<void> {
  const path = join(system.dataDir, 'filler')
  const file = openSync(path, 'a')
  const [block, little] = [Buffer.alloc(1_000_000), Buffer.alloc(512)]
  const fill = () => {
    for (const chunk of [block, little])
      try {
        while (writeSync(file, chunk) === chunk.length);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
  }
  try {
    for (const until = Date.now() + seconds * 1_000; Date.now() < until; ) {
      fill()
      expect(statfsSync(system.dataDir).bavail).toBe(0)
      await Promise.all([meanwhile(), sleep(500)])
    }
  } finally {
    closeSync(file)
    rmSync(path)
  }
}

function isRunning(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch {
    return false
  }
}

async function storedRequests(fromMs: number, toMs: number): Promise<Map<string, number>> {
  const client = createClient({ url: system.environment.CLICKHOUSE_URL ?? '' })
  try {
    const result = await client.query({
      query: `SELECT check_id AS check, toInt32(count()) AS n FROM check_results FINAL
              WHERE check_id IN {checks: Array(UUID)}
         AND toUnixTimestamp64Milli(at) + ifNull(connect_ms, 0) BETWEEN {from: Int64} AND {to: Int64}
              GROUP BY check_id`,
      query_params: { checks: checks.map(({ check }) => check), from: fromMs, to: toMs },
      format: 'JSONEachRow',
    })
    return new Map((await result.json<{ check: string; n: number }>()).map(({ check, n }) => [check, n]))
  } finally {
    await client.close()
  }
}

test(`a disk that is full for ${fullSeconds} s costs no result and opens no incident, and everything starts again by itself`, {
  timeout: 240_000 + fullSeconds * 1_500,
}, async () => {
  // the site sees nothing for two seconds before and after, so that both logs can be cut there
  const pause = async (isPaused: boolean) => {
    for (const { monitor } of checks)
      expect((await system.call('PATCH', `/monitors/${monitor}`, { is_enabled: !isPaused })).status).toBe(200)
    await sleep(4_000)
    return Date.now()
  }
  const from = await pause(true)
  await pause(false)
  const pid = system.pid
  let [asked, answered, isKilled] = [0, 0, false]
  await fillFor(fullSeconds, async () => {
    asked++
    const { status } = await system.get('/monitors?per_page=1').catch(() => ({ status: 0 }))
    if (status === 200) answered++
    if (isKilled) return
    // something that was killed while there is no room for a record of it, nor for a line of its log
    isKilled = true
    process.kill(system.partPid('control-plane'), 'SIGKILL')
  })
  const freed = performance.now()
  const ready = async () => (await fetch(`${system.local.base_url}/readyz`).catch(() => undefined))?.status === 200
  await eventually('everything is ready again', ready, 90_000)
  const readyMs = performance.now() - freed
  for (const { monitor } of checks)
    await eventually('up again', async () => (await system.monitor(monitor)).status === 'up', 60_000)
  expect(() => process.kill(pid, 0)).not.toThrow()
  // what was started without room for a record of it has one now
  await eventually(
    'the record of the process that runs',
    async () => isRunning(system.partPid('control-plane')),
    30_000,
  )

  // what the agents kept must have arrived before the checks are disabled: results of a disabled check are
  // refused
  const isStored = async (before: number) => {
    const counts = await storedRequests(from, before)
    return checks.every(
      ({ check, path }) =>
        (counts.get(check) ?? 0) >=
        site.log.filter(seen => seen.path === path && seen.at >= from && seen.at <= before - 500).length,
    )
  }
  await eventually('what was kept has arrived', () => isStored(Date.now() - 3_000), 60_000, 500)
  const to = await pause(true)
  const seen = site.log.filter(({ at }) => at >= from && at <= to)
  const stored = await eventually(
    'every request has its result',
    async () => {
      const counts = await storedRequests(from, to)
      return (
        checks.every(
          ({ check, path }) => (counts.get(check) ?? 0) >= seen.filter(entry => entry.path === path).length,
        ) && counts
      )
    },
    60_000,
    500,
  ).catch(() => storedRequests(from, to))
  const total = [...stored.values()].reduce((sum, n) => sum + n, 0)
  const restarts = system.events.filter(({ state }) => state === 'crashed').map(({ part, why }) => `${part} (${why})`)
  console.log(
    `full disk for ${fullSeconds} s: the site saw ${seen.length} requests, ${total} results stored; the API answered ${answered} of ${asked} times; ` +
      `ready ${(readyMs / 1_000).toFixed(1)} s after there was room; started again: ${restarts.join(', ') || 'nothing'}`,
  )
  expect(total).toBe(seen.length)
  for (const { monitor } of checks) expect(await system.incidents(monitor)).toEqual([])
})
