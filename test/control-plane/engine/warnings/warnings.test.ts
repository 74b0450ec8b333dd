import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { kinds } from '#checks/index.ts'
import type { Judgement } from '#contract/check.ts'
import { events, type WarningName } from '#contract/events.ts'
import { defaultSuppression, rulesParameter } from '#control-plane/engine/suppression/rules.ts'
import { applySuppression } from '#control-plane/engine/suppression/watch.ts'
import { WriteBatch } from '#control-plane/engine/verdicts/batch.ts'
import { writeBatch } from '#control-plane/engine/verdicts/write-batch.ts'
import { endSnooze } from '#control-plane/monitoring/checks/end-snooze.ts'
import { BenchOfChecks, failed, regions, well } from '#test/control-plane/engine/verdicts/bench-of-checks.ts'
import { takeEpoch } from '#test/support/epoch.ts'

const silent = pino({ level: 'silent' })
let bench: BenchOfChecks
let readEvents = 0
beforeEach(async () => {
  bench = await BenchOfChecks.open()
  bench.eligible(...regions)
  readEvents = 0
})
afterEach(() => bench.close())

type Check = Awaited<ReturnType<BenchOfChecks['add']>>[number]
const expiring = (days: number, depth = 1): Extract<Judgement, { status: 'warning' | 'down' }> => ({
  status: 'warning',
  code: 'ssl_expiring',
  reason: `The certificate expires in ${days} days.`,
  event: 'warning.ssl_expiring',
  depth,
  details: { days_remaining: days },
})
const slow: Judgement = {
  status: 'warning',
  code: 'slow',
  reason: 'The answer took long.',
  event: 'warning.degraded_performance',
}

interface PublishedEvent {
  name: string
  audience: string
  only_with: string | null
  only_without: string | null
  payload: Record<string, unknown>
}
/** The events published since the last call. */
async function published(): Promise<PublishedEvent[]> {
  const all = (await bench.events()) as unknown as PublishedEvent[]
  const fresh = all.slice(readEvents)
  readEvents = all.length
  return fresh
}
const names = async () => (await published()).map(({ name }) => name)
const twice = async (one: Check, judgement: Judgement, from = regions) => {
  for (const _ of [1, 2]) await bench.round([one], judgement, from)
}
const aWellOne = async (rules = {}) => {
  const [one] = await bench.add(1, rules)
  await bench.round([one!], well)
  return one!
}
const snooze = (one: Check, until = new Date(bench.now + 3_600_000)) =>
  bench.rows('update checks set snoozed_until = $2 where id = $1', one.check, until)

describe('a warning', () => {
  test('is published when a quorum of regions confirms it, and once more for each step it deepens', async () => {
    const one = await aWellOne()
    await twice(one, expiring(30), ['ap'])
    await bench.round([one], expiring(30), ['eu'])
    expect(await names(), 'a second region is not sure yet').toEqual([])
    await bench.round([one], expiring(30), ['eu'])
    const [begun, ...others] = await published()
    expect(others).toEqual([])
    expect(begun).toMatchObject({ name: 'warning.ssl_expiring', audience: 'all', only_with: null, only_without: null })
    expect(begun!.payload).toMatchObject({
      monitor_id: one.monitor,
      monitor_name: one.monitorName,
      check_id: one.check,
      check_type: 'uptime',
      title: 'The certificate expires in 30 days.',
      code: 'ssl_expiring',
      regions: ['ap', 'eu'],
      details: { days_remaining: 30 },
    })
    expect(events.get('warning.ssl_expiring')!.schema.safeParse(begun!.payload).error).toBeUndefined()

    for (let days = 29; days > 14; days--) await bench.round([one], expiring(days))
    expect(await names()).toEqual([])
    await bench.round([one], expiring(14, 2), ['ap'])
    expect(await names(), 'one region alone').toEqual([])
    await bench.round([one], expiring(14, 2), ['eu', 'us'])
    await bench.round([one], expiring(1, 5))
    expect(
      (await published()).map(({ name, payload }) => [
        name,
        (payload.details as { days_remaining: number }).days_remaining,
      ]),
    ).toEqual([
      ['warning.ssl_expiring', 14],
      ['warning.ssl_expiring', 1],
    ])

    await bench.round([one], well)
    expect(await names()).toEqual([])
    await bench.round([one], well)
    const [cleared] = await published()
    expect(cleared).toMatchObject({
      name: 'warning.cleared',
      audience: 'all',
      payload: { warning: 'ssl_expiring', title: 'Over: The certificate expires in 1 days.' },
    })
    expect(cleared!.payload.since).toBe(begun!.payload.since)
    expect(events.get('warning.cleared')!.schema.safeParse(cleared!.payload).error).toBeUndefined()
    await twice(one, well)
    expect(await names()).toEqual([])
  })

  test('is published by a check without severity when it goes down, and cleared when it is up again', async () => {
    const one = await aWellOne({ severity: null })
    await twice(one, failed)
    expect(await published()).toMatchObject([
      { name: 'warning.degraded_performance', payload: { title: failed.reason, code: failed.code } },
    ])
    await twice(one, well)
    expect(await published()).toMatchObject([{ name: 'warning.cleared', payload: { warning: 'degraded_performance' } }])
    const other = await aWellOne()
    await twice(other, failed)
    expect(await names()).toEqual(['incident.created'])
  })

  test('from one region alone is not published, unless the policy is any', async () => {
    const [alone, any] = [await aWellOne(), await aWellOne({ policy: { mode: 'any', count: null } })]
    for (const one of [alone, any]) for (let run = 0; run < 5; run++) await twice(one, slow, ['us'])
    expect((await published()).map(({ payload }) => payload.monitor_id)).toEqual([any.monitor])
  })

  test('is over when as many regions are well as it takes to close an incident, though one goes on', async () => {
    const one = await aWellOne()
    await twice(one, slow)
    expect(await names()).toEqual(['warning.degraded_performance'])
    await twice(one, well, ['ap'])
    expect(await names()).toEqual([])
    await twice(one, well, ['eu'])
    expect(await names()).toEqual(['warning.cleared'])
  })

  test('without an event, or of unreliable or unconfirmed results, is not published', async () => {
    const one = await aWellOne()
    await twice(one, { status: 'warning', code: 'http_429', reason: 'Too many requests.' })
    await twice(one, well)
    for (let run = 0; run < 3; run++) {
      bench.now += 1_000
      for (const region of regions)
        await bench.verdictEngine.decide([{ ...bench.resultOf(one, region, slow), isUnreliable: true }])
    }
    expect(await names()).toEqual([])
  })

  test('is neither begun nor ended by unknown results, as of a degraded resolver', async () => {
    const one = await aWellOne()
    const unknown: Judgement = {
      status: 'unknown',
      code: 'resolver_unavailable',
      reason: 'The resolver does not answer.',
    }
    await twice(one, slow)
    for (let run = 0; run < 3; run++) await twice(one, unknown)
    await bench.round([one], well)
    for (let run = 0; run < 3; run++) await twice(one, unknown)
    expect(await names()).toEqual(['warning.degraded_performance'])
    await bench.round([one], well)
    expect(await names()).toEqual(['warning.cleared'])
  })

  test('gives way to another one', async () => {
    const one = await aWellOne()
    await twice(one, slow)
    await bench.round([one], expiring(7), ['ap'])
    expect(await names()).toEqual(['warning.degraded_performance'])
    await bench.round([one], expiring(7))
    expect((await published()).map(({ name, payload }) => [name, payload.warning])).toEqual([
      ['warning.cleared', 'degraded_performance'],
      ['warning.ssl_expiring', undefined],
    ])
  })

  test('stays through an incident, and is over with it', async () => {
    const one = await aWellOne()
    await twice(one, expiring(1))
    await twice(one, failed)
    await twice(one, expiring(1))
    await twice(one, well)
    expect(await names()).toEqual(['warning.ssl_expiring', 'incident.created', 'incident.resolved', 'warning.cleared'])
  })

  test('is published by a check that is down and opens no incident', async () => {
    const [silent, loud] = [await aWellOne({ severity: null }), await aWellOne()]
    for (const one of [silent, loud])
      await twice(one, { status: 'down', code: 'gone', reason: 'Gone.', event: 'warning.robots_txt' })
    expect((await published()).map(({ name, payload }) => [name, payload.monitor_id])).toEqual([
      ['warning.robots_txt', silent.monitor],
      ['incident.created', loud.monitor],
    ])
  })

  test('of every name there is goes out as the catalogue says', async () => {
    const isWarning = (name: string): name is WarningName => name.startsWith('warning.') && name !== 'warning.cleared'
    const all = [...events.keys()].filter(isWarning)
    const checks = await bench.add(all.length)
    await bench.round(checks, well)
    for (const _ of [1, 2]) {
      bench.now += 1_000
      for (const region of regions)
        await bench.verdictEngine.decide(
          checks.map((one, n) => bench.resultOf(one, region, { ...expiring(3), event: all[n]! })),
        )
    }
    const fresh = await published()
    expect(fresh.map(({ name }) => name).sort()).toEqual(all.toSorted())
    for (const { name, payload } of fresh)
      expect(events.get(name)!.schema.safeParse(payload).error, name).toBeUndefined()
  })

  test('is truncated to what the database can store, whatever a target sends', async () => {
    const one = await aWellOne()
    await twice(one, {
      ...expiring(3),
      reason: `\0half \ud800 ${'x'.repeat(2_000)}`,
      details: { name: '\0\udfff', nested: { list: ['\0'] } },
    })
    expect((await published())[0]!.payload).toMatchObject({ details: { name: '\ufffd', nested: { list: [''] } } })
  })
})

describe('after a restart', () => {
  test('a published warning is not published again, a deeper one is, and one that ended is cleared', async () => {
    const one = await aWellOne()
    await twice(one, expiring(30))
    const again = async () => {
      await bench.restart()
      bench.eligible(...regions)
    }
    await again()
    await twice(one, expiring(30))
    expect(await names()).toEqual(['warning.ssl_expiring'])
    await bench.round([one], expiring(14, 2), ['ap'])
    await again()
    await bench.round([one], expiring(14, 2))
    expect(await names()).toEqual(['warning.ssl_expiring'])
    await again()
    await twice(one, well)
    await again()
    await twice(one, well)
    expect(await names()).toEqual(['warning.cleared'])
  })

  test('a batch whose commit was not answered is written again, and published once', async () => {
    const one = await aWellOne()
    const term = await takeEpoch(bench.platform)
    const write = async (fill: (bundle: ReturnType<WriteBatch['of']>) => void) => {
      const group = new WriteBatch()
      fill(group.of(one.check))
      for (const _ of [1, 2]) await writeBatch(bench.platform, term, group, defaultSuppression)
    }
    const row = {
      check_id: one.check,
      event: 'warning.dnsbl_listing',
      depth: 1,
      since: bench.now,
      code: 'listed',
      reason: 'Listed.',
      regions,
      details: {},
    }
    const change = {
      check_id: one.check,
      at: bench.now,
      event: 'certificate.renewed' as const,
      regions,
      payload: { issuer: 'X' },
      is_muted: false,
    }
    await write(bundle => {
      bundle.warning = row
      bundle.detected.push({ id: crypto.randomUUID(), ...change })
    })
    await write(bundle => {
      bundle.cleared = row
    })
    expect((await names()).sort()).toEqual(['certificate.renewed', 'warning.cleared', 'warning.dnsbl_listing'])
  })
})

describe('while a check is snoozed', () => {
  test('the reseller alone is notified, and the team at the end of the warnings that remain', async () => {
    const one = await aWellOne()
    await snooze(one)
    await twice(one, expiring(7))
    await bench.round([one], expiring(3, 2))
    expect((await published()).map(({ name, audience }) => [name, audience])).toEqual([
      ['warning.ssl_expiring', 'reseller'],
      ['warning.ssl_expiring', 'reseller'],
    ])
    const until = new Date(Date.now() - 1_000)
    await snooze(one, until)
    expect(await endSnooze(bench.platform, one.check, until)).toBe('ended')
    expect(await published()).toMatchObject([
      { name: 'warning.ssl_expiring', audience: 'team', payload: { details: { days_remaining: 3 } } },
    ])
    await twice(one, well)
    expect(await published()).toMatchObject([{ name: 'warning.cleared', audience: 'all' }])
  })

  test('a warning that came and went is notified to the reseller alone, and none is repeated', async () => {
    const [came, known] = [await aWellOne(), await aWellOne()]
    await twice(known, slow)
    await published()
    for (const one of [came, known]) await snooze(one)
    await twice(came, slow)
    await twice(came, well)
    expect((await published()).map(({ name, audience }) => [name, audience])).toEqual([
      ['warning.degraded_performance', 'reseller'],
      ['warning.cleared', 'reseller'],
    ])
    const until = new Date(Date.now() - 1_000)
    for (const one of [came, known]) {
      await snooze(one, until)
      await endSnooze(bench.platform, one.check, until)
    }
    expect(await names()).toEqual([])
  })
})

describe('warnings that come and go', () => {
  test('make a monitor flap: they are suppressed for its audience, and published when it is over', async () => {
    const one = await aWellOne()
    for (let time = 0; time < 3; time++) {
      await twice(one, slow)
      await twice(one, well)
    }
    await twice(one, slow)
    const events = await published()
    expect(events.filter(({ only_without }) => only_without === null).length).toBeLessThan(7)
    expect(events.at(-1)).toMatchObject({ name: 'warning.degraded_performance', only_without: 'monitor.flapping' })
    await applySuppression({ platform: bench.platform, log: silent })
    expect(await published()).toMatchObject([{ name: 'monitor.flapping', payload: { monitor_id: one.monitor } }])

    const over = { ...defaultSuppression, flapping: { ...defaultSuppression.flapping, calmS: -3_600 } }
    await applySuppression({ platform: bench.platform, log: silent }, over)
    await applySuppression({ platform: bench.platform, log: silent }, over)
    expect(await published()).toMatchObject([
      { name: 'monitor.flapping_resolved' },
      { name: 'warning.degraded_performance', only_with: 'monitor.flapping', audience: 'all' },
    ])
    await twice(one, well)
    expect(await published()).toMatchObject([{ name: 'warning.cleared', only_without: null }])
    expect(rulesParameter(over)).toContain('calm_s')
  })
})

describe('a change from the snapshot', () => {
  const settings = kinds.ssl.settings.parse({})
  const certificate = (n: number) =>
    JSON.stringify({
      fingerprint: `F${n}`,
      issuer: `CA ${n}`,
      valid_from: `2026-0${n}-01T00:00:00Z`,
      valid_to: `2026-0${n + 3}-01T00:00:00Z`,
    })

  async function followed(rules = {}): Promise<Check> {
    const [added] = await bench.add(1, rules)
    const one: Check = { ...added!, kind: 'ssl', settings }
    bench.assigned.set(one.check, one)
    await bench.rows(`update checks set type = 'ssl' where id = $1`, one.check)
    return one
  }
  const see = async (one: Check, n: number | null, from: readonly string[] = regions, times = 2, attempt = 0) => {
    for (let time = 0; time < times; time++) {
      bench.now += 1_000
      for (const region of from)
        await bench.verdictEngine.decide([
          { ...bench.resultOf(one, region, well, attempt), snapshot: n === null ? undefined : certificate(n) },
        ])
    }
  }

  test('is published and stored when a quorum of regions found it twice', async () => {
    const one = await followed()
    await see(one, 1)
    await see(one, 2, ['ap'])
    expect(
      bench.asked.map(({ region }) => region).sort(),
      'the same region repeats the run, and the others run at once',
    ).toEqual(['ap', 'eu', 'us'])
    await see(one, 2, ['eu'], 1)
    expect(await names()).toEqual([])
    await see(one, 2, ['eu'], 1)
    const [renewed, ...others] = await published()
    expect(others).toEqual([])
    expect(renewed).toMatchObject({
      name: 'certificate.renewed',
      audience: 'all',
      payload: {
        monitor_id: one.monitor,
        check_type: 'ssl',
        issuer: 'CA 2',
        valid_to: '2026-05-01T00:00:00.000000Z',
        previous_issuer: 'CA 1',
        regions: ['ap', 'eu'],
      },
    })
    expect(events.get('certificate.renewed')!.schema.safeParse(renewed!.payload).error).toBeUndefined()
    await see(one, 2)
    await bench.restart()
    bench.eligible(...regions)
    await see(one, 2)
    expect(await names()).toEqual([])
    expect(await bench.rows('select event, regions from check_changes where check_id = $1', one.check)).toEqual([
      { event: 'certificate.renewed', regions: ['ap', 'eu'] },
    ])
    await see(one, 3)
    expect(await names()).toEqual(['certificate.renewed'])
  })

  test('of one region that is gone again, or confirmed by none, is not published', async () => {
    const one = await followed()
    await see(one, 1)
    await see(one, 2, ['ap'], 5)
    await see(one, 1, ['ap'])
    await see(one, 2, ['eu'], 5)
    await see(one, 1, ['eu'])
    await see(one, null)
    expect(await names()).toEqual([])
  })

  test('that began before a restart is published after it', async () => {
    const one = await followed()
    await see(one, 1)
    await see(one, 2, ['ap', 'eu'], 1)
    await bench.restart()
    bench.eligible(...regions)
    await see(one, 2)
    expect(await names()).toEqual(['certificate.renewed'])
  })

  test('that is the customer’s own, by another address or other settings, is none', async () => {
    const one = await followed()
    await see(one, 1)
    bench.assigned.set(one.check, { ...one, url: 'https://other.example/' })
    await see(one, 2)
    bench.now += 20_000
    await see(one, 3)
    expect(await names()).toEqual([])
    await see(one, 4)
    expect(await names()).toEqual(['certificate.renewed'])
  })

  test('to and fro is published twice, and then no more that day', async () => {
    const one = await followed()
    // a kind that reports every difference, as dns does
    const follows = kinds.ssl.changeDetection!
    const { changesBetween } = follows
    follows.changesBetween = before => [{ name: 'dns.records_changed', payload: { before: before.fingerprint } }]
    try {
      await see(one, 1)
      for (let time = 0; time < 5; time++) for (const n of [2, 1]) await see(one, n)
      expect(await names()).toEqual(['dns.records_changed', 'dns.records_changed'])
      await see(one, 3)
      expect(await names()).toEqual(['dns.records_changed'])
    } finally {
      follows.changesBetween = changesBetween
    }
  })

  test('is the reseller’s alone while the check is snoozed', async () => {
    const one = await followed()
    await see(one, 1)
    await snooze(one)
    await see(one, 2)
    expect(await published()).toMatchObject([{ name: 'certificate.renewed', audience: 'reseller' }])
  })
})
