import { expect, test } from 'vitest'
import { instantOf, lastHandoff } from '../../web/on-call/local.ts'

const hourMs = 3_600_000
const weekMs = 7 * 24 * hourMs

test('a new rotation begins at the last Monday at nine, at every hour of a year and in every sort of zone', () => {
  const zones = ['UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu', 'Asia/Tehran']
  const from = Date.UTC(2026, 0, 1)
  for (const zone of zones)
    for (let now = from; now < from + 53 * weekMs; now += 23 * hourMs) {
      const first = lastHandoff(now, zone)
      const at = instantOf(first, zone)
      expect(at, `${first} in ${zone}, at ${new Date(now).toISOString()}`).toBeLessThanOrEqual(now)
      // a week in which the clocks go back has an hour more
      expect(now - at, `${first} in ${zone}, at ${new Date(now).toISOString()}`).toBeLessThan(weekMs + hourMs)
      expect(first).toMatch(/T09:00$/)
      expect(new Date(`${first}Z`).getUTCDay()).toBe(1)
    }
})

test('a new rotation begins a week earlier in the first hours of a Monday', () => {
  expect(lastHandoff(Date.UTC(2026, 10, 30, 0, 18), 'UTC')).toBe('2026-11-23T09:00')
  expect(lastHandoff(Date.UTC(2026, 10, 30, 9), 'UTC')).toBe('2026-11-30T09:00')
  expect(lastHandoff(Date.UTC(2026, 10, 30, 9), 'America/New_York')).toBe('2026-11-23T09:00')
})
