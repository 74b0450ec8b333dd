import { describe, expect, test } from 'vitest'
import { monthAt, monthNamed } from '#control-plane/identity/digest/month.ts'
import { type Frequency, morningBefore, nextMorning } from '#control-plane/identity/digest/morning.ts'

describe('seven in the morning', () => {
  test.each<[frequency: Frequency, timeZone: string, after: string, next: string, before: string]>([
    ['daily', 'UTC', '2026-01-15T06:59:59.999Z', '2026-01-15T07:00:00.000Z', '2026-01-14T07:00:00.000Z'],
    ['daily', 'UTC', '2026-01-15T07:00:00.000Z', '2026-01-16T07:00:00.000Z', '2026-01-15T07:00:00.000Z'],
    ['daily', 'Europe/Berlin', '2026-01-15T06:30:00Z', '2026-01-16T06:00:00.000Z', '2026-01-15T06:00:00.000Z'],
    // the night in which summer time begins, and the one in which it ends
    ['daily', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T05:00:00.000Z', '2026-03-28T06:00:00.000Z'],
    ['daily', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T06:00:00.000Z', '2026-10-24T05:00:00.000Z'],
    ['daily', 'Asia/Kathmandu', '2026-01-15T02:00:00Z', '2026-01-16T01:15:00.000Z', '2026-01-15T01:15:00.000Z'],
    ['daily', 'Pacific/Kiritimati', '2026-01-15T18:00:00Z', '2026-01-16T17:00:00.000Z', '2026-01-15T17:00:00.000Z'],
    ['daily', 'Pacific/Pago_Pago', '2026-01-15T17:00:00Z', '2026-01-15T18:00:00.000Z', '2026-01-14T18:00:00.000Z'],
    // the fifteenth of January 2026 is a Thursday
    ['weekly', 'UTC', '2026-01-15T12:00:00Z', '2026-01-19T07:00:00.000Z', '2026-01-12T07:00:00.000Z'],
    ['weekly', 'UTC', '2026-01-19T07:00:00Z', '2026-01-26T07:00:00.000Z', '2026-01-19T07:00:00.000Z'],
    ['weekly', 'Europe/Berlin', '2026-03-25T12:00:00Z', '2026-03-30T05:00:00.000Z', '2026-03-23T06:00:00.000Z'],
    ['weekly', 'Pacific/Auckland', '2026-01-18T17:59:00Z', '2026-01-18T18:00:00.000Z', '2026-01-11T18:00:00.000Z'],
  ])('%s in %s after %s', (frequency, timeZone, after, next, before) => {
    const found = nextMorning(new Date(after), timeZone, frequency)
    expect(found.toISOString()).toBe(next)
    expect(morningBefore(found, timeZone, frequency).toISOString()).toBe(before)
  })
})

describe('the first of a month', () => {
  test.each<[timeZone: string, after: string, next: string]>([
    ['UTC', '2026-01-01T06:59:59.999Z', '2026-01-01T07:00:00.000Z'],
    ['UTC', '2026-01-01T07:00:00.000Z', '2026-02-01T07:00:00.000Z'],
    ['UTC', '2024-02-01T12:00:00Z', '2024-03-01T07:00:00.000Z'],
    ['UTC', '2025-12-24T12:00:00Z', '2026-01-01T07:00:00.000Z'],
    ['Europe/Berlin', '2026-03-01T06:00:00Z', '2026-04-01T05:00:00.000Z'],
    ['Pacific/Kiritimati', '2026-01-30T00:00:00Z', '2026-01-31T17:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-02-01T17:00:00Z', '2026-02-01T18:00:00.000Z'],
  ])('in %s after %s', (timeZone, after, next) =>
    expect(nextMorning(new Date(after), timeZone, 'monthly').toISOString()).toBe(next),
  )

  test.each<[timeZone: string, at: string, month: string, from: string, to: string]>([
    ['UTC', '2026-01-31T23:59:59.999Z', '2026-01', '2026-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z'],
    ['UTC', '2026-02-01T00:00:00.000Z', '2026-02', '2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'],
    ['Europe/Berlin', '2026-01-31T23:00:00Z', '2026-02', '2026-01-31T23:00:00.000Z', '2026-02-28T23:00:00.000Z'],
    ['Europe/Berlin', '2026-03-15T12:00:00Z', '2026-03', '2026-02-28T23:00:00.000Z', '2026-03-31T22:00:00.000Z'],
    ['Pacific/Kiritimati', '2025-12-31T10:00:00Z', '2026-01', '2025-12-31T10:00:00.000Z', '2026-01-31T10:00:00.000Z'],
    ['Pacific/Pago_Pago', '2026-01-01T10:59:59Z', '2025-12', '2025-12-01T11:00:00.000Z', '2026-01-01T11:00:00.000Z'],
  ])('begins in %s, where at %s it is %s', (timezone, at, month, from, to) => {
    const found = monthAt(new Date(at), timezone)
    expect([found.month, found.from.toISOString(), found.to.toISOString()]).toEqual([month, from, to])
    expect(monthNamed(month, timezone)).toEqual(found)
    expect(monthAt(new Date(at), timezone, -1).to).toEqual(found.from)
    expect(monthNamed(month, timezone, 12).month).toBe(month.replace(/^\d+/, year => String(Number(year) + 1)))
  })
})
