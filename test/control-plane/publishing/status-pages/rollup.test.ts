import { describe, expect, test } from 'vitest'
import { overallSentence, rollUp, statusOfMonitor, worstOf } from '#control-plane/publishing/status-pages/rollup.ts'
import {
  type ComponentStatus,
  componentStatuses,
  downStatuses,
  locales,
} from '#control-plane/publishing/status-pages/values.ts'

describe('a component of one monitor', () => {
  test.each([
    ['up', 'operational'],
    ['warning', 'degraded_performance'],
    ['maintenance', 'maintenance'],
    ['paused', 'no_data'],
    [null, 'no_data'],
    ['of a later version', 'no_data'],
  ] as const)('whose status is %s is %s, whatever it is when down', (status, expected) => {
    for (const whenDown of downStatuses) expect(statusOfMonitor(status, whenDown)).toBe(expected)
  })

  test.each(downStatuses)('that is down is %s where its setting says so', whenDown => {
    expect(statusOfMonitor('down', whenDown)).toBe(whenDown)
  })
})

describe('the worst of several statuses', () => {
  test.each<[ComponentStatus[], ComponentStatus]>([
    [[], 'no_data'],
    [['no_data', 'operational'], 'operational'],
    [['operational', 'maintenance'], 'maintenance'],
    [['maintenance', 'degraded_performance'], 'degraded_performance'],
    [['partial_outage', 'degraded_performance'], 'partial_outage'],
    [['partial_outage', 'major_outage', 'operational'], 'major_outage'],
  ])('of %j is %s', (statuses, expected) => {
    expect(worstOf(statuses)).toBe(expected)
    expect(worstOf(statuses.toReversed())).toBe(expected)
  })
})

describe('a roll-up of parts', () => {
  test.each<[ComponentStatus[], ComponentStatus]>([
    [[], 'no_data'],
    [['no_data', 'no_data'], 'no_data'],
    [['operational', 'no_data'], 'operational'],
    [['operational', 'maintenance'], 'maintenance'],
    [['operational', 'degraded_performance', 'maintenance'], 'degraded_performance'],
    [['major_outage'], 'major_outage'],
    [['major_outage', 'major_outage', 'no_data'], 'major_outage'],
    [['major_outage', 'operational'], 'partial_outage'],
    [['major_outage', 'maintenance'], 'partial_outage'],
    [['major_outage', 'partial_outage'], 'partial_outage'],
    [['partial_outage'], 'partial_outage'],
    [['partial_outage', 'partial_outage'], 'partial_outage'],
  ])('of %j is %s', (parts, expected) => {
    expect(rollUp(parts)).toBe(expected)
    expect(rollUp(parts.toReversed())).toBe(expected)
  })

  test('of parts that all have one status is that status', () => {
    for (const status of componentStatuses) expect(rollUp([status, status, status])).toBe(status)
  })
})

test('every status has a sentence of its own in each language', () => {
  for (const locale of locales)
    expect(new Set(componentStatuses.map(status => overallSentence(status, locale))).size).toBe(
      componentStatuses.length,
    )
})
