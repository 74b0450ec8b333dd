import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { z } from 'zod'
import { dnsbl } from '#checks/dnsbl/kind.ts'
import { runCheck } from '#checks/probes.ts'
import { noPhases } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { systemLookup } from '#egress/names.ts'
import { a, aaaa, DnsServer, type Reply } from '#test/egress/dns-server.ts'

let server: DnsServer
let guard: Guard
const zone = new Map<string, Reply>()

beforeAll(async () => {
  server = await DnsServer.open(
    (name, type) =>
      zone.get(`${name} ${type}`) ?? (zone.has(`${name} A`) || zone.has(`${name} AAAA`) ? [] : 'nxdomain'),
  )
  guard = new Guard(parseAllowList('192.0.2.0/24 2001:db8::/32'), {
    lookup: systemLookup({ servers: [server.address] }),
  })
})
afterAll(() => server.close())
beforeEach(() => {
  zone.clear()
  server.asked.length = 0
  zone.set('www.example.com A', a('www.example.com', '192.0.2.1', '192.0.2.2'))
})

const codes = (name: string, ...answers: string[]) => zone.set(`${name} A`, a(name, ...answers))

async function probe(
  settings: z.input<typeof dnsbl.settings> = {},
  url = 'https://www.example.com/',
  timeoutMs = 2_000,
) {
  const wanted = dnsbl.settings.parse(settings)
  const { seen, fault } = await runCheck('dnsbl', { url }, wanted, { guard, timeoutMs, now: Date.now })
  if (!seen) return { fault, seen: undefined, states: {}, outcome: fault?.code }
  const parsed = dnsbl.seen.parse(seen)
  const judged = dnsbl.judge(parsed, wanted, { at: new Date(), phases: noPhases })
  return {
    seen: parsed,
    states: Object.fromEntries(parsed.lists.map(({ list, state }) => [list, state])),
    outcome: judged.code ?? judged.status,
  }
}

test('asks every list for every address, and for the registered domain', async () => {
  zone.set('www.example.com AAAA', aaaa('www.example.com', '2001:db8::1'))
  const { seen, outcome } = await probe()
  expect(outcome).toBe('up')
  expect(seen).toMatchObject({ addresses: ['192.0.2.1', '192.0.2.2', '2001:db8::1'], domain: 'example.com' })
  expect(seen?.lists.every(({ state }) => state === 'clean')).toBe(true)
  expect(seen?.lists).toHaveLength(12)
  for (const name of [
    '1.2.0.192.zen.spamhaus.org',
    '2.2.0.192.bl.spamcop.net',
    'example.com.dbl.spamhaus.org',
    `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.zen.spamhaus.org`,
  ])
    expect(server.count(name, 'A'), name).toBe(1)
  expect(server.asked.some(({ name }) => name.endsWith('.bl.spamcop.net') && name.includes('8.b.d.0'))).toBe(false)
})

test('distinguishes listing, refusal and failure', async () => {
  codes('1.2.0.192.bl.spamcop.net', '127.0.0.2')
  codes('1.2.0.192.zen.spamhaus.org', '127.255.255.254')
  codes('2.2.0.192.zen.spamhaus.org', '127.255.255.254')
  zone.set('1.2.0.192.psbl.surriel.com A', 'servfail')
  codes('1.2.0.192.dnsbl-1.uceprotect.net', '198.51.100.1')
  codes('example.com.multi.surbl.org', '127.0.0.8')
  const { seen, states, outcome } = await probe()
  expect(outcome).toBe('dnsbl_listed')
  expect(states).toMatchObject({
    spamcop: 'listed',
    spamhaus_zen: 'refused',
    psbl: 'failed',
    uceprotect_1: 'refused',
    surbl: 'listed',
    mailspike: 'clean',
  })
  expect(seen?.lists.find(({ list }) => list === 'spamcop')).toMatchObject({
    listed: ['192.0.2.1'],
    codes: ['127.0.0.2'],
    meaning: 'reported as a source of spam',
  })
})

test('never takes refusals for listings, though every list refuses', async () => {
  const names = server.asked
  await probe()
  for (const { name } of [...names]) if (!name.startsWith('www.')) codes(name, '127.255.255.255')
  const { states, outcome } = await probe()
  expect([...new Set(Object.values(states))]).toEqual(['refused'])
  expect(outcome).toBe('dnsbl_unanswered')
})

test('does not believe a list that lists everything', async () => {
  for (const name of ['1.2.0.192', '2.2.0.192', '1.0.0.127']) codes(`${name}.psbl.surriel.com`, '127.0.0.2')
  const { states, outcome } = await probe({ lists: ['psbl', 'spamcop'] })
  expect([states, outcome]).toEqual([{ psbl: 'refused', spamcop: 'clean' }, 'up'])
})

test('counts a listing by policy only for those who care', async () => {
  codes('1.2.0.192.zen.spamhaus.org', '127.0.0.11')
  expect((await probe({ lists: ['spamhaus_zen'] })).outcome).toBe('up')
  expect((await probe({ lists: ['spamhaus_zen'], count_policy: true })).outcome).toBe('dnsbl_listed')
})

test('asks only the configured lists, and for an address only those of addresses', async () => {
  await probe({ lists: ['spamcop'] })
  expect(
    server.asked
      .map(({ name }) => name)
      .filter(name => !name.startsWith('www.'))
      .toSorted(),
  ).toEqual(['1.2.0.192.bl.spamcop.net', '2.2.0.192.bl.spamcop.net'])
  const { states } = await probe({ lists: ['spamhaus_zen', 'spamhaus_dbl'] }, 'host://192.0.2.9')
  expect(states).toEqual({ spamhaus_zen: 'clean' })
})

test('of a host that is gone, inside, or many', async () => {
  expect((await probe({}, 'https://gone.example.com/')).outcome).toBe('dns_not_found')
  zone.set('inside.example.com A', a('inside.example.com', '10.0.0.1'))
  expect((await probe({}, 'https://inside.example.com/')).outcome).toBe('blocked')
  zone.set('many.example.com A', a('many.example.com', ...Array.from({ length: 40 }, (_, n) => `192.0.2.${n + 1}`)))
  expect((await probe({ lists: ['spamcop'] }, 'https://many.example.com/')).seen?.addresses).toHaveLength(32)
})

test('of lists that do not answer ends in time, and says so', async () => {
  zone.set('1.2.0.192.bl.spamcop.net A', 'silent')
  const start = performance.now()
  const { states } = await probe({ lists: ['spamcop', 'psbl'] }, undefined, 700)
  expect(states).toEqual({ spamcop: 'failed', psbl: 'clean' })
  expect(performance.now() - start).toBeLessThan(1_500)
})
