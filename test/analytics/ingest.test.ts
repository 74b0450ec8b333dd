import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ClickHouseClient } from '#analytics/client.ts'
import { readWatermarks } from '#analytics/latest-results.ts'
import { limits } from '#contract/agent.ts'
import {
  health,
  makeCheck,
  openDatabase,
  openIngest,
  pack,
  resultOf,
  rows,
  seenStatus,
  sender,
  timedOut,
} from './given.ts'

const now = Date.now()
const minute = 60_000

let clickhouse: ClickHouseClient
let close: () => Promise<void>
beforeAll(async () => {
  ;({ clickhouse, close } = await openDatabase())
})
afterAll(() => close())

function open(...kinds: Parameters<typeof makeCheck>[0][]) {
  const intake = openIngest(clickhouse, () => now)
  const checks = kinds.map(kind => makeCheck(kind, kind === 'tcp' ? { port: 80 } : {}))
  for (const check of checks) intake.checks.set(check.check, check)
  return { intake, checks, check: checks[0] as (typeof checks)[number] }
}

const stored = (check: { check: string }, columns = '*') =>
  rows<Record<string, unknown>>(
    clickhouse,
    `SELECT ${columns} FROM check_results FINAL WHERE check_id = '${check.check}' ORDER BY due, region, attempt`,
  )

/** Counts how often something is written to the store. */
function counting(): { clickhouse: ClickHouseClient; inserts: () => number } {
  let inserts = 0
  const counted = new Proxy(clickhouse, {
    get(target, name) {
      if (name !== 'exec') return Reflect.get(target, name, target)
      return (params: Parameters<ClickHouseClient['exec']>[0]) => {
        inserts++
        return target.exec(params)
      }
    },
  })
  return { clickhouse: counted, inserts: () => inserts }
}

test('ingest combines concurrent batches into two inserts a second, and no batch waits long', async () => {
  const counted = counting()
  const intake = openIngest(counted.clickhouse, () => now)
  const check = makeCheck('uptime')
  intake.checks.set(check.check, check)
  const began = performance.now()
  const taken: Promise<number>[] = []
  for (let batch = 0; batch < 60; batch++) {
    const sentAt = performance.now()
    const taking = intake.take(pack([resultOf(check, now - batch * 1_000)]), 'zstd', sender())
    taken.push(taking.then(({ status }) => (status === 200 ? performance.now() - sentAt : Number.NaN)))
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  const waits = await Promise.all(taken)
  expect(waits.filter(ms => !(ms < 5_000))).toEqual([])
  // four at once after a rest, then two a second
  expect(counted.inserts()).toBeLessThanOrEqual(4 + Math.ceil((performance.now() - began) / 500))
  expect(await stored(check)).toHaveLength(60)
})

describe('a batch', () => {
  test('names the address of the target, but not that of another site to which the target redirects', async () => {
    const { intake, check } = open('uptime')
    const address = '192.0.2.7'
    const redirected = { ...seenStatus(200).seen, redirects: 1 }
    await intake.send([
      resultOf(check, now - 2 * minute, { address }),
      resultOf(check, now - minute, { address, seen: redirected }),
      resultOf(check, now, { address, ...timedOut }),
    ])
    expect(intake.observed.map(({ evidence }) => evidence.address)).toEqual([address, null, null])
  })

  test('is judged, decided, stored and acknowledged', async () => {
    const { intake, check } = open('uptime')
    const request = crypto.randomUUID()
    const taken = await intake.take(
      pack([
        resultOf(check, now - 3 * minute, { address: '93.184.216.34' }),
        resultOf(check, now - 2 * minute, { ...seenStatus(500), excerpt: 'naïve "ünïcode" \u0000 \ud800 ☂\n\\' }),
        resultOf(check, now - minute, { ...timedOut, attempt: 2, reason: 'confirm' }),
        resultOf(check, now, { reason: 'asked', request, attempt: 1, is_unreliable: true }),
      ]),
      'zstd',
      sender(),
    )
    expect(taken).toMatchObject({
      status: 200,
      ack: { accepted: 4, refused: [], now_ms: now },
      header: { generation: 1, health },
      lagMs: 0,
    })
    expect(intake.observed).toMatchObject(
      [
        {
          ...check,
          kind: undefined,
          settings: undefined,
          keepDays: undefined,
          region: 'eu-west',
          due: now - 3 * minute,
          attempt: 0,
          judgement: { status: 'up' },
          isUnreliable: false,
        },
        {
          judgement: { status: 'down', code: 'wrong_status' },
          evidence: { http_status: 500, error: { code: 'wrong_status' } },
        },
        {
          attempt: 2,
          judgement: { status: 'down', code: 'timeout' },
          evidence: { http_status: null, error: { code: 'timeout' }, phases: { total: 100.125 } },
        },
        { isUnreliable: true },
      ].map(({ kind, settings, keepDays, ...expected }: Record<string, unknown>) => expected),
    )
    expect(await stored(check)).toMatchObject([
      {
        outcome: 'up',
        code: '',
        response_ms: 100.125,
        total_ms: 100.125,
        first_byte_ms: 80.25,
        http_status: 200,
        address: '93.184.216.34',
        run_reason: 'due',
      },
      {
        outcome: 'down',
        code: 'wrong_status',
        response_ms: null,
        total_ms: 100.125,
        excerpt: 'naïve "ünïcode" \u0000 \ufffd ☂\n\\',
      },
      {
        outcome: 'down',
        code: 'timeout',
        fault_phase: 'connect',
        seen: '',
        http_status: null,
        attempt: 2,
        run_reason: 'confirm',
      },
      { outcome: 'up', run_reason: 'asked', request, is_unreliable: true, attempt: 1 },
    ])
    expect(intake.answered).toEqual([`${request} ${check.check} eu-west`])
    const marks = (await Array.fromAsync(readWatermarks(clickhouse))).filter(mark => mark.check === check.check)
    expect(marks).toEqual([{ check: check.check, region: 'eu-west', due: now, attempt: 1 }])
  })

  test('changes nothing when it is sent again, even hours later', async () => {
    const { intake, check } = open('uptime')
    const results = Array.from({ length: 50 }, (_, index) =>
      resultOf(check, now - index * minute, index % 7 === 0 ? timedOut : {}),
    )
    await intake.send(results)
    const first = await stored(check)
    const latest = await rows(clickhouse, `SELECT * FROM latest_results FINAL WHERE check_id = '${check.check}'`)
    const later = openIngest(clickhouse, () => now + 3 * 60 * minute)
    later.checks.set(check.check, { ...check, settings: makeCheck('uptime', { expected_status: ['201'] }).settings })
    await Promise.all([intake.send(results), intake.send(results.slice(10)), later.send(results)])
    expect(await stored(check)).toEqual(first)
    expect(first).toHaveLength(50)
    const again = await rows<{ due: string; attempt: number }>(
      clickhouse,
      `SELECT * FROM latest_results FINAL WHERE check_id = '${check.check}'`,
    )
    expect(again).toHaveLength(1)
    expect(again[0]).toMatchObject({ due: (latest[0] as { due: string }).due, attempt: 0 })
  })

  test('is accepted as zstd, gzip or plain text, and refused in any other encoding', async () => {
    const { intake, check } = open('uptime')
    const text = [
      JSON.stringify({ boot: crypto.randomUUID(), generation: 1, first: 0, last: 0, health }),
      JSON.stringify(resultOf(check, now)),
    ].join('\n')
    for (const [packed, encoding] of [
      [zstdCompressSync(text), 'zstd'],
      [gzipSync(text), 'gzip'],
      [Buffer.from(`${text}\n\n`), undefined],
    ] as const)
      expect(await intake.take(packed, encoding, sender())).toMatchObject({ status: 200, ack: { accepted: 1 } })
    expect(await intake.take(Buffer.from(text), 'br', sender())).toMatchObject({ status: 400 })
    expect(await intake.take(Buffer.from(text), 'zstd', sender())).toMatchObject({ status: 400 })
    expect(await intake.take(gzipSync(text).subarray(0, 60), 'gzip', sender())).toMatchObject({ status: 400 })
  })

  test('is refused as a whole without a header, of another generation, or too large', async () => {
    const { intake, check } = open('uptime')
    const take = (packed: Buffer, encoding = 'zstd') => intake.take(packed, encoding, sender())
    expect(await take(zstdCompressSync(''))).toMatchObject({ status: 400 })
    expect(await take(zstdCompressSync(JSON.stringify(resultOf(check, now))))).toMatchObject({ status: 400 })
    expect(await take(pack([resultOf(check, now)], { generation: 0 }))).toMatchObject({ status: 409 })
    expect(await take(pack([resultOf(check, now)], { generation: 2 }))).toMatchObject({ status: 409 })
    expect(await take(zstdCompressSync(Buffer.alloc(limits.batchBytesUnpacked + 1, 32)))).toMatchObject({ status: 413 })
    expect(await take(gzipSync(Buffer.alloc(100_000_000, 32)), 'gzip')).toMatchObject({ status: 413 })
    expect(await take(Buffer.alloc(limits.batchBytes + 1))).toMatchObject({ status: 413 })
    expect(await take(pack(Array.from({ length: limits.batchResults + 1 }, () => resultOf(check, now))))).toMatchObject(
      {
        status: 413,
      },
    )
    expect(intake.observed).toEqual([])
    expect(await stored(check)).toEqual([])
  })

  test('loses only the rows that break a rule, each refused with its reason', async () => {
    const { intake, checks } = open('uptime', 'tcp')
    const [check, other] = checks as [(typeof checks)[number], (typeof checks)[number]]
    const stranger = makeCheck()
    const lines = [
      resultOf(check, now),
      resultOf(stranger, now),
      resultOf(check, now, { kind: 'tcp' }),
      resultOf(other, now, { kind: 'uptime' }),
      resultOf(check, now + limits.futureMs + 1),
      resultOf(check, now, { at: now + 3_600_000 }),
      resultOf(check, Date.UTC(2036, 1, 1)),
      resultOf(check, now - limits.pastMs - 1),
      resultOf(check, now - 40 * 86_400_000),
      resultOf(check, 0, { at: 0 }),
      resultOf(check, now, { at: -62_135_596_800_000 }),
      { ...resultOf(check, now), due: Number.NaN },
      { ...resultOf(check, now), due: '2026-12-31T23:59:60Z' },
      { ...resultOf(check, now), attempt: 70_000 },
      { ...resultOf(check, now), seen: { status: 'fine' } },
      { ...resultOf(check, now), seen: undefined },
      { ...resultOf(check, now), ...timedOut },
      { ...resultOf(check, now), took: -1 },
      { ...resultOf(check, now), fault: { ...timedOut.fault, code: 'tired' }, seen: undefined },
      { ...resultOf(check, now), check: "'; DROP TABLE check_results" },
      '{"seq": 7000, "check": ',
      'null',
      '[1,2]',
      resultOf(check, now - limits.pastMs),
      resultOf(check, now + limits.futureMs),
    ]
    const taken = await intake.take(pack(lines, { first: 500 }), 'zstd', sender())
    if (taken.status !== 200) throw new Error(JSON.stringify(taken))
    expect(taken.ack.accepted).toBe(3)
    expect(taken.ack.refused.map(({ reason }) => reason)).toEqual([
      'not_assigned',
      'wrong_kind',
      'wrong_kind',
      ...Array(3).fill('future'),
      ...Array(4).fill('too_old'),
      ...Array(12).fill('malformed'),
    ])
    expect(taken.ack.refused.slice(-3).map(({ seq }) => seq)).toEqual([520, 521, 522])
    expect(taken.ack.refused[0]?.seq).toBe((lines[1] as { seq: number }).seq)
    expect(await stored(check)).toHaveLength(3)
  })

  test('of the last 24 hours writes to at most two partitions', async () => {
    const { intake, check } = open('uptime')
    await intake.send(Array.from({ length: 1_440 }, (_, index) => resultOf(check, now - index * minute)))
    const partitions = await stored(check, 'DISTINCT _partition_id')
    expect(partitions.length).toBeLessThanOrEqual(2)
  })
})

describe('ingest with a failing part', () => {
  test('does not store an undecided batch and answers 503', async () => {
    const intake = openIngest(clickhouse, () => now, {
      async decide() {
        throw new Error('PostgreSQL is away')
      },
    })
    const check = makeCheck()
    intake.checks.set(check.check, check)
    expect(await intake.take(pack([resultOf(check, now)]), 'zstd', sender())).toMatchObject({
      status: 503,
      retryAfterS: 2,
    })
    expect(await stored(check)).toEqual([])
  })

  test('does not acknowledge a batch that was not stored', async () => {
    const { openClickhouse } = await import('#analytics/client.ts')
    const nowhere = openClickhouse('http://vedette:x@127.0.0.1:9/none', { requestTimeoutMs: 1_000 })
    const intake = openIngest(nowhere, () => now)
    const check = makeCheck()
    intake.checks.set(check.check, check)
    expect(await intake.take(pack([resultOf(check, now - 2 * 60 * minute)]), 'zstd', sender())).toMatchObject({
      status: 503,
    })
    expect(intake.touched).toHaveLength(1) // it may have been stored all the same
    await nowhere.close()
  })

  test('answers 503 when too many batches are in progress', async () => {
    let release = () => {}
    const pending = new Promise<void>(resolve => (release = resolve))
    const intake = openIngest(clickhouse, () => now, { maxBatches: 3, decide: () => pending })
    const check = makeCheck()
    intake.checks.set(check.check, check)
    const first = Array.from({ length: 3 }, (_, index) =>
      intake.take(pack([resultOf(check, now - index)]), 'zstd', sender()),
    )
    expect(await intake.take(pack([resultOf(check, now)]), 'zstd', sender())).toMatchObject({
      status: 503,
      retryAfterS: 1,
    })
    release()
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await intake.take(pack([resultOf(check, now)]), 'zstd', sender())).toMatchObject({ status: 200 })
  })
})

describe('the previous findings of a region', () => {
  const answer = (address: string) => ({ seen: { records: { A: [address] }, settled: true } })

  test('are kept for kinds that compare, by region, across a restart, and unchanged by a repeated batch', async () => {
    const { intake, check } = open('dns')
    await intake.send([
      resultOf(check, now - 9 * minute, answer('192.0.2.1')),
      resultOf(check, now - 8 * minute, answer('192.0.2.1')),
    ])
    await intake.send([resultOf(check, now - 8 * minute, answer('192.0.2.9'))], 'us-east')

    const restarted = openIngest(clickhouse, () => now)
    restarted.checks.set(check.check, check)
    const changed = [
      resultOf(check, now - 7 * minute, answer('192.0.2.2')),
      resultOf(check, now - 6 * minute, answer('192.0.2.2')),
    ]
    await restarted.send(changed)
    await restarted.send(changed)
    await restarted.send([resultOf(check, now - 5 * minute, answer('192.0.2.9'))], 'us-east')
    expect((await stored(check, 'outcome, region')).map(({ outcome, region }) => `${region} ${outcome}`)).toEqual([
      'eu-west up',
      'eu-west up',
      'us-east up',
      'eu-west warning',
      'eu-west up',
      'us-east up',
    ])
  })

  test('are recorded only once the batch is stored', async () => {
    let isAway = false
    const { check } = open('dns')
    const intake = openIngest(clickhouse, () => now, {
      async decide() {
        if (isAway) throw new Error('away')
      },
    })
    intake.checks.set(check.check, check)
    await intake.send([resultOf(check, now - 9 * minute, answer('192.0.2.1'))])
    const change = [resultOf(check, now - 8 * minute, answer('192.0.2.2'))]
    isAway = true
    await expect(intake.send(change)).rejects.toThrow('503')
    isAway = false
    await intake.send(change)
    expect((await stored(check, 'outcome')).map(({ outcome }) => outcome)).toEqual(['up', 'warning'])
  })
})
