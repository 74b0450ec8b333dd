import packet, { type Answer } from 'dns-packet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { boundedRecords, changeEvents, maxSeenChars, parseResolver, recordTypes } from '#checks/dns/kind.ts'
import { RecordMemory } from '#checks/dns/memory.ts'
import { candidates } from '#checks/dns/zone.ts'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { noPhases } from '#contract/check.ts'
import { events } from '#contract/events.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { a, DnsServer, type Reply } from '#test/egress/dns-server.ts'

const { dns } = kinds
type Wanted = z.input<typeof dns.settings>
type Seen = z.input<typeof dns.seen>
const at = new Date('2026-11-21T12:00:00Z')
const soa = { mname: 'ns.example', rname: 'host.example', serial: 7, refresh: 1, retry: 2, expire: 3, minimum: 4 }

describe('judge', () => {
  const one: Seen = { records: { A: ['192.0.2.1'] }, settled: true }
  const two: Seen = { records: { A: ['192.0.2.2'] }, settled: true }
  test.each<[string, Seen, Wanted, unknown, string]>([
    ['records are there', one, {}, undefined, 'up'],
    ['no records at all', { records: { A: [], AAAA: [] }, settled: true }, {}, undefined, 'dns_no_records'],
    [
      'one type is there, the other is not',
      { records: { A: ['192.0.2.1'], AAAA: [] }, settled: true },
      {},
      undefined,
      'up',
    ],
    ['an expected value is there', one, { expected: { A: ['192.0.2.1'] } }, undefined, 'up'],
    ['an expected value is missing', one, { expected: { A: ['192.0.2.9'] } }, undefined, 'dns_record_missing'],
    [
      'values in another spelling',
      { records: { MX: ['10 mail.example.com'] }, settled: true },
      { record_types: ['MX'], expected: { MX: ['10 Mail.Example.COM.'] } },
      undefined,
      'up',
    ],
    [
      'more than expected',
      { records: { A: ['192.0.2.1', '192.0.2.2'] }, settled: true },
      { expected: { A: ['192.0.2.1'] } },
      undefined,
      'up',
    ],
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
    ['a change both results agree on', two, {}, one, 'records_changed'],
    ['a change they do not agree on', { ...two, settled: false }, {}, one, 'up'],
    ['a change from what was not settled itself', two, {}, { ...one, settled: false }, 'up'],
    ['a change while detection is disabled', two, { detect_changes: false }, one, 'up'],
    [
      'a type that was not asked for before',
      { records: { A: ['192.0.2.1'], MX: ['10 m'] }, settled: true },
      {},
      one,
      'up',
    ],
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
    ['a change the agent still reports', { ...two, replaced: { A: ['192.0.2.1'] } }, {}, two, 'records_changed'],
    [
      'a change of the serial only that the agent reports',
      { records: { SOA: ['n h 2 1'] }, settled: true, replaced: { SOA: ['n h 1 1'] } },
      {},
      undefined,
      'up',
    ],
    [
      'nothing, as expected',
      { records: { A: [] }, settled: true },
      { expected: { A: [] }, exact: true },
      undefined,
      'up',
    ],
    [
      'something, where nothing is expected',
      one,
      { expected: { A: [] }, exact: true },
      undefined,
      'dns_record_unexpected',
    ],
    ['gone, and missing outweighs changed', { records: { A: [] }, settled: true }, {}, one, 'dns_no_records'],
  ])('%s', (_, seen, settings, previous, outcome) => {
    const verdict = dns.judge(dns.seen.parse(seen), dns.settings.parse(settings), { at, phases: noPhases, previous })
    expect(verdict.code ?? verdict.status).toBe(outcome)
  })
})

describe('the events of a change', () => {
  const before = {
    version: 2 as const,
    zone: 'zone.example',
    nameservers: ['ns1.zone.example', 'ns2.zone.example'],
    records: { A: ['192.0.2.1'], MX: ['10 a'] },
  }
  const moved = ['ns1.other.example', 'ns2.other.example']
  const base = {
    zone: 'zone.example',
    nameservers: before.nameservers,
    nameserver_change: null,
    nameservers_changed: false,
  }
  const change = { old: before.nameservers, new: moved }
  const all = { ...base, nameservers: moved, nameserver_change: change, nameservers_changed: true }

  test.each<[string, Parameters<typeof changeEvents>[1], [string, unknown][]]>([
    ['nothing changed', before, []],
    [
      'a record did',
      { ...before, records: { ...before.records, A: ['192.0.2.9'] } },
      [['dns.records_changed', { ...base, changes: [{ type: 'A', old: ['192.0.2.1'], new: ['192.0.2.9'] }] }]],
    ],
    [
      'two did',
      { ...before, records: { A: [], MX: ['10 b'] } },
      [
        [
          'dns.records_changed',
          {
            ...base,
            changes: [
              { type: 'A', old: ['192.0.2.1'], new: [] },
              { type: 'MX', old: ['10 a'], new: ['10 b'] },
            ],
          },
        ],
      ],
    ],
    [
      'the name servers did',
      { ...before, nameservers: moved },
      [
        ['dns.records_changed', { ...all, changes: [{ type: 'NS', ...change }] }],
        ['dns.nameserver_changed', { ...all, changes: [{ type: 'NS', ...change }] }],
      ],
    ],
    [
      'both did',
      { ...before, nameservers: moved, records: { ...before.records, A: ['192.0.2.9'] } },
      [
        [
          'dns.records_changed',
          {
            ...all,
            changes: [
              { type: 'NS', ...change },
              { type: 'A', old: ['192.0.2.1'], new: ['192.0.2.9'] },
            ],
          },
        ],
        [
          'dns.nameserver_changed',
          {
            ...all,
            changes: [
              { type: 'NS', ...change },
              { type: 'A', old: ['192.0.2.1'], new: ['192.0.2.9'] },
            ],
          },
        ],
      ],
    ],
    ['a type was asked for that was not before', { ...before, records: { ...before.records, TXT: ['x'] } }, []],
    ['the name became a zone of its own', { ...before, zone: 'www.zone.example', nameservers: moved }, []],
    ['the servers of the zone were unknown', { ...before, nameservers: [] }, []],
  ])('when %s', (_, after, wanted) =>
    expect(changeEvents(before, after).map(({ name, payload }) => [name, payload])).toEqual(wanted),
  )

  test('the events fit the contract', () => {
    const changes = changeEvents(before, { ...before, nameservers: moved, records: { A: [], MX: ['10 b'] } })
    expect(changes.map(({ name }) => name)).toEqual(['dns.records_changed', 'dns.nameserver_changed'])
    for (const { name, payload } of changes) {
      const event = events.get(name)
      expect(event?.schema.safeParse({ ...event.example, ...payload }).error, name).toBeUndefined()
    }
  })

  test('name servers that are also records are reported once', () => {
    const one = { ...before, records: { NS: before.nameservers } }
    const [first, ...rest] = changeEvents(one, { ...one, nameservers: moved, records: { NS: moved } })
    expect(first?.payload.changes).toEqual([{ type: 'NS', ...change }])
    expect(rest).toHaveLength(1)
  })

  test('only results that agree with themselves are remembered, and never a serial', () => {
    const seen = dns.seen.parse({
      records: { SOA: ['ns host 7 1 2 3 4'] },
      settled: true,
      zone: 'zone.example',
      nameservers: ['ns1.zone.example'],
    })
    const settings = dns.settings.parse({})
    expect(dns.changeDetection?.snapshotOf(seen, settings)).toEqual({
      version: 2,
      zone: 'zone.example',
      nameservers: ['ns1.zone.example'],
      records: { SOA: ['ns host 1 2 3 4'] },
    })
    for (const unsure of [{ settled: false }, { nameservers: null }, { zone: null }, { failed: ['AAAA' as const] }])
      expect(dns.changeDetection?.snapshotOf({ ...seen, ...unsure }, settings)).toBeNull()
  })

  test('who does not want to know of changes is spared, and the reseller is not', () => {
    const after = { ...before, nameservers: moved }
    const muted = (detect_changes: boolean) =>
      dns.changeDetection
        ?.changesBetween(before, after, dns.settings.parse({ detect_changes }))
        .map(({ isMuted }) => isMuted)
    expect([muted(true), muted(false)]).toEqual([
      [false, false],
      [true, true],
    ])
  })
})

test.each([
  ['www.example.com', ['www.example.com', 'example.com']],
  ['example.com.', ['example.com']],
  ['a.b.example.co.uk', ['a.b.example.co.uk', 'b.example.co.uk', 'example.co.uk']],
  ['_dmarc.Example.com', ['_dmarc.example.com', 'example.com']],
  ['someone.github.io', ['someone.github.io', 'github.io']],
  ['printer', ['printer']],
  ['co.uk', ['co.uk']],
])('the zone of %s begins at one of its names', (name, wanted) => expect(candidates(name)).toEqual(wanted))

test('a name of a hundred labels costs few questions', () => {
  const names = candidates(`${'a.'.repeat(100)}example.com`)
  expect(names).toHaveLength(9)
  expect(names.at(-1)).toBe('example.com')
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

describe('a run', () => {
  const replies = new Map<string, (type: string, nth: number) => Reply>()
  let server: DnsServer
  let other: DnsServer
  const guard = new Guard(parseAllowList('127.0.0.0/8'))
  beforeAll(async () => {
    server = await DnsServer.open((name, type, nth) => replies.get(name)?.(type, nth) ?? 'nxdomain')
    await server.openTcp()
    other = await DnsServer.open(
      (name, type, nth) => replies.get(`other.${name}`)?.(type, nth) ?? replies.get(name)?.(type, nth) ?? 'nxdomain',
    )
  })
  afterAll(() => {
    server.close()
    other.close()
  })

  const lookUp = (name: string, settings: Wanted = {}, timeoutMs = 2_000) =>
    runCheck(
      'dns',
      { url: `host://${name}` },
      dns.settings.parse({ resolvers: [server.address], timeout_ms: timeoutMs, ...settings }),
      {
        guard,
        timeoutMs,
        now: Date.now,
      },
    )

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
        data: {
          mname: 'ns1.zone.example',
          rname: 'host.zone.example',
          serial: 7,
          refresh: 1,
          retry: 2,
          expire: 3,
          minimum: 4,
        },
      },
    ],
    SRV: [
      { type: 'SRV', name: 'zone.example', data: { priority: 1, weight: 2, port: 443, target: 'srv.zone.example' } },
    ],
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
      failed: [],
      settled: true,
      replaced: null,
      zone: 'zone.example',
      nameservers: ['ns1.zone.example'],
    })
    expect(result.phases.dns).toBe(result.phases.total)
  })

  test('takes another name than the host, and shows a type without records as empty', async () => {
    replies.set('_dmarc.zone.example', type =>
      type === 'TXT' ? [{ type: 'TXT', name: '_dmarc.zone.example', data: 'v=DMARC1' }] : [],
    )
    expect((await lookUp('zone.example', { name: '_dmarc.zone.example', record_types: ['TXT', 'A'] })).seen).toEqual({
      records: { TXT: ['v=DMARC1'], A: [] },
      failed: [],
      settled: true,
      replaced: null,
      zone: 'zone.example',
      nameservers: ['ns1.zone.example'],
    })
  })

  test('reports what is gone, failing and silent', async () => {
    replies.set('failing.example', () => 'servfail')
    replies.set('mute.example', () => 'silent')
    expect((await lookUp('gone.example')).fault).toEqual({
      code: 'dns_not_found',
      phase: 'dns',
      message: 'The name does not exist.',
    })
    expect((await lookUp('failing.example')).fault).toMatchObject({ code: 'dns_failed', phase: 'dns' })
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
      failed: [],
      settled: true,
      replaced: null,
      zone: 'shuffled.example',
      nameservers: [],
    })
  })

  test('resolvers that disagree are shown together and settle nothing', async () => {
    replies.set('split.example', type => (type === 'A' ? a('split.example', '192.0.2.1') : []))
    replies.set('other.split.example', type => (type === 'A' ? a('split.example', '192.0.2.9') : []))
    expect(
      (await lookUp('split.example', { record_types: ['A'], resolvers: [server.address, other.address] })).seen,
    ).toEqual({
      records: { A: ['192.0.2.1', '192.0.2.9'] },
      failed: [],
      settled: false,
      replaced: null,
      zone: 'split.example',
      nameservers: [],
    })
  })

  test('of a change reports it again, so that the next one confirms it', async () => {
    let address = '192.0.2.1'
    replies.set('moved.example', type => (type === 'A' ? a('moved.example', address) : []))
    const settings = dns.settings.parse({ record_types: ['A'] })
    const judge = (seen: unknown, previous: unknown) =>
      dns.judge(dns.seen.parse(seen), settings, { at, phases: noPhases, previous }).code
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
    replies.set('shaky.example', (type, nth) =>
      nth ? 'servfail' : type === 'A' ? a('shaky.example', '192.0.2.1') : [],
    )
    expect((await lookUp('shaky.example', { record_types: ['A'] })).seen).toMatchObject({
      records: { A: ['192.0.2.1'] },
      settled: false,
    })
  })

  test('asks for what is expected, wanted or not', async () => {
    replies.set('both.example', type =>
      type === 'A'
        ? a('both.example', '192.0.2.1')
        : type === 'TXT'
          ? [{ type: 'TXT', name: 'both.example', data: 'x' }]
          : [],
    )
    expect((await lookUp('both.example', { record_types: ['A'], expected: { TXT: ['x'] } })).seen).toMatchObject({
      records: { A: ['192.0.2.1'], TXT: ['x'] },
    })
  })

  test('keeps long texts in full', async () => {
    replies.set('huge.example', type =>
      type === 'TXT'
        ? Array.from({ length: 3 }, (_, n) => ({
            type: 'TXT' as const,
            name: 'huge.example',
            data: Array.from({ length: 4 }, () => `${n}`.repeat(250)),
          }))
        : [],
    )
    const { seen } = await lookUp('huge.example', { record_types: ['TXT'] })
    expect(dns.seen.parse(seen).records.TXT?.map(value => value.length)).toEqual([1_000, 1_000, 1_000])
  })

  const txt = (name: string, ...texts: string[]): Answer[] =>
    texts.map(text => ({ type: 'TXT' as const, name, data: text.match(/.{1,255}/gsu) ?? [''] }))
  const long = (end: string) => `v=DKIM1; k=rsa; p=${'MIICIjANBgkqhkiG9w0BAQEFAAOCAg8A'.repeat(22)}${end}`
  const many = (end: string) => Array.from({ length: 60 }, (_, n) => `v${n}=${n === 59 ? end : 'x'}`)

  test.each<[string, string[], string[]]>([
    ['at the end of a long text', [long('one')], [long('two')]],
    [
      'in the middle of a long text',
      [`a${'x'.repeat(3_000)}b${'x'.repeat(3_000)}`],
      [`a${'x'.repeat(3_000)}c${'x'.repeat(3_000)}`],
    ],
    ['in the last of many texts', many('x'), many('y')],
    [
      'in one of a thousand texts',
      Array.from({ length: 1_000 }, (_, n) => `t${n}`),
      Array.from({ length: 1_000 }, (_, n) => `t${n === 900 ? 'x' : n}`),
    ],
    ['by one more of many texts', many('x'), [...many('x'), 'z']],
  ])('sees a change %s', async (what, before, after) => {
    const name = `${what.replaceAll(/[^a-z]/g, '')}.example`
    let texts = before
    replies.set(name, type => (type === 'TXT' ? { long: txt(name, ...texts) } : []))
    const settings: Wanted = { record_types: ['TXT'], expected: { TXT: before } }
    const parsed = dns.settings.parse(settings)
    const judge = (seen: unknown, previous: unknown, by = dns.settings.parse({ record_types: ['TXT'] })) => {
      const verdict = dns.judge(dns.seen.parse(seen), by, { at, phases: noPhases, previous })
      return verdict.code ?? verdict.status
    }
    const snapshot = (seen: unknown) => dns.changeDetection!.snapshotOf(dns.seen.parse(seen), parsed)!
    const first = await lookUp(name, settings)
    const again = await lookUp(name, settings)
    expect(judge(first.seen, undefined, parsed)).toBe('up')
    expect(judge(again.seen, first.seen)).toBe('up')
    expect(snapshot(again.seen)).toEqual(snapshot(first.seen))
    texts = after
    const then = await lookUp(name, settings)
    expect(judge(then.seen, again.seen)).toBe('records_changed')
    expect(judge(then.seen, undefined)).toBe('records_changed')
    if (after.length <= before.length) expect(judge(then.seen, undefined, parsed)).toBe('dns_record_missing')
    else expect(judge(then.seen, undefined, { ...parsed, exact: true })).toBe('dns_record_unexpected')
    const [event] = changeEvents(
      dns.changeDetection!.snapshot.parse(snapshot(first.seen)),
      dns.changeDetection!.snapshot.parse(snapshot(then.seen)),
    )
    expect(event?.name).toBe('dns.records_changed')
    expect(JSON.stringify(snapshot(then.seen)).length).toBeLessThan(32_000)
  })

  test('keeps what a zone may pour on it within bounds, and still sees its changes', async () => {
    const texts = (end: string) =>
      Array.from({ length: 3_000 }, (_, n) => `${n} ${n === 2_999 ? end : 'x'.repeat(200)}`)
    const [one, two] = [texts('a'), texts('b')].map(each =>
      dns.seen.parse({
        records: { ...boundedRecords({ TXT: each }, () => maxSeenChars, { TXT: [each[2_998]!] }) },
        settled: true,
        zone: 'a.example',
        nameservers: [],
      }),
    )
    expect(JSON.stringify(one).length).toBeLessThan(80_000)
    expect(one!.records.TXT).toContain(texts('a')[2_998])
    expect(one!.records.TXT?.at(-1)).toMatch(/^… 3000 values in all, SHA-256 [0-9a-f]{64}$/)
    const settings = dns.settings.parse({})
    expect(dns.judge(two!, settings, { at, phases: noPhases, previous: one }).code).toBe('records_changed')
    expect(dns.judge(one!, settings, { at, phases: noPhases, previous: one }).status).toBe('up')
    const snapshots = [one!, two!].map(seen => dns.changeDetection!.snapshotOf(seen, settings)!)
    for (const snapshot of snapshots) expect(JSON.stringify(snapshot).length).toBeLessThan(32_000)
    expect(changeEvents(snapshots[0]!, snapshots[1]!)).toHaveLength(1)
  })

  test('reads texts as UTF-8, and expects them as they are typed', async () => {
    replies.set('words.example', type => (type === 'TXT' ? txt('words.example', 'grüße aus Köln') : []))
    const { seen } = await lookUp('words.example', { record_types: ['TXT'] })
    expect(seen).toMatchObject({ records: { TXT: ['grüße aus Köln'] } })
    const settings = dns.settings.parse({ record_types: ['TXT'], expected: { TXT: ['grüße aus Köln'] } })
    expect(dns.judge(dns.seen.parse(seen), settings, { at, phases: noPhases }).status).toBe('up')
  })

  test('a snapshot of before, whose values were cut, is replaced without a comparison', () => {
    const before = { zone: 'a.example', nameservers: [], records: { TXT: [long('').slice(0, 500)] } }
    expect(dns.changeDetection?.snapshot.safeParse(before).success).toBe(false)
  })

  const withCode = (rcode: number): Reply => ({
    raw: question => {
      const answer = Buffer.from(question)
      answer.writeUInt16BE(0x8180 | rcode, 2)
      return answer
    },
  })
  const failures: [string, Reply][] = [
    ['SERVFAIL', 'servfail'],
    ['no answer at all', 'silent'],
    ['FORMERR', withCode(1)],
    ['NOTIMP', withCode(4)],
    ['REFUSED', withCode(5)],
    ['NXDOMAIN', 'nxdomain'],
    ['nothing', []],
  ]
  const outcomeOf = async (name: string, settings: Wanted = {}, timeoutMs = 3_000) => {
    const { seen, fault, phases } = await lookUp(name, settings, timeoutMs)
    if (!seen) return fault?.code
    const verdict = dns.judge(dns.seen.parse(seen), dns.settings.parse({ degraded_after_ms: 400, ...settings }), {
      at,
      phases,
    })
    return verdict.code ?? verdict.status
  }

  test.each(failures)('of a name whose other address family gets %s is up', async (what, reply) => {
    for (const [fine, bad] of [
      ['A', 'AAAA'],
      ['AAAA', 'A'],
    ] as const) {
      const name = `${fine}-${what.replaceAll(/[^a-z]/gi, '')}.example`.toLowerCase()
      const answers = fine === 'A' ? a(name, '192.0.2.10') : [{ type: 'AAAA' as const, name, data: '2001:db8::10' }]
      replies.set(name, type => (type === fine ? answers : type === bad ? reply : []))
      expect([bad, await outcomeOf(name)]).toEqual([bad, 'up'])
      const { seen } = await lookUp(name, {}, 3_000)
      const isEmpty = what === 'NXDOMAIN' || what === 'nothing'
      expect(seen).toMatchObject({
        failed: isEmpty ? [] : [bad],
        settled: true,
        records: { [fine]: [expect.any(String)] },
      })
    }
  })

  test.each(failures.filter(([what]) => !['NXDOMAIN', 'nothing'].includes(what)))(
    'of a name for which the one family is empty and the other gets %s is down',
    async (what, reply) => {
      const name = `empty-${what.replaceAll(/[^a-z]/gi, '')}.example`.toLowerCase()
      replies.set(name, type => (type === 'A' ? reply : []))
      expect(await outcomeOf(name)).toBe('dns_failed')
    },
  )

  test('of a name that gets no answer for other records warns, and is down where they are expected', async () => {
    replies.set('post.example', type =>
      type === 'A' ? a('post.example', '192.0.2.10') : type === 'MX' ? 'servfail' : [],
    )
    expect(await outcomeOf('post.example', { record_types: ['A', 'MX'] })).toBe('dns_failed')
    const { seen } = await lookUp('post.example', { record_types: ['A', 'MX'] })
    const judge = (settings: Wanted) =>
      dns.judge(dns.seen.parse(seen), dns.settings.parse(settings), { at, phases: noPhases })
    expect(judge({ record_types: ['A', 'MX'] }).status).toBe('warning')
    expect(judge({ record_types: ['A', 'MX'], expected: { MX: ['10 m'] } }).status).toBe('down')
    replies.set('none.example', () => 'servfail')
    expect(await outcomeOf('none.example', { record_types: ['A', 'MX'] })).toBe('dns_failed')
  })

  test('of a name server that fails where another answers is down', async () => {
    replies.set('half.example', type => (type === 'A' ? a('half.example', '192.0.2.1') : []))
    replies.set('other.half.example', () => 'servfail')
    expect(await outcomeOf('half.example', { resolvers: [server.address, other.address] })).toBe('dns_failed')
  })

  test('a record that is missing for a while and comes back is no change', async () => {
    let reply: Reply = [{ type: 'AAAA', name: 'coming.example', data: '2001:db8::1' }]
    replies.set('coming.example', type =>
      type === 'A' ? a('coming.example', '192.0.2.1') : type === 'AAAA' ? reply : [],
    )
    const seen: unknown[] = []
    for (const next of [reply, 'servfail' as const, reply]) {
      reply = next
      seen.push((await lookUp('coming.example')).seen)
    }
    expect(seen.map(each => dns.seen.parse(each).replaced)).toEqual([null, null, null])
    for (const [index, each] of seen.entries())
      expect(
        dns.judge(dns.seen.parse(each), dns.settings.parse({}), { at, phases: noPhases, previous: seen[index - 1] })
          .status,
      ).toBe('up')
  })

  test('finds the zone a name is delegated to, and who serves it', async () => {
    const ns = (name: string, ...servers: string[]): Answer[] => servers.map(data => ({ type: 'NS', name, data }))
    replies.set('deep.sub.cut.example', type => (type === 'A' ? a('deep.sub.cut.example', '192.0.2.1') : []))
    replies.set('sub.cut.example', type =>
      type === 'NS' ? ns('sub.cut.example', 'NS2.sub.cut.example', 'ns1.sub.cut.example') : [],
    )
    replies.set('cut.example', type => (type === 'NS' ? ns('cut.example', 'ns.cut.example') : []))
    expect((await lookUp('deep.sub.cut.example', { record_types: ['A'] })).seen).toMatchObject({
      zone: 'sub.cut.example',
      nameservers: ['ns1.sub.cut.example', 'ns2.sub.cut.example'],
      settled: true,
    })
    replies.set('sub.cut.example', () => 'servfail')
    expect((await lookUp('deep.sub.cut.example', { record_types: ['A'] })).seen).toMatchObject({
      zone: 'cut.example',
      nameservers: ['ns.cut.example'],
    })
    replies.set('cut.example', () => 'servfail')
    expect((await lookUp('deep.sub.cut.example', { record_types: ['A'] })).seen).toMatchObject({
      zone: 'cut.example',
      nameservers: null,
    })
  })

  test('fetches by TCP what is too long for a datagram', async () => {
    const addresses = Array.from({ length: 2_000 }, (_, n) => `10.1.${n >> 8}.${n & 255}`)
    replies.set('long.example', type => (type === 'A' ? { long: a('long.example', ...addresses) } : []))
    const { seen } = await lookUp('long.example', { record_types: ['A'] })
    expect(dns.seen.parse(seen)).toMatchObject({
      settled: true,
      records: { A: expect.toSatisfy((found: string[]) => found.length === 2_000) },
    })
  })

  test.each<[string, (question: Buffer) => Buffer]>([
    ['nothing at all', () => Buffer.alloc(0)],
    ['a header alone', question => question.subarray(0, 12)],
    ['noise', question => Buffer.concat([question.subarray(0, 2), Buffer.alloc(500, 0xff)])],
    [
      'another question’s number',
      question => Buffer.concat([Buffer.from([question[0]! ^ 0xff, question[1]!]), answerOf(question).subarray(2)]),
    ],
    ['another question', question => answerOf(question, 'other.example')],
    ['a name that points at itself', question => withPointer(question)],
    ['a name that points beyond the end', question => withPointer(question, 0x3f_f0)],
    ['more answers than there are', question => counted(answerOf(question), 60_000)],
    ['an address of three bytes', question => withData(question, Buffer.from([1, 2, 3]))],
  ])('of an answer that is %s ends in a clear failure', async (what, raw) => {
    const name = `${what.replaceAll(/[^a-z]/g, '')}.example`
    replies.set(name, () => ({ raw }))
    const start = performance.now()
    const { fault } = await lookUp(name, { record_types: ['A'] }, 600)
    expect(fault?.code).toMatch(/^dns_(failed|timeout)$/)
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  test('of aliases that go round in a circle ends', async () => {
    replies.set('round.example', () => [
      { type: 'CNAME', name: 'round.example', data: 'trip.example' },
      { type: 'CNAME', name: 'trip.example', data: 'round.example' },
    ])
    const { seen, fault } = await lookUp('round.example', { record_types: ['A'] }, 600)
    const judged =
      seen && dns.judge(dns.seen.parse(seen), dns.settings.parse({ record_types: ['A'] }), { at, phases: noPhases })
    expect(judged?.code ?? fault?.code).toMatch(/^dns_(no_records|failed|not_found)$/)
  })

  test('asks only name servers, and for names, that are not inside', async () => {
    const strict = new Guard()
    const inside = (url: string, settings: Wanted) =>
      runCheck('dns', { url }, dns.settings.parse(settings), { guard: strict, timeoutMs: 500, now: Date.now })
    const before = server.asked.length
    expect((await inside('host://zone.example', { resolvers: [server.address] })).fault).toMatchObject({
      code: 'blocked',
    })
    expect((await inside('host://zone.example', { resolvers: ['169.254.169.254'] })).fault).toMatchObject({
      code: 'blocked',
    })
    expect((await inside('host://localhost', {})).fault).toMatchObject({ code: 'blocked' })
    expect((await inside('host://zone.example', { name: 'metadata.google.internal' })).fault).toMatchObject({
      code: 'blocked',
    })
    expect(server.asked.length).toBe(before)
    expect((await inside('host://192.0.2.1', {})).fault?.code).toMatch(/unsupported|blocked/)
  })
})

describe('the region’s own resolver', () => {
  test.each<[string, Reply]>([
    ['fails', 'servfail'],
    ['is silent', 'silent'],
  ])('that %s about one address family lets the other count', async (_, reply) => {
    const own = await DnsServer.open((name, type) =>
      type === 'A' ? a(name, '93.184.216.34') : type === 'AAAA' ? reply : [],
    )
    try {
      const { seen, fault } = await runCheck(
        'dns',
        { url: 'host://www.example.com' },
        dns.settings.parse({ timeout_ms: 3_000 }),
        {
          guard: new Guard([], { servers: [own.address] }),
          timeoutMs: 3_000,
          now: Date.now,
        },
      )
      expect(fault).toBeUndefined()
      expect(seen).toMatchObject({ records: { A: ['93.184.216.34'] }, failed: ['AAAA'] })
    } finally {
      own.close()
    }
  })

  test('shows no address inside that comes later', async () => {
    const own = await DnsServer.open((name, type, nth) =>
      type === 'A' ? a(name, nth === 0 ? '93.184.216.34' : '10.0.0.5') : [],
    )
    try {
      const { fault } = await runCheck('dns', { url: 'host://www.example.com' }, dns.settings.parse({}), {
        guard: new Guard([], { servers: [own.address] }),
        timeoutMs: 3_000,
        now: Date.now,
      })
      expect(fault?.code).toBe('blocked')
    } finally {
      own.close()
    }
  })
})

describe('a name that the region’s own resolver knows', () => {
  const publicAddress = '93.184.216.34'
  const zones: Record<string, Record<string, unknown>> = {
    // all of it inside, by its address
    'by-address.company.com': {
      A: '10.0.0.5',
      TXT: 'secret',
      MX: { preference: 1, exchange: 'mx.inside.com' },
      SOA: soa,
      CAA: { flags: 0, tag: 'issue', value: 'x' },
      CNAME: 'x.com',
      NS: 'ns.com',
    },
    'by-ipv6.company.com': { AAAA: 'fd00::5', TXT: 'secret' },
    // inside by what its records lead to
    '_ldap._tcp.company.com': { SRV: { priority: 0, weight: 0, port: 389, target: 'dc01.company.com' } },
    'mail.company.com': { MX: { preference: 10, exchange: 'dc01.company.com' } },
    'alias.company.com': { CNAME: 'six.company.com' },
    'delegated.company.com': { NS: 'dc01.company.com' },
    'dc01.company.com': { A: '192.168.7.7' },
    'six.company.com': { AAAA: 'fe80::7' },
    // inside by its zone alone
    'note.zoned.company.com': { TXT: 'secret' },
    'zoned.company.com': { NS: 'dc01.company.com', SOA: soa },
    'secret.lan': { TXT: 'secret' },
    'known.lan': { A: '10.0.0.9', TXT: 'secret' },
    // outside
    'example.com': {
      A: publicAddress,
      TXT: 'v=spf1 -all',
      MX: { preference: 10, exchange: 'mx.example.com' },
      NS: 'ns.example.com',
      CAA: { flags: 0, tag: 'issue', value: 'ca.example' },
    },
    'mx.example.com': { A: publicAddress },
    'ns.example.com': { A: publicAddress, AAAA: '2606:2800:220:1::1' },
    '_dmarc.example.com': { TXT: 'v=DMARC1' },
    '_sip._tcp.example.com': { SRV: { priority: 0, weight: 0, port: 5060, target: 'mx.example.com' } },
    'nowhere.example.com': { MX: { preference: 10, exchange: 'gone.example.com' } },
  }
  let server: DnsServer
  beforeAll(async () => {
    server = await DnsServer.open((name, type) => {
      const zone = zones[name]
      if (!zone) return 'nxdomain'
      return zone[type] === undefined ? [] : ([{ type, name, data: zone[type] }] as Answer[])
    })
  })
  afterAll(() => server.close())

  const ask = (name: string, types: Wanted['record_types'], allow = '') =>
    runCheck('dns', { url: `host://${name}` }, dns.settings.parse({ record_types: types, timeout_ms: 2_000 }), {
      guard: new Guard(parseAllowList(allow), { servers: [server.address] }),
      timeoutMs: 2_000,
      now: Date.now,
    })

  test.each<[string, NonNullable<Wanted['record_types']>[number]]>([
    ...(['A', 'AAAA', 'TXT', 'MX', 'SOA', 'CAA', 'CNAME', 'NS', 'SRV'] as const).map(
      type => ['by-address.company.com', type] as [string, typeof type],
    ),
    ['by-ipv6.company.com', 'TXT'],
    ['_ldap._tcp.company.com', 'SRV'],
    ['mail.company.com', 'MX'],
    ['alias.company.com', 'CNAME'],
    ['delegated.company.com', 'NS'],
    ['note.zoned.company.com', 'TXT'],
    ['secret.lan', 'TXT'],
    ['known.lan', 'TXT'],
  ])('and that leads inside, %s, reports none of its %s records', async (name, type) => {
    const result = await ask(name, [type])
    expect(result.seen).toBeUndefined()
    expect(result.fault).toMatchObject({ code: 'blocked', phase: 'guard' })
    expect(JSON.stringify(result)).not.toMatch(/secret|dc01|mx\.inside/)
  })

  test('and whose address is inside is asked for nothing else', async () => {
    const before = server.asked.length
    await ask('by-address.company.com', ['TXT', 'MX', 'SRV'])
    expect(server.asked.slice(before).map(({ type }) => type)).toEqual(['A'])
  })

  test.each<[string, Wanted['record_types'], object]>([
    [
      'example.com',
      ['TXT', 'MX', 'NS', 'CAA'],
      { TXT: ['v=spf1 -all'], MX: ['10 mx.example.com'], NS: ['ns.example.com'], CAA: ['0 issue "ca.example"'] },
    ],
    ['_dmarc.example.com', ['TXT'], { TXT: ['v=DMARC1'] }],
    ['_sip._tcp.example.com', ['SRV'], { SRV: ['0 0 5060 mx.example.com'] }],
    ['nowhere.example.com', ['MX'], { MX: ['10 gone.example.com'] }],
  ])('and that is public, %s, reports its records', async (name, types, records) =>
    expect((await ask(name, types)).seen).toMatchObject({ records }),
  )

  test('and that is inside is reported where the operator allows its addresses', async () => {
    expect((await ask('by-address.company.com', ['TXT'], '10.0.0.0/8')).seen).toMatchObject({
      records: { TXT: ['secret'] },
    })
    expect((await ask('known.lan', ['TXT'], '10.0.0.0/8')).seen).toMatchObject({ records: { TXT: ['secret'] } })
    expect((await ask('_ldap._tcp.company.com', ['SRV'], '192.168.7.7/32')).seen).toMatchObject({
      records: { SRV: ['0 0 389 dc01.company.com'] },
    })
    expect((await ask('secret.lan', ['TXT'], '10.0.0.0/8')).fault).toMatchObject({ code: 'blocked' })
  })
})

const answerOf = (question: Buffer, name?: string): Buffer => {
  const { id, questions = [] } = packet.decode(question)
  const asked = name ? [{ type: 'A' as const, name }] : questions
  return packet.encode({
    type: 'response',
    id: id ?? 0,
    flags: packet.RECURSION_AVAILABLE,
    questions: asked,
    answers: a(asked[0]?.name ?? '', '192.0.2.1'),
  })
}
/** One answer whose name is a pointer to that offset, by default its own. */
const withPointer = (question: Buffer, offset = bare(question).length) =>
  counted(
    Buffer.concat([
      bare(question),
      Buffer.from([0xc0 | (offset >> 8), offset & 0xff, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 1, 2, 3, 4]),
    ]),
    1,
  )
const withData = (question: Buffer, data: Buffer) =>
  counted(Buffer.concat([bare(question), Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, data.length]), data]), 1)
const bare = (question: Buffer) => {
  const { id, questions = [] } = packet.decode(question)
  return packet.encode({ type: 'response', id: id ?? 0, flags: packet.RECURSION_AVAILABLE, questions })
}
const counted = (answer: Buffer, count: number) => {
  const bytes = Buffer.from(answer)
  bytes.writeUInt16BE(count, 6)
  return bytes
}

describe('the memory of an agent', () => {
  const minute = 60_000
  test('reports a change for ten minutes', () => {
    const memory = new RecordMemory()
    expect(memory.observe('n', { A: ['1'] }, 0)).toBeNull()
    expect(memory.observe('n', { A: ['1'] }, minute)).toBeNull()
    expect(memory.observe('n', { A: ['2'] }, 2 * minute)).toEqual({ A: ['1'] })
    expect(memory.observe('n', { A: ['2'] }, 12 * minute - 1)).toEqual({ A: ['1'] })
    expect(memory.observe('n', { A: ['2'] }, 12 * minute)).toBeNull()
  })

  test('knows a pool that goes round, once it has', () => {
    const memory = new RecordMemory()
    const events = ['1', '2', '3', '1', '2', '3', '1'].map((address, n) =>
      memory.observe('n', { A: [address] }, n * minute),
    )
    expect(events.map(Boolean)).toEqual([false, true, true, false, false, false, false])
  })

  test('keeps names apart, and no more of them than it may', () => {
    const memory = new RecordMemory(2)
    memory.observe('a', { A: ['1'] }, 0)
    memory.observe('b', { A: ['1'] }, 0)
    expect(memory.observe('a', { A: ['2'] }, 1)).toEqual({ A: ['1'] })
    memory.observe('c', { A: ['1'] }, 2)
    expect(memory.observe('b', { A: ['2'] }, 3)).toBeNull()
  })

  test('does not mind the serial of a zone', () => {
    const memory = new RecordMemory()
    memory.observe('n', { SOA: ['ns host 1 1'] }, 0)
    expect(memory.observe('n', { SOA: ['ns host 2 1'] }, 1)).toBeNull()
  })
})
