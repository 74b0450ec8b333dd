import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test } from 'vitest'
import { systemLookup } from '#egress/names.ts'
import { a, aaaa, DnsServer, type Reply } from './dns-server.ts'

const servers: DnsServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function aServer(answer: (name: string) => Reply): Promise<DnsServer> {
  const server = await DnsServer.open((name, type) => (type === 'A' ? answer(name) : 'nxdomain'))
  servers.push(server)
  return server
}

const addressesOf = (found: { address: string }[]) => found.map(({ address }) => address)

describe('a name without a dot', () => {
  test('is resolved in each search domain, then by itself', async () => {
    const known: Record<string, string> = { 'db.two.test': '192.0.2.2', web: '192.0.2.3' }
    const server = await aServer(name => (known[name] ? a(name, known[name]) : 'nxdomain'))
    const lookup = systemLookup({ servers: [server.address], search: ['one.test', 'two.test'] })
    expect(addressesOf(await lookup('db', 4))).toEqual(['192.0.2.2'])
    expect(addressesOf(await lookup('web', 4))).toEqual(['192.0.2.3'])
    expect(server.asked.map(({ name }) => name)).toEqual([
      'db.one.test',
      'db.two.test',
      'web.one.test',
      'web.two.test',
      'web',
    ])
    await expect(lookup('nowhere', 4)).rejects.toMatchObject({ code: 'dns_not_found' })
    server.asked.length = 0
    await expect(lookup('db.with.dots', 4)).rejects.toMatchObject({ code: 'dns_not_found' })
    expect(server.asked.map(({ name }) => name)).toEqual(['db.with.dots'])
  })

  test('is not reported as missing when a search domain fails to answer', async () => {
    const server = await aServer(name => (name.endsWith('.one.test') ? 'servfail' : 'nxdomain'))
    const lookup = systemLookup({ servers: [server.address], search: ['one.test'] })
    await expect(lookup('db', 4)).rejects.toMatchObject({ code: 'dns_failed' })
  })

  test('is not resolved by getaddrinfo, which has four threads for all lookups', async () => {
    const lookup = systemLookup()('no-such-name', 4).catch(() => undefined)
    expect(process.getActiveResourcesInfo()).not.toContain('GetAddrInfoReqWrap')
    await lookup
  }, 60_000)
})

test('three hundred names with silent servers delay no other name', async () => {
  const server = await aServer(name => (name.includes('silent') ? 'silent' : a(name, '192.0.2.1')))
  const lookup = systemLookup({ servers: [server.address], search: [], timeoutMs: 300 })
  // no more than the buffer of the test’s own server takes at once
  const silent = Array.from({ length: 300 }, (_, n) =>
    lookup(n % 2 ? `silent-${n}` : `silent-${n}.test`, 4).catch(error => error.code),
  )
  const took: number[] = []
  for (let n = 0; n < 40; n++) {
    const began = performance.now()
    const isFound = await lookup(n % 2 ? `well-${n}` : `well-${n}.test`, 4).then(
      () => true,
      () => false,
    )
    took.push(isFound ? performance.now() - began : Number.POSITIVE_INFINITY)
    await sleep(50)
  }
  // this process is the server as well, and may be stopped for as long as a query waits
  expect(took.sort((one, other) => one - other)[37]).toBeLessThan(500)
  expect(new Set(await Promise.all(silent))).toEqual(new Set(['dns_timeout']))
}, 60_000)

describe('a name that times out', () => {
  const silent = async (lookup: ReturnType<typeof systemLookup>, name: string) =>
    lookup(name, 4).catch(error => error.code)

  test('is queried once for all concurrent callers', async () => {
    const server = await aServer(() => 'silent')
    const lookup = systemLookup({ servers: [server.address], search: [], timeoutMs: 300 })
    const codes = await Promise.all(Array.from({ length: 20 }, () => silent(lookup, 'silent.test')))
    expect(new Set(codes)).toEqual(new Set(['dns_timeout']))
    // its own tries
    expect(server.count('silent.test', 'A')).toBeLessThanOrEqual(3)
  }, 60_000)

  test('is paused for a while after three timeouts, and queried again afterwards', async () => {
    let isSilent = true
    const server = await aServer(name => (isSilent && name.startsWith('silent') ? 'silent' : a(name, '192.0.2.1')))
    const lookup = systemLookup({ servers: [server.address], search: [], timeoutMs: 300 })
    const others = setInterval(() => void lookup('well.test', 4).catch(() => undefined), 200)
    for (let n = 0; n < 3; n++) expect(await silent(lookup, 'silent.test')).toBe('dns_timeout')
    const asked = server.count('silent.test', 'A')
    expect(await silent(lookup, 'silent.test')).toBe('dns_timeout')
    expect(server.count('silent.test', 'A')).toBe(asked)
    isSilent = false
    await expect
      .poll(() => silent(lookup, 'silent.test'), { timeout: 10_000 })
      .toEqual([{ address: '192.0.2.1', family: 4 }])
    clearInterval(others)
  }, 120_000)

  test('control: is queried every time while other names time out as well', async () => {
    const server = await aServer(() => 'silent')
    const lookup = systemLookup({ servers: [server.address], search: [], timeoutMs: 300 })
    for (let n = 0; n < 3; n++) await silent(lookup, 'silent.test')
    const asked = server.count('silent.test', 'A')
    await silent(lookup, 'silent.test')
    expect(server.count('silent.test', 'A')).toBeGreaterThan(asked)
  }, 120_000)
})

describe('one address family that fails', () => {
  const replies: [string, Reply][] = [
    ['is silent', 'silent'],
    ['answers SERVFAIL', 'servfail'],
    ['answers NXDOMAIN', 'nxdomain'],
    ['is empty', []],
  ]
  test.each(replies)('and %s does not hide the other', async (_, reply) => {
    for (const good of ['A', 'AAAA'] as const) {
      const address = good === 'A' ? '192.0.2.1' : '2001:db8::1'
      const server = await DnsServer.open((name, type) => {
        if (type !== good) return reply
        return good === 'A' ? a(name, address) : aaaa(name, address)
      })
      servers.push(server)
      const lookup = systemLookup({ servers: [server.address], timeoutMs: 2_000, hasSix: () => true })
      const begun = performance.now()
      expect(addressesOf(await lookup('one.test', undefined))).toEqual([address])
      expect(performance.now() - begun).toBeLessThan(1_900)
    }
  })

  const plain = (reply: 'nxdomain' | 'servfail' | readonly []): Reply => (typeof reply === 'string' ? reply : [])
  test('with both failing keeps its cause', async () => {
    for (const [four, six, code] of [
      ['nxdomain', 'servfail', 'dns_not_found'],
      ['servfail', [], 'dns_failed'],
      [[], 'servfail', 'dns_failed'],
      [[], [], 'dns_not_found'],
    ] as const) {
      const server = await DnsServer.open((_, type): Reply => (type === 'A' ? plain(four) : plain(six)))
      servers.push(server)
      const lookup = systemLookup({ servers: [server.address], hasSix: () => true })
      await expect(lookup('one.test', undefined)).rejects.toMatchObject({ code })
    }
  })
})
