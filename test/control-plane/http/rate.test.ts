import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { rateKeyOfIp, SlidingWindow } from '#control-plane/http/rate.ts'

describe('the sliding window', () => {
  test('accepts exactly the limit, and reports the rest and the time to wait', () => {
    const window = new SlidingWindow()
    for (let i = 0; i < 5; i++)
      expect(window.count('a', 5, 1_000 + i)).toMatchObject({ isRefused: false, remaining: 4 - i })
    expect(window.count('a', 5, 1_500)).toEqual({ limit: 5, remaining: 0, retryAfterS: 60, isRefused: true })
    expect(window.count('b', 5, 1_500)).toMatchObject({ isRefused: false })
  })

  test('accepts a caller who waited as long as reported', () => {
    const window = new SlidingWindow()
    for (let i = 0; i < 10; i++) window.count('a', 10, i * 100)
    const refused = window.count('a', 10, 5_000)
    expect(window.count('a', 10, 5_000 + refused.retryAfterS * 1_000).isRefused).toBe(false)
  })

  test('in no sixty seconds are more than the limit accepted, and at ten times the load at least 98 % of it is served', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 200, maxLength: 900 }),
        (limit, gaps) => {
          const window = new SlidingWindow()
          const accepted: number[] = []
          let at = 0
          for (const gap of gaps) {
            at += gap
            const counted = window.count('k', limit, at)
            const inWindow = accepted.filter(time => time > at - 60_000).length
            expect(counted.isRefused).toBe(inWindow >= limit)
            expect(window.isSpent('k', limit, at)).toBe(inWindow + (counted.isRefused ? 0 : 1) >= limit)
            if (!counted.isRefused) {
              accepted.push(at)
              expect(counted.remaining).toBe(limit - inWindow - 1)
            }
          }
        },
      ),
      { numRuns: 60 },
    )

    const window = new SlidingWindow()
    let served = 0
    for (let at = 0; at < 300_000; at += 50) if (!window.count('k', 120, at).isRefused) served++
    expect(served).toBeGreaterThanOrEqual(Math.floor(120 * 5 * 0.98))
    expect(served).toBeLessThanOrEqual(120 * 5 + 1)
  })

  test('reports an uncounted key as unspent, and does not store it', () => {
    const window = new SlidingWindow()
    expect(window.isSpent('a', 1, 0)).toBe(false)
    expect(window.size).toBe(0)
  })

  test('does not exceed its bound in a flood of new keys', () => {
    const window = new SlidingWindow(1_000)
    for (let i = 0; i < 10_000; i++) window.count(`k${i}`, 5, i)
    expect(window.size).toBeLessThanOrEqual(1_000)
  })
})

test('an IPv6 caller is counted by the /64, an IPv4 one by its address', () => {
  expect(rateKeyOfIp('2001:db8:1:2:3:4:5:6')).toBe(rateKeyOfIp('2001:db8:1:2::9'))
  expect(rateKeyOfIp('2001:db8:1:2::9')).not.toBe(rateKeyOfIp('2001:db8:1:3::9'))
  expect(rateKeyOfIp('::ffff:192.0.2.1')).toBe('192.0.2.1')
})
