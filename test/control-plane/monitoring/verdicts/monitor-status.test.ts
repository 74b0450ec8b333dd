import { expect, test } from 'vitest'
import type { Outcome, Severity } from '#contract/check.ts'
import { CheckState, type Coverage } from '#control-plane/monitoring/verdicts/core.ts'
import { monitorStanding } from '#control-plane/monitoring/verdicts/monitor-status.ts'

function check(verdict: Outcome | null, severity: Severity | null = 'critical', coverage: Coverage = 'full') {
  const state = new CheckState(['eu'], 0)
  Object.assign(state, { verdict, coverage, reason: verdict === 'up' ? null : `${severity} ${verdict}` })
  return { state, severity }
}

test('only a check that matters takes its monitor down', () => {
  expect(monitorStanding([])).toEqual({ status: null, reason: null, coverage: 'none' })
  expect(monitorStanding([check(null)]).status).toBeNull()
  expect(monitorStanding([check('up'), check(null)]).status).toBe('up')
  expect(monitorStanding([check('up'), check('warning')]).status).toBe('warning')
  expect(monitorStanding([check('down', 'critical'), check('up')]).status).toBe('down')
  expect(monitorStanding([check('down', 'major')]).status).toBe('down')
  expect(monitorStanding([check('up'), check('down', 'minor')])).toMatchObject({ status: 'warning', reason: 'minor down' })
  expect(monitorStanding([check('up'), check('down', null)]).status).toBe('warning')
  expect(monitorStanding([check('down', 'minor'), check('down', 'critical')])).toMatchObject({ status: 'down', reason: 'critical down' })
})

test('coverage is what all checks that were looked at have, else partial', () => {
  expect(monitorStanding([check('up'), check('up')]).coverage).toBe('full')
  expect(monitorStanding([check('up'), check('up', 'major', 'none')]).coverage).toBe('partial')
  expect(monitorStanding([check('up', 'major', 'none')]).coverage).toBe('none')
  expect(monitorStanding([check('up'), check(null, 'major', 'none')]).coverage).toBe('full')
})
