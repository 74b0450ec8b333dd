import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, System } from '#test/support/system.ts'
import { Site } from '#test/support/target.ts'
import { askClickhouse, missingAndDoubled } from './due-results.ts'

/**
 * F1, F3, F4, F14, F15 on the whole system: parts are killed or frozen while three regions run checks every second
 * and a client writes. In the end the stored results are compared with the grid of due times and the site's own log.
 */
const kills = Number(process.env.KILLS_PER_PART ?? 2)
/** How long ClickHouse is frozen. */
const frozenSeconds = Number(process.env.FROZEN_SECONDS ?? 12)
const regions = ['eu-west', 'us-east', 'ap-south']
const sites = 6

let site: Site
let system: System
const monitors: { id: string; path: string; check: string }[] = []
const written: string[] = []
let attempts = 0
let isWriting = true
let writer: Promise<void>

beforeAll(async () => {
  site = await Site.open()
  system = await System.start({ regions })
  const client = new pg.Client({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '' })
  await client.connect()
  await client.query(
    `update tenants set feature_overrides = '{"min_check_interval":1,"monitors":null}' where id = $1`,
    [system.local.team.tenant_id],
  )
  await client.end()
  for (let i = 0; i < sites; i++) {
    const path = `/${i}`
    const { id } = await system.addMonitor({ name: path, url: site.url + path, check_interval: 1, timeout: 2 })
    const [check] = (await system.get(`/monitors/${id}/checks`)).body.data
    monitors.push({ id, path, check: check.id })
  }
  for (const { id } of monitors) await eventually('up', async () => (await system.monitor(id)).status === 'up')
  writer = write()
}, 180_000)
afterAll(async () => {
  isWriting = false
  await writer?.catch(() => undefined)
  await system?.stop()
  await site?.close()
})

/** Writes, and keeps the ids of acknowledged writes. */
async function write(): Promise<void> {
  while (isWriting) {
    attempts++
    const name = `written-${attempts}`
    const answer = await system
      .post('/monitors', { name, url: `${site.url}/written`, check_interval: 3_600, is_enabled: false })
      .catch(() => null)
    if (answer?.status === 201) written.push(answer.body.data.id)
    else if (answer && answer.status !== 503 && answer.status !== 429)
      throw new Error(`a write answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    await sleep(250)
  }
}

const isServing = async () => (await system.get('/monitors?per_page=1').catch(() => ({ status: 0 }))).status === 200
const areRunsStored = async () => {
  const newest = await latestDue().catch(() => 0)
  return Date.now() - newest < 4_000
}

const ask = <Row>(query: string, params: Record<string, unknown>) =>
  askClickhouse<Row>(system.environment.CLICKHOUSE_URL ?? '', query, params)
/** Of one region, or of any. */
const latestDue = async (region = '') =>
  Number(
    (
      await ask<{ ms: string }>(
        `SELECT toUnixTimestamp64Milli(max(due)) AS ms FROM check_results WHERE {region: String} IN ('', region)`,
        { region },
      )
    )[0]?.ms ?? 0,
  )

const residentMb = (part: string) =>
  Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${system.partPid(part)}/status`, 'utf8'))?.[1]) / 1_024)

const backToServiceMs: number[] = []

async function killAndWait(part: string): Promise<void> {
  const started = performance.now()
  await system.kill(part)
  await eventually('served again', isServing, 60_000, 50)
  backToServiceMs.push(performance.now() - started)
  await eventually('results stored again', areRunsStored, 60_000, 250)
}

const onGrid = (fromMs: number, toMs: number) =>
  missingAndDoubled(system.environment.CLICKHOUSE_URL ?? '', {
    checks: monitors.map(({ check }) => check),
    regions,
    everyMs: 1_000,
    fromMs,
    toMs,
  })

/**
 * The moments in the last four seconds before `ms` that are farthest from any request for a path, so that both logs can
 * be cut there.
 */
function quietMoments(path: string, ms: number): number[] {
  const times = site.log.filter(seen => seen.path === path && Math.abs(seen.at - ms) < 8_000).map(({ at }) => at)
  const distance = (moment: number) => Math.min(...times.map(at => Math.abs(at - moment)))
  const moments = Array.from({ length: 800 }, (_, index) => ms - index * 5).sort(
    (one, other) => distance(other) - distance(one),
  )
  const apart: number[] = []
  for (const moment of moments)
    if (apart.length < 4 && apart.every(chosen => Math.abs(chosen - moment) > 300)) apart.push(moment)
  return apart
}

/** Where the logs of each path can be cut. */
type Cuts = Map<string, number[]>
const cutsAt = (ms: number): Cuts => new Map(monitors.map(({ path }) => [path, quietMoments(path, ms)]))
const allOf = (cuts: Cuts) => [...cuts.values()].flat()

/**
 * Compares the site's log with the stored results: each request has its result, each result its request. On a busy
 * machine the two times may lie on different sides of a cut, so several cuts are tried: a lost result is missing by
 * every cut.
 */
async function lostAndUnexpected(from: Cuts, to: Cuts): Promise<{ seen: number; lost: number; unexpected: number }> {
  const rows = await ask<{ check: string; asked: string }>(
    `SELECT check_id AS check, toUnixTimestamp64Milli(at) + ifNull(connect_ms, 0) AS asked FROM check_results FINAL
     WHERE check_id IN {checks: Array(UUID)} AND asked BETWEEN {from: Int64} AND {to: Int64}`,
    {
      checks: monitors.map(({ check }) => check),
      from: Math.floor(Math.min(...allOf(from))),
      to: Math.ceil(Math.max(...allOf(to))),
    },
  )
  const found = { seen: 0, lost: 0, unexpected: 0 }
  for (const { path, check } of monitors) {
    const logged = site.log.filter(entry => entry.path === path).map(({ at }) => at)
    const asked = rows.filter(row => row.check === check).map(row => Number(row.asked))
    const counts = from.get(path)!.flatMap(start =>
      to.get(path)!.map(end => {
        const within = (times: number[]) => times.filter(at => at >= start && at <= end).length
        return { seen: within(logged), stored: within(asked) }
      }),
    )
    const { seen, stored } = counts.reduce((best, next) =>
      Math.abs(next.seen - next.stored) < Math.abs(best.seen - best.stored) ? next : best,
    )
    found.seen += seen
    found.lost += Math.max(0, seen - stored)
    found.unexpected += Math.max(0, stored - seen)
  }
  return found
}

const nothingLost = (from: Cuts, to: Cuts, withinMs: number) =>
  eventually(
    'all of it is stored',
    async () => {
      const counted = await lostAndUnexpected(from, to)
      return counted.lost === 0 && counted
    },
    withinMs,
    500,
  )

describe('kill -9 and freezes', () => {
  test(`of the control plane, ClickHouse and PostgreSQL, ${kills} times each: no result lost, none doubled, no incident`, async () => {
    await sleep(3_000)
    const from = cutsAt(Date.now())
    for (let i = 0; i < kills; i++)
      for (const part of ['control-plane', 'clickhouse', 'postgres']) {
        await sleep(Math.random() * 1_500)
        await killAndWait(part)
      }
    await sleep(4_000)
    const to = cutsAt(Date.now() - 1_500)
    const found = await nothingLost(from, to, 40_000).catch(() => lostAndUnexpected(from, to))
    const grid = await onGrid(
      Math.ceil(Math.max(...allOf(from)) / 1_000) * 1_000,
      Math.floor(Math.min(...allOf(to)) / 1_000) * 1_000,
    )
    const N = kills * 3
    console.log(
      `kills ${N}: the site logged ${found.seen} requests; lost ${found.lost}, unexpected ${found.unexpected}, doubled ${grid.doubled} (95 % bound for ${N} kills: ${(300 / N).toFixed(0)} %); ` +
        `due but never run ${grid.missing} of ${grid.expected}; served again after at most ${Math.round(Math.max(...backToServiceMs))} ms`,
    )
    expect(found).toMatchObject({ lost: 0, unexpected: 0 })
    expect(grid.doubled).toBe(0)
    // agents were never killed: runs that a busy machine made impossible are a gap, which is small
    expect(grid.missing / grid.expected).toBeLessThan(0.05)
    // R15: PostgreSQL, ClickHouse and the control plane each come back by themselves
    expect(Math.max(...backToServiceMs)).toBeLessThan(30_000)
    for (const { id } of monitors) expect(await system.incidents(id)).toEqual([])
  }, 600_000)

  test('of the agents: at most the runs under way are missing', async () => {
    const from = Math.ceil(Date.now() / 1_000) * 1_000
    for (const region of regions) {
      await system.kill(`agent-${region}`)
      const another = Date.now()
      await eventually(`${region} runs checks again`, async () => (await latestDue(region)) > another, 60_000, 250)
    }
    await sleep(5_000)
    const to = Math.floor(Date.now() / 1_000) * 1_000 - 4_000
    const found = await onGrid(from, to)
    // a run a second for each site: what fell due while the process was away is a gap, bounded by its absence
    expect(found.doubled).toBe(0)
    expect(found.missing).toBeLessThan(sites * regions.length * 5)
    for (const { id } of monitors) expect(await system.incidents(id)).toEqual([])
  }, 200_000)

  test(
    `ClickHouse frozen for ${frozenSeconds} seconds: the API goes on, and nothing is lost`,
    async () => {
      await sleep(1_000)
      const from = cutsAt(Date.now())
      const pid = system.partPid('clickhouse')
      const before = residentMb('control-plane')
      process.kill(pid, 'SIGSTOP')
      try {
        for (let i = 0; i < frozenSeconds; i++) {
          const started = performance.now()
          expect((await system.get('/incidents?per_page=10')).status).toBe(200)
          expect(performance.now() - started).toBeLessThan(5_000)
          await sleep(1_000)
        }
      } finally {
        process.kill(pid, 'SIGCONT')
      }
      const thawed = performance.now()
      const grown = residentMb('control-plane') - before
      await eventually('caught up', areRunsStored, 30_000 + frozenSeconds * 200, 250)
      await sleep(5_000)
      const to = cutsAt(Date.now() - 3_000)
      const found = await nothingLost(from, to, 40_000 + frozenSeconds * 200)
      console.log(
        `ClickHouse frozen for ${frozenSeconds} s: of ${found.seen} results ${found.lost} lost, ${found.unexpected} unexpected; control plane grew by ${grown} MB; all stored after ${((performance.now() - thawed) / 1_000).toFixed(1)} s`,
      )
      expect(found.unexpected).toBe(0)
      expect(grown).toBeLessThan(300)
      for (const { id } of monitors) expect(await system.incidents(id)).toEqual([])
    },
    120_000 + frozenSeconds * 1_500,
  )

  test('an acknowledged write is there, whole: with its check, its audit entry and its event', async () => {
    isWriting = false
    await writer
    expect(written.length).toBeGreaterThan(20)
    const client = new pg.Client({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '' })
    await client.connect()
    const count = async (sql: string) => Number((await client.query(sql, [written])).rows[0].n)
    expect(await count('select count(*) as n from monitors where id = any($1)')).toBe(written.length)
    expect(await count('select count(distinct monitor_id) as n from checks where monitor_id = any($1)')).toBe(
      written.length,
    )
    expect(
      await count(
        `select count(distinct entity_id) as n from audit_entries where entity_id = any($1) and action = 'monitor.created'`,
      ),
    ).toBe(written.length)
    expect(
      await count(
        `select count(*) as n from outbox where name = 'monitor.created' and payload ->> 'monitor_id' = any(select unnest($1::uuid[])::text)`,
      ),
    ).toBe(written.length)
    // nothing half-written either: each row of these has its pair, acknowledged or not
    const { rows } = await client.query(`
      select count(*) filter (where c.id is null) as no_check, count(*) filter (where a.id is null) as no_audit
      from monitors m left join checks c on c.monitor_id = m.id
        left join audit_entries a on a.entity_id = m.id and a.action = 'monitor.created'
      where m.name like 'written-%'`)
    expect(rows[0]).toEqual({ no_check: '0', no_audit: '0' })
    await client.end()
  })
})
