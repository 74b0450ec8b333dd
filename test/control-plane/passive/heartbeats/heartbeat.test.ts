import { describe, expect, test } from 'vitest'
import {
  type Beat,
  type BeatContext,
  expectedPings,
  type PingState,
  receive,
  wake,
} from '#control-plane/passive/heartbeats/heartbeat.ts'
import { type BeatRules, rulesOf } from '#control-plane/passive/heartbeats/rules.ts'

const minute = 60_000
const hour = 60 * minute
const start = Date.parse('2026-03-28T12:00:00Z')
const on: BeatContext = { isActive: true, verdict: 'up' }
const rules = (given: Record<string, unknown> = {}): BeatRules =>
  rulesOf(JSON.stringify({ period_minutes: 60, ...given }))
const hourly = rules()

const armed = (changes: Partial<Beat> = {}): Beat => ({
  outcome: 'up',
  reportedAt: start,
  armedBy: hourly.key,
  expectedAt: start + hour,
  alertAfter: start + hour + 5 * minute,
  wakeAt: start + hour + 5 * minute,
  runs: {},
  ...changes,
})
const ping = (
  beat: Beat,
  state: PingState,
  at: number,
  { by = hourly, around = on, runId = null as string | null, exitCode = null as number | null } = {},
) => receive(beat, by, { state, runId, exitCode }, at, around)

describe('pings by the rules of Healthchecks', () => {
  const by = rules({ grace_minutes: 10, max_run_minutes: 10 })
  const send = (beat: Beat, state: PingState, minutes: number, runId: string | null = null) =>
    receive(beat, by, { state, runId, exitCode: null, isOnlyRun: true }, start + minutes * minute, on)
  const pinged = () => {
    const beat = armed({ armedBy: null })
    send(beat, 'complete', 0)
    return beat
  }
  const lateAt = ({ alertAfter }: Beat) => (alertAfter === null ? null : (alertAfter - start) / minute)

  test('a start sets a deadline, the time of the next ping its own', () => {
    const beat = pinged()
    expect(lateAt(beat)).toBe(70)
    send(beat, 'start', 30)
    expect(lateAt(beat)).toBe(40)
    send(beat, 'complete', 35)
    expect(lateAt(beat)).toBe(105)
    // one that begins late has what is left of the grace time
    send(beat, 'start', 100)
    expect(lateAt(beat)).toBe(105)
    expect(wake(beat, by, start + 105 * minute, on)).toMatchObject({ judgement: { status: 'down' } })
  })

  test('a start takes the place of the one before, and its run alone is late', () => {
    const beat = pinged()
    send(beat, 'start', 10, 'a')
    send(beat, 'start', 15, 'b')
    expect([lateAt(beat), Object.keys(beat.runs)]).toEqual([25, ['b']])
    send(beat, 'complete', 16, 'a')
    expect(lateAt(beat)).toBe(25)
    send(beat, 'complete', 17, 'b')
    expect([lateAt(beat), beat.runs]).toEqual([87, {}])
  })

  test('an end without an id ends any run, and so does a failure', () => {
    for (const [state, runId] of [
      ['complete', null],
      ['fail', 'other'],
      ['fail', null],
    ] as const) {
      const beat = pinged()
      send(beat, 'start', 10, 'a')
      send(beat, state, 12, runId)
      expect([state, runId, beat.runs]).toEqual([state, runId, {}])
    }
  })

  test('a log changes nothing, a start of a job that is down neither', () => {
    const beat = pinged()
    send(beat, 'log', 5)
    expect(lateAt(beat)).toBe(70)
    send(beat, 'fail', 6)
    send(beat, 'start', 7)
    expect([beat.outcome, lateAt(beat)]).toEqual(['down', null])
  })

  test('a start before any ping sets a deadline too', () => {
    const beat = armed({ outcome: null, armedBy: null, expectedAt: null, alertAfter: null, wakeAt: null })
    send(beat, 'start', 0)
    expect(lateAt(beat)).toBe(10)
  })
})

describe('silence', () => {
  test('of an hourly job with five minutes of grace is reported after exactly 65 minutes, with that time', () => {
    const beat = armed()
    expect(wake(beat, hourly, start + 65 * minute - 1, on)).toBeNull()
    expect(beat).toEqual(armed())
    expect(wake(beat, hourly, start + 65 * minute, on)).toMatchObject({
      at: start + 65 * minute,
      judgement: { status: 'down', code: 'missed' },
    })
    expect(beat).toMatchObject({ outcome: 'down', expectedAt: null, alertAfter: null })
    expect(wake(beat, hourly, start + 66 * minute, { isActive: true, verdict: 'down' })).toBeNull()
    expect(beat.wakeAt).toBeNull()
  })

  test('that is found late is reported with the time when it was due', () => {
    expect(wake(armed(), hourly, start + 5 * hour, on)).toMatchObject({ at: start + 65 * minute })
  })

  test.each([
    [1, 61],
    [1_440, 1_500],
  ])('with a grace of %i minutes is reported after %i', (grace_minutes, after) => {
    const by = rules({ grace_minutes })
    const beat = armed({ armedBy: null })
    ping(beat, 'ok', start, { by })
    expect(beat.alertAfter).toBe(start + after * minute)
  })

  test('is reported at the right time in nights with a clock change', () => {
    const by = rules({ schedule_kind: 'cron', schedule: '30 2 * * *', timezone: 'Europe/Berlin' })
    const beat = armed()
    ping(beat, 'ok', start, { by })
    expect(new Date(beat.alertAfter!).toISOString()).toBe('2026-03-29T01:05:00.000Z')
    expect(wake(beat, by, beat.alertAfter!, on)?.judgement.reason).toBe(
      'No ping came: one was due at 2026-03-29 03:00 (Europe/Berlin).',
    )
    ping(beat, 'ok', Date.parse('2026-10-25T00:31:00Z'), { by })
    expect(new Date(beat.alertAfter!).toISOString()).toBe('2026-10-26T01:35:00.000Z')
  })

  test('is reported again when the verdict still differs after a while', () => {
    const beat = armed()
    wake(beat, hourly, start + 65 * minute, on)
    expect(wake(beat, hourly, start + 65 * minute + 60_000, on)).toMatchObject({ judgement: { status: 'down' } })
    expect(wake(beat, hourly, start + 65 * minute + 61_000, on)).toBeNull()
  })
})

describe('pings', () => {
  test('ok restarts the clock, and reports up only as a change', () => {
    const beat = armed({ outcome: null })
    expect(ping(beat, 'ok', start + minute, { around: { isActive: true, verdict: null } }).report).toEqual({
      judgement: { status: 'up' },
      at: start + minute,
    })
    expect(ping(beat, 'ok', start + 2 * minute).report).toBeNull()
    expect(beat).toMatchObject({ outcome: 'up', expectedAt: start + 62 * minute, alertAfter: start + 67 * minute })
    // it is reported again to an engine that lost it, but not with every ping
    expect(ping(beat, 'ok', start + 3 * minute, { around: { isActive: true, verdict: null } }).report).not.toBeNull()
    expect(
      ping(beat, 'ok', start + 3 * minute + 5_000, { around: { isActive: true, verdict: null } }).report,
    ).toBeNull()
  })

  test('the wake-up is moved only to an earlier time', () => {
    const beat = armed()
    ping(beat, 'ok', start + 10 * minute)
    expect(beat.wakeAt).toBe(start + 65 * minute)
    expect(wake(beat, hourly, start + 65 * minute, on)).toBeNull()
    expect(beat.wakeAt).toBe(start + 75 * minute)
    ping(beat, 'ok', start + 66 * minute, { by: rules({ period_minutes: 1, grace_minutes: 1 }) })
    expect(beat.wakeAt).toBe(start + 68 * minute)
  })

  test('fail is down at once, until the next good ping', () => {
    const beat = armed()
    expect(ping(beat, 'fail', start + minute, { exitCode: 2 }).report).toMatchObject({
      at: start + minute,
      judgement: { status: 'down', code: 'failed' },
    })
    expect(beat).toMatchObject({ outcome: 'down', alertAfter: null })
    expect(ping(beat, 'fail', start + 2 * minute, { around: { isActive: true, verdict: 'down' } }).report).toBeNull()
    expect(ping(beat, 'start', start + 3 * minute, { around: { isActive: true, verdict: 'down' } }).report).toBeNull()
    expect(ping(beat, 'log', start + 3 * minute, { around: { isActive: true, verdict: 'down' } }).report).toBeNull()
    expect(beat.alertAfter).toBeNull()
    expect(ping(beat, 'complete', start + 4 * minute, { around: { isActive: true, verdict: 'down' } })).toMatchObject({
      durationMs: minute,
      report: { judgement: { status: 'up' } },
    })
    expect(beat.alertAfter).toBe(start + 69 * minute)
  })

  test('a change is reported although the engine has not decided the last report yet', () => {
    const beat = armed()
    expect(ping(beat, 'fail', start + 1).report).not.toBeNull()
    expect(ping(beat, 'ok', start + 2).report).toMatchObject({ judgement: { status: 'up' } })
  })

  test('log changes neither status nor clock', () => {
    const beat = armed()
    expect(ping(beat, 'log', start + 30 * minute)).toEqual({ durationMs: null, report: null })
    expect(beat).toEqual(armed())
  })

  test('start restarts the clock, and complete or fail with the same id measures the run', () => {
    const beat = armed()
    expect(ping(beat, 'start', start + minute).report).toBeNull()
    expect(beat.alertAfter).toBe(start + 66 * minute)
    ping(beat, 'start', start + 2 * minute, { runId: 'a' })
    ping(beat, 'start', start + 3 * minute, { runId: 'b' })
    expect(ping(beat, 'complete', start + 5 * minute, { runId: 'a' }).durationMs).toBe(3 * minute)
    expect(ping(beat, 'fail', start + 5 * minute, { runId: 'b' }).durationMs).toBe(2 * minute)
    expect(ping(beat, 'complete', start + 6 * minute).durationMs).toBe(5 * minute)
    expect(ping(beat, 'complete', start + 7 * minute).durationMs).toBeNull()
    expect(ping(beat, 'complete', start + 7 * minute, { runId: 'unknown' }).durationMs).toBeNull()
    expect(beat.runs).toEqual({})
  })

  test('runs that never end are forgotten, the oldest first', () => {
    const beat = armed()
    for (let run = 0; run < 50; run++) ping(beat, 'start', start + run, { runId: `r${run}` })
    expect(Object.keys(beat.runs)).toHaveLength(20)
    expect(beat.runs.r49).toBe(start + 49)
    expect(beat.runs.r29).toBeUndefined()
  })

  test('a run that takes too long is down until it ends', () => {
    const by = rules({ max_run_minutes: 30 })
    const beat = armed({ armedBy: by.key })
    ping(beat, 'start', start, { by })
    expect(beat.alertAfter).toBe(start + 30 * minute)
    expect(wake(beat, by, start + 30 * minute, on)).toMatchObject({
      at: start + 30 * minute,
      judgement: { code: 'overrun', reason: 'A run has taken longer than 30 minutes.' },
    })
    expect(
      ping(beat, 'complete', start + 40 * minute, { by, around: { isActive: true, verdict: 'down' } }),
    ).toMatchObject({
      durationMs: 40 * minute,
      report: { judgement: { status: 'up' } },
    })
  })
})

describe('a pause', () => {
  const off: BeatContext = { isActive: false, verdict: 'up' }
  test('reports nothing, and stops the clock until the check is resumed', () => {
    const beat = armed()
    expect(ping(beat, 'fail', start + minute, { around: off }).report).toBeNull()
    expect(wake(armed(), hourly, start + 2 * hour, off)).toBeNull()
    const resting = armed()
    wake(resting, hourly, start + 2 * hour, off)
    expect(resting).toMatchObject({ alertAfter: null, wakeAt: null })
    // on again: one whole round from now
    expect(wake(resting, hourly, start + 9 * hour, { isActive: true, verdict: null })).toBeNull()
    expect(resting).toMatchObject({ expectedAt: start + 10 * hour, alertAfter: start + 10 * hour + 5 * minute })
  })

  test('during a failure ends with a new first ping', () => {
    const beat = armed({ outcome: 'down', expectedAt: null, alertAfter: null, wakeAt: null })
    expect(wake(beat, hourly, start + hour, { isActive: true, verdict: null })).toBeNull()
    expect(beat).toMatchObject({ outcome: null, expectedAt: start + 2 * hour })
  })
})

test('another schedule counts from now, whatever the former one expected', () => {
  const beat = armed()
  const by = rules({ period_minutes: 5 })
  expect(wake(beat, by, start + 3 * hour, on)).toBeNull()
  expect(beat).toMatchObject({ expectedAt: start + 3 * hour + 5 * minute, alertAfter: start + 3 * hour + 10 * minute })
})

describe('an ingestion gap', () => {
  test.each([
    ['before it was due', -30, -1, true],
    ['up to the moment it was due', -30, 0, false],
    ['within the grace', 1, 2, false],
    ['from the last moment of the grace', 5, 30, false],
    ['after it', 6, 30, true],
  ])('%s: reported %s', (_, from, to, isReported) => {
    const due = start + hour
    const beat = armed()
    const report = wake(beat, hourly, start + 3 * hour, on, [{ from: due + from * minute, to: due + to * minute }])
    expect(report !== null).toBe(isReported)
  })

  test('excuses the pings expected within it, and keeps the phase of the period', () => {
    const beat = armed()
    const gap = { from: start + 50 * minute, to: start + 150 * minute }
    expect(wake(beat, hourly, start + 150 * minute, on, [gap])).toBeNull()
    expect(beat).toMatchObject({
      outcome: 'up',
      expectedAt: start + 3 * hour,
      alertAfter: start + 3 * hour + 5 * minute,
    })
    expect(wake(beat, hourly, start + 3 * hour + 5 * minute, on, [gap])).toMatchObject({
      judgement: { code: 'missed' },
    })
  })

  test('excuses a run that may have ended in it', () => {
    const by = rules({ max_run_minutes: 30 })
    const beat = armed({ armedBy: by.key })
    ping(beat, 'start', start, { by })
    expect(wake(beat, by, start + 40 * minute, on, [{ from: start + 10 * minute, to: start + 12 * minute }])).toBeNull()
  })
})

test('the next three expected pings', () => {
  const by = rules({ schedule_kind: 'cron', schedule: '0 9 * * MON-FRI', timezone: 'Europe/London' })
  const friday = Date.parse('2026-03-27T10:00:00Z')
  expect(expectedPings({ expectedAt: null }, by, friday, 3).map(at => new Date(at).toISOString())).toEqual([
    '2026-03-30T08:00:00.000Z',
    '2026-03-31T08:00:00.000Z',
    '2026-04-01T08:00:00.000Z',
  ])
  expect(expectedPings({ expectedAt: start + 5 }, hourly, start, 3)).toEqual([
    start + 5,
    start + hour + 5,
    start + 2 * hour + 5,
  ])
})
