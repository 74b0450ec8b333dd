import { expect, test } from 'vitest'
import type { Outcome, Severity } from '#contract/check.ts'
import { CheckState, type Coverage } from '#control-plane/engine/verdicts/core.ts'
import { monitorStateOf } from '#control-plane/engine/verdicts/monitor-status.ts'

function check(verdict: Outcome | null, severity: Severity | null = 'critical', coverage: Coverage = 'full') {
  const state = new CheckState(['eu'], 0)
  Object.assign(state, { verdict, coverage, reason: verdict === 'up' ? null : `${severity} ${verdict}` })
  return { state, severity }
}

test('only a check that matters takes its monitor down', () => {
  expect(monitorStateOf([])).toEqual({ status: null, reason: null, coverage: 'none' })
  expect(monitorStateOf([check(null)]).status).toBeNull()
  expect(monitorStateOf([check('up'), check(null)]).status).toBe('up')
  expect(monitorStateOf([check('up'), check('warning')]).status).toBe('warning')
  expect(monitorStateOf([check('down', 'critical'), check('up')]).status).toBe('down')
  expect(monitorStateOf([check('down', 'major')]).status).toBe('down')
  expect(monitorStateOf([check('up'), check('down', 'minor')])).toMatchObject({
    status: 'warning',
    reason: 'minor down',
  })
  expect(monitorStateOf([check('up'), check('down', null)]).status).toBe('warning')
  expect(monitorStateOf([check('down', 'minor'), check('down', 'critical')])).toMatchObject({
    status: 'down',
    reason: 'critical down',
  })
})

test('coverage is that of all checks with a verdict if they agree, else partial', () => {
  expect(monitorStateOf([check('up'), check('up')]).coverage).toBe('full')
  expect(monitorStateOf([check('up'), check('up', 'major', 'none')]).coverage).toBe('partial')
  expect(monitorStateOf([check('up', 'major', 'none')]).coverage).toBe('none')
  expect(monitorStateOf([check('up'), check(null, 'major', 'none')]).coverage).toBe('full')
})
