import { describe, expect, test } from 'vitest'
import { limits } from '#contract/agent.ts'
import { Region } from '#control-plane/engine/agents/region.ts'
import type { WorkStream } from '#control-plane/engine/agents/work-stream.ts'
import { health } from './raw-agent.ts'

const start = 1_000_000
const stream = () =>
  ({
    isClosed: false,
    isSynced: true,
    agent: 'a',
    closed: new Promise(() => undefined),
    send: () => undefined,
    end: () => undefined,
  }) as unknown as WorkStream

function taken(): Region {
  const region = new Region('eu-west', { agent: null, generation: 0, revision: 1 })
  region.take({ agent: 'a', session: 's', generation: 1, stream: stream() }, start)
  region.receive(health({ revision: 1 }), 's', start)
  return region
}

describe('a region', () => {
  test('is ineligible before the first message of its agent', () => {
    const region = new Region('eu-west', { agent: 'a', generation: 3, revision: 1 })
    expect(region.whyIneligible(start)).toBe('never_seen')
  })

  test('is eligible until its agent has been silent for fifteen seconds', () => {
    const region = taken()
    expect(region.whyIneligible(start + limits.leaseMs)).toBeNull()
    expect(region.whyIneligible(start + limits.leaseMs + 1)).toBe('silent')
  })

  test.each([
    [{ anchors: 'failed' as const }, 'self_test_failed'],
    [{ resolver: 'failed' as const }, 'self_test_failed'],
    [{ clock_drift_ms: 5_001 }, 'clock_off'],
    [{ clock_drift_ms: -5_001 }, 'clock_off'],
    [{ clock_skew_ms: 3_600_000 }, null],
    [{ lag_ms: 2_001 }, 'overloaded'],
    [{ lag_ms: 900 }, null],
  ])('with a health of %j: %s', (changes, expected) => {
    const region = taken()
    region.receive(health({ revision: 1, ...changes }), 's', start)
    expect(region.whyIneligible(start)).toBe(expected)
  })

  test('becomes ineligible when it does not confirm a change of its list, and eligible when it does', () => {
    const region = taken()
    region.sendChange(() => [], start)
    region.receive(health({ revision: 1 }), 's', start + 11_000)
    expect(region.whyIneligible(start + 11_000)).toBeNull()
    expect(region.whyIneligible(start + 13_000)).toBe('revision_behind')
    region.receive(health({ revision: 2 }), 's', start + 13_000)
    expect(region.whyIneligible(start + 13_000)).toBeNull()
  })

  test('with repeated changes stays eligible while its agent confirms them', () => {
    const region = taken()
    for (let second = 1; second <= 60; second++) {
      const now = start + second * 1_000
      region.sendChange(() => [], now)
      if (second % 5 === 0) region.receive(health({ revision: region.revision - 1 }), 's', now)
      expect(region.whyIneligible(now)).toBeNull()
    }
  })

  test('forgets the health that a revoked agent reported', () => {
    const region = taken()
    region.drop()
    expect(region.whyIneligible(start)).toBe('never_seen')
    expect(region.isHolder('a', 1)).toBe(false)
  })
})
