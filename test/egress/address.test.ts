import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { describe, expect, test } from 'vitest'
import { mayReach, notPublic, parseAllowList, within } from '#egress/address.ts'

/** Of each family; `npm run faults` asks for a million. */
const addresses = Number(process.env.ADDRESSES ?? 20_000)

describe('the allow-list', () => {
  test('accepts addresses and ranges of both families, separated by commas, spaces and lines', () => {
    const allow = parseAllowList(' 127.0.0.0/8, ::1/128\n10.1.2.3\tfd00::/8 ,')
    for (const address of ['127.9.9.9', '::1', '10.1.2.3', 'fd12::1', '::ffff:127.0.0.1'])
      expect(mayReach(address, allow), address).toBe(true)
    for (const address of ['10.1.2.4', 'fe80::1', '128.0.0.0/8', '192.168.0.1'])
      expect(mayReach(address, allow), address).toBe(false)
  })

  test('accepts single ports of addresses and ranges of both families', () => {
    const allow = parseAllowList('127.0.0.1:8081, [::1]:8081 10.0.0.0/8:443,[fd00::/8]:53')
    const reached = [
      ['127.0.0.1', 8_081],
      ['::ffff:127.0.0.1', 8_081],
      ['::1', 8_081],
      ['10.1.2.3', 443],
      ['fd00::7', 53],
      ['8.8.8.8', 53],
    ] as const
    for (const [address, port] of reached) expect(mayReach(address, allow, port), `${address} ${port}`).toBe(true)
    const refused = [
      ['127.0.0.1', 8_080],
      ['127.0.0.2', 8_081],
      ['::1', 8_080],
      ['10.1.2.3', 80],
      ['127.0.0.1', undefined],
      ['10.1.2.3', undefined],
    ] as const
    for (const [address, port] of refused) expect(mayReach(address, allow, port), `${address} ${port}`).toBe(false)
  })

  test('refuses what is no port', () => {
    for (const entry of ['127.0.0.1:0', '127.0.0.1:65536', '127.0.0.1:x', '8081', '[::1]:'])
      expect(() => parseAllowList(entry), entry).toThrow(`"${entry}"`)
  })

  test('is empty by default, and public addresses are allowed', () => {
    expect(parseAllowList('')).toEqual([])
    expect(mayReach('8.8.8.8')).toBe(true)
    expect(mayReach('2606:4700::1111')).toBe(true)
  })

  test('reports all invalid entries in one error', () => {
    expect(() =>
      parseAllowList('10.0.0.0/33, nowhere, 10.0.0.0/8, ::1/129, 127.1, 10.0.0.0/-1, 1.2.3.4/8/8, fe80::1%eth0'),
    ).toThrow(
      'Not an address, a CIDR range or address:port: "10.0.0.0/33", "nowhere", "::1/129", "127.1", "10.0.0.0/-1", "1.2.3.4/8/8", "fe80::1%eth0".',
    )
  })
})

test('the ranges that are not public contain all special ones of the library, and none contains another', () => {
  const { v4, v6 } = notPublic
  const [fours, sixes] = [v4, v6.except].map(list => list.map(range => ipaddr.parseCIDR(range)))
  const { SpecialRanges } = ipaddr.IPv4.prototype as unknown as {
    SpecialRanges: Record<string, [ipaddr.IPv4, number][]>
  }
  const special = Object.values(SpecialRanges).flat()
  expect(special.length).toBeGreaterThan(15)
  for (const [base, bits] of special) {
    expect(within(base, fours!), `${base}/${bits}`).toBe(true)
    expect(mayReach(base.toString()), `${base}`).toBe(false)
  }
  for (const list of [fours!, sixes!])
    for (const [base, bits] of list) {
      expect(mayReach(base.toString()), `${base}`).toBe(false)
      const wider = list.filter(([other, length]) => length < bits && within(base, [[other, length]]))
      expect(wider.map(String)).toEqual([])
    }
  expect([mayReach('192.0.3.1'), mayReach('203.0.114.1'), mayReach('3ffe::1')]).toEqual([true, true, true])
})

describe('an address', () => {
  test('is judged by the IPv4 address inside it', () => {
    const carrying = (address: string) => [`::ffff:${address}`, `64:ff9b::${address}`, `2606:4700::5efe:${address}`]
    for (const address of carrying('8.8.8.8')) expect(mayReach(address), address).toBe(true)
    for (const address of carrying('10.0.0.1')) expect(mayReach(address), address).toBe(false)
    const allow = parseAllowList('10.0.0.0/8')
    for (const address of carrying('10.0.0.1')) expect(mayReach(address, allow), address).toBe(true)
  })

  test('in non-canonical notation is refused', () => {
    for (const text of [
      '',
      'x',
      '8.8.8',
      '08.8.8.8',
      '0x8.8.8.8',
      '8.8.8.8 ',
      'fe80::1%1',
      '[::1]',
      '2606:4700::1%eth0',
      '8.8.8.8/32',
    ])
      expect(mayReach(text), text).toBe(false)
  })

  test('is public exactly where the IANA registries define it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), number => {
        const address = [24, 16, 8, 0].map(shift => (number >>> shift) & 255).join('.')
        expect(mayReach(address), address).toBe(
          !privateV4.some(([base, bits]) => number >>> (32 - bits) === toNumber(base) >>> (32 - bits)),
        )
      }),
      { numRuns: addresses },
    )
    for (const [base, bits] of privateV4) {
      const first = toNumber(base)
      const last = first + 2 ** (32 - bits) - 1
      for (const number of [first, last]) expect(mayReach(toText(number)), toText(number)).toBe(false)
    }
  })

  test('of IPv6 is public only within 2000::/3', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), groups => {
        const address = groups.map(group => group.toString(16)).join(':')
        const [first = 0, second = 0] = groups
        const isIsatap = (groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe
        const isPublic =
          first >> 13 === 1 &&
          first !== 0x2002 &&
          !(first === 0x2001 && (second < 0x200 || second === 0xdb8)) &&
          !(first === 0x3fff && second < 0x1000)
        if (!isIsatap) expect(mayReach(address), address).toBe(isPublic)
      }),
      { numRuns: addresses },
    )
    console.log(
      `addresses ${addresses} of each family: 0 judged otherwise than by the registries (bound ${(300 / addresses).toPrecision(2)} %)`,
    )
  })
})

/** IANA's special-purpose registry, multicast and class E, and Azure's host: written down apart from the guard. */
const privateV4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
const toNumber = (address: string) => address.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
const toText = (number: number) => [24, 16, 8, 0].map(shift => Math.floor(number / 2 ** shift) % 256).join('.')
