import { describe, expect, test } from 'vitest'
import { decodeCursor, encodeCursor, offsetParts, offsetQuery } from '#control-plane/http/page.ts'

describe('cursors', () => {
  test('are decoded as they were encoded', () => {
    const cursor = encodeCursor('started_at:desc', '2026-11-21T00:00:00.000000Z', 'abc', 'next')
    expect(decodeCursor(cursor, 'started_at:desc')).toEqual({
      key: '2026-11-21T00:00:00.000000Z',
      id: 'abc',
      direction: 'next',
    })
  })

  test('of another order, or with any bit flipped, are refused and never crash', () => {
    const cursor = encodeCursor('started_at:desc', 'k', 'abc', 'next')
    expect(() => decodeCursor(cursor, 'severity:desc')).toThrow('invalid')
    for (let i = 0; i < 1_000; i++) {
      const bytes = Buffer.from(cursor)
      bytes[i % bytes.length]! ^= 1 << (i % 8)
      try {
        decodeCursor(bytes.toString('latin1'), 'started_at:desc')
      } catch (error) {
        expect(error).toMatchObject({ status: 422 })
      }
    }
    for (const bad of ['', '{}', 'e30', 'x'.repeat(1_000), Buffer.from('{"s":1}').toString('base64url')])
      expect(() => decodeCursor(bad, 'a')).toThrow('invalid')
  })
})

test('page and per_page accept only whole numbers within their limits', () => {
  const query = offsetQuery(100)
  for (const bad of ['0', '-1', '101', '1e2', '50; drop', 'NaN', '', '1.5', '1000000000000'])
    expect(query.safeParse({ per_page: bad }).success, bad).toBe(false)
  for (const good of ['1', '100']) expect(query.safeParse({ per_page: good }).success).toBe(true)
  expect(query.parse({})).toEqual({ page: 1, per_page: 15 })
})

test('links keep the other parameters', () => {
  const { links, meta } = offsetParts({ page: 2, per_page: 10 }, 35, 'http://x/api/v1/monitors?status=up&page=2')
  expect(links).toEqual({
    first: 'http://x/api/v1/monitors?status=up&page=1',
    last: 'http://x/api/v1/monitors?status=up&page=4',
    prev: 'http://x/api/v1/monitors?status=up&page=1',
    next: 'http://x/api/v1/monitors?status=up&page=3',
  })
  expect(meta).toEqual({ current_page: 2, last_page: 4, per_page: 10, total: 35 })
})
