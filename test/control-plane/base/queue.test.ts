import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { markAway } from '#analytics/away.ts'
import type { Claimed, End } from '#control-plane/base/queue/end.ts'
import { Queue } from '#control-plane/base/queue/queue.ts'
import { type Claim, fairClaim, type QueueTable, type Settle, settleIn } from '#control-plane/base/queue/table.ts'
import { openDatabases } from '#test/support/databases.ts'

const table: QueueTable = {
  table: 'works',
  id: 'bigint',
  kind: null,
  isOpen: 'q.done_at is null',
  claimS: 30,
}
const fairness = { key: 'tenant_id', columns: 'q.next_at' }
const listener = { on: () => () => undefined, onMissed: () => () => undefined }
const log = pino({ level: 'silent' })
let pool: pg.Pool
let claim: Claim<Claimed>
let settle: Settle<Claimed, 'done'>
beforeAll(async () => {
  pool = new pg.Pool({ connectionString: (await openDatabases('queue')).ownerUrl, max: 4 })
  claim = fairClaim(pool, table, fairness)
  settle = settleIn(pool, table, { set: 'outcome = coalesce(g.outcome, g.why)' })
  await pool.query(`
    create table works (id bigint generated always as identity primary key, tenant_id uuid, attempts int default 0,
      next_at timestamptz default clock_timestamp(), done_at timestamptz, outcome text);
    create index on works (tenant_id, next_at, id) where done_at is null`)
})
afterAll(() => pool?.end())

const [hog, other] = [randomUUID(), randomUUID()]
async function put(tenant: string, many: number): Promise<void> {
  await pool.query('insert into works (tenant_id) select $1 from generate_series(1, $2::int)', [tenant, many])
}
const clear = () => pool.query('truncate works')
const works = async () => (await pool.query('select attempts, outcome from works where done_at is not null')).rows

function start(handle: (item: Claimed) => Promise<End<'done'>>, retryAfter?: (item: Claimed) => number | undefined) {
  const queue = new Queue<Claimed, 'done'>({
    ...{ platform: pool, listener, log, name: 'work', notice: 'works', table, claim, settle, handle },
    pace: { atOnce: 10, ofKey: 4, claimed: 20 },
    ...(retryAfter && { retryAfter }),
  })
  queue.start()
  return queue
}

test('a claim takes a few rows of each tenant, and reads no more of what waits than that', async () => {
  await clear()
  await put(hog, 5_000)
  await put(other, 3)
  await pool.query('analyze works')
  const client = await pool.connect()
  await client.query('begin')
  const before = await readsOf(client)
  const few = await fairClaim<Claimed>(client, table, fairness)(20, 4, [])
  expect((await readsOf(client)) - before).toBeLessThan(100)
  await client.query('rollback')
  client.release()
  expect(Object.entries(Object.groupBy(few, ({ key }) => key)).map(([key, rows]) => [key, rows?.length])).toEqual(
    expect.arrayContaining([
      [hog, 4],
      [other, 3],
    ]),
  )
  expect((await claim(20, 4, [hog])).map(({ key }) => key)).toEqual([other, other, other])
})

const readsOf = async (client: pg.PoolClient) =>
  Number(
    (
      await client.query(
        `select seq_tup_read + coalesce(idx_tup_fetch, 0) as n from pg_stat_xact_user_tables where relname = 'works'`,
      )
    ).rows[0].n,
  )

test('three processes handle each row once, and no tenant waits for the rows of another', async () => {
  await clear()
  await put(hog, 300)
  await put(other, 3)
  const handled: Claimed[] = []
  const queues = [1, 2, 3].map(() =>
    start(async item => {
      handled.push(item)
      await new Promise(resolve => setTimeout(resolve, 5))
      return { how: 'done', outcome: 'done' }
    }),
  )
  await vi.waitFor(async () => expect(await works()).toHaveLength(303), 10_000)
  await Promise.all(queues.map(queue => queue.stop()))
  expect(new Set(handled.map(({ id }) => id)).size).toBe(303)
  expect(handled).toHaveLength(303)
  expect(handled.findLastIndex(({ key }) => key === other)).toBeLessThan(100)
})

test('a failed attempt is made again as planned, and the last leaves the row dead', async () => {
  await clear()
  await put(other, 1)
  const ends: End<'done'>[] = [
    { how: 'retry', why: 'first' },
    { how: 'wait', seconds: 0 },
    { how: 'retry', why: 'second' },
    { how: 'retry', why: 'third' },
  ]
  const queue = start(
    async () => ends.shift() ?? { how: 'done', outcome: 'done' },
    ({ attempts }) => (attempts < 2 ? 0 : undefined),
  )
  await vi.waitFor(async () => expect(await works()).toEqual([{ attempts: 3, outcome: 'third' }]), 10_000)
  await queue.stop()
})

test('a process that stops gives back what it has claimed and not begun', async () => {
  await clear()
  await put(other, 4)
  let begun = 0
  let finish = () => {}
  const blocked = new Promise<void>(resolve => {
    finish = resolve
  })
  const first = new Queue<Claimed, 'done'>({
    ...{ platform: pool, listener, log, name: 'work', notice: 'works', table, claim, settle },
    pace: { atOnce: 1, ofKey: 4, claimed: 4 },
    handle: async () => {
      begun++
      await blocked
      throw markAway(new Error('the store is away'))
    },
  })
  first.start()
  await vi.waitFor(() => expect(begun).toBe(1))
  const stopped = first.stop()
  const second = start(async () => ({ how: 'done', outcome: 'done' }))
  await vi.waitFor(async () => expect(await works()).toHaveLength(3), 10_000)
  expect(await claim(20, 4, [])).toEqual([])
  finish()
  await stopped
  await second.stop()
  expect(begun).toBe(1)
})
