import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isMarkedAway } from '#analytics/away.ts'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { type Accepted, ingest } from '#analytics/ingest/ingest.ts'
import type { AssignedCheck, Observation } from '#analytics/ingest/observation.ts'
import { readWatermarksSoon } from '#analytics/latest-results.ts'
import { type ArchiveMood, ArchiveProxy } from '#test/support/store-proxy.ts'
import { eventually } from '#test/support/system.ts'
import { makeCheck, openDatabase, pack, resultOf, rows, sender, timedOut } from './given.ts'

let direct: ClickHouseClient
let url: string
let close: () => Promise<void>
beforeAll(async () => {
  ;({ clickhouse: direct, url, close } = await openDatabase())
})
afterAll(() => close())

const storedOf = (check: AssignedCheck) =>
  rows<{ due: string; outcome: string; code: string }>(
    direct,
    `SELECT due, outcome, code FROM check_results FINAL WHERE check_id = '${check.check}' ORDER BY due`,
  )

/** An ingest whose way to ClickHouse can fail. */
async function open(kinds: Parameters<typeof makeCheck>[0][] = [], stalledAfterMs = 500) {
  const proxy = await ArchiveProxy.open(url)
  const clickhouse = openClickhouse(proxy.url, { requestTimeoutMs: 3_000 })
  const observed: Observation[] = []
  const checks = kinds.map(kind => makeCheck(kind))
  const intake = ingest({
    clickhouse,
    now: Date.now,
    findAssigned: (_, check) => checks.find(known => known.check === check),
    decide: async observations => void observed.push(...observations),
    stalledAfterMs,
  })
  /** How long it takes until a batch is decided on, and whether it is stored in the end. */
  const take = async (packed: Buffer) => {
    const began = performance.now()
    const decided = Promise.withResolvers<{ ms: number; accepted: Accepted }>()
    const stored = intake.take(packed, 'zstd', sender(), accepted =>
      decided.resolve({ ms: performance.now() - began, accepted }),
    )
    return { ...(await decided.promise), stored }
  }
  return {
    proxy,
    intake,
    observed,
    checks,
    check: checks[0]!,
    take,
    async [Symbol.asyncDispose]() {
      await proxy.become('up')
      await clickhouse.close()
      await proxy.close()
    },
  }
}

const away: ArchiveMood[] = ['refused', 'frozen', 'no quorum', 'full']

describe.concurrent('while the archive is', () => {
  test.for([...away, 'slow'] as ArchiveMood[])(
    '%s, every batch is decided on at once, however many wait',
    async mood => {
      await using opened = await open(['uptime'], mood === 'slow' ? 5_000 : 500)
      const { proxy, check, take, observed } = opened
      await proxy.become(mood)
      const from = Date.now()
      const taken: Awaited<ReturnType<typeof take>>[] = []
      for (let n = 0; n < 150; n++) {
        taken.push(await take(pack([resultOf(check, from - 150_000 + n * 1_000)])))
        if (n % 10 === 0) await sleep(50)
      }
      expect(Math.max(...taken.map(({ ms }) => ms))).toBeLessThan(3_000)
      expect(observed).toHaveLength(150)
      const statuses = (await Promise.all(taken.map(({ stored }) => stored))).map(({ status }) => status)
      if (mood === 'slow') expect(new Set(statuses)).toEqual(new Set([200]))
      else expect(new Set(statuses)).toEqual(new Set([503]))
    },
  )

  test.for(away)('%s, what is stored afterwards is not decided on again, and is there once', async mood => {
    await using opened = await open(['uptime'])
    const { proxy, intake, check, take, observed } = opened
    await proxy.become(mood)
    const due = Date.now() - 10_000
    const packed = pack([resultOf(check, due), resultOf(check, due + 1_000, timedOut)])
    const { accepted, stored } = await take(packed)
    expect(accepted.ack).toMatchObject({ accepted: 2, refused: [] })
    expect((await stored).status).toBe(503)
    expect((await intake.store(packed, 'zstd', sender())).status).toBe(503)
    await proxy.become('up')
    // a stalled insert ends by its own timeout first
    await eventually('stored', async () => (await intake.store(packed, 'zstd', sender())).status === 200, 20_000)
    await intake.store(packed, 'zstd', sender())
    expect(await storedOf(check)).toMatchObject([{ outcome: 'up' }, { outcome: 'down', code: 'timeout' }])
    expect(observed).toHaveLength(2)
  })

  test.for(away)('%s, results of a kind that compares are decided on without what was found before', async mood => {
    await using opened = await open(['redirect_chain'])
    const { proxy, check, take, observed } = opened
    await proxy.become(mood)
    const now = Date.now()
    const began = performance.now()
    for (let n = 0; n < 5; n++) await take(pack([chain(check, now - 60_000 + n, 'https://a.example/')]))
    await take(pack([chain(check, now, 'https://b.example/')]))
    expect(performance.now() - began).toBeLessThan(3_000)
    expect(observed.map(({ judgement }) => judgement.status).slice(-2)).toEqual(['up', 'warning'])
  })

  test.for(['refused', 'frozen'] as const)('%s, the newest stored runs are not waited for', async mood => {
    await using opened = await open()
    await opened.proxy.become(mood)
    const clickhouse = openClickhouse(opened.proxy.url)
    const began = performance.now()
    await expect(Array.fromAsync(readWatermarksSoon(clickhouse))).rejects.toThrow()
    expect(performance.now() - began).toBeLessThan(4_000)
    await opened.proxy.become('up')
    await clickhouse.close()
  })
})

describe.concurrent('a client', () => {
  const ask = (clickhouse: ClickHouseClient, query = 'SELECT 1') =>
    clickhouse.query({ query, format: 'JSONEachRow' }).then(answer => answer.json())

  test('of a server that stands still waits once, then no more, and goes on when it answers', async () => {
    const proxy = await ArchiveProxy.open(url)
    const clickhouse = openClickhouse(proxy.url)
    await ask(clickhouse)
    await proxy.become('frozen')
    const began = performance.now()
    await expect(ask(clickhouse)).rejects.toSatisfy(isMarkedAway)
    expect(performance.now() - began).toBeLessThan(15_000)
    const again = performance.now()
    const asked = await Promise.allSettled(Array.from({ length: 100 }, () => ask(clickhouse)))
    expect(asked.filter(({ status }) => status === 'fulfilled')).toEqual([])
    expect(performance.now() - again).toBeLessThan(5_000)
    await proxy.become('up')
    await eventually('an answer', () => ask(clickhouse).catch(() => undefined), 10_000)
    await clickhouse.close()
    await proxy.close()
  })

  test('waits for a statement that takes long on a server that answers', async () => {
    const clickhouse = openClickhouse(url)
    const began = performance.now()
    const slow = ask(clickhouse, 'SELECT sleepEachRow(1.5) FROM numbers(5) SETTINGS max_block_size = 1')
    await expect(slow).resolves.toHaveLength(5)
    expect(performance.now() - began).toBeGreaterThan(7_000)
    await clickhouse.close()
  })
})

const chain = (check: AssignedCheck, due: number, final_url: string) =>
  resultOf(check, due, {
    seen: {
      hops: [{ url: final_url, status: 200, protocol: '1.1', tls: null, ms: 1 }],
      end: 'arrived',
      final_url,
      failure: null,
      replaced: null,
    },
  })

test('a result that is judged again to be stored is judged as it was decided', async () => {
  await using opened = await open(['redirect_chain'])
  const { proxy, intake, check, take, observed } = opened
  await proxy.become('no quorum')
  const now = Date.now()
  const packed = ['a', 'b', 'b', 'c', 'a'].map((host, n) =>
    pack([chain(check, now - 60_000 + n * 10_000, `https://${host}.example/`)]),
  )
  for (const batch of packed) await take(batch)
  const decided = observed.map(({ judgement }) => judgement.status)
  await proxy.become('up')
  for (const batch of packed.toReversed()) expect((await intake.store(batch, 'zstd', sender())).status).toBe(200)
  expect((await storedOf(check)).map(({ outcome }) => outcome)).toEqual(decided)
  expect(decided.filter(status => status !== 'up').length).toBeGreaterThan(1)
})
