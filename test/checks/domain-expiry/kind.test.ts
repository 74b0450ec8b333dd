import { describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { parseDate } from '#checks/domain-expiry/dates.ts'
import { domainExpiry } from '#checks/domain-expiry/kind.ts'
import { RegistryMemory } from '#checks/domain-expiry/memory.ts'
import { readRdap, retryAfterMs } from '#checks/domain-expiry/rdap.ts'
import { statusCode } from '#checks/domain-expiry/registration.ts'
import { parseServers, Registries, readBootstrap } from '#checks/domain-expiry/registries.ts'
import { readReferral, readWhois, whoisQuestion } from '#checks/domain-expiry/whois.ts'
import { noPhases } from '#contract/check.ts'

type Seen = z.input<typeof domainExpiry.seen>
const at = new Date('2026-11-21T12:00:00Z')
const inDays = (days: number) => new Date(at.getTime() + days * 86_400_000).toISOString()

const good: Seen = {
  domain: 'example.com',
  answer: 'fresh',
  as_of: at.toISOString(),
  source: 'rdap',
  server: 'rdap.example',
  problem: null,
  expires_at: inDays(200),
  registered_at: inDays(-2_000),
  updated_at: null,
  registrar: 'Registrar Inc.',
  statuses: ['clientTransferProhibited'],
  nameservers: ['ns1.example.com', 'ns2.example.com'],
  signed: false,
}
const silent: Seen = {
  ...good,
  answer: 'none',
  as_of: null,
  source: null,
  server: null,
  expires_at: null,
  statuses: [],
  nameservers: [],
  problem: 'No word.',
}

describe('judge', () => {
  test.each<[string, Partial<Seen>, z.input<typeof domainExpiry.settings>, unknown, string, string | undefined]>([
    ['two hundred days left', {}, {}, undefined, 'up', undefined],
    ['sixty-one', { expires_at: inDays(61) }, {}, undefined, 'up', undefined],
    ['just under sixty-one', { expires_at: inDays(60.99) }, {}, undefined, 'warning', 'domain_expiring'],
    ['sixty, on a shorter ladder', { expires_at: inDays(60) }, { warn_days: [30, 7] }, undefined, 'up', undefined],
    ['an hour', { expires_at: inDays(1 / 24) }, {}, undefined, 'warning', 'domain_expiring'],
    ['this very moment', { expires_at: at.toISOString() }, {}, undefined, 'down', 'domain_expired'],
    ['a day ago', { expires_at: inDays(-1) }, {}, undefined, 'down', 'domain_expired'],
    [
      'a day ago, by an answer of last week: it may have been renewed',
      { expires_at: inDays(-1), answer: 'kept' },
      {},
      undefined,
      'warning',
      'domain_expiring',
    ],
    ['on hold by its registrar', { statuses: ['clientHold'] }, {}, undefined, 'down', 'domain_on_hold'],
    ['on hold by its registry', { statuses: ['ok', 'serverHold'] }, {}, undefined, 'down', 'domain_on_hold'],
    [
      'in redemption',
      { statuses: ['redemptionPeriod', 'pendingDelete'] },
      {},
      undefined,
      'down',
      'domain_in_redemption',
    ],
    [
      'about to be deleted',
      { statuses: ['pendingDelete'], expires_at: null },
      {},
      undefined,
      'down',
      'domain_pending_delete',
    ],
    ['renewed by its registry of itself', { statuses: ['autoRenewPeriod'] }, {}, undefined, 'up', undefined],
    ['an unpublished end', { expires_at: null }, {}, undefined, 'unknown', 'expiry_not_published'],
    ['no registry to ask', { ...silent, answer: 'unsupported' }, {}, undefined, 'unknown', 'unsupported'],
    [
      'no such domain',
      { ...silent, answer: 'not_registered', problem: null },
      {},
      undefined,
      'down',
      'domain_not_registered',
    ],
    ['silence, and nothing known', silent, {}, undefined, 'unknown', 'registry_silent'],
    ['silence after a good answer', silent, {}, good, 'up', undefined],
    [
      'silence after an answer that warned',
      silent,
      {},
      { ...good, expires_at: inDays(10) },
      'warning',
      'domain_expiring',
    ],
    ['silence after silence', silent, {}, silent, 'unknown', 'registry_silent'],
    ['silence after another domain', silent, {}, { ...good, domain: 'example.net' }, 'unknown', 'registry_silent'],
    ['silence after what makes no sense', silent, {}, { domain: 7 }, 'unknown', 'registry_silent'],
  ])('%s', (_, seen, settings, previous, status, code) => {
    const verdict = domainExpiry.judge(
      domainExpiry.seen.parse({ ...good, ...seen }),
      domainExpiry.settings.parse(settings),
      { at, phases: noPhases, previous },
    )
    expect([verdict.status, verdict.code]).toEqual([status, code])
  })

  test('goes down the ladder rung by rung', () => {
    const depth = (days: number) => {
      const verdict = domainExpiry.judge(
        domainExpiry.seen.parse({ ...good, expires_at: inDays(days) }),
        domainExpiry.settings.parse({}),
        {
          at,
          phases: noPhases,
        },
      )
      return verdict.status === 'warning' ? verdict.depth : undefined
    }
    expect([61.5, 60, 31, 30, 14, 7, 2, 1, 0.5].map(depth)).toEqual([undefined, 1, 1, 2, 3, 4, 4, 5, 5])
  })
})

test.each<[unknown, boolean]>([
  [{ warn_days: [] }, false],
  [{ warn_days: [0] }, false],
  [{ warn_days: [366] }, false],
  [{ warn_days: [365, 1] }, true],
  [{ server: '127.0.0.1' }, true],
])('settings %j', (settings, isGood) => {
  const parsed = domainExpiry.settings.safeParse(settings)
  expect(parsed.success).toBe(isGood)
  // whom to ask is no tenant's to say
  if (parsed.success) expect(Object.keys(parsed.data).toSorted()).toEqual(['timeout_ms', 'warn_days'])
})

test.each<[string, string | null]>([
  ['2026-11-21T10:00:00Z', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00.0Z', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21T10:00:00+02:00', '2026-11-21T08:00:00.000Z'],
  ['2026-11-21T10:00:00-0530', '2026-11-21T15:30:00.000Z'],
  ['2026-11-21 10:00:00+02', '2026-11-21T08:00:00.000Z'],
  ['2026-11-21 10:00:00 (UTC+8)', '2026-11-21T02:00:00.000Z'],
  ['2026-11-21 10:00', '2026-11-21T10:00:00.000Z'],
  ['2026-11-21', '2026-11-21T23:59:59.000Z'],
  ['2026/11/21', '2026-11-21T23:59:59.000Z'],
  ['2026. 11. 21.', '2026-11-21T23:59:59.000Z'],
  ['2026.11.21', '2026-11-21T23:59:59.000Z'],
  ['20261121', '2026-11-21T23:59:59.000Z'],
  ['20261121 #123456', '2026-11-21T23:59:59.000Z'],
  ['20261121101500', '2026-11-21T10:15:00.000Z'],
  ['21-Nov-2026', '2026-11-21T23:59:59.000Z'],
  ['21 November 2026', '2026-11-21T23:59:59.000Z'],
  ['21-Nov-2026 10:00:00 UTC', '2026-11-21T10:00:00.000Z'],
  ['2026-Nov-21.', '2026-11-21T23:59:59.000Z'],
  ['November 21 2026', '2026-11-21T23:59:59.000Z'],
  ['Sat Nov 21 10:00:00 GMT 2026', '2026-11-21T10:00:00.000Z'],
  ['21.11.2026', '2026-11-21T23:59:59.000Z'],
  ['21.11.2026 10:00:00', '2026-11-21T10:00:00.000Z'],
  ['1.2.2027', '2027-02-01T23:59:59.000Z'],
  ['21/11/2026', '2026-11-21T23:59:59.000Z'],
  ['11/21/2026', '2026-11-21T23:59:59.000Z'],
  ['2026-02-30', null],
  ['2026-13-01', null],
  ['0000-00-00', null],
  ['2026-11-21T99:99:99Z', null],
  ['9999-12-31', null],
  ['soon', null],
  ['', null],
  ['9'.repeat(300), null],
])('the date %s', (text, wanted) => expect(parseDate(text)).toBe(wanted))

test.each([
  ['client hold', 'clientHold'],
  ['clientHold https://icann.org/epp#clientHold', 'clientHold'],
  ['clientTransferProhibited (https://icann.org/epp#clientTransferProhibited)', 'clientTransferProhibited'],
  ['CLIENT HOLD', 'clientHold'],
  ['pending-delete', 'pendingDelete'],
  ['ok', 'ok'],
  ['', ''],
])('the status %s', (text, wanted) => expect(statusCode(text)).toBe(wanted))

describe('RDAP', () => {
  const record = {
    objectClassName: 'domain',
    ldhName: 'EXAMPLE.COM',
    status: ['client transfer prohibited', 'active'],
    events: [
      { eventAction: 'registration', eventDate: '1995-08-14T04:00:00Z' },
      { eventAction: 'expiration', eventDate: '2027-08-13T04:00:00Z' },
      { eventAction: 'last changed', eventDate: '2026-08-14T07:01:44Z' },
    ],
    nameservers: [{ objectClassName: 'nameserver', ldhName: 'B.IANA-SERVERS.NET' }, { ldhName: 'A.IANA-SERVERS.NET.' }],
    entities: [
      {
        roles: ['registrar'],
        handle: '376',
        vcardArray: [
          'vcard',
          [
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', 'Registrar Inc.'],
          ],
        ],
      },
    ],
    secureDNS: { delegationSigned: true },
  }

  test('is read as it shows itself', () => {
    expect(readRdap(record, 'example.com')).toEqual({
      registered_at: '1995-08-14T04:00:00.000Z',
      updated_at: '2026-08-14T07:01:44.000Z',
      expires_at: '2027-08-13T04:00:00.000Z',
      registrar: 'Registrar Inc.',
      statuses: ['clientTransferProhibited', 'active'],
      nameservers: ['a.iana-servers.net', 'b.iana-servers.net'],
      signed: true,
    })
  })

  test.each<[string, unknown]>([
    ['of another domain', { ...record, ldhName: 'example.org' }],
    ['of something else', { ...record, objectClassName: 'ip network' }],
    ['that is an error', { errorCode: 404, title: 'Not found' }],
    ['that is no object', 'hello'],
    ['that is nothing', null],
  ])('an answer %s is none', (_, body) => expect(readRdap(body, 'example.com')).toBeNull())

  test('odd entries cost only themselves, and lists have an end', () => {
    const odd = {
      ...record,
      status: [1, null, 'active', { a: 1 }, ...Array.from({ length: 500 }, (_, n) => `s${n}`)],
      events: [
        { eventAction: 'expiration', eventDate: 'never' },
        { eventAction: 'expiration', eventDate: '2027-08-13' },
        7,
      ],
      nameservers: 'none',
      entities: [{ roles: 'registrar' }, { roles: ['registrar'], handle: '376', vcardArray: [[[]]] }],
      secureDNS: 'yes',
    }
    const read = readRdap(odd, 'example.com')
    expect(read).toMatchObject({
      expires_at: '2027-08-13T23:59:59.000Z',
      registrar: '376',
      nameservers: [],
      signed: null,
    })
    expect(read?.statuses).toHaveLength(20)
  })

  test.each<[string | undefined, number]>([
    ['120', 120],
    ['1', 60],
    ['999999999', 86_400],
    ['Sat, 21 Nov 2026 14:00:00 GMT', 7_200],
    ['soon', 3_600],
    [undefined, 3_600],
  ])('a server that says wait %s is left alone for %i s', (header, seconds) =>
    expect(retryAfterMs(header, at.getTime())).toBe(seconds * 1_000),
  )
})

describe('WHOIS', () => {
  // one a family of registries: how each writes the end, and what else it reports
  test.each<
    [string, string, string, Partial<Extract<ReturnType<typeof readWhois>, { code: 'found' }>['registration']>]
  >([
    [
      'thin gTLD',
      'example.com',
      `   Domain Name: EXAMPLE.COM\r\n   Registrar WHOIS Server: whois.registrar.example\r\n   Updated Date: 2026-08-14T07:01:44Z\r\n   Creation Date: 1995-08-14T04:00:00Z\r\n   Registry Expiry Date: 2027-08-13T04:00:00Z\r\n   Registrar: Registrar Inc.\r\n   Domain Status: clientHold https://icann.org/epp#clientHold\r\n   Domain Status: ok https://icann.org/epp#ok\r\n   Name Server: A.IANA-SERVERS.NET\r\n   Name Server: B.IANA-SERVERS.NET\r\n   DNSSEC: signedDelegation\r\n>>> Last update of whois database: 2026-11-21T10:00:00Z <<<\r\nNOTICE: The expiration date displayed in this record is the date the registrar's sponsorship expires.\r\n`,
      {
        expires_at: '2027-08-13T04:00:00.000Z',
        registered_at: '1995-08-14T04:00:00.000Z',
        registrar: 'Registrar Inc.',
        statuses: ['clientHold', 'ok'],
        nameservers: ['a.iana-servers.net', 'b.iana-servers.net'],
        signed: true,
      },
    ],
    [
      'uk',
      'example.co.uk',
      '\n    Domain name:\n        example.co.uk\n\n    Registrar:\n        Registrar Ltd [Tag = REG]\n        URL: https://registrar.example\n\n    Relevant dates:\n        Registered on: 01-Jan-1996\n        Expiry date:  05-Dec-2026\n        Last updated:  04-Nov-2026\n\n    Registration status:\n        Registered until expiry date.\n\n    Name servers:\n        ns1.example.co.uk  192.0.2.1\n        ns2.example.co.uk\n\n    WHOIS lookup made at 10:00:00 21-Nov-2026\n',
      {
        expires_at: '2026-12-05T23:59:59.000Z',
        registrar: 'Registrar Ltd [Tag = REG]',
        nameservers: ['ns1.example.co.uk', 'ns2.example.co.uk'],
      },
    ],
    [
      'jp',
      'example.jp',
      '[ JPRS database provides information on network administration. ]\nDomain Information:\n[Domain Name]                   EXAMPLE.JP\n\n[Registrant]                    Someone\n\n[Name Server]                   ns1.example.jp\n\n[Created on]                    2001/08/22\n[Expires on]                    2027/08/31\n[Status]                        Active\n[Last Updated]                  2026/09/01 01:05:10 (JST)\n',
      { expires_at: '2027-08-31T23:59:59.000Z', registered_at: '2001-08-22T23:59:59.000Z', statuses: ['active'] },
    ],
    [
      'co.jp',
      'example.co.jp',
      'a. [Domain Name]                EXAMPLE.CO.JP\n[State]                         Connected (2027/03/31)\n',
      { expires_at: '2027-03-31T23:59:59.000Z' },
    ],
    [
      'ru',
      'example.ru',
      'domain:        EXAMPLE.RU\nnserver:       ns1.example.ru.\nstate:         REGISTERED, DELEGATED, VERIFIED\nregistrar:     REG-RU\ncreated:       2005-01-01T21:00:00Z\npaid-till:     2027-01-31T21:00:00Z\nfree-date:     2027-03-04\nsource:        TCI\n',
      {
        expires_at: '2027-01-31T21:00:00.000Z',
        statuses: ['registered', 'delegated', 'verified'],
        nameservers: ['ns1.example.ru'],
      },
    ],
    [
      'fi',
      'example.fi',
      'domain.............: example.fi\nstatus.............: Registered\ncreated............: 1.1.1991 00:00:00\nexpires............: 31.8.2027 00:00:00\nnserver............: ns1.example.fi [OK]\n',
      { expires_at: '2027-08-31T00:00:00.000Z', nameservers: ['ns1.example.fi'] },
    ],
    [
      'kr',
      'example.kr',
      '# KOREAN\n도메인이름                  : example.kr\n\n# ENGLISH\nDomain Name                 : example.kr\nRegistered Date             : 1999. 07. 28.\nExpiration Date             : 2027. 07. 28.\n',
      { expires_at: '2027-07-28T23:59:59.000Z' },
    ],
    [
      'it',
      'example.it',
      'Domain:             example.it\nStatus:             ok\nCreated:            1999-12-10 00:00:00\nExpire Date:        2027-04-21\n',
      { expires_at: '2027-04-21T23:59:59.000Z' },
    ],
    [
      'pl',
      'example.pl',
      'DOMAIN NAME:           example.pl\nregistrant type:       organization\nnameservers:           dns1.example.pl. [192.0.2.1]\ncreated:               2000.01.01 00:00:00\nrenewal date:          2027-01-14 13:00:00\n',
      { expires_at: '2027-01-14T13:00:00.000Z', nameservers: ['dns1.example.pl'] },
    ],
    [
      'br',
      'example.com.br',
      '% Copyright (c) Nic.br\ndomain:      example.com.br\nnserver:     ns1.example.com.br\ncreated:     19990101 #1\nexpires:     20271205\nstatus:      published\n',
      { expires_at: '2027-12-05T23:59:59.000Z' },
    ],
    [
      'cn',
      'example.cn',
      'Domain Name: example.cn\nDomain Status: ok\nRegistration Time: 2003-03-17 12:20:05\nExpiration Time: 2027-03-17 12:48:36\nDNSSEC: unsigned\n',
      { expires_at: '2027-03-17T12:48:36.000Z', signed: false },
    ],
    [
      'hk',
      'example.hk',
      'Domain Name:  EXAMPLE.HK\nDomain Name Commencement Date: 01-02-2001\nExpiry Date: 01-02-2027\n',
      { expires_at: '2027-02-01T23:59:59.000Z' },
    ],
    [
      'il',
      'example.co.il',
      'domain:       example.co.il\nvalidity:     12-03-2027\nstatus:       Transfer Locked\n',
      { expires_at: '2027-03-12T23:59:59.000Z', statuses: ['transferLocked'] },
    ],
    [
      'edu',
      'example.edu',
      'Domain Name: EXAMPLE.EDU\n\nDomain record activated:    01-Jan-1990\nDomain expires:             31-Jul-2027\n',
      { expires_at: '2027-07-31T23:59:59.000Z' },
    ],
    [
      'tw',
      'example.tw',
      'Domain Name: example.tw\n   Record expires on 2027-05-31 23:59:59 (UTC+8)\n   Record created on 2000-08-30\n',
      { expires_at: '2027-05-31T15:59:59.000Z' },
    ],
    [
      'ua',
      'example.ua',
      'domain:           example.ua\nregistrar:        ua.reg\nstatus:           ok\ncreated:          2002-12-04 00:00:00+02\nexpires:          2027-12-04 00:00:00+02\n',
      { expires_at: '2027-12-03T22:00:00.000Z', registrar: 'ua.reg' },
    ],
    [
      'tr',
      'example.com.tr',
      '** Domain Name: example.com.tr\n** Additional Info:\nCreated on..............: 2001-Aug-23.\nExpires on..............: 2027-Aug-22.\n',
      { expires_at: '2027-08-22T23:59:59.000Z' },
    ],
    [
      'th',
      'example.co.th',
      'Domain Name:    EXAMPLE.CO.TH\nExp date:       08 Oct 2027\n',
      { expires_at: '2027-10-08T23:59:59.000Z' },
    ],
    [
      'de, which does not publish it',
      'example.de',
      'Domain: example.de\nNserver: ns1.example.de\nStatus: connect\nChanged: 2018-03-12T21:44:25+01:00\n',
      { expires_at: null, statuses: ['connect'], updated_at: '2018-03-12T20:44:25.000Z' },
    ],
  ])('%s', (_, domain, text, wanted) => {
    const read = readWhois(text, domain)
    expect(read.code).toBe('found')
    expect(read.code === 'found' && read.registration).toMatchObject(wanted)
  })

  test.each<[string, string, string]>([
    [
      'Verisign',
      'No match for domain "EXAMPLE.COM".\r\n>>> Last update of whois database: 2026-11-21T10:00:00Z <<<\r\n',
      'absent',
    ],
    ['most gTLDs', 'Domain not found.\r\n', 'absent'],
    ['Afilias', 'NOT FOUND\r\n', 'absent'],
    ['DENIC', 'Domain: example.com\nStatus: free\n', 'absent'],
    ['CZ.NIC', '%ERROR:101: no entries found\n%\n% No entries found.\n', 'absent'],
    ['CNNIC', 'No matching record.\n', 'absent'],
    ['a registry that has had enough', 'WHOIS LIMIT EXCEEDED - SEE WWW.PIR.ORG/WHOIS FOR DETAILS\n', 'refused'],
    ['DENIC to the hasty', '% Error: 55000000002 Connection refused; access control limit exceeded\n', 'refused'],
    ['one in need of quiet', 'Too many queries, please try again later.\n', 'refused'],
    [
      'a registry with another domain',
      'Domain Name: other.com\nRegistry Expiry Date: 2027-08-13T04:00:00Z\n',
      'unclear',
    ],
    ['a web server', 'HTTP/1.1 400 Bad Request\r\n\r\n<html></html>', 'unclear'],
    ['no words', '', 'unclear'],
    ['noise', `${'\u0000\u0001'.repeat(5_000)}:${'a'.repeat(90_000)}`, 'unclear'],
  ])('%s is understood', (_, text, code) => expect(readWhois(text, 'example.com').code).toBe(code))

  test('reads the worst in no time', () => {
    const worst = [
      `${'['.repeat(100_000)}`,
      `${'(a'.repeat(50_000)}:`,
      `${' '.repeat(100_000)}x`,
      'expires: '.repeat(20_000),
      `${'\n'.repeat(100_000)}a:b`,
    ]
    const start = performance.now()
    for (const text of worst) readWhois(text, 'example.com')
    expect(performance.now() - start).toBeLessThan(1_000)
  })

  test('asks odd servers in their own way', () => {
    expect(whoisQuestion('whois.denic.de', 'example.de')).toBe('-T dn example.de\r\n')
    expect(whoisQuestion('whois.nic.io', 'example.io')).toBe('example.io\r\n')
  })

  test.each([
    [
      '% IANA WHOIS server\nrefer:        whois.nic.zm\n\ndomain:       ZM\nwhois:        whois.nic.zm\n',
      'whois.nic.zm',
    ],
    ['domain:       ER\nstatus:       ACTIVE\nwhois:\n', null],
    ['refer: whois://whois.example.net:43/\n', 'whois.example.net'],
    ['refer: 127.0.0.1\r\nx', '127.0.0.1'],
    ['refer: a b;c\n', null],
  ])('a referral in %j', (text, server) => expect(readReferral(text)).toBe(server))
})

describe('the registries', () => {
  test('are known for most of the world', () => {
    const registries = new Registries()
    expect(registries.rdapOf('example.com')).toEqual(['https://rdap.verisign.com/com/v1/'])
    expect(registries.rdapOf('example.co.uk')).toEqual(['https://rdap.nominet.uk/uk/'])
    expect(registries.rdapOf('example.xyz')).toEqual(['https://rdap.centralnic.com/xyz/'])
    expect(registries.whoisOf('example.de')).toBe('whois.denic.de')
    expect(registries.whoisOf('example.io')).toBe('whois.nic.io')
    expect([registries.rdapOf('example.zz'), registries.whoisOf('example.zz')]).toEqual([[], undefined])
    expect(registries.rootOf('example.zz')).toBe('whois.iana.org')
  })

  test('of the operator go before all others, and then no other is asked', () => {
    const registries = new Registries({
      own: parseServers('rdap http://127.0.0.1:1/ com co.uk\nwhois [::1]:43 de\nwhois 127.0.0.1:2 .'),
    })
    expect(registries.rdapOf('example.com')).toEqual(['http://127.0.0.1:1/'])
    expect(registries.whoisOf('example.com')).toBeUndefined()
    expect(registries.rdapOf('example.de')).toEqual([])
    expect(registries.whoisOf('example.de')).toBe('[::1]:43')
    expect(registries.rdapOf('example.co.uk')).toEqual(['http://127.0.0.1:1/'])
    expect(registries.rdapOf('example.uk')).toEqual(['https://rdap.nominet.uk/uk/'])
    expect([registries.rootOf('example.com'), registries.rootOf('example.zz')]).toEqual([undefined, '127.0.0.1:2'])
  })

  test.each([
    'rdap',
    'rdap https://x.example/',
    'rdap ftp://x.example/ com',
    'rdap https://x.example/y com',
    'whois a/b com',
    'finger x com',
  ])('a line such as "%s" is refused', line => expect(() => parseServers(`# fine\n\n${line}`)).toThrow('line 3'))

  test('read IANA’s list, and only over TLS', () => {
    const services = Array.from({ length: 12 }, (_, n) => [
      [`zone${n}`],
      ['http://plain.example/', 'https://rdap.example/x'],
    ])
    expect(readBootstrap(JSON.stringify({ version: '1.0', services }))?.get('zone3')).toEqual([
      'https://rdap.example/x/',
    ])
    const plain = services.map(([zones]) => [zones, ['http://plain.example/']])
    for (const text of [
      JSON.stringify({ services: plain }),
      JSON.stringify({ services: services.slice(0, 3) }),
      '{"services":7}',
      '<html>',
      '',
    ])
      expect(readBootstrap(text)).toBeNull()
  })
})

test('the memory keeps the youngest, and what is a month old no longer', () => {
  const memory = new RegistryMemory(2)
  const known = (time: number) => ({
    registration: { ...good, expires_at: null },
    source: 'rdap' as const,
    server: 'x',
    at: time,
  })
  for (const [index, name] of ['a', 'b', 'a', 'c'].entries()) memory.store(name, known(index))
  expect(['a', 'b', 'c'].map(name => memory.get(name, 10)?.at)).toEqual([2, undefined, 3])
  expect(memory.get('a', 31 * 86_400_000)).toBeUndefined()
  memory.pause('s', 100)
  expect([memory.isPaused('s', 99), memory.isPaused('s', 100), memory.isPaused('t', 0)]).toEqual([true, false, false])
})
