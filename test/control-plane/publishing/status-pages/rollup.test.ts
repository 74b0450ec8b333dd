import { describe, expect, test } from 'vitest'
import { type ComponentStatus, componentStatuses, downStatuses } from '#control-plane/db/model/status-page-values.ts'
import { overallSentence, rollUp, statusOfMonitor, worstOf } from '#control-plane/publishing/status-pages/rollup.ts'
import { languages } from '#locales/languages.ts'

describe('a component of one monitor', () => {
  test.each([
    ['up', 'operational'],
    ['degraded', 'degraded_performance'],
    ['maintenance', 'maintenance'],
    ['unknown', 'no_data'],
    ['disabled', 'no_data'],
    ['on_hold', 'no_data'],
    ['team_paused', 'no_data'],
    ['deleted', 'no_data'],
  ] as const)('whose state is %s is %s, whatever it is when down', (state, expected) => {
    for (const whenDown of downStatuses) expect(statusOfMonitor(state, whenDown)).toBe(expected)
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
  for (const locale of languages)
    expect(new Set(componentStatuses.map(status => overallSentence(status, locale, { count: 0, total: 2 }))).size).toBe(
      componentStatuses.length,
    )
})

test('the sentence above a page says of how many components nothing is known, and never that all are operational', () => {
  const said = (count: number) => overallSentence('operational', 'en', { count, total: 3 })
  expect([0, 1, 2].map(said)).toEqual([
    'All systems operational',
    '1 of 3 components is not monitored',
    '2 of 3 components are not monitored',
  ])
  expect(overallSentence('operational', 'de', { count: 1, total: 2 })).toBe('1 von 2 Komponenten wird nicht überwacht')
  expect(overallSentence('partial_outage', 'en', { count: 1, total: 3 })).toBe('Partial outage')
})
