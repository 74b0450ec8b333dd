import type { Answer } from 'dns-packet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { changesSince, parseResolver, recordTypes } from '#checks/dns/kind.ts'
import { RecordMemory } from '#checks/dns/memory.ts'
import { kinds } from '#checks/index.ts'
import { look } from '#checks/probes.ts'
import { noPhases } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { a, DnsServer, type Reply } from '#test/egress/dns-server.ts'

const { dns } = kinds
type Wanted = z.input<typeof dns.settings>
type Seen = z.input<typeof dns.seen>
const at = new Date('2026-11-21T12:00:00Z')

describe('judge', () => {
  const one: Seen = { records: { A: ['192.0.2.1'] }, settled: true }
  const two: Seen = { records: { A: ['192.0.2.2'] }, settled: true }
  test.each<[string, Seen, Wanted, unknown, string]>([
    ['records are there', one, {}, undefined, 'up'],
    ['no records at all', { records: { A: [], AAAA: [] }, settled: true }, {}, undefined, 'dns_no_records'],
    ['one type is there, the other is not', { records: { A: ['192.0.2.1'], AAAA: [] }, settled: true }, {}, undefined, 'up'],
    ['an expected value is there', one, { expected: { A: ['192.0.2.1'] } }, undefined, 'up'],
    ['an expected value is missing', one, { expected: { A: ['192.0.2.9'] } }, undefined, 'dns_record_missing'],
    [
      'values in another spelling',
      { records: { MX: ['10 mail.example.com'] }, settled: true },
      { record_types: ['MX'], expected: { MX: ['10 Mail.Example.COM.'] } },
      undefined,
      'up',
    ],
    ['more than expected', { records: { A: ['192.0.2.1', '192.0.2.2'] }, settled: true }, { expected: { A: ['192.0.2.1'] } }, undefined, 'up'],
    [
      'more than expected where it must be exact',
      { records: { A: ['192.0.2.1', '192.0.2.2'] }, settled: true },
      { expected: { A: ['192.0.2.1'] }, exact: true },
      undefined,
      'dns_record_unexpected',
    ],
    ['expected of a type not asked for yet', one, { expected: { TXT: ['x'] } }, undefined, 'up'],
    ['nothing seen before', one, {}, undefined, 'up'],
    ['the same as before', one, {}, one, 'up'],
    ['a change both looks agree on', two, {}, one, 'records_changed'],
    ['a change they do not agree on', { ...two, settled: false }, {}, one, 'up'],
    ['a change from what was not settled itself', two, {}, { ...one, settled: false }, 'up'],
    ['a change nobody wants to know of', two, { detect_changes: false }, one, 'up'],
    ['a type that was not asked for before', { records: { A: ['192.0.2.1'], MX: ['10 m'] }, settled: true }, {}, one, 'up'],
    ['before makes no sense', two, {}, { records: 'x' }, 'up'],
    [
      'only the serial of the zone moved',
      { records: { SOA: ['ns host 2 1 1 1 1'] }, settled: true },
      {},
      { records: { SOA: ['ns host 1 1 1 1 1'] }, settled: true },
      'up',
    ],
    [
      'the master of the zone moved',
      { records: { SOA: ['ns2 host 2 1 1 1 1'] }, settled: true },
      {},
      { records: { SOA: ['ns host 1 1 1 1 1'] }, settled: true },
      'records_changed',
    ],
    ['a change the agent still tells of', { ...two, replaced: { A: ['192.0.2.1'] } }, {}, two, 'records_changed'],
    [
      'a change in the serial only that the agent tells of',
      { records: { SOA: ['n h 2 1'] }, settled: true, replaced: { SOA: ['n h 1 1'] } },
      {},
      undefined,
      'up',
    ],
    ['nothing, as expected', { records: { A: [] }, settled: true }, { expected: { A: [] }, exact: true }, undefined, 'up'],
    ['something, where nothing is expected', one, { expected: { A: [] }, exact: true }, undefined, 'dns_record_unexpected'],
    ['gone, and missing outweighs changed', { records: { A: [] }, settled: true }, {}, one, 'dns_no_records'],
  ])('%s', (_, seen, settings, previous, outcome) => {
    const verdict = dns.judge(dns.seen.parse(seen), dns.settings.parse(settings), { at, phases: noPhases, previous })
    expect(verdict.code ?? verdict.status).toBe(outcome)
  })

  test('a change of name servers has an event of its own', () => {
    const judge = (records: Seen['records'], before: Seen['records']) =>
      dns.judge({ records, settled: true, replaced: null }, dns.settings.parse({}), { at, phases: noPhases, previous: { records: before, settled: true } })
        .event
    expect(judge({ A: ['2'] }, { A: ['1'] })).toBe('dns.records_changed')
    expect(judge({ NS: ['b'] }, { NS: ['a'] })).toBe('dns.nameserver_changed')
    expect(changesSince({ records: { A: ['1'], NS: ['a'] }, settled: true }, { records: { A: ['2'], NS: ['a'] } })).toEqual([
      { type: 'A', old: ['1'], new: ['2'] },
    ])
  })
})

test.each<[string, unknown]>([
  ['1.1.1.1', { address: '1.1.1.1', port: 53 }],
  ['1.1.1.1:5353', { address: '1.1.1.1', port: 5353 }],
  ['2606:4700::1111', { address: '2606:4700::1111', port: 53 }],
  ['[2606:4700::1111]:5353', { address: '2606:4700::1111', port: 5353 }],
  ['[2606:4700::1111]', { address: '2606:4700::1111', port: 53 }],
  ['1.1.1.1:0', null],
  ['1.1.1.1:65536', null],
  ['dns.example.com', null],
  ['127.1', null],
  ['[1.1.1.1]:53', null],
  ['fe80::1%eth0', null],
  ['', null],
])('a resolver written %s', (text, wanted) => expect(parseResolver(text)).toEqual(wanted))

test.each<[unknown, boolean]>([
  [{ record_types: ['A'] }, true],
  [{ record_types: [...recordTypes] }, true],
  [{ record_types: [] }, false],
  [{ record_types: ['PTR'] }, false],
  [{ resolvers: ['1.1.1.1', '8.8.8.8', '9.9.9.9', '1.0.0.1'] }, true],
  [{ resolvers: ['1.1.1.1', '8.8.8.8', '9.9.9.9', '1.0.0.1', '8.8.4.4'] }, false],
  [{ resolvers: ['example.com'] }, false],
  [{ expected: { A: ['1'], PTR: ['x'] } }, false],
])('settings %j', (settings, isGood) => expect(dns.settings.safeParse(settings).success).toBe(isGood))

describe('a look', () => {
  const replies = new Map<string, (type: string, nth: number) => Reply>()
  let server: DnsServer
  let other: DnsServer
  const guard = new Guard(parseAllowList('127.0.0.0/8'))
  beforeAll(async () => {
    server = await DnsServer.open((name, type, nth) => replies.get(name)?.(type, nth) ?? 'nxdomain')
    other = await DnsServer.open((name, type, nth) => replies.get(`other.${name}`)?.(type, nth) ?? replies.get(name)?.(type, nth) ?? 'nxdomain')
  })
  afterAll(() => {
    server.close()
    other.close()
  })

  const lookUp = (name: string, settings: Wanted = {}, timeoutMs = 2_000) =>
    look('dns', { url: `host://${name}` }, dns.settings.parse({ resolvers: [server.address], timeout_ms: timeoutMs, ...settings }), {
      guard,
      timeoutMs,
      now: Date.now,
    })

  const zone: Record<string, Answer[]> = {
    A: a('zone.example', '192.0.2.2', '192.0.2.1'),
    AAAA: [{ type: 'AAAA', name: 'zone.example', data: '2001:db8::1' }],
    MX: [{ type: 'MX', name: 'zone.example', data: { preference: 10, exchange: 'Mail.zone.example' } }],
    CNAME: [{ type: 'CNAME', name: 'zone.example', data: 'alias.example' }],
    NS: [{ type: 'NS', name: 'zone.example', data: 'ns1.zone.example' }],
    TXT: [{ type: 'TXT', name: 'zone.example', data: ['v=spf1 ', '-all'] }],
    SOA: [
      {
        type: 'SOA',
        name: 'zone.example',
        data: { mname: 'ns1.zone.example', rname: 'host.zone.example', serial: 7, refresh: 1, retry: 2, expire: 3, minimum: 4 },
      },
    ],
    SRV: [{ type: 'SRV', name: 'zone.example', data: { priority: 1, weight: 2, port: 443, target: 'srv.zone.example' } }],
    CAA: [{ type: 'CAA', name: 'zone.example', data: { flags: 0, tag: 'issue', value: 'ca.example' } }],
  }

  test('reads all nine record types', async () => {
    replies.set('zone.example', type => zone[type] ?? [])
    const result = await lookUp('zone.example', { record_types: [...recordTypes] })
    expect(result.seen).toEqual({
      records: {
        A: ['192.0.2.1', '192.0.2.2'],
        AAAA: ['2001:db8::1'],
        MX: ['10 mail.zone.example'],
        CNAME: ['alias.example'],
        NS: ['ns1.zone.example'],
        TXT: ['v=spf1 -all'],
        SOA: ['ns1.zone.example host.zone.example 7 1 2 3 4'],
        SRV: ['1 2 443 srv.zone.example'],
        CAA: ['0 issue "ca.example"'],
      },
      settled: true,
      replaced: null,
    })
    expect(result.phases.dns).toBe(result.phases.total)
  })

  test('takes another name than the host, and shows a type without records as empty', async () => {
    replies.set('_dmarc.zone.example', type => (type === 'TXT' ? [{ type: 'TXT', name: '_dmarc.zone.example', data: 'v=DMARC1' }] : []))
    expect((await lookUp('zone.example', { name: '_dmarc.zone.example', record_types: ['TXT', 'A'] })).seen).toEqual({
      records: { TXT: ['v=DMARC1'], A: [] },
      settled: true,
      replaced: null,
    })
  })

  test('tells what is gone, ill and silent', async () => {
    replies.set('ill.example', () => 'servfail')
    replies.set('mute.example', () => 'silent')
    expect((await lookUp('gone.example')).fault).toEqual({ code: 'dns_not_found', phase: 'dns', message: 'The name does not exist.' })
    expect((await lookUp('ill.example')).fault).toMatchObject({ code: 'dns_failed', phase: 'dns' })
    const start = performance.now()
    expect((await lookUp('mute.example', {}, 600)).fault).toMatchObject({ code: 'dns_timeout', phase: 'dns' })
    expect(performance.now() - start).toBeLessThan(900)
  })

  test('a name server of the customer that is not there is no illness of ours', async () => {
    const closed = await DnsServer.open(() => 'nxdomain')
    const { address } = closed
    closed.close()
    expect((await lookUp('zone.example', { resolvers: [address] })).fault).toMatchObject({ code: 'dns_failed' })
  })

  test('answers that rotate are not settled', async () => {
    replies.set('pool.example', (type, nth) => (type === 'A' ? a('pool.example', `192.0.2.${nth + 1}`) : []))
    expect((await lookUp('pool.example', { record_types: ['A'] })).seen).toMatchObject({ settled: false })
  })

  test('answers in another order are', async () => {
    replies.set('shuffled.example', (type, nth) =>
      type === 'A' ? a('shuffled.example', ...(nth % 2 ? ['192.0.2.1', '192.0.2.2'] : ['192.0.2.2', '192.0.2.1'])) : [],
    )
    expect((await lookUp('shuffled.example', { record_types: ['A'] })).seen).toEqual({
      records: { A: ['192.0.2.1', '192.0.2.2'] },
      settled: true,
      replaced: null,
    })
  })

  test('resolvers that disagree are shown together and settle nothing', async () => {
    replies.set('split.example', type => (type === 'A' ? a('split.example', '192.0.2.1') : []))
    replies.set('other.split.example', type => (type === 'A' ? a('split.example', '192.0.2.9') : []))
    expect((await lookUp('split.example', { record_types: ['A'], resolvers: [server.address, other.address] })).seen).toEqual({
      records: { A: ['192.0.2.1', '192.0.2.9'] },
      settled: false,
      replaced: null,
    })
  })

  test('of a change goes on telling it, so that the next one confirms it', async () => {
    let address = '192.0.2.1'
    replies.set('moved.example', type => (type === 'A' ? a('moved.example', address) : []))
    const settings = dns.settings.parse({ record_types: ['A'] })
    const judge = (seen: unknown, previous: unknown) => dns.judge(dns.seen.parse(seen), settings, { at, phases: noPhases, previous }).code
    const first = await lookUp('moved.example', { record_types: ['A'] })
    address = '192.0.2.2'
    const second = await lookUp('moved.example', { record_types: ['A'] })
    const third = await lookUp('moved.example', { record_types: ['A'] })
    expect(third.seen).toMatchObject({ replaced: { A: ['192.0.2.1'] } })
    expect([judge(first.seen, undefined), judge(second.seen, first.seen), judge(third.seen, second.seen)]).toEqual([
      undefined,
      'records_changed',
      'records_changed',
    ])
  })

  test('whose second half fails is not settled', async () => {
    replies.set('shaky.example', (type, nth) => (nth ? 'servfail' : type === 'A' ? a('shaky.example', '192.0.2.1') : []))
    expect((await lookUp('shaky.example', { record_types: ['A'] })).seen).toMatchObject({ records: { A: ['192.0.2.1'] }, settled: false })
  })

  test('asks for what is expected, wanted or not', async () => {
    replies.set('both.example', type =>
      type === 'A' ? a('both.example', '192.0.2.1') : type === 'TXT' ? [{ type: 'TXT', name: 'both.example', data: 'x' }] : [],
    )
    expect((await lookUp('both.example', { record_types: ['A'], expected: { TXT: ['x'] } })).seen).toMatchObject({ records: { A: ['192.0.2.1'], TXT: ['x'] } })
  })

  test('keeps what a zone may pour on it within bounds', async () => {
    replies.set('huge.example', type =>
      type === 'TXT'
        ? Array.from({ length: 3 }, (_, n) => ({ type: 'TXT' as const, name: 'huge.example', data: Array.from({ length: 4 }, () => `${n}`.repeat(250)) }))
        : [],
    )
    const { seen } = await lookUp('huge.example', { record_types: ['TXT'] })
    expect(dns.seen.parse(seen).records.TXT?.map(value => value.length)).toEqual([500, 500, 500])
  })

  test('asks only name servers, and for names, that are not inside', async () => {
    const strict = new Guard()
    const inside = (url: string, settings: Wanted) => look('dns', { url }, dns.settings.parse(settings), { guard: strict, timeoutMs: 500, now: Date.now })
    const before = server.asked.length
    expect((await inside('host://zone.example', { resolvers: [server.address] })).fault).toMatchObject({ code: 'blocked' })
    expect((await inside('host://zone.example', { resolvers: ['169.254.169.254'] })).fault).toMatchObject({ code: 'blocked' })
    expect((await inside('host://localhost', {})).fault).toMatchObject({ code: 'blocked' })
    expect((await inside('host://zone.example', { name: 'metadata.google.internal' })).fault).toMatchObject({ code: 'blocked' })
    expect(server.asked.length).toBe(before)
    expect((await inside('host://192.0.2.1', {})).fault?.code).toMatch(/unsupported|blocked/)
  })
})

describe('the memory of an agent', () => {
  const minute = 60_000
  test('tells a change for ten minutes', () => {
    const memory = new RecordMemory()
    expect(memory.note('n', { A: ['1'] }, 0)).toBeNull()
    expect(memory.note('n', { A: ['1'] }, minute)).toBeNull()
    expect(memory.note('n', { A: ['2'] }, 2 * minute)).toEqual({ A: ['1'] })
    expect(memory.note('n', { A: ['2'] }, 12 * minute - 1)).toEqual({ A: ['1'] })
    expect(memory.note('n', { A: ['2'] }, 12 * minute)).toBeNull()
  })

  test('knows a pool that goes round, once it has', () => {
    const memory = new RecordMemory()
    const told = ['1', '2', '3', '1', '2', '3', '1'].map((address, n) => memory.note('n', { A: [address] }, n * minute))
    expect(told.map(Boolean)).toEqual([false, true, true, false, false, false, false])
  })

  test('keeps names apart, and no more of them than it may', () => {
    const memory = new RecordMemory(2)
    memory.note('a', { A: ['1'] }, 0)
    memory.note('b', { A: ['1'] }, 0)
    expect(memory.note('a', { A: ['2'] }, 1)).toEqual({ A: ['1'] })
    memory.note('c', { A: ['1'] }, 2)
    expect(memory.note('b', { A: ['2'] }, 3)).toBeNull()
  })

  test('does not mind the serial of a zone', () => {
    const memory = new RecordMemory()
    memory.note('n', { SOA: ['ns host 1 1'] }, 0)
    expect(memory.note('n', { SOA: ['ns host 2 1'] }, 1)).toBeNull()
  })
})
