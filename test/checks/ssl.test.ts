import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:tls'
import { beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { type Link, weaknessesOf } from '#checks/ssl/chain.ts'
import { noPhases } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { Authority, daysFromNow, type KeyAndCert, rsa, selfSigned } from '#test/checks/certificates.ts'
import { http, https, tcp } from '#test/checks/servers.ts'

const { ssl } = kinds
const at = new Date('2026-11-21T12:00:00Z')
const inDays = (days: number) => new Date(at.getTime() + days * 86_400_000).toISOString()

const good: z.input<typeof ssl.seen> = {
  issuer: 'CN=Authority',
  subject: 'CN=example.com',
  names: ['example.com'],
  valid_from: inDays(-10),
  valid_to: inDays(90),
  days_left: 90,
  fingerprint: 'AA:BB',
  protocol: 'TLSv1.3',
  cipher: 'TLS_AES_256_GCM_SHA384',
  matches_host: true,
  chain_error: null,
}

describe('judge', () => {
  const cases: [string, Partial<typeof good>, z.input<typeof ssl.settings>, string, string | undefined][] = [
    ['ninety days left', {}, {}, 'up', undefined],
    ['thirty-one', { valid_to: inDays(31) }, {}, 'up', undefined],
    ['just under thirty-one', { valid_to: inDays(30.99) }, { warn_days: [30] }, 'warning', 'ssl_expiring'],
    ['thirty', { valid_to: inDays(30) }, { warn_days: [30] }, 'warning', 'ssl_expiring'],
    ['a third of a hundred days', { valid_from: inDays(-67), valid_to: inDays(33) }, {}, 'up', undefined],
    ['less than that', { valid_from: inDays(-70.1), valid_to: inDays(29.9) }, {}, 'warning', 'ssl_expiring'],
    ['thirty, on a shorter ladder', { valid_to: inDays(30) }, { warn_days: [14] }, 'up', undefined],
    ['an hour', { valid_to: inDays(1 / 24) }, {}, 'warning', 'ssl_expiring'],
    ['this very second', { valid_to: at.toISOString() }, {}, 'down', 'certificate_expired'],
    ['a day ago', { valid_to: inDays(-1) }, {}, 'down', 'certificate_expired'],
    ['from tomorrow', { valid_from: inDays(1) }, {}, 'down', 'certificate_not_yet_valid'],
    ['from now', { valid_from: at.toISOString() }, {}, 'up', undefined],
    ['for another host', { matches_host: false }, {}, 'down', 'certificate_wrong_host'],
    [
      'self-signed',
      { chain_problem: 'self_signed', chain_error: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      {},
      'down',
      'certificate_self_signed',
    ],
    [
      'sent without its issuer’s',
      { chain_problem: 'incomplete', missing_link: 'CN=Deputy' },
      {},
      'down',
      'certificate_chain_incomplete',
    ],
    ['sent with one that has expired', { chain_problem: 'expired_link' }, {}, 'down', 'certificate_chain_expired'],
    [
      'of an untrusted authority',
      { chain_problem: 'untrusted', chain_error: 'X' },
      {},
      'down',
      'certificate_untrusted',
    ],
    [
      'of a weak key',
      { weaknesses: [{ code: 'weak_key', subject: 'CN=x', what: 'RSA 1024' }] },
      {},
      'warning',
      'certificate_weak_key',
    ],
    [
      'of a weak signature',
      { weaknesses: [{ code: 'weak_signature', subject: 'CN=x', what: 'sha1' }] },
      {},
      'warning',
      'certificate_weak_signature',
    ],
    [
      'of a weak key and soon at its end',
      { weaknesses: [{ code: 'weak_key', subject: 'CN=x', what: 'RSA 1024' }], valid_to: inDays(3) },
      { warn_days: [3] },
      'warning',
      'ssl_expiring',
    ],
    ['of no trusted chain', { chain_error: 'SELF_SIGNED_CERT_IN_CHAIN' }, {}, 'down', 'certificate_untrusted'],
    ['expired and of another host', { valid_to: inDays(-1), matches_host: false }, {}, 'down', 'certificate_expired'],
    ['counted at the time of the run, not as the agent counted', { days_left: 2 }, {}, 'up', undefined],
  ]
  test.each(cases)('%s', (_, seen, settings, status, code) => {
    const verdict = ssl.judge(ssl.seen.parse({ ...good, ...seen }), ssl.settings.parse(settings), {
      at,
      phases: noPhases,
    })
    expect([verdict.status, verdict.code]).toEqual([status, code])
  })

  test('counts days as people do', () => {
    const reason = (days: number) =>
      ssl.judge(ssl.seen.parse({ ...good, valid_to: inDays(days) }), ssl.settings.parse({ warn_days: [7] }), {
        at,
        phases: noPhases,
      }).reason
    expect([reason(0.5), reason(1), reason(7.2)]).toEqual([
      'The certificate expires today.',
      'The certificate expires in 1 day.',
      'The certificate expires in 7 days.',
    ])
  })

  test('is deeper at each rung of the ladder', () => {
    const depth = (days: number) => {
      const settings = ssl.settings.parse({ warn_days: [30, 14, 7, 3, 1] })
      const verdict = ssl.judge(ssl.seen.parse({ ...good, valid_to: inDays(days) }), settings, { at, phases: noPhases })
      return verdict.status === 'warning' ? verdict.depth : 0
    }
    expect([31, 30, 15, 14, 3, 2, 1, 0.1].map(depth)).toEqual([0, 1, 1, 2, 4, 4, 5, 5])
  })
})

describe('a renewal', () => {
  const settings = ssl.settings.parse({})
  const snapshot = (more: Partial<typeof good>) =>
    ssl.changeDetection?.snapshotOf(ssl.seen.parse({ ...good, serial: '01', ...more }), settings)
  const changes = (before: Partial<typeof good>, after: Partial<typeof good>) => {
    const [was, is] = [snapshot(before), snapshot(after)].map(each => ssl.changeDetection?.snapshot.parse(each))
    return was && is ? ssl.changeDetection?.changesBetween(was, is, settings) : undefined
  }
  const newer = { fingerprint: 'CC:DD', serial: '02', valid_from: inDays(0), valid_to: inDays(180), issuer: 'CN=Other' }

  test('names both certificates', () => {
    expect(changes({}, newer)).toMatchObject([
      {
        name: 'certificate.renewed',
        payload: {
          issuer: 'CN=Other',
          fingerprint: 'CC:DD',
          serial: '02',
          previous_issuer: 'CN=Authority',
          previous_fingerprint: 'AA:BB',
          previous_serial: '01',
        },
      },
    ])
  })

  test('is not the coming back of an older one, nor the same one again', () => {
    expect([changes(newer, {}), changes({}, {})]).toEqual([[], []])
  })

  test.each<[string, Partial<typeof good>]>([
    ['of another host', { matches_host: false }],
    ['without a trusted issuer', { chain_error: 'X', chain_problem: 'untrusted' }],
    ['behind an expired link', { chain_problem: 'expired_link' }],
  ])('a certificate %s is not remembered', (_, more) => expect(snapshot(more)).toBeNull())
})

describe('what is weak', () => {
  const link = (more: Partial<Link>): Link => ({
    subject: 'CN=x',
    issuer: 'CN=y',
    not_after: at.toISOString(),
    key: 'EC prime256v1',
    signature: 'ecdsa-with-SHA256',
    ...more,
  })
  test.each<[Partial<Link>, string[]]>([
    [{ key: 'RSA 2048' }, []],
    [{ key: 'RSA 2047' }, ['weak_key']],
    [{ key: 'RSA-PSS 1024' }, ['weak_key']],
    [{ key: 'DSA 1024' }, ['weak_key']],
    [{ key: 'EC prime192v1' }, ['weak_key']],
    [{ key: 'EC sect163k1' }, ['weak_key']],
    [{ key: 'EC secp224r1' }, []],
    [{ key: 'EC secp384r1' }, []],
    [{ key: 'EC brainpoolP256r1' }, []],
    [{ key: 'Ed25519' }, []],
    [{ key: 'unknown' }, []],
    [{ signature: 'md5WithRSAEncryption' }, ['weak_signature']],
    [{ signature: 'sha1WithRSAEncryption' }, ['weak_signature']],
    [{ signature: 'ecdsa-with-SHA1' }, ['weak_signature']],
    [{ signature: 'sha1WithRSAEncryption', issuer: 'CN=x' }, []],
    [{ signature: 'sha256WithRSAEncryption' }, []],
    [{ signature: 'RSASSA-PSS' }, []],
    [{ signature: 'sha512-224WithRSAEncryption' }, []],
    [{ key: 'RSA 1024', signature: 'sha1WithRSAEncryption' }, ['weak_key', 'weak_signature']],
  ])('%j', (more, codes) => expect(weaknessesOf([link(more)]).map(({ code }) => code)).toEqual(codes))
})

test.each<[unknown, boolean]>([
  [{ warn_days: [] }, false],
  [{ warn_days: [0] }, false],
  [{ warn_days: [366] }, false],
  [{ warn_days: [365] }, true],
  [{ port: 0 }, false],
  [{ port: 65_535 }, true],
])('settings %j', (settings, isGood) => expect(ssl.settings.safeParse(settings).success).toBe(isGood))

describe('a run', () => {
  let authority: Authority
  let guard: Guard
  beforeAll(async () => {
    authority = await Authority.make()
    guard = new Guard(parseAllowList('127.0.0.0/8'), { ca: [authority.pem] })
  })

  async function verdict(identity: KeyAndCert, host = 'localhost', now = Date.now) {
    await using site = await https(identity, (_, answer) => answer.end())
    const settings = ssl.settings.parse({ port: site.port, ip_version: '4' })
    const result = await runCheck('ssl', { url: `https://${host}/` }, settings, { guard, timeoutMs: 2_000, now })
    if (!result.seen) throw new Error(result.fault?.message)
    const seen = ssl.seen.parse(result.seen)
    return {
      seen,
      phases: result.phases,
      judged: ssl.judge(seen, settings, { at: new Date(now()), phases: result.phases }),
    }
  }

  test('at a good certificate sees all of it', async () => {
    const { seen, judged, phases } = await verdict(
      await authority.issue({ names: ['localhost', '*.example.com'], addresses: ['127.0.0.1'] }),
    )
    expect(judged).toEqual({ status: 'up' })
    expect(seen).toMatchObject({
      issuer: 'CN=Test Authority',
      subject: 'CN=localhost',
      names: ['localhost', '*.example.com', '127.0.0.1'],
      days_left: 99,
      matches_host: true,
      chain_error: null,
      protocol: 'TLSv1.3',
    })
    expect(seen.fingerprint).toMatch(/^([0-9A-F]{2}:){31}[0-9A-F]{2}$/)
    expect(seen.cipher).toMatch(/^TLS_/)
    expect(phases.tls).toBeGreaterThan(0)
    expect(ssl.responseMs?.(seen, phases)).toBe(phases.tls)
  })

  test('by address holds the address against the certificate', async () => {
    expect((await verdict(await authority.issue({ addresses: ['127.0.0.1'] }), '127.0.0.1')).judged).toEqual({
      status: 'up',
    })
    expect((await verdict(await authority.issue({ names: ['localhost'] }), '127.0.0.1')).judged.code).toBe(
      'certificate_wrong_host',
    )
  })

  test.each<[string, () => Promise<KeyAndCert>, string]>([
    [
      'expired',
      () => authority.issue({ names: ['localhost'], from: daysFromNow(-30), to: daysFromNow(-1) }),
      'certificate_expired',
    ],
    [
      'not yet valid',
      () => authority.issue({ names: ['localhost'], from: daysFromNow(1) }),
      'certificate_not_yet_valid',
    ],
    ['for another host', () => authority.issue({ names: ['other.example'] }), 'certificate_wrong_host'],
    ['self-signed', () => selfSigned({ names: ['localhost'] }), 'certificate_self_signed'],
    [
      'self-signed by a weak key',
      () => selfSigned({ names: ['localhost'], key: rsa(1_024) }),
      'certificate_self_signed',
    ],
    [
      'self-signed and expired',
      () => selfSigned({ names: ['localhost'], to: daysFromNow(-0.5) }),
      'certificate_expired',
    ],
    ['of a weak key', () => authority.issue({ names: ['localhost'], key: rsa(1_024) }), 'certificate_weak_key'],
    [
      'of a weak key, and of an unknown authority',
      async () => (await Authority.make()).issue({ names: ['localhost'], key: rsa(1_024) }),
      'certificate_untrusted',
    ],
    [
      'of an unknown authority',
      async () => (await Authority.make()).issue({ names: ['localhost'] }),
      'certificate_untrusted',
    ],
    [
      'near its end',
      () => authority.issue({ names: ['localhost'], from: daysFromNow(-80), to: daysFromNow(10.5) }),
      'ssl_expiring',
    ],
  ])('at one that is %s', async (_, identity, code) => expect((await verdict(await identity())).judged.code).toBe(code))

  const withChain = (identity: KeyAndCert, ...chain: Authority[]): KeyAndCert => ({
    ...identity,
    cert: [identity.cert, ...chain.map(({ pem }) => pem)].join('\n'),
  })

  test('sees the whole chain, and what is weak in it', async () => {
    const deputy = await authority.deputy({ name: 'CN=Deputy', to: daysFromNow(50) })
    const { seen, judged } = await verdict(
      withChain(await deputy.issue({ names: ['localhost'], key: rsa(2_048) }), deputy, authority),
    )
    expect(judged).toEqual({ status: 'up' })
    expect(seen.chain).toMatchObject([
      { subject: 'CN=localhost', issuer: 'CN=Deputy', key: 'RSA 2048', signature: 'ecdsa-with-SHA256' },
      { subject: 'CN=Deputy', issuer: 'CN=Test Authority', key: 'EC prime256v1' },
      { subject: 'CN=Test Authority', issuer: 'CN=Test Authority' },
    ])
    expect(seen).toMatchObject({ chain_problem: null, weaknesses: [] })
    expect(seen.serial).toMatch(/^[0-9A-F]+$/)
  })

  test('with a signature of yesterday warns of it', async () => {
    const old = await Authority.make(rsa(2_048, 'SHA-1'))
    const trusting = new Guard(parseAllowList('127.0.0.0/8'), { ca: [old.pem] })
    await using site = await https(await old.issue({ names: ['localhost'] }), (_, answer) => answer.end())
    const settings = ssl.settings.parse({ port: site.port, ip_version: '4' })
    const { seen } = await runCheck('ssl', { url: 'https://localhost/' }, settings, {
      guard: trusting,
      timeoutMs: 2_000,
      now: Date.now,
    })
    expect(seen).toMatchObject({
      chain_problem: null,
      weaknesses: [{ code: 'weak_signature', subject: 'CN=localhost', what: 'sha1WithRSAEncryption' }],
    })
    expect(ssl.judge(ssl.seen.parse(seen), settings, { at: new Date(), phases: noPhases }).code).toBe(
      'certificate_weak_signature',
    )
  })

  test('distinguishes a chain that lacks a link from one without a trusted root', async () => {
    const fetched: string[] = []
    const files = new Map<string, Buffer | string>()
    await using depot = await http((request, answer) => {
      fetched.push(request.url ?? '')
      const file = files.get(request.url ?? '')
      answer.writeHead(file ? 200 : 404).end(file)
    })
    const at = (name: string) => `http://127.0.0.1:${depot.port}/${name}`
    const outer = await authority.deputy({ name: 'CN=Outer' })
    const inner = await outer.deputy({ name: 'CN=Inner', issuerUrl: at('outer') })
    files.set('/outer', outer.der)
    files.set('/inner', inner.pem)
    files.set('/wrong', (await authority.deputy({ name: 'CN=Inner' })).der)
    files.set('/huge', Buffer.alloc(200_000, 'x'))
    files.set('/noise', 'hello')
    const problem = async (identity: KeyAndCert) => {
      const { seen, judged } = await verdict(identity)
      return [seen.chain_problem, seen.missing_link, judged.code]
    }
    const names = ['localhost']
    const missing = ['incomplete', 'CN=Inner', 'certificate_chain_incomplete']
    expect(await problem(await inner.issue({ names, issuerUrl: at('inner') }))).toEqual(missing)
    expect(fetched).toEqual(['/inner', '/outer'])
    expect(await problem(withChain(await inner.issue({ names }), inner))).toEqual([
      'incomplete',
      'CN=Outer',
      'certificate_chain_incomplete',
    ])
    expect(await problem(withChain(await inner.issue({ names }), inner, outer))).toEqual([null, null, undefined])
    for (const url of [
      at('wrong'),
      at('huge'),
      at('noise'),
      at('gone'),
      'http://10.0.0.1/inner',
      'http://localhost:1/',
      undefined,
    ])
      expect(await problem(await inner.issue({ names, ...(url && { issuerUrl: url }) })), url).toEqual([
        'untrusted',
        null,
        'certificate_untrusted',
      ])
    // a stranger's authority that goes round in a circle
    const stranger = await Authority.make()
    const round = await stranger.deputy({ name: 'CN=Round', issuerUrl: at('stranger') })
    files.set('/stranger', stranger.der)
    files.set('/round', round.der)
    expect(await problem(await round.issue({ names, issuerUrl: at('round') }))).toEqual([
      'untrusted',
      null,
      'certificate_untrusted',
    ])
  })

  test('with an expired link in its chain does not pass it for good', async () => {
    const deputy = await authority.deputy({ to: daysFromNow(-1) })
    const { seen, judged } = await verdict(withChain(await deputy.issue({ names: ['localhost'] }), deputy))
    expect([seen.chain_problem, judged.code]).toEqual(['expired_link', 'certificate_chain_expired'])
  })

  test('of a machine whose clock is wrong sees the same', async () => {
    const identity = await authority.issue({ names: ['localhost'], from: daysFromNow(1), to: daysFromNow(60) })
    expect((await verdict(identity, 'localhost', () => daysFromNow(2).getTime())).judged).toEqual({ status: 'up' })
  })

  test('takes the port of an https URL when none is set', async () => {
    await using site = await https(await authority.issue({ names: ['localhost'] }), (_, answer) => answer.end())
    const result = await runCheck(
      'ssl',
      { url: `https://localhost:${site.port}/` },
      ssl.settings.parse({ ip_version: '4' }),
      {
        guard,
        timeoutMs: 2_000,
        now: Date.now,
      },
    )
    expect(result.seen).toMatchObject({ matches_host: true })
  })

  test('that fails says in which phase', async () => {
    const probe = (port: number) =>
      runCheck('ssl', { url: 'host://127.0.0.1' }, ssl.settings.parse({ port }), {
        guard,
        timeoutMs: 300,
        now: Date.now,
      })
    await using mute = await tcp(() => {})
    expect((await probe(mute.port)).fault).toMatchObject({ code: 'timeout', phase: 'tls' })
    await using plain = await tcp(socket => socket.end('hello\r\n'))
    expect((await probe(plain.port)).fault).toMatchObject({ code: 'tls_failed', phase: 'tls' })
    expect(
      (
        await runCheck('ssl', { url: 'host://10.0.0.1' }, ssl.settings.parse({}), {
          guard,
          timeoutMs: 300,
          now: Date.now,
        })
      ).fault,
    ).toMatchObject({
      code: 'blocked',
    })
  })

  test('at a server that speaks only TLS of yesterday fails in the handshake', async () => {
    const server = createServer({
      ...(await authority.issue({ names: ['localhost'] })),
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    server.on('tlsClientError', () => {})
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const result = await runCheck('ssl', { url: 'host://127.0.0.1' }, ssl.settings.parse({ port }), {
      guard,
      timeoutMs: 2_000,
      now: Date.now,
    })
    server.close()
    expect(result.fault).toMatchObject({
      code: 'tls_failed',
      phase: 'tls',
      message: 'The target speaks no TLS version of today.',
    })
  })
})
