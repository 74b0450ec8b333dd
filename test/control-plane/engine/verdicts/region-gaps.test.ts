import { setTimeout as pause } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { BenchOfChecks, failed, poor, regions, well } from './bench-of-checks.ts'

let bench: BenchOfChecks

beforeEach(async () => {
  bench = await BenchOfChecks.open('region_gaps')
  bench.eligible(...regions)
})
afterEach(async () => {
  // the tenant of another test may be of the same shard
  await bench.rows('delete from region_gaps')
  await bench.close()
})

const eu = { regions: ['eu'], policy: { mode: 'any', count: null } } as const
const coverageOf = async (one: Assigned) =>
  (await bench.rows('select coverage from checks where id = $1', one.check))[0]?.coverage
const verdictRows = async () =>
  (await bench.rows('select count(*)::int as n from verdict_changes where tenant_id = $1', bench.tenant))[0]!.n
/** The gaps of the bench's shard, of all regions. */
const gaps = () =>
  bench.rows(
    `select g.regions, g.ended_at is null as is_open from region_gaps g
     where g.shard = get_byte(uuid_send($1::uuid), 15) % 64 and g.started_at > now() - interval '1 hour' order by g.id`,
    bench.tenant,
  )
/** All regions away for longer than the engine waits for them, or back for as long. */
const away = async () => {
  bench.eligible()
  await bench.letTimePass(21_000)
}
const back = async () => {
  bench.eligible(...regions)
  await bench.letTimePass(6_000)
}
/** Someone names other regions for a check. */
const askedFrom = async (one: Assigned, ...names: string[]): Promise<Assigned> => {
  const next = { ...one, rules: { ...one.rules, regions: names } }
  bench.assigned.set(one.check, next)
  await bench.verdictEngine.checksChanged([next], [])
  return next
}

test('a region that is away and back writes one row for all checks that are asked from it alone', async () => {
  const checks = await bench.add(2_000, eu)
  bench.verdictEngine.start()
  await bench.round(checks, well, ['eu'])
  const before = await verdictRows()
  expect(before).toBe(2_000)
  const lostAt = bench.now
  await away()
  await expect.poll(() => coverageOf(checks[1_999]!), { timeout: 20_000 }).toBe('none')
  expect(await gaps()).toEqual([{ regions: ['eu'], is_open: true }])
  await bench.verdictEngine.decide([])
  await back()
  await expect.poll(() => coverageOf(checks[1_999]!), { timeout: 20_000 }).toBe('full')
  expect(await verdictRows()).toBe(before)
  expect(await gaps()).toEqual([{ regions: ['eu'], is_open: false }])
  for (const one of [checks[0]!, checks[1_999]!]) {
    expect(await bench.history(one)).toEqual(['up', 'none', 'up'])
    expect((await bench.changes(one))[1]!.at).toBe(lostAt)
  }
}, 120_000)

test('a region that falls silent was away since its last message, not since its lease ended', async () => {
  const [one, other] = await bench.add(2, eu)
  bench.verdictEngine.start()
  await bench.round([one!, other!], well, ['eu'])
  bench.now += 4_000
  const lastMessageAt = bench.now
  bench.now += 15_000
  bench.verdictEngine.eligibilityChanged(
    new Map(regions.map(region => [region, region === 'eu' ? 'silent' : null])),
    new Map([['eu', lastMessageAt]]),
  )
  await bench.letTimePass(21_000)
  await expect.poll(() => coverageOf(one!), { timeout: 20_000 }).toBe('none')
  expect(await gaps()).toEqual([{ regions: ['eu'], is_open: true }])
  const backAt = bench.now
  await back()
  await expect.poll(() => coverageOf(one!), { timeout: 20_000 }).toBe('full')
  // one is down since before the region may vote again: both times begin with that moment
  await bench.round([one!], failed, ['eu'])
  await bench.round([one!], failed, ['eu'])
  for (const each of [one!, other!]) {
    const [, lost, again] = await bench.changes(each)
    expect([lost, again]).toMatchObject([{ verdict: 'none', at: lastMessageAt }, { verdict: 'up' }])
    expect(again!.at).toBeGreaterThanOrEqual(backAt)
  }
}, 60_000)

describe('the history of a check', () => {
  test('has its own rows where it alone had no results', async () => {
    const [one, other] = await bench.add(2, { ...eu, intervalMs: 10_000, timeoutMs: 1_000 })
    bench.verdictEngine.start()
    await bench.round([one!, other!], well, ['eu'])
    for (let n = 0; n < 6; n++) {
      bench.now += 9_000
      await bench.round([other!], well, ['eu'])
    }
    await expect.poll(() => coverageOf(one!)).toBe('none')
    expect(await bench.own(one!)).toEqual(['up', 'none'])
    await bench.round([one!], well, ['eu'])
    expect(await bench.own(one!)).toEqual(['up', 'none', 'up'])
    expect(await bench.own(other!)).toEqual(['up'])
    expect(await gaps()).toEqual([])
  })

  test('is of the regions that it was asked from then, not of those of today', async () => {
    const [one, other] = await bench.add(2, eu)
    bench.verdictEngine.start()
    await bench.round([one!, other!], well, ['eu'])
    const next = await askedFrom(one!, 'us')
    await bench.round([next], well, ['us'])
    bench.eligible('us')
    await bench.letTimePass(21_000)
    await expect.poll(() => coverageOf(other!)).toBe('none')
    expect([await bench.history(next), await bench.history(other!)]).toEqual([['up'], ['up', 'none']])
    await back()
    await askedFrom(next, 'eu')
    expect([await bench.history(next), await bench.history(other!)]).toEqual([['up'], ['up', 'none', 'up']])
  })

  test('goes on with other regions while those of before are away', async () => {
    const [one] = await bench.add(1, eu)
    bench.verdictEngine.start()
    await bench.round([one!], well, ['eu'])
    bench.eligible('us')
    await bench.letTimePass(21_000)
    await expect.poll(() => coverageOf(one!)).toBe('none')
    const next = await askedFrom(one!, 'us')
    await expect.poll(() => coverageOf(one!)).toBe('full')
    expect(await bench.history(next)).toEqual(['up', 'none', 'up'])
    const stillAway = await askedFrom(next, 'eu')
    await bench.letTimePass(6_000)
    await expect.poll(() => coverageOf(one!)).toBe('none')
    expect((await bench.history(stillAway)).at(-1)).toBe('none')
    await back()
    await expect.poll(() => coverageOf(one!)).toBe('full')
    expect((await bench.history(stillAway)).at(-1)).toBe('up')
  })

  test('is the same after a restart in the middle, and after one between the rows of a gap and those of its checks', async () => {
    const checks = await bench.add(3, eu)
    bench.verdictEngine.start()
    await bench.round(checks, well, ['eu'])
    await away()
    for (const one of checks) await expect.poll(() => coverageOf(one)).toBe('none')
    await bench.restart()
    bench.verdictEngine.start()
    await away()
    expect(await bench.history(checks[0]!)).toEqual(['up', 'none'])
    // the process ended before it wrote the coverage of the second
    await bench.verdictEngine.stop()
    await bench.rows(`update checks set coverage = 'full' where id = $1`, checks[1]!.check)
    await bench.restart()
    bench.verdictEngine.start()
    await away()
    expect(await bench.history(checks[1]!)).toEqual(['up', 'none', 'none'])
    await back()
    await bench.letTimePass(20_000)
    for (const one of checks) await expect.poll(() => coverageOf(one)).toBe('full')
    for (const one of checks) expect((await bench.history(one)).at(-1)).toBe('up')
    // it ended before it wrote that the third is back
    await bench.rows(`update checks set coverage = 'none' where id = $1`, checks[2]!.check)
    await bench.restart()
    bench.verdictEngine.start()
    bench.eligible(...regions)
    await bench.letTimePass(21_000)
    await expect.poll(() => coverageOf(checks[2]!)).toBe('full')
    expect(await bench.history(checks[2]!)).toEqual(['up', 'none', 'up'])
  }, 60_000)

  test('has its own rows while the gaps of regions cannot be written', async () => {
    const [one] = await bench.add(1, eu)
    bench.verdictEngine.start()
    await bench.round([one!], well, ['eu'])
    await bench.rows('alter table region_gaps rename to other_gaps')
    try {
      await away()
      await expect.poll(() => coverageOf(one!)).toBe('none')
      expect(await bench.own(one!)).toEqual(['up', 'none'])
      await back()
      await expect.poll(() => coverageOf(one!)).toBe('full')
      expect(await bench.own(one!)).toEqual(['up', 'none', 'up'])
    } finally {
      await bench.rows('alter table other_gaps rename to region_gaps')
    }
    expect(bench.logged).toContain('region gap write failure: written of each check')
  })

  test('says at each moment what the engine knows, whatever happens', async () => {
    const results = fc.record({
      what: fc.constant('results' as const),
      judgement: fc.constantFrom(well, well, failed, failed, poor),
      from: fc.subarray([...regions], { minLength: 1 }),
    })
    const eligible = fc.record({ what: fc.constant('eligible' as const), names: fc.subarray([...regions]) })
    const asked = fc.record({
      what: fc.constant('asked' as const),
      check: fc.nat(5),
      names: fc.subarray([...regions], { minLength: 1 }),
    })
    const others = fc.constantFrom({ what: 'time' as const, ms: 25_000 }, { what: 'restart' as const })
    const steps = fc.array(fc.oneof(results, eligible, eligible, asked, others), { minLength: 12, maxLength: 12 })
    // one failure before a gap of all regions and one after it: the verdict they make begins after the gap
    const aroundGap: typeof steps extends fc.Arbitrary<infer Steps> ? Steps : never = [
      { what: 'eligible', names: ['us'] },
      { what: 'results', judgement: failed, from: ['ap'] },
      { what: 'asked', check: 0, names: ['ap'] },
      { what: 'eligible', names: [] },
      { what: 'time', ms: 25_000 },
      { what: 'results', judgement: well, from: ['us'] },
      { what: 'asked', check: 0, names: ['eu'] },
      { what: 'eligible', names: ['ap'] },
      { what: 'results', judgement: failed, from: ['ap', 'us'] },
      { what: 'results', judgement: well, from: ['eu'] },
    ]
    await fc.assert(
      fc.asyncProperty(steps, async steps => {
        let checks = [...(await bench.add(3, eu)), ...(await bench.add(3, { intervalMs: 10_000, timeoutMs: 1_000 }))]
        let names: readonly string[] = regions
        bench.eligible(...names)
        bench.verdictEngine.start()
        await bench.round(checks, well)
        for (const step of steps) {
          bench.now += 1_000
          if (step.what === 'results') await bench.round(checks, step.judgement, step.from)
          if (step.what === 'eligible') {
            names = step.names
            bench.eligible(...names)
          }
          if (step.what === 'asked') {
            const next = await askedFrom(checks[step.check]!, ...step.names)
            checks = checks.map(one => (one.check === next.check ? next : one))
          }
          if (step.what === 'time') bench.now += step.ms
          if (step.what === 'restart') {
            await bench.restart()
            bench.eligible(...names)
            bench.verdictEngine.start()
          }
          bench.now += 6_000
          await pause(400)
          await bench.verdictEngine.decide([])
          for (const one of checks) {
            const state = bench.verdictEngine.stateOf(one.check)!
            const said = (await bench.changes(one)).at(-1)?.verdict
            expect(said, `${one.rules.regions} after ${JSON.stringify(step)}`).toBe(
              state.coverage === 'none' ? 'none' : state.verdict,
            )
          }
        }
      }),
      { numRuns: 7, examples: [[aroundGap]] },
    )
  }, 180_000)
})
