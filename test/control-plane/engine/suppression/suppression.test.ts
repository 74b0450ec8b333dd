import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { noteFlapping } from '#control-plane/engine/suppression/note-flapping.ts'
import { defaultSuppression } from '#control-plane/engine/suppression/rules.ts'
import { applySuppression } from '#control-plane/engine/suppression/watch.ts'
import { WriteBatch } from '#control-plane/engine/verdicts/batch.ts'
import { writeBatch } from '#control-plane/engine/verdicts/write-batch.ts'
import { notifySuppressedIncident } from '#control-plane/monitoring/checks/end-snooze.ts'
import { BenchOfChecks, failed, regions, well } from '#test/control-plane/engine/verdicts/bench-of-checks.ts'
import { takeEpoch } from '#test/support/epoch.ts'

const silent = pino({ level: 'silent' })
let bench: BenchOfChecks
beforeEach(async () => {
  bench = await BenchOfChecks.open()
  bench.eligible(...regions)
})
afterEach(() => bench.close())

type Check = Awaited<ReturnType<BenchOfChecks['add']>>[number]
const goDown = async (...checks: Check[]) => {
  for (const judgement of [failed, failed]) await bench.round(checks, judgement)
}
const comeBack = async (...checks: Check[]) => {
  for (const judgement of [well, well]) await bench.round(checks, judgement)
}

let readEvents = 0
interface PublishedEvent {
  name: string
  audience: string
  payload: Record<string, unknown>
  only_with: string | null
  only_without: string | null
}
/** The events published since the last call. */
async function published(): Promise<PublishedEvent[]> {
  const events = await bench.events()
  const fresh = events.slice(readEvents)
  readEvents = events.length
  return fresh.map(event => event as unknown as PublishedEvent)
}
const names = async () => (await published()).map(({ name }) => name)
/** The same, without single alerts for channels that do not receive the grouped event. */
const publishedAsOne = async () => (await published()).filter(({ only_without }) => only_without === null)
const namesAsOne = async () => (await publishedAsOne()).map(({ name }) => name)
const times = (count: number, ...what: string[]): string[] => Array.from({ length: count }, () => what).flat()
beforeEach(() => {
  readEvents = 0
})

/** The bench's clock runs ahead of the database's: an hour ago has come for certain. */
const atOnce = -3_600
const withFlapping = (rules: Partial<typeof defaultSuppression.flapping>) => ({
  ...defaultSuppression,
  flapping: { ...defaultSuppression.flapping, ...rules },
})
const withStorm = (rules: Partial<typeof defaultSuppression.storm>) => ({
  ...defaultSuppression,
  storm: { ...defaultSuppression.storm, ...rules },
})
const withHost = (rules: Partial<typeof defaultSuppression.host>) => ({
  ...defaultSuppression,
  host: { ...defaultSuppression.host, ...rules },
})
const see = (rules = defaultSuppression) => applySuppression({ platform: bench.platform, log: silent }, rules)

async function flapping(): Promise<Check> {
  const [one] = await bench.add(1)
  await bench.round([one!], well)
  for (let time = 0; time < 3; time++) {
    await goDown(one!)
    await comeBack(one!)
    // what was seen is in the database, not in a process
    if (time === 1) {
      await bench.restart()
      bench.eligible(...regions)
    }
  }
  return one!
}

describe('a monitor that flaps', () => {
  test('is notified once; incidents meanwhile are suppressed, and listed when it is over', async () => {
    const one = await flapping()
    expect(await names()).toEqual(times(3, 'incident.created', 'incident.resolved'))
    await Promise.all([see(), see(), see()])
    const [flaps, ...others] = await published()
    expect(others).toEqual([])
    expect(flaps).toMatchObject({
      name: 'monitor.flapping',
      audience: 'all',
      payload: {
        monitor_id: one.monitor,
        monitor_name: one.monitorName,
        status: 'up',
        incidents_count: 3,
        resolved_at: null,
      },
    })
    for (let time = 0; time < 2; time++) {
      await goDown(one)
      await comeBack(one)
    }
    await see()
    // each is published for channels that do not receive the list
    expect((await published()).map(({ name, only_without }) => `${name} unless ${only_without}`)).toEqual(
      times(2, 'incident.created unless monitor.flapping', 'incident.resolved unless monitor.flapping'),
    )
    await Promise.all([see(withFlapping({ calmS: atOnce })), see(withFlapping({ calmS: atOnce }))])
    const [over, ...more] = await published()
    expect(more).toEqual([])
    expect(over).toMatchObject({
      name: 'monitor.flapping_resolved',
      audience: 'all',
      payload: { status: 'up', incidents_count: 5 },
    })
    expect((over?.payload.incidents as { was_held: boolean }[] | undefined)?.map(({ was_held }) => was_held)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
  })

  test('and then stays down is notified after all, once, and so is its end', async () => {
    const one = await flapping()
    await see()
    await published()
    await goDown(one)
    await see()
    expect(await namesAsOne()).toEqual([])
    const rules = withFlapping({ releaseAfterS: atOnce })
    await Promise.all([see(rules), see(rules), see(rules)])
    expect(await published()).toMatchObject([
      {
        name: 'incident.created',
        audience: 'all',
        only_with: 'monitor.flapping',
        payload: { monitor_id: one.monitor, status: 'investigating', resolved_at: null },
      },
    ])
    await comeBack(one)
    await see(rules)
    expect(await published()).toMatchObject([{ name: 'incident.resolved', only_with: null, only_without: null }])
  })

  test('and is muted is notified to the reseller alone, and to the team at the end of the mute', async () => {
    const one = await flapping()
    await bench.rows(`update checks set snoozed_until = now() + interval '1 hour' where id = $1 returning 1`, one.check)
    await published()
    await see()
    expect(await published()).toMatchObject([{ name: 'monitor.flapping', audience: 'reseller' }])
    await goDown(one)
    for (let time = 0; time < 2; time++) await see(withFlapping({ releaseAfterS: atOnce }))
    expect(await published()).toMatchObject([
      { name: 'incident.created', audience: 'reseller', only_without: 'monitor.flapping' },
      { name: 'incident.created', audience: 'reseller', only_with: 'monitor.flapping' },
    ])
    await bench.rows('update checks set snoozed_until = null where id = $1 returning 1', one.check)
    await see()
    expect(await published()).toMatchObject([{ name: 'monitor.flapping', audience: 'team' }])
    await notifySuppressedIncident(bench.owner, one.check)
    await see(withFlapping({ releaseAfterS: atOnce }))
    expect((await published()).map(({ name, audience, only_with }) => `${name} ${audience} ${only_with}`)).toEqual([
      'incident.created team null',
      'incident.created team monitor.flapping',
    ])
  })

  test('is known by how often it changed in the last half hour, whatever the history', async () => {
    const outage = fc.record({
      agoS: fc.oneof(fc.integer({ min: 10, max: 1_700 }), fc.integer({ min: 1_810, max: 3_000 })),
      auto: fc.boolean(),
      isOpen: fc.boolean(),
    })
    // any, and long ones: enough of them flap whatever was drawn
    const histories = [
      ...fc.sample(fc.array(outage, { maxLength: 6 }), 75),
      ...fc.sample(fc.array(outage, { minLength: 5, maxLength: 6 }), 75),
    ]
    const checks = await bench.add(histories.length)
    const rows = histories.flatMap((history, index) =>
      history.map(({ agoS, auto, isOpen }, nth) => ({
        check_id: checks[index]!.check,
        number: index * 10 + nth + 1,
        ago_s: agoS,
        // only one may be open
        resolution: isOpen && nth === 0 ? null : auto ? 'recovered' : 'by_hand',
      })),
    )
    await bench.owner.query(
      `insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, severity, started_at,
        confirmed_at, quorum, resolution, resolved_at)
       select gen_random_uuid(), c.tenant_id, c.monitor_id, c.id, 'uptime', r.number, 'x', 'critical',
         now() - r.ago_s * interval '1 second', now(), '{}',
         r.resolution, case when r.resolution is not null then now() end
       from json_to_recordset($1::json) as r(check_id uuid, number int, ago_s int, resolution text)
       join checks c on c.id = r.check_id`,
      [JSON.stringify(rows)],
    )
    const all = checks.map(({ check }) => ({ check_id: check }))
    for (let time = 0; time < 2; time++) await noteFlapping(bench.platform, all, defaultSuppression)
    const found = (await bench.rows('select check_id from flappings where tenant_id = $1', bench.tenant)).map(
      ({ check_id }) => check_id,
    )
    const expected = histories.flatMap((history, index) => {
      const changes = rows
        .filter(row => row.check_id === checks[index]!.check && row.ago_s < 1_800)
        .reduce((sum, row) => sum + (row.resolution === 'recovered' ? 2 : 1), 0)
      return history.length > 0 && changes >= 6 ? [checks[index]!.check] : []
    })
    expect(expected.length).toBeGreaterThan(5)
    expect(found.toSorted()).toEqual(expected.toSorted())
  })
})

describe('a storm', () => {
  test('is notified as one list, again when it grows, and its remaining incidents one by one', async () => {
    const checks = await bench.add(12)
    await bench.round(checks, well)
    const first = checks.slice(0, 4)
    const then = checks.slice(4, 7)
    const late = checks.slice(7, 9)
    await goDown(...first)
    expect(await names()).toEqual(times(4, 'incident.created'))
    await goDown(...then)
    await see(withStorm({ notifyAfterS: 3_600 }))
    expect((await published()).map(({ name, only_without }) => `${name} unless ${only_without}`)).toEqual(
      times(3, 'incident.created unless storm.detected'),
    )
    const now = withStorm({ notifyAfterS: atOnce })
    await Promise.all([see(now), see(now), see(now)])
    const [storm, ...others] = await published()
    expect(others).toEqual([])
    expect(storm).toMatchObject({
      name: 'storm.detected',
      audience: 'all',
      payload: { monitors_count: 7, down_count: 7, severity: 'critical', resolved_at: null },
    })
    const { rows } = await bench.platform.query('select id from incidents where tenant_id = $1 and storm_id = $2', [
      bench.tenant,
      storm?.payload.storm_id,
    ])
    expect(rows.map(({ id }) => id).toSorted()).toEqual(
      storm ? (storm.payload.incident_ids as string[]).toSorted() : [],
    )

    await goDown(...late)
    await see()
    expect(await namesAsOne()).toEqual([])
    await see(withStorm({ updateEveryS: atOnce }))
    await see(withStorm({ updateEveryS: atOnce }))
    expect(await published()).toMatchObject([
      { name: 'storm.detected', payload: { storm_id: storm?.payload.storm_id, monitors_count: 9 } },
    ])

    // incidents published singly end singly; those of the list end with it
    await comeBack(...first, then[0]!)
    expect(await namesAsOne()).toEqual(times(4, 'incident.resolved'))
    await Promise.all([see(), see()])
    await see()
    const after = await published()
    expect(after.map(({ name }) => name)).toEqual(['storm.resolved', ...times(4, 'incident.created')])
    expect(after[0]).toMatchObject({ payload: { storm_id: storm?.payload.storm_id, monitors_count: 9, down_count: 4 } })
    expect(
      after
        .slice(1)
        .map(({ payload }) => payload.monitor_id)
        .toSorted(),
    ).toEqual([...then.slice(1), ...late].map(({ monitor }) => monitor).toSorted())
    await comeBack(...then, ...late)
    expect(await names()).toEqual(times(4, 'incident.resolved'))
  })

  test('includes no muted incident, and none long after it stopped growing', async () => {
    const checks = await bench.add(10)
    await bench.round(checks, well)
    await bench.rows(
      `update checks set snoozed_until = now() + interval '1 hour' where id = $1 returning 1`,
      checks[0]!.check,
    )
    await goDown(...checks.slice(0, 6))
    expect(await publishedAsOne()).toMatchObject([
      { name: 'incident.created', audience: 'reseller', payload: { monitor_id: checks[0]!.monitor } },
    ])
    await see(withStorm({ notifyAfterS: atOnce }))
    expect(await published()).toMatchObject([{ name: 'storm.detected', payload: { monitors_count: 5 } }])
    await bench.rows(
      `update storms set grown_at = now() - interval '11 minutes' where tenant_id = $1 returning 1`,
      bench.tenant,
    )
    await bench.rows(
      `update incidents set confirmed_at = now() - interval '11 minutes' where tenant_id = $1 returning 1`,
      bench.tenant,
    )
    await goDown(checks[7]!)
    expect(await published()).toMatchObject([
      { name: 'incident.created', audience: 'all', payload: { monitor_id: checks[7]!.monitor } },
    ])
  })

  test('is one by number and share, for any number of tenants in one write', async () => {
    const term = await takeEpoch(bench.platform)
    const sizes = fc.sample(
      fc.record({ total: fc.integer({ min: 1, max: 60 }), down: fc.integer({ min: 0, max: 60 }) }),
      60,
    )
    const cases = sizes.map(({ total, down }) => ({ tenant: randomUUID(), total, down: Math.min(total, down) }))
    cases.push(
      { tenant: randomUUID(), total: 300, down: 49 },
      { tenant: randomUUID(), total: 300, down: 50 },
      { tenant: randomUUID(), total: 25, down: 5 },
    )
    await bench.owner.query(
      `insert into tenants (id, name, slug) select id, 'x', id::text from unnest($1::uuid[]) id`,
      [cases.map(({ tenant }) => tenant)],
    )
    const { rows } = await bench.owner.query<{ tenant_id: string; id: string }>(
      `with m as (
         insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
           recovery_confirmations)
         select gen_random_uuid(), r.tenant, 'x', 'https://example.com/', 'website', 60, 10, '{}', 2, 2
         from json_to_recordset($1::json) as r(tenant uuid, total int), generate_series(1, r.total)
         returning id, tenant_id
       )
       insert into checks (id, tenant_id, monitor_id, type, severity)
       select gen_random_uuid(), tenant_id, id, 'uptime', 'critical' from m returning tenant_id, id`,
      [JSON.stringify(cases)],
    )
    const group = new WriteBatch()
    for (const { tenant, down } of cases)
      for (const { id } of rows.filter(row => row.tenant_id === tenant).slice(0, down))
        group.of(id).opens = {
          check_id: id,
          title: 'x',
          cause: 'x',
          severity: 'critical',
          started_at: Date.now(),
          confirmed_at: Date.now(),
          quorum: {
            policy: { mode: 'any', count: null },
            required: 1,
            asked: [],
            failed: [],
            ok: [],
            silent: [],
            excluded: [],
            regions: {},
          },
          evidence: { error_code: null, http_status: null, phase: null, snippet: null },
        }
    for (let time = 0; time < 2; time++) await writeBatch(bench.platform, term, group, defaultSuppression)
    const found = await bench.rows(
      'select tenant_id from storms where tenant_id = any($1::uuid[])',
      cases.map(({ tenant }) => tenant),
    )
    const expected = cases
      .filter(({ total, down }) => down >= 5 && (down >= 50 || down >= 0.2 * total))
      .map(({ tenant }) => tenant)
    expect(found.map(({ tenant_id }) => tenant_id).toSorted()).toEqual(expected.toSorted())
    const suppressed = await bench.rows(
      `select distinct tenant_id from incidents where suppressed_by = 'storm' and tenant_id = any($1::uuid[])`,
      cases.map(({ tenant }) => tenant),
    )
    expect(suppressed.map(({ tenant_id }) => tenant_id).toSorted()).toEqual(expected.toSorted())
  })
})

describe('a storm of one host', () => {
  const host = 'shop.example.com'
  const settled = withHost({ settleS: atOnce })
  /** Many more monitors, so that those of the host are no storm of the team. */
  const hosted = async (count: number) => {
    await bench.add(30)
    const checks = await bench.add(count, {}, [], host)
    await bench.round(checks, well)
    return checks
  }
  const about = (event: PublishedEvent | undefined) => event?.payload.monitor_id
  /** Single alerts that wait are published at once for channels that do not receive the list. */
  const unlessListed = async () => {
    const events = await published()
    return events.map(({ name, only_without }) => (only_without ? `${name} unless ${only_without}` : name))
  }

  test('is one notification after that of the first monitor, which waits for none, and one of its end', async () => {
    const [first, ...others] = await hosted(12)
    await goDown(first!)
    expect(await published()).toMatchObject([
      { name: 'incident.created', only_without: null, payload: { monitor_id: first!.monitor } },
    ])
    for (const each of others.slice(0, 5)) await goDown(each)
    expect(await unlessListed()).toEqual(times(5, 'incident.created unless storm.detected'))
    // more of them may follow
    await see()
    expect(await published()).toEqual([])
    // what waits is in the database, not in a process
    await bench.restart()
    bench.eligible(...regions)
    await Promise.all([see(settled), see(settled), see(settled)])
    const [storm, ...more] = await published()
    expect(more).toEqual([])
    expect(storm).toMatchObject({
      name: 'storm.detected',
      audience: 'all',
      payload: { host, monitors_count: 6, down_count: 6, resolved_at: null },
    })
    expect((storm!.payload.monitor_ids as string[]).toSorted()).toEqual(
      [first!, ...others.slice(0, 5)].map(({ monitor }) => monitor).toSorted(),
    )
    for (const each of others.slice(5)) await goDown(each)
    await see(settled)
    expect(await namesAsOne()).toEqual([])
    await see({ ...settled, storm: { ...settled.storm, updateEveryS: atOnce } })
    expect(await published()).toMatchObject([{ name: 'storm.detected', payload: { host, monitors_count: 12 } }])

    await comeBack(first!)
    expect(await namesAsOne()).toEqual(['incident.resolved'])
    await comeBack(...others)
    await Promise.all([see(settled), see(settled)])
    expect(await publishedAsOne()).toMatchObject([
      { name: 'storm.resolved', payload: { host, monitors_count: 12, down_count: 0 } },
    ])
    await see(settled)
    expect(await published()).toEqual([])
  })

  test('waits for nothing if enough monitors fail at the same moment', async () => {
    await goDown(...(await hosted(3)))
    await see()
    expect(await publishedAsOne()).toMatchObject([
      { name: 'storm.detected', payload: { host, monitors_count: 3, down_count: 3 } },
    ])
  })

  test('is none with too few monitors: those that waited are notified singly, with their end', async () => {
    const [first, second] = await hosted(2)
    await goDown(first!)
    await goDown(second!)
    await see()
    expect(await namesAsOne()).toEqual(['incident.created'])
    await Promise.all([see(settled), see(settled)])
    const released = await published()
    expect(released).toMatchObject([{ name: 'incident.created', only_with: 'storm.detected' }])
    expect(about(released[0])).toBe(second!.monitor)
    await comeBack(second!)
    expect(await namesAsOne()).toEqual(['incident.resolved'])

    await goDown(second!)
    await comeBack(second!)
    expect(await namesAsOne()).toEqual([])
    await Promise.all([see(settled), see(settled)])
    expect((await published()).map(({ name, only_with }) => `${name} to ${only_with}`)).toEqual([
      'incident.created to storm.detected',
      'incident.resolved to storm.detected',
    ])
    await comeBack(first!)
    await see(settled)
    expect(await names()).toEqual(['incident.resolved'])
  })

  test('and a second check of one monitor is another matter: it is notified at once', async () => {
    const [first] = await hosted(2)
    await bench.rows(
      `insert into incidents (id, tenant_id, monitor_id, check_type, number, title, severity, started_at, confirmed_at,
         quorum, host_keys)
       values (gen_random_uuid(), $1, $2, 'ssl', 1000, 'x', 'minor', now(), now(), '{}', $3) returning 1`,
      bench.tenant,
      first!.monitor,
      [host],
    )
    await goDown(first!)
    expect(await unlessListed()).toEqual(['incident.created'])
  })

  const firstOnes: [state: string, become: (first: Check) => Promise<unknown>, events: string[]][] = [
    ['recovered', first => comeBack(first), ['incident.resolved']],
    ['is deleted', first => bench.rows('delete from monitors where id = $1 returning 1', first.monitor), []],
    [
      'is paused',
      first => bench.rows('update monitors set is_enabled = false where id = $1 returning 1', first.monitor),
      [],
    ],
    [
      'was resolved by hand',
      first =>
        bench.rows(
          `update incidents set resolved_at = now(), status = 'resolved', resolution = 'by_hand' where monitor_id = $1
           returning 1`,
          first.monitor,
        ),
      [],
    ],
  ]
  test.each(firstOnes)('whose first monitor %s is notified all the same', async (_, become, events) => {
    const [first, ...others] = await hosted(5)
    await goDown(first!)
    for (const each of others) await goDown(each)
    await become(first!)
    expect((await namesAsOne()).filter(name => name !== 'incident.created')).toEqual(events)
    await Promise.all([see(settled), see(settled)])
    const notified = await publishedAsOne()
    expect(notified).toMatchObject([{ name: 'storm.detected', payload: { host } }])
    expect(notified[0]!.payload.monitor_ids).toEqual(expect.arrayContaining(others.map(({ monitor }) => monitor)))
  })

  test('does not begin with a muted check: the first that is not muted is notified at once', async () => {
    const [muted, first] = await hosted(3)
    await bench.rows(
      `update checks set snoozed_until = now() + interval '1 hour' where id = $1 returning 1`,
      muted!.check,
    )
    await goDown(muted!)
    expect(await publishedAsOne()).toMatchObject([{ audience: 'reseller' }])
    await goDown(first!)
    expect(await publishedAsOne()).toMatchObject([
      { name: 'incident.created', audience: 'all', payload: { monitor_id: first!.monitor } },
    ])
  })

  test('is of monitors with other names too that share an address, and names it', async () => {
    const checks = await bench.add(40)
    const [first, ...others] = checks.slice(0, 5)
    for (const [index, { check }] of [first!, ...others].entries())
      bench.addresses.set(check, index === 4 ? '203.0.113.9' : index === 2 ? '::ffff:192.0.2.7' : '192.0.2.7')
    await bench.round(checks, well)
    await goDown(first!)
    for (const each of others) await goDown(each)
    // of another host
    expect((await unlessListed()).filter(name => name === 'incident.created')).toHaveLength(2)
    await see(settled)
    expect(await publishedAsOne()).toMatchObject([
      { name: 'storm.detected', payload: { host: '192.0.2.7', monitors_count: 4 } },
    ])
  })

  test('is one failure of those that make a storm of the team', async () => {
    const other = await bench.add(10)
    const checks = await bench.add(10, {}, [], host)
    await bench.round([...other, ...checks], well)
    await goDown(...checks)
    await see()
    expect(await publishedAsOne()).toMatchObject([{ name: 'storm.detected', payload: { host } }])
    await goDown(...other.slice(0, 3))
    expect(await unlessListed()).toEqual(times(3, 'incident.created'))
    await goDown(other[3]!)
    await see(withStorm({ notifyAfterS: atOnce }))
    expect(await publishedAsOne()).toMatchObject([{ name: 'storm.detected', payload: { host: null, down_count: 4 } }])
    await comeBack(other[3]!)
    await see()
    expect(await namesAsOne()).toEqual(['storm.resolved'])
  })

  test('that is over for most of its monitors notifies of the others singly', async () => {
    const checks = await hosted(5)
    await goDown(...checks)
    await see()
    await published()
    await comeBack(...checks.slice(0, 3))
    await see(settled)
    expect(await namesAsOne()).toEqual([])
    await Promise.all([see(withHost({ calmS: atOnce })), see(withHost({ calmS: atOnce }))])
    await see()
    const after = await publishedAsOne()
    expect(after.map(({ name }) => name)).toEqual(['storm.resolved', ...times(2, 'incident.created')])
    expect(after.slice(1).map(about).toSorted()).toEqual(
      checks
        .slice(3)
        .map(({ monitor }) => monitor)
        .toSorted(),
    )
  })
})
