import { describe, expect, test } from 'vitest'
import { compare, type OurStatus } from '#control-plane/importing/divergence.ts'
import type { TheirStatus } from '#importers/source.ts'

const dayAgo = new Date(Date.now() - 86_400_000).toISOString()
const ours = (fields: Partial<OurStatus> = {}): OurStatus => ({
  monitor_id: '00000000-0000-4000-8000-000000000001',
  status: 'up',
  status_reason: null,
  status_changed_at: dayAgo,
  check_interval: 60,
  failing_regions: [],
  is_in_maintenance: false,
  response_ms: null,
  degraded_after_ms: null,
  ...fields,
})
const found = (theirs: TheirStatus, our: Partial<OurStatus> = {}) => {
  const divergence = compare(theirs, ours(our), 3)
  return divergence && [divergence.kind, divergence.verdict]
}
const [up, down, paused] = [{ status: 'up' }, { status: 'down' }, { status: 'paused' }] as const

describe('two sides of a monitor', () => {
  test('agree where both say the same, or one says nothing yet', () => {
    expect(found(up)).toBeNull()
    expect(found(down, { status: 'down' })).toBeNull()
    expect(found(paused, { status: 'paused' })).toBeNull()
    expect(found({ status: 'unknown' }, { status: 'down' })).toBeNull()
    expect(found(down, { status: null })).toBeNull()
    // most providers have no warnings
    expect(found(up, { status: 'warning' })).toBeNull()
  })

  test('differ by what only one of them sees', () => {
    expect(found(down)).toEqual(['missed', 'unexplained'])
    expect(found(up, { status: 'down' })).toEqual(['extra', 'unexplained'])
    expect(found(paused)).toEqual(['state', 'unexplained'])
    expect(found(up, { status: 'paused' })).toEqual(['state', 'unexplained'])
  })

  test('differ in time only if one is much slower, and not by a few milliseconds', () => {
    const slow = { ...up, response_ms: 900 }
    expect(found(slow, { response_ms: 200 })).toEqual(['latency', 'region'])
    expect(found({ ...up, response_ms: 200 }, { response_ms: 900 })).toEqual(['latency', 'region'])
    expect(found(slow, { response_ms: 400 })).toBeNull()
    expect(found({ ...up, response_ms: 90 }, { response_ms: 5 })).toBeNull()
    expect(found(slow, { response_ms: null })).toBeNull()
  })

  test('are explained by maintenance, a region, a threshold or the interval', () => {
    expect(found(down, { is_in_maintenance: true })).toEqual(['missed', 'maintenance'])
    expect(found(down, { failing_regions: ['eu-west'] })).toEqual(['missed', 'region'])
    expect(found(down, { status: 'warning' })).toEqual(['missed', 'threshold'])
    const justNow = new Date(Date.now() - 30_000).toISOString()
    expect(found(up, { status: 'down', status_changed_at: justNow })).toEqual(['extra', 'interval'])
    const slow = { status: 'down', degraded_after_ms: 500, response_ms: 800 }
    expect(found(up, slow)).toEqual(['extra', 'threshold'])
  })
})
