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

test('a page whose monitors change is read again on a request, at most every two seconds', async () => {
  let [reads, nowMs] = [0, 0]
  let waiting: Promise<void> | undefined
  const read = async (slug: string) => {
    const name = `read ${++reads}`
    await waiting
    return { ...aModel(), slug, name, owners: ['team', 'reseller'] }
  }
  const cache = new PageCache({ read, log, nowMs: () => nowMs })
  const nameNow = async () => (await cache.find('acme'))?.model.name
  expect(await nameNow()).toBe('read 1')
  nowMs = 500
  for (let n = 0; n < 100; n++) cache.shown('acme')
  expect(await nameNow()).toBe('read 1')
  nowMs = 2_000
  expect(await nameNow()).toBe('read 2')
  nowMs = 10_000
  expect(await nameNow()).toBe('read 2')
  cache.shownByOwner('other')
  expect(await nameNow()).toBe('read 2')
  cache.shownByOwner('reseller')
  expect(await nameNow()).toBe('read 3')
  // a change during the reading may be missing in what is read
  nowMs = 20_000
  const { promise, resolve } = Promise.withResolvers<void>()
  waiting = promise
  cache.shown('acme')
  const fourth = nameNow()
  await expect.poll(() => reads).toBe(4)
  cache.shown('acme')
  resolve()
  expect(await fourth).toBe('read 4')
  nowMs = 22_000
  expect(await nameNow()).toBe('read 5')
})
