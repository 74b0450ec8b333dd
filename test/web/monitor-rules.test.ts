import { describe, expect, test } from 'vitest'
import { typedValue } from '../../web/monitors/check-settings.ts'
import { guess, mainCheck, offeredChecks } from '../../web/monitors/kinds.ts'
import { bandsOf, levelOf, pointsOf, uptimeOf } from '../../web/monitors/series.ts'

describe('what a typed address means', () => {
  test.each([
    ['https://www.example.com/shop', 'website', 'https://www.example.com/shop', 'example.com', null],
    ['example.com', 'website', 'example.com', 'example.com', null],
    [' example.com:8443/health ', 'website', 'example.com:8443/health', 'example.com', null],
    ['db.example.com:5432', 'host', 'db.example.com', 'db.example.com', 5432],
    ['host://example.com', 'host', 'example.com', 'example.com', null],
    ['93.184.216.34', 'host', '93.184.216.34', '93.184.216.34', null],
    ['2001:db8::1', 'host', '2001:db8::1', '2001:db8::1', null],
    ['http://[', 'website', 'http://[', '', null],
  ])('%s', (text, type, url, name, port) => expect(guess(text)).toEqual({ type, url, name, port }))

  test.each([
    ['https://example.com', ['uptime', 'ssl', 'domain_expiry']],
    ['http://example.com', ['uptime', 'domain_expiry']],
    ['https://93.184.216.34', ['uptime', 'ssl']],
    ['93.184.216.34', ['ping']],
    ['db.example.com:5432', ['ping', 'tcp']],
  ])('the usual checks of %s', (text, kinds) =>
    expect(
      offeredChecks(guess(text))
        .filter(({ isDefault }) => isDefault)
        .map(({ type }) => type),
    ).toEqual(kinds),
  )

  test('the check of the website stands for the uptime before those of its parts', () => {
    const checks = [
      { type: 'ssl', is_enabled: true },
      { type: 'uptime', is_enabled: true },
    ] as const
    expect(mainCheck(checks)?.type).toBe('uptime')
    expect(mainCheck([])).toBeUndefined()
  })
})

describe('a series of response times', () => {
  const at = (minute: number) => new Date(minute * 60_000).toISOString()
  const point = (minute: number, ms: number) => ({
    at: at(minute),
    total_checks: 1,
    succeeded: 1,
    warnings: 0,
    failed: 0,
    avg_response_ms: ms,
    min_response_ms: ms,
    max_response_ms: ms,
  })

  test('is interrupted where runs are missing, and not between runs of a long interval', () => {
    const series = [point(0, 10), point(5, 20)]
    expect(pointsOf(series, 'avg_response_ms', { bucket: 'minute', intervalS: 300 })).toEqual([
      { at: 0, value: 10 },
      { at: 300_000, value: 20 },
    ])
    expect(pointsOf(series, 'avg_response_ms', { bucket: 'minute', intervalS: 60 })).toEqual([
      { at: 0, value: 10 },
      { at: 299_999, value: null },
      { at: 300_000, value: 20 },
    ])
  })

  test('an incident is a band within the time range, an open one until its end', () => {
    const incidents = [
      { started_at: at(0), resolved_at: at(20) },
      { started_at: at(25), resolved_at: null },
      { started_at: at(1), resolved_at: at(9) },
    ]
    expect(bandsOf(incidents, { from: 600_000, to: 1_800_000 })).toEqual([
      { from: 600_000, to: 1_200_000 },
      { from: 1_500_000, to: 1_800_000 },
    ])
  })

  test('a day shows the worst that was judged on it, and its uptime by the formula of the API', () => {
    const none = { up_s: 0, warning_s: 0, downtime_s: 0, maintenance_s: 0, paused_s: 0, no_data_s: 86_400 }
    expect([levelOf(none), uptimeOf(none)]).toEqual(['no_data', null])
    expect(levelOf({ ...none, paused_s: 5 })).toBe('paused')
    const bad = { ...none, up_s: 80, warning_s: 10, downtime_s: 10, maintenance_s: 3 }
    expect([levelOf(bad), uptimeOf(bad)]).toEqual(['down', 90])
  })
})

test('what is typed into the setting of a check is sent in its shape, and what has none as it is', () => {
  expect(typedValue('number', ' 500 ')).toBe(500)
  expect(typedValue('number', 'soon')).toBe('soon')
  expect(typedValue('optional number', '')).toBeNull()
  expect(typedValue('optional numbers', '30, 14,x')).toEqual([30, 14, 'x'])
  expect(typedValue('optional numbers', ' ')).toBeNull()
  expect(typedValue('texts', '200-299, 301')).toEqual(['200-299', '301'])
  expect(typedValue('optional text', '')).toBeNull()
})
