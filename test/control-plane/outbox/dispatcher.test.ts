import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markAway } from '#analytics/away.ts'
import { Dispatcher, type StartWorkflow } from '#control-plane/outbox/dispatcher.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { openDatabases } from '#test/support/databases.ts'

let served: Serving
beforeAll(async () => {
  served = await serving('outbox', { roles: ['api'] })
})
afterAll(() => served?.close())

const log = pino({ level: 'silent' })

function dispatcher(startWorkflow: StartWorkflow) {
  const { platform, listener, metrics } = served.plane.services
  const made = new Dispatcher({ platform, listener, log, metrics, startWorkflow })
  made.start()
  return made
}

async function put(tenant: string, count: number, kind = 'workflow'): Promise<void> {
  await served.platform.query(
    `insert into outbox (tenant_id, kind, name, payload)
      select $1, $3, 'test', jsonb_build_object('id', 'w-' || n, 'input', '{}'::jsonb)
      from generate_series(1, $2::int) n`,
    [tenant, count, kind],
  )
  await served.platform.query(`select pg_notify('outbox', '')`)
}

const open = async (tenant: string): Promise<number> =>
  (
    await served.platform.query<{ n: number }>(
      'select count(*)::int as n from outbox where tenant_id = $1 and done_at is null',
      [tenant],
    )
  ).rows[0]!.n

describe('the outbox', () => {
  test('handles each row once, though three processes do so', async () => {
    const tenant = await served.tenant()
    const started: string[] = []
    const dispatchers = [1, 2, 3].map(() =>
      dispatcher(async (_name, id) => {
        await new Promise(resolve => setTimeout(resolve, Math.random() * 5))
        started.push(id)
      }),
    )
    await put(tenant, 400)
    await eventually(async () => ((await open(tenant)) === 0 ? true : undefined))
    await Promise.all(dispatchers.map(made => made.stop()))
    expect(started).toHaveLength(400)
    expect(new Set(started).size).toBe(400)
  })

  test('keeps a failed row with its reason, and succeeds later', async () => {
    const tenant = await served.tenant()
    let isAway = true
    const made = dispatcher(async () => {
      if (isAway) throw markAway(new Error('Temporal is away'))
    })
    await put(tenant, 3)
    const { error } = await eventually(async () => {
      const { rows } = await served.platform.query(
        'select error from outbox where tenant_id = $1 and error is not null',
        [tenant],
      )
      return rows[0]
    })
    expect(error).toBe('Temporal is away')
    expect(await open(tenant)).toBe(3)
    isAway = false
    await eventually(async () => ((await open(tenant)) === 0 ? true : undefined))
    await made.stop()
  })

  test('of one monitor nothing overtakes what an earlier claim still holds, of another everything; in the end all is in order, though three hand on', async () => {
    const tenant = await served.tenant()
    const { platform, listener, metrics } = served.plane.services
    const [claimed, free] = ['6f0c1f4e-0000-4000-8000-000000000001', '6f0c1f4e-0000-4000-8000-000000000002']
    const emit = (monitor: string, nth: number, next = '0 s') =>
      platform.query(
        `insert into outbox (tenant_id, kind, name, payload, next_at)
          values ($1, 'event', 'test', $2, clock_timestamp() + $3::interval)`,
        [tenant, JSON.stringify({ monitor_id: monitor, nth }), next],
      )
    await emit(claimed, 0, '1 hour') // another process has claimed it
    for (let nth = 1; nth < 40; nth++) {
      await emit(claimed, nth)
      await emit(free, nth)
    }
    const received: { monitor: unknown; nth: unknown }[] = []
    const receivedOf = (monitor: string) => received.filter(each => each.monitor === monitor).map(({ nth }) => nth)
    const dispatchers = [1, 2, 3].map(() => {
      const made = new Dispatcher({
        platform,
        listener,
        log,
        metrics,
        kinds: ['event'],
        listeners: [async ({ payload }) => void received.push({ monitor: payload.monitor_id, nth: payload.nth })],
      })
      made.start()
      return made
    })
    await eventually(async () => (receivedOf(free).length === 39 ? true : undefined))
    expect(receivedOf(claimed)).toEqual([])
    // and has died
    await platform.query(
      `update outbox set next_at = clock_timestamp() where tenant_id = $1 and payload ->> 'nth' = '0'`,
      [tenant],
    )
    await platform.query(`select pg_notify('outbox', '')`)
    await eventually(async () => ((await open(tenant)) === 0 ? true : undefined))
    await Promise.all(dispatchers.map(made => made.stop()))
    for (const [monitor, first] of [[claimed, 0] as const, [free, 1] as const])
      expect(receivedOf(monitor)).toEqual(Array.from({ length: 40 - first }, (_, n) => n + first))
  })

  test('a claim reads no more of what waits than it takes, however much that is, also in a session that made its plans while nothing waited', async () => {
    const { ownerUrl } = await openDatabases('claims')
    const client = new pg.Client({ connectionString: ownerUrl })
    await client.connect()
    try {
      await client.query('vacuum analyze outbox')
      const claim = async () =>
        (await client.query<{ id: string }>('select * from claim_outbox($1, 50, 30)', [['event']])).rows
      for (let n = 0; n < 10; n++) expect(await claim()).toEqual([])
      const tenant = randomUUID()
      await client.query(`insert into tenants (id, name, slug, plan) values ($1, 'Team', 'team', 'pro')`, [tenant])
      await client.query(
        `insert into outbox (tenant_id, kind, name, payload)
         select $1, 'event', 'test', jsonb_build_object('monitor_id', md5((n % 2500)::text)::uuid)
         from generate_series(1, 5000) n`,
        [tenant],
      )
      await client.query('begin')
      const claimed = await claim()
      const { rows } = await client.query<{ one_by_one: string; looked_up: string }>(
        `select seq_tup_read as one_by_one, idx_tup_fetch as looked_up from pg_stat_xact_user_tables
          where relname = 'outbox'`,
      )
      await client.query('rollback')
      expect(claimed.map(({ id }) => Number(id)).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, n) => n + 1),
      )
      expect(Number(rows[0]?.one_by_one)).toBe(0)
      expect(Number(rows[0]?.looked_up)).toBeLessThan(500)
    } finally {
      await client.end()
    }
  })

  test('marks an event without listeners as done, and measures its depth', async () => {
    const tenant = await served.tenant()
    const made = dispatcher(async () => undefined)
    await put(tenant, 5, 'event')
    await eventually(async () => ((await open(tenant)) === 0 ? true : undefined))
    await eventually(async () =>
      (await served.plane.services.metrics.outboxDepth.get()).values[0]?.value === 0 ? true : undefined,
    )
    await made.stop()
  })

  test('keeps workflows and handles events without Temporal', async () => {
    const tenant = await served.tenant()
    const { platform, listener, metrics } = served.plane.services
    const made = new Dispatcher({ platform, listener, log, metrics })
    made.start()
    await put(tenant, 2)
    await put(tenant, 2, 'event')
    await eventually(async () => ((await open(tenant)) === 2 ? true : undefined))
    await made.stop()
  })
})
