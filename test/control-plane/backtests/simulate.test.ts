import { randomUUID } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { nativeBlocks } from '#analytics/native.ts'
import type { StoredResult } from '#analytics/queries/stored-results.ts'
import type { Judgement } from '#contract/check.ts'
import { BacktestSlots, backtestSlots } from '#control-plane/backtests/backtest-slots.ts'
import { EligibilityLog } from '#control-plane/engine/agents/eligibility-log.ts'
import type { Ineligibility } from '#control-plane/engine/agents/region.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import type { CheckRules } from '#control-plane/engine/verdicts/core.ts'
import { VerdictEngine } from '#control-plane/engine/verdicts/verdict-engine.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { type History, type Phase, simulate } from './history.ts'

const { platform, clickhouse, clock } = app.services
const minute = 60
const judgements: Record<StoredResult['outcome'], Judgement> = {
  up: { status: 'up' },
  warning: { status: 'warning', code: 'slow', reason: 'Slow.' },
  down: { status: 'down', code: 'refused', reason: 'The connection was refused.' },
  unknown: { status: 'unknown', code: 'resolver_unavailable', reason: 'Degraded.' },
}

interface Past {
  id: string
  check: string
  history: History
  startsAt: number
}

/** A monitor with stored results in ClickHouse and the incidents that the engine opened for them. */
async function aHistory(
  owner: CallerUnderTest,
  phases: readonly Phase[],
  { hours = 5, seen }: { hours?: number; seen?: (result: StoredResult) => string } = {},
): Promise<Past> {
  const mark = randomUUID().slice(0, 8)
  const regions = ['ap', 'eu', 'us'].map(name => `${name}-${mark}`)
  const startsAt = clock.nowMs() - hours * 3_600_000
  const rules: CheckRules = {
    regions,
    policy: { mode: 'majority', count: null },
    confirmations: 2,
    recoveryConfirmations: 2,
    severity: 'critical',
    intervalMs: 60_000,
    timeoutMs: 10_000,
  }
  const { id, check } = await aMonitor(owner)
  await platform.query(`update monitors set regions = $2, created_at = $3, updated_at = $3 where id = $1`, [
    id,
    regions,
    new Date(startsAt),
  ])
  await platform.query(`update checks set created_at = $2, updated_at = $2 where id = $1`, [check, new Date(startsAt)])
  const history = simulate(rules, phases, startsAt, hours * 3_600 - 60)

  let now = startsAt
  const assigned: Assigned = {
    check,
    monitor: id,
    monitorName: 'Shop',
    tenant: owner.tenantId,
    kind: 'uptime',
    url: 'https://shop.example/',
    settings: {},
    dependsOn: [],
    rules,
    wanted: regions,
    regionsAtMost: null,
    keepDays: 90,
  }
  const verdictEngine = new VerdictEngine({
    pool: platform,
    clock: { nowMs: () => now },
    log: { info() {}, warn() {}, error() {} },
    find: one => (one === check ? assigned : undefined),
    checksOf: monitor => (monitor === id ? [check] : []),
    requestRun() {},
  })
  await verdictEngine.load()
  const note = new EligibilityLog({ platform, log: { warn() {} } })
  const eligibilities = new Map<string, Ineligibility | null>(regions.map(region => [region, null]))
  const noteEligibility = () => {
    verdictEngine.eligibilityChanged(new Map(eligibilities))
    note.write(new Map(eligibilities), now)
  }
  noteEligibility()
  let written: Promise<unknown> = Promise.resolve()
  const changes = [...history.eligibilities]
  for (const result of history.results) {
    for (let change = changes[0]; change && change.at <= result.receivedAt; change = changes[0]) {
      now = change.at
      eligibilities.set(change.region, change.why)
      noteEligibility()
      changes.shift()
    }
    now = result.receivedAt
    const { region, due, attempt, at, receivedAt, isUnreliable } = result
    const judgement = judgements[result.outcome]
    const error = judgement.status === 'up' ? null : { code: judgement.code, message: judgement.reason }
    const evidence = { phases: result.phases, error, http_status: null, excerpt: null, address: null }
    written = verdictEngine.decide([
      {
        check,
        monitor: id,
        tenant: owner.tenantId,
        region,
        due,
        attempt,
        at,
        receivedAt,
        judgement,
        isUnreliable,
        evidence,
      },
    ])
    // a run that the engine requests without waiting is decided later, by the clock as it is then
    await Promise.resolve().then(() => undefined)
    await new Promise(setImmediate)
  }
  await written
  await note.stop()
  await verdictEngine.stop()

  await clickhouse.insert({
    table: 'check_results',
    format: 'JSONEachRow',
    values: history.results.map(result => ({
      tenant_id: owner.tenantId,
      monitor_id: id,
      check_id: check,
      region: result.region,
      kind: 'uptime',
      due: result.due,
      attempt: result.attempt,
      at: result.at,
      received_at: result.receivedAt,
      run_reason: result.attempt === 0 ? 'due' : 'confirm',
      outcome: result.outcome,
      total_ms: result.outcome === 'down' ? null : 100 + (result.due % 60_000) / 100,
      seen: result.outcome === 'down' ? '' : (seen?.(result) ?? ''),
      is_unreliable: result.isUnreliable,
    })),
  })
  return { id, check, history, startsAt }
}

const down = (from: number, length: number, region?: number): Phase => ({ kind: 'down', from, length, region })
const seenUp = (status = 200) =>
  JSON.stringify({
    status,
    redirects: 0,
    bytes: 10,
    truncated: false,
    content_type: null,
    found_present: null,
    found_absent: null,
    failed: [],
  })
const times = (list: { started_at: string; resolved_at: string | null }[]) =>
  list.map(({ started_at, resolved_at }) => [started_at, resolved_at])

describe('POST /monitors/{id}/simulate', () => {
  test('without other settings yields the incidents that the engine opened', async () => {
    const owner = await given.tenant()
    const { id } = await aHistory(owner, [
      down(70 * minute, 15 * minute),
      down(100 * minute, 20 * minute, 1),
      { kind: 'flap', from: 130 * minute, length: 25 * minute, region: undefined },
      { kind: 'cut', from: 170 * minute, length: 12 * minute, region: 0 },
      down(175 * minute, 10 * minute),
      { kind: 'lost', from: 200 * minute, length: 20 * minute, region: 2 },
      down(210 * minute, 3 * minute),
      down(280 * minute, 60 * minute),
    ])
    const { status, body } = await owner.post(`/monitors/${id}/simulate`)
    expect(status).toBe(200)
    const { were, unchanged, would_be, difference, changes, notes, looks } = body.data
    expect(looks).toBeGreaterThan(800)
    expect(were.incidents).toBeGreaterThan(5)
    expect(unchanged.incidents).toBe(were.incidents)
    expect(times(would_be.list)).toEqual(times(were.list))
    expect(would_be.list.map((one: { incident_id: string }) => one.incident_id)).toEqual(
      were.list.map((one: { incident_id: string }) => one.incident_id),
    )
    expect(would_be.list.map((one: { regions: string[] }) => one.regions)).toEqual(
      were.list.map((one: { regions: string[] }) => one.regions),
    )
    expect(difference).toEqual({ incidents: 0, alerts: 0, minutes: 0 })
    expect(changes).toEqual([])
    expect(notes.map((note: { code: string }) => note.code)).not.toContain('not_reproduced')
  })

  test('distinguishes alerts that flapping groups from alerts that a snooze suppresses', async () => {
    const owner = await given.tenant()
    const { id, check, startsAt } = await aHistory(owner, [
      { kind: 'flap', from: 60 * minute, length: 40 * minute, region: undefined },
      down(200 * minute, 5 * minute),
      down(240 * minute, 5 * minute),
    ])
    await owner.post(`/checks/${check}/snooze`, { minutes: 20 })
    // the same entry at an earlier time
    const { rowCount } = await platform.query(
      `insert into audit_entries (id, tenant_id, action, entity_type, entity_id, changes, created_at)
       select $3, tenant_id, action, entity_type, entity_id, changes, $2 from audit_entries
       where entity_id = $1 and action = 'check.snoozed'`,
      [check, new Date(startsAt + 195 * minute * 1_000), randomUUID()],
    )
    expect(rowCount).toBe(1)
    const { status, body } = await owner.post(`/monitors/${id}/simulate`, { confirmations: 5 })
    expect(status).toBe(200)
    const { unchanged, would_be, were, changes, notes, difference } = body.data
    expect(were).toMatchObject({ flapping: 0, held_alerts: 0 })
    expect(unchanged.flapping).toBe(1)
    expect(unchanged.alerts + unchanged.held_alerts).toBe(2 * unchanged.incidents + 2)
    expect(unchanged.held_alerts).toBeGreaterThan(2)
    expect(would_be).toMatchObject({ incidents: 2, flapping: 0, alerts: 2, held_alerts: 2 })
    expect(would_be.list).toMatchObject([
      { held_by: 'snooze', alerts: [], held_alerts: ['incident.created', 'incident.resolved'] },
      { held_by: null, alerts: ['incident.created', 'incident.resolved'], held_alerts: [] },
    ])
    expect(difference.alerts).toBe(2 - unchanged.alerts)
    expect(changes).toMatchObject([{ setting: 'confirmations', matters: true }])
    expect(notes.map((note: { code: string }) => note.code)).not.toContain('storms_not_replayed')
  })

  test('shows which of several changes matters, alone and together, to the team and its reseller', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { id } = await aHistory(team, [down(90 * minute, 30 * minute), down(180 * minute, 20 * minute, 1)])
    const moment = (hoursAgo: number) => new Date(clock.nowMs() - hoursAgo * 3_600_000).toISOString()
    const asked = {
      from: moment(4.5),
      to: moment(0),
      region_policy: { mode: 'any' },
      confirmations: 3,
      recovery_confirmations: 2,
    }
    const { status, body } = await team.post(`/monitors/${id}/simulate`, asked)
    expect(status).toBe(200)
    const { were, unchanged, would_be, difference, changes, notes } = body.data
    expect([were.incidents, unchanged.incidents, would_be.incidents]).toEqual([1, 1, 2])
    expect(difference.incidents).toBe(1)
    expect(difference.minutes).toBeGreaterThan(18)
    expect(difference.minutes).toBeLessThan(23)
    expect(changes.map((change: { setting: string }) => change.setting)).toEqual(['region_policy', 'confirmations'])
    expect(changes[0]).toMatchObject({
      check_id: null,
      from: { mode: 'majority' },
      to: { mode: 'any' },
      matters: true,
      difference: { incidents: 1 },
    })
    // the same incident, only later confirmed
    expect(changes[1]).toMatchObject({ from: 2, to: 3, matters: true, difference: { incidents: 0, minutes: 0 } })
    expect(would_be.list[1]).toMatchObject({
      incident_id: null,
      regions: [expect.stringContaining('eu-')],
      alerts: ['incident.created', 'incident.resolved'],
    })
    expect(would_be.alerts).toBe(4)
    expect(notes.map((note: { code: string }) => note.code)).toContain('looks_not_made')

    const inside = await reseller.post(`${team.path}/monitors/${id}/simulate`, asked)
    expect(inside.body.data).toEqual(body.data)
  })

  test('backtests thresholds on stored observations, and refuses settings that act on new runs only', async () => {
    const owner = await given.tenant()
    const [from, to] = [clock.nowMs() - 4 * 3_600_000, clock.nowMs() - 4 * 3_600_000 + 20 * minute * 1_000]
    const { id, check } = await aHistory(owner, [], {
      seen: result => seenUp(result.due > from && result.due < to ? 204 : 200),
    })
    const strict = await owner.post(`/monitors/${id}/simulate`, {
      checks: [{ id: check, settings: { expected_status: [200], warning_status: [] } }],
    })
    expect(strict.status).toBe(200)
    expect(strict.body.data).toMatchObject({
      were: { incidents: 0 },
      unchanged: { incidents: 0 },
      would_be: { incidents: 1 },
    })
    const [expected, warning] = strict.body.data.changes
    expect(expected).toMatchObject({
      check_id: check,
      setting: 'expected_status',
      to: [200],
      matters: true,
      alone: { incidents: 1 },
    })
    expect(warning).toMatchObject({ setting: 'warning_status', matters: false })
    expect(strict.body.data.would_be.minutes).toBeGreaterThan(18)

    // a warning opens nothing
    const slow = await owner.post(`/monitors/${id}/simulate`, {
      checks: [{ id: check, settings: { degraded_after_ms: 1 } }],
    })
    expect(slow.body.data.would_be.incidents).toBe(0)

    for (const [settings, field] of [
      [{ method: 'HEAD' }, 'checks.0.settings.method'],
      [{ degraded_after_ms: 'fast' }, 'checks.0.settings.degraded_after_ms'],
      [{ nonsense: 1 }, 'checks.0.settings.nonsense'],
    ] as const) {
      const refused = await owner.post(`/monitors/${id}/simulate`, { checks: [{ id: check, settings }] })
      expect(refused.status).toBe(422)
      expect(Object.keys(refused.body.errors)).toEqual([field])
    }
  })

  test('backtests another grace on the pings of a job', async () => {
    const owner = await given.tenant()
    const { id, check } = await aMonitor(owner, { type: 'cron', kinds: ['cron'] })
    const startsAt = clock.nowMs() - 20 * 3_600_000
    // hourly: once ten minutes late, once not at all, once with a failure; the last is due in an hour
    const pings = Array.from({ length: 20 }, (_, hour) => ({
      at: startsAt + (hour + 1) * 3_600_000 - 60_000 + (hour === 5 ? 600_000 : 0),
      state: 'ok',
    }))
    pings.splice(10, 1)
    pings.splice(14, 0, { at: pings[13]!.at + 60_000, state: 'fail' }, { at: pings[13]!.at + 120_000, state: 'ok' })
    for (const [number, { at, state }] of pings.entries())
      await platform.query(
        `insert into pings (check_id, place, tenant_id, number, at, state, method)
         values ($1, $2::int, $3, $2::int, $4, $5, 'POST')`,
        [check, number, owner.tenantId, new Date(at), state],
      )
    const { status, body } = await owner.post(`/monitors/${id}/simulate`, {
      checks: [{ id: check, settings: { grace_minutes: 15 } }],
    })
    expect(status).toBe(200)
    const { unchanged, would_be, difference, changes, looks } = body.data
    expect([looks, unchanged.incidents, would_be.incidents]).toEqual([21, 3, 2])
    expect(unchanged.minutes).toBeCloseTo(5 + 55 + 1, 0)
    expect(would_be.minutes).toBeCloseTo(45 + 1, 0)
    expect(difference).toMatchObject({ incidents: -1, alerts: -2 })
    expect(changes).toEqual([
      expect.objectContaining({ check_id: check, setting: 'grace_minutes', from: 5, to: 15, matters: true }),
    ])
    expect(would_be.list[0].regions).toEqual([])

    const fixed = await owner.post(`/monitors/${id}/simulate`, {
      checks: [{ id: check, settings: { fail_keyword: 'no' } }],
    })
    expect(Object.keys(fixed.body.errors)).toEqual(['checks.0.settings.fail_keyword'])
    const long = await owner.post(`/monitors/${id}/simulate`, {
      checks: [{ id: check, settings: { grace_minutes: 1_441 } }],
    })
    expect(Object.keys(long.body.errors)).toEqual(['checks.0.settings.grace_minutes'])
  })

  test('backtests other thresholds and a longer silence on the metrics of a server', async () => {
    const owner = await given.tenant()
    const thresholds = [{ metric: 'cpu', above: 90, for_minutes: 5, severity: 'critical' }]
    const made = await owner.post('/agent-monitors', { name: 'web-1', thresholds, no_data_after_minutes: 10 })
    expect(made.status).toBe(201)
    const { id } = made.body.data
    const { rows } = await platform.query<{ id: string }>('select id from checks where monitor_id = $1', [id])
    const check = rows[0]!.id
    // one value a minute: 20 minutes at 95 %, 8 at 92 %, and 30 of silence
    const begin = Math.floor(clock.nowMs() / 60_000) * 60_000 - 8 * 3_600_000
    const minutes = Array.from({ length: 8 * 60 - 2 }, (_, at) => at).filter(at => at < 300 || at >= 330)
    const cpu = (at: number) => (at >= 120 && at < 140 ? 95 : at >= 200 && at < 208 ? 92 : 20)
    const values = minutes.map(at => ({
      tenant_id: owner.tenantId,
      monitor_id: id,
      metric: 'cpu',
      label: 'all',
      at: begin + at * 60_000,
      value: cpu(at),
    }))
    const received = values.map(value => ({ ...value, keep_days: 30, received_at: value.at + 500 }))
    await clickhouse.insert({ table: 'server_samples', format: 'JSONEachRow', values: received })

    const backtest = async (settings: object) =>
      (await owner.post(`/monitors/${id}/simulate`, { checks: [{ id: check, settings }] })).body.data
    const hotter = await backtest({ thresholds: [{ ...thresholds[0], above: 94 }] })
    expect([hotter.looks, hotter.unchanged.incidents, hotter.would_be.incidents]).toEqual([minutes.length, 3, 2])
    const at = (minute: number) => expect.stringContaining(new Date(begin + minute * 60_000).toISOString().slice(0, 16))
    const list = [
      { started_at: at(125), resolved_at: at(145) },
      { started_at: at(309), resolved_at: at(330) },
    ]
    expect(hotter.would_be.list).toEqual(list.map(one => expect.objectContaining(one)))
    expect(hotter.changes).toEqual([
      expect.objectContaining({
        setting: 'thresholds',
        matters: true,
        difference: expect.objectContaining({ incidents: -1 }),
      }),
    ])
    const patient = await backtest({ no_data_after_minutes: 60, thresholds: [{ ...thresholds[0], for_minutes: 15 }] })
    expect(patient.would_be.incidents).toBe(1)
    expect(
      patient.changes.map((change: { alone: { incidents: number } }) => change.alone.incidents).toSorted(),
    ).toEqual([2, 2])
    const refused = await owner.post(`/monitors/${id}/simulate`, {
      checks: [{ id: check, settings: { thresholds: [{ metric: 'cpu', above: 100 }] } }],
    })
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['checks.0.settings.thresholds.0.above']])
  })

  test('refuses invalid input and names the field', async () => {
    const owner = await given.tenant()
    const { id, check } = await aMonitor(owner)
    const day = (back: number) => new Date(clock.nowMs() - back * 86_400_000).toISOString()
    for (const [body, field] of [
      [{ from: day(91) }, 'to'],
      [{ from: day(1), to: day(2) }, 'to'],
      [{ from: day(-1) }, 'to'],
      [{ from: day(-1), to: day(-2) }, 'from'],
      [{ from: 'yesterday' }, 'from'],
      [{ confirmations: 11 }, 'confirmations'],
      [{ confirmations: 0 }, 'confirmations'],
      [{ recovery_confirmations: 1.5 }, 'recovery_confirmations'],
      [{ region_policy: { mode: 'count' } }, 'region_policy.count'],
      [{ checks: [{ id: randomUUID(), settings: {} }] }, 'checks.0.id'],
      [{ checks: [{ id: check, settings: { teapot: 1 } }] }, 'checks.0.settings.teapot'],
      [
        {
          checks: [
            { id: check, settings: {} },
            { id: check, settings: {} },
          ],
        },
        'checks.1.id',
      ],
    ] as const) {
      const { status, body: answer } = await owner.post(`/monitors/${id}/simulate`, body)
      expect(status, JSON.stringify(body)).toBe(422)
      expect(Object.keys(answer.errors ?? {}), JSON.stringify(body)).toContain(field)
    }
    expect((await owner.post(`/monitors/${randomUUID()}/simulate`)).status).toBe(404)
    expect((await (await given.tenant()).post(`/monitors/${id}/simulate`)).status).toBe(404)
    expect((await owner.post(`/monitors/${id}/simulate`, { from: day(89.999) })).status).toBe(200)
  })

  test('is limited to the time that the plan keeps results for, and notes it', async () => {
    const owner = await given.tenant({ plan: 'free' })
    const { id } = await aMonitor(owner)
    const { body } = await owner.post(`/monitors/${id}/simulate`, {
      from: new Date(clock.nowMs() - 60 * 86_400_000).toISOString(),
    })
    expect(Math.round((Date.parse(body.data.to) - Date.parse(body.data.from)) / 86_400_000)).toBe(14)
    expect(body.data.notes.map((note: { code: string }) => note.code)).toContain('retention')
  })

  test('runs one at a time for a team; another team waits', async () => {
    const [owner, other] = [await given.tenant(), await given.tenant()]
    const [{ id }, { id: otherId }] = [await aMonitor(owner), await aMonitor(other)]
    const done = Promise.withResolvers<void>()
    const busy = [owner.tenantId, randomUUID()].map(teamId =>
      backtestSlots.use({ teamId, tenantId: teamId }, () => done.promise),
    )
    const own = await owner.post(`/monitors/${id}/simulate`)
    expect([own.status, own.body.code, own.headers.get('retry-after')]).toEqual([429, 'busy', '2'])
    const waiting = other.post(`/monitors/${otherId}/simulate`)
    const isAnswered = await Promise.race([waiting.then(() => true), sleep(500).then(() => false)])
    expect(isAnswered).toBe(false)
    done.resolve()
    expect((await waiting).status).toBe(200)
    await Promise.all(busy)
    expect((await owner.post(`/monitors/${id}/simulate`)).status).toBe(200)
  })
})

describe('backtests that are requested together', () => {
  const work = (started: string[], name: string, until: Promise<void>) => async () => {
    started.push(name)
    await until
    return name
  }

  test('of hundreds of teams of one reseller do not delay another tenant', async () => {
    const slots = new BacktestSlots()
    const started: string[] = []
    const done = Promise.withResolvers<void>()
    const backtest = (tenantId: string, teamId: string) =>
      slots.use({ teamId, tenantId }, work(started, tenantId, done.promise))
    const asked = Array.from({ length: 300 }, (_, n) => backtest('hog', `team ${n}`).catch(error => error))
    await sleep(0)
    expect(started).toEqual(['hog'])
    const newcomer = backtest('newcomer', 'its team')
    await sleep(0)
    expect(started).toEqual(['hog', 'newcomer'])
    const third = backtest('third', 'another team')
    done.resolve()
    expect(await Promise.all([newcomer, third])).toEqual(['newcomer', 'third'])
    expect(started.indexOf('third')).toBeLessThanOrEqual(4)
    const answers = await Promise.all(asked)
    expect(answers.filter(answer => answer === 'hog').length).toBeGreaterThanOrEqual(10)
    for (const answer of answers.filter(each => each !== 'hog'))
      expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '2' } })
  })

  test('and would wait too long are answered with 503', async () => {
    const slots = new BacktestSlots({ timeoutMs: 100 })
    const done = Promise.withResolvers<void>()
    const busy = ['a', 'b'].map(name => slots.use({ teamId: name, tenantId: name }, () => done.promise))
    await expect(slots.use({ teamId: 'c', tenantId: 'c' }, () => done.promise)).rejects.toMatchObject({
      status: 503,
      headers: { 'Retry-After': '2' },
    })
    done.resolve()
    await Promise.all(busy)
    await expect(slots.use({ teamId: 'c', tenantId: 'c' }, async () => 'done')).resolves.toBe('done')
  })
})

test('columns of ClickHouse are read in any number of blocks', async () => {
  const query = `
    SELECT toFloat64(number) / 4 AS quarter, toUInt16(number % 65536) AS low,
      toLowCardinality(concat('é', toString(number % 5000))) AS name,
      toLowCardinality(if(number % 2 = 0, '', repeat('x', 300))) AS long FROM numbers(150000) FORMAT Native`
  let row = 0
  for (const block of nativeBlocks(await buffer((await clickhouse.exec({ query })).stream))) {
    const [quarter, low, name, long] = [
      block.numbers('quarter'),
      block.numbers('low'),
      block.texts('name'),
      block.texts('long'),
    ]
    for (let index = 0; index < block.rows; index += 997, row += 997) {
      expect([quarter[index], low[index]]).toEqual([row / 4, row % 65_536])
      expect([name.text(name.of[index]!), long.text(long.of[index]!).length]).toEqual([
        `é${row % 5_000}`,
        row % 2 === 0 ? 0 : 300,
      ])
    }
    row += block.rows - Math.ceil(block.rows / 997) * 997
    expect(() => block.numbers('name')).toThrow('no numbers called name')
  }
  expect(row).toBe(150_000)
  const other = await buffer((await clickhouse.exec({ query: `SELECT 'a' AS name FORMAT Native` })).stream)
  expect(() => [...nativeBlocks(other)]).toThrow('of type String')
})
