import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Assembler, assignmentFor, offsetMs } from '#control-plane/engine/assignments/assigned.ts'
import { encryptSettings } from '#control-plane/engine/assignments/check-secrets.ts'
import type { CheckRow } from '#control-plane/engine/assignments/rows.ts'

const row = (changes: Partial<CheckRow> = {}): CheckRow => ({
  id: randomUUID(),
  monitor_id: randomUUID(),
  tenant_id: randomUUID(),
  type: 'uptime',
  secrets: null,
  settings: '{}',
  interval: null,
  severity: 'critical',
  monitor_name: 'Site',
  url: 'https://example.test/',
  check_interval: 60,
  timeout: 10,
  regions: [],
  region_policy: { mode: 'majority', count: null },
  confirmations: 2,
  recovery_confirmations: 2,
  depends_on: [],
  plan: 'pro',
  feature_overrides: {},
  ...changes,
})
const regions = ['ap-south', 'eu-west', 'us-east']

describe('when a check is due', () => {
  test('lies within its interval, whatever the interval and the regions', () => {
    fc.assert(
      fc.property(
        fc.uuid(),
        fc.integer({ min: 1_000, max: 86_400_000 }),
        fc.integer({ min: 1, max: 50 }),
        (check, interval, count) => {
          for (let index = 0; index < count; index++) {
            const offset = offsetMs(check, interval, index, count)
            expect(Number.isInteger(offset) && offset >= 0 && offset < interval).toBe(true)
          }
        },
      ),
    )
  })

  test('is spread evenly over the interval, for ids of any making', () => {
    const sequential = (n: number) => `018f0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
    for (const idOf of [() => randomUUID(), sequential]) {
      const buckets = new Array<number>(60).fill(0)
      for (let n = 0; n < 60_000; n++) buckets[Math.floor(offsetMs(idOf(n), 60_000, 0, 1) / 1_000)]!++
      expect(Math.max(...buckets)).toBeLessThan(1_200)
      expect(Math.min(...buckets)).toBeGreaterThan(800)
    }
  })

  test('differs between the regions by equal parts of the interval', () => {
    const check = randomUUID()
    const offsets = [0, 1, 2].map(index => offsetMs(check, 30_000, index, 3)).sort((a, b) => a - b)
    expect([offsets[1]! - offsets[0]!, offsets[2]! - offsets[1]!]).toEqual([10_000, 10_000])
  })
})

const ring = { secretKey: 'a secret key for tests, long enough for every use' }

describe('what is assigned', () => {
  test('has its secrets, opened for this check alone', () => {
    const check = row()
    const closed = encryptSettings(ring, check.id, { auth: { type: 'bearer', token: 'hidden' } })
    const stored = { settings: JSON.stringify(closed.settings), secrets: closed.secrets }
    expect(JSON.stringify(stored)).not.toContain('hidden')
    expect(new Assembler(ring).assemble({ ...check, ...stored }, regions)?.settings.auth).toEqual({
      type: 'bearer',
      token: 'hidden',
    })
    expect(() => new Assembler(ring).assemble(row(stored), regions)).toThrow()
  })

  test('is clamped to what the plan allows, though more is stored', () => {
    const assembler = new Assembler(ring)
    expect(assembler.assemble(row({ check_interval: 5 }), regions)?.rules.intervalMs).toBe(30_000)
    expect(assembler.assemble(row({ check_interval: 5, plan: 'free' }), regions)?.rules.intervalMs).toBe(300_000)
    expect(
      assembler.assemble(row({ check_interval: 15, feature_overrides: { min_check_interval: 1 } }), regions)?.rules
        .intervalMs,
    ).toBe(15_000)
  })

  test('is given up before its next run is due, whatever timeout is stored', () => {
    const assembler = new Assembler(ring)
    const timeout = (changes: Partial<CheckRow>) => {
      const assigned = assembler.assemble(row({ feature_overrides: { min_check_interval: 1 }, ...changes }), regions)!
      return assignmentFor(assigned, 'eu-west', null).timeout_ms
    }
    expect(timeout({ check_interval: 5, settings: '{"timeout_ms":30000}' })).toBe(5_000)
    expect(timeout({ check_interval: 30, settings: '{"timeout_ms":30000}' })).toBe(30_000)
    expect(timeout({ check_interval: 31, settings: '{"timeout_ms":30000}' })).toBe(30_000)
    // of a check whose kind has no timeout of its own, and of one that lasts for long
    expect(timeout({ type: 'broken_links', timeout: 60, check_interval: 86_400 })).toBe(60_000)
    expect(timeout({ type: 'lighthouse', settings: '{"audit_seconds":180}', check_interval: 1 })).toBe(180_000)
  })

  test('goes to no more regions than the plan allows, and not always to the same', () => {
    const many = Array.from({ length: 8 }, (_, n) => `region-${n}`)
    const assembler = new Assembler(ring)
    const taken = Array.from({ length: 200 }, () => assembler.assemble(row({ plan: 'free' }), many)!.rules.regions)
    expect(taken.every(list => list.length === 3)).toBe(true)
    expect(new Set(taken.flat()).size).toBe(8)
  })

  test('keeps equal parts once', () => {
    const assembler = new Assembler(ring)
    const [a, b] = [assembler.assemble(row(), regions)!, assembler.assemble(row(), regions)!]
    expect(a.settings).toBe(b.settings)
    expect(a.rules.regions).toBe(b.rules.regions)
    expect(a.rules.policy).toBe(b.rules.policy)
  })
})
