import { beforeEach, describe, expect, test } from 'vitest'
import { type MissedReason, missedReasons } from '#contract/agent.ts'
import { MissingResults } from '#control-plane/engine/agents/missing-results.ts'

let now = 0
let logged: [level: string, fields: object, text: string][] = []
let missed: Map<string, Record<MissedReason, number>>
let missing: MissingResults

beforeEach(() => {
  now = 1_000_000
  logged = []
  missed = new Map(
    ['eu', 'us'].map(region => [
      region,
      Object.fromEntries(missedReasons.map(reason => [reason, 7])) as Record<MissedReason, number>,
    ]),
  )
  const at = (level: string) => (fields: object, text?: string) => void logged.push([level, fields, text ?? ''])
  const log = { info: at('info'), warn: at('warn'), error: at('error') } as ConstructorParameters<
    typeof MissingResults
  >[0]['log']
  missing = new MissingResults({ log, nowMs: () => now, missed: () => missed })
})

/** Sweeps of five seconds. */
function sweeps(count: number, silent: Record<string, number>, reason?: MissedReason) {
  for (let n = 0; n < count; n++) {
    now += 5_000
    if (reason) for (const region of Object.keys(silent)) missed.get(region)![reason]++
    missing.note(new Map(Object.entries(silent)))
  }
}

describe('missing results of a region that reports', () => {
  test('are reported once for each region and cause, however many checks they are of', () => {
    sweeps(3, {})
    sweeps(100, { eu: 3_000 }, 'capacity')
    sweeps(50, { eu: 3_000, us: 2 }, 'capacity')
    sweeps(50, { eu: 2_000 }, 'stalled')
    const alarm = { alarm: 'agent' }
    expect(logged.filter(([level]) => level === 'error')).toEqual([
      ['error', { region: 'eu', cause: 'capacity', checks: 3_000, ...alarm }, 'region results missing'],
      ['error', { region: 'us', cause: 'capacity', checks: 2, ...alarm }, 'region results missing'],
      ['error', { region: 'eu', cause: 'stalled', checks: 2_000, ...alarm }, 'region results missing'],
    ])
  })

  test('that the agent did not count have the cause unreported', () => {
    sweeps(2, { ap: 5 })
    expect(logged).toEqual([
      ['error', { region: 'ap', cause: 'unreported', checks: 5, alarm: 'agent' }, 'region results missing'],
    ])
  })

  test('raise no alarm when a host of a customer hangs', () => {
    sweeps(1, {})
    sweeps(5, { eu: 100 }, 'host_limit')
    expect(logged).toEqual([['warn', { region: 'eu', cause: 'host_limit', checks: 100 }, 'region results missing']])
  })

  test('that come and go are reported once, and again after a complete minute', () => {
    sweeps(1, {})
    for (let turn = 0; turn < 10; turn++) {
      sweeps(1, { eu: 1 }, 'capacity')
      sweeps(10, {})
    }
    expect(logged).toHaveLength(1)
    sweeps(12, {})
    expect(logged.at(-1)).toEqual(['info', { region: 'eu' }, 'region results complete'])
    sweeps(30, {})
    sweeps(1, { eu: 1 }, 'capacity')
    expect(logged.map(([level]) => level)).toEqual(['error', 'info', 'error'])
  })
})
