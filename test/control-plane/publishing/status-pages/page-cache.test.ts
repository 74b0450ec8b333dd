import { pino } from 'pino'
import { expect, test } from 'vitest'
import { PageCache } from '#control-plane/publishing/status-pages/site/page-cache.ts'
import { aModel } from './render/sample.ts'

const log = pino({ level: 'silent' })

test('10,000 pages stay within the bytes that the cache may take', async () => {
  const cache = new PageCache({ read: async slug => ({ ...aModel(), slug }), log, maxBytes: 20_000_000 })
  for (let n = 0; n < 10_000; n += 100)
    await Promise.all(Array.from({ length: 100 }, (_, m) => cache.find(`page-${n + m}`)))
  expect(cache.size.bytes).toBeLessThanOrEqual(20_000_000)
  expect(cache.size.pages).toBeGreaterThan(50)
  expect(cache.size.pages).toBeLessThan(1_000)
}, 60_000)

test('a page is read once for all who ask at the same time, and again after a change, a minute or a failure', async () => {
  let [reads, nowMs, fails] = [0, 0, false]
  const read = async (slug: string) => {
    reads++
    if (fails) throw new Error('The stores are stopped.')
    return { ...aModel(), slug, name: `read ${reads}` }
  }
  const cache = new PageCache({ read, log, nowMs: () => nowMs })
  const nameNow = async () => (await cache.find('acme'))?.model.name
  expect(await Promise.all(Array.from({ length: 50 }, nameNow))).toEqual(Array(50).fill('read 1'))
  cache.changed('acme')
  expect(await nameNow()).toBe('read 2')
  nowMs += 61_000
  // it is answered at once, and read for the next request
  expect(await nameNow()).toBe('read 2')
  await expect.poll(nameNow).toBe('read 3')
  fails = true
  nowMs += 600_000
  expect(await nameNow()).toBe('read 3')
  const before = reads
  expect(await nameNow()).toBe('read 3')
  // the stores are left alone for two seconds
  expect(reads).toBe(before)
  fails = false
  nowMs += 2_001
  expect(await nameNow()).toBe(`read ${reads}`)
  expect(reads).toBe(before + 1)
})

test('a page that is not there, and was never read, is not taken for one that is missing while the stores fail', async () => {
  const failing = new PageCache({
    read: async () => {
      throw new Error('The stores are stopped.')
    },
    log,
    nowMs: () => 0,
  })
  expect(await failing.find('acme')).toBeUndefined()
  expect(await new PageCache({ read: async () => null, log }).find('acme')).toBeNull()
})
