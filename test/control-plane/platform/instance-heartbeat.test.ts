import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startInstanceHeartbeat } from '#control-plane/platform/instance-heartbeat.ts'
import type { ProcessReport } from '#control-plane/platform/processes/report.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
let outside: Server
let url: string
const requests: string[] = []
let status = 200
/** The report of a worker, which does not run here, so that nothing takes what waits. */
const worker = randomUUID()
beforeAll(async () => {
  outside = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.writeHead(status).end()
  })
  await new Promise<void>(resolve => outside.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/ping/secret?from=vedette`
  served = await serving('heartbeat', { roles: ['api'] })
})
afterAll(async () => {
  await served?.close()
  outside?.close()
})

/** The heartbeat of an installation whose results are those given here. */
function kept(results: { count: number; shortestIntervalMs(): number | undefined }, isShared = false) {
  const { services } = served.plane
  return startInstanceHeartbeat({
    ...services,
    config: { ...services.config, heartbeatUrl: url },
    results,
    isShared,
    everyMs: 100,
  })!
}

const outcomes = async () => {
  const { values } = await served.plane.services.metrics.instanceHeartbeats.get()
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
}

/** Waits for the next round, and returns whether it made a request. */
async function nextRound(): Promise<boolean> {
  const [before, seen] = [await outcomes(), requests.length]
  await eventually(async () => (JSON.stringify(await outcomes()) === JSON.stringify(before) ? undefined : true))
  return requests.length > seen
}

test('nothing is requested before a worker runs', async () => {
  const heartbeat = kept({ count: 0, shortestIntervalMs: () => undefined })
  try {
    expect(await nextRound()).toBe(false)
    const report: ProcessReport = {
      roles: ['worker'],
      host: 'elsewhere',
      version: '0.1.0',
      event_loop_delay_ms: 1,
      memory_bytes: 1,
      parts: {},
      ingest_lag_ms: null,
      rollup_mismatch: null,
    }
    await served.platform.query(
      `insert into process_reports (id, started_at, reported_at, report)
       values ($1, now(), clock_timestamp() + interval '1 hour', $2)`,
      [worker, report],
    )
    await eventually(() => (requests.length > 0 ? true : undefined))
  } finally {
    await heartbeat.stop()
  }
})

test('the address is requested while results are judged, and no longer once they stop', async () => {
  const results = { count: 0, shortestIntervalMs: () => 200 }
  const judging = setInterval(() => results.count++, 50)
  const heartbeat = kept(results)
  try {
    const before = requests.length
    await eventually(() => (requests.length >= before + 3 ? true : undefined))
    expect(new Set(requests)).toEqual(new Set(['GET /ping/secret?from=vedette']))
    clearInterval(judging)
    const { withheld = 0 } = await outcomes()
    await eventually(async () => ((await outcomes()).withheld! > withheld ? true : undefined))
    expect(await nextRound()).toBe(false)
    results.count++
    expect(await eventually(async () => ((await nextRound()) ? true : undefined))).toBe(true)
  } finally {
    clearInterval(judging)
    await heartbeat.stop()
  }
})

test('without a check that agents run, no result is expected', async () => {
  const heartbeat = kept({ count: 0, shortestIntervalMs: () => undefined })
  expect(await nextRound()).toBe(true)
  expect(await nextRound()).toBe(true)
  await heartbeat.stop()
})

test('a shard without an owner that judges results withholds it, wherever the shard is', async () => {
  const { platform } = served
  const owner = randomUUID()
  const own = (url: string, shards: number[]) =>
    platform.query('insert into ingest_owners (id, url, shards) values ($1, $2, $3)', [randomUUID(), url, shards])
  const says = (lacks: string | null, noted: string) =>
    platform.query(
      `insert into ingest_members (id, url, shards, stands_aside, lacks, noted_at)
       values ($1, 'http://b.example', '{63}', false, $2, clock_timestamp() + $3::interval)
       on conflict (id) do update set lacks = excluded.lacks, noted_at = excluded.noted_at`,
      [owner, lacks, noted],
    )
  const heartbeat = kept({ count: 0, shortestIntervalMs: () => undefined }, true)
  const sent = () => eventually(async () => ((await nextRound()) ? true : undefined))
  const withheld = () => eventually(async () => ((await nextRound()) ? undefined : true))
  try {
    await own('http://a.example', [...Array(63).keys()])
    await withheld()
    expect(await nextRound()).toBe(false)
    // one of the version before, which says nothing of itself
    await own('http://b.example', [63])
    await sent()
    await says('no result was judged', '1 hour')
    await withheld()
    await says(null, '1 hour')
    await sent()
    await says(null, '-1 hour')
    await withheld()
  } finally {
    await platform.query('delete from ingest_owners')
    await platform.query('delete from ingest_members')
    await heartbeat.stop()
  }
})

test.each([
  ['event', 'monitor.created'],
  ['mail', 'password_reset'],
])(
  'one %s that is due for six minutes and not taken withholds it, one that is due later does not',
  async (kind, name) => {
    const heartbeat = kept({ count: 0, shortestIntervalMs: () => undefined })
    const { rows } = await served.platform.query(
      `insert into outbox (tenant_id, kind, name, payload, next_at)
     values ($1, $2, $3, '{}', clock_timestamp() - interval '6 minutes') returning id`,
      [await served.tenant(), kind, name],
    )
    try {
      await eventually(async () => ((await nextRound()) ? undefined : true))
      expect(await nextRound()).toBe(false)
      await served.platform.query(`update outbox set next_at = clock_timestamp() + interval '1 hour' where id = $1`, [
        rows[0].id,
      ])
      await eventually(async () => ((await nextRound()) ? true : undefined))
    } finally {
      await served.platform.query('delete from outbox where id = $1', [rows[0].id])
      await heartbeat.stop()
    }
  },
)

test('an answer that is an error counts as failed and is tried again soon', async () => {
  status = 503
  const heartbeat = kept({ count: 0, shortestIntervalMs: () => undefined })
  try {
    await eventually(async () => ((await outcomes()).failed! >= 2 ? true : undefined))
    const { sent } = await outcomes()
    status = 200
    await eventually(async () => ((await outcomes()).sent! > sent! ? true : undefined))
  } finally {
    status = 200
    await heartbeat.stop()
  }
})

test('an address that the guard refuses is not requested', async () => {
  const { services } = served.plane
  const before = requests.length
  const { failed = 0 } = await outcomes()
  const heartbeat = startInstanceHeartbeat({
    ...services,
    guard: new Guard(parseAllowList('')),
    config: { ...services.config, heartbeatUrl: url },
    results: { count: 0, shortestIntervalMs: () => undefined },
    isShared: false,
    everyMs: 100,
  })!
  await eventually(async () => (((await outcomes()).failed ?? 0) > failed ? true : undefined))
  await heartbeat.stop()
  expect(requests.length).toBe(before)
})

test('without HEARTBEAT_URL there is none', () => {
  const { services } = served.plane
  expect(
    startInstanceHeartbeat({ ...services, results: { count: 0, shortestIntervalMs: () => 1 }, isShared: false }),
  ).toBeUndefined()
})
