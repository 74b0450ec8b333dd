import { X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { kinds } from '#checks/index.ts'
import { runCheck } from '#checks/probes.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard, isMadeFor } from '#egress/guard.ts'
import { Authority, selfSigned } from '#test/checks/certificates.ts'
import { https } from '#test/checks/servers.ts'

type Wish = NonNullable<Parameters<typeof selfSigned>[0]>

describe('a certificate is made for a host, as browsers decide', () => {
  test.each<[string, Wish, string, boolean]>([
    ['its name', { names: ['example.com'] }, 'example.com', true],
    ['its name in any case', { names: ['Example.COM'] }, 'eXample.com', true],
    ['its name with a last dot', { names: ['example.com'] }, 'example.com.', true],
    ['the second of its names', { names: ['a.test', 'b.test', 'c.test'] }, 'b.test', true],
    ['another name', { names: ['example.com'] }, 'example.org', false],
    ['a name below it', { names: ['example.com'] }, 'www.example.com', false],
    ['a name that ends alike', { names: ['example.com'] }, 'badexample.com', false],
    ['an international name in ASCII', { names: ['xn--mnchen-3ya.example'] }, 'xn--mnchen-3ya.example', true],
    ['an international name in Unicode', { names: ['xn--mnchen-3ya.example'] }, 'münchen.example', false],

    ['a common name without other names', { commonName: 'example.com', hasAlternatives: false }, 'example.com', false],
    [
      'a common name beside an address of mail',
      { commonName: 'example.com', emails: ['a@example.com'] },
      'example.com',
      false,
    ],
    ['a common name beside a URL', { commonName: 'example.com', urls: ['https://example.com/'] }, 'example.com', false],
    ['a common name beside an address', { commonName: 'example.com', addresses: ['192.0.2.1'] }, 'example.com', false],
    ['a common name beside another name', { commonName: 'example.com', names: ['example.org'] }, 'example.com', false],
    ['a common name with a wildcard', { commonName: '*.example.com', hasAlternatives: false }, 'a.example.com', false],
    ['a common name that is an address', { commonName: '192.0.2.1', hasAlternatives: false }, '192.0.2.1', false],
    ['an empty list of names', { commonName: 'example.com' }, 'example.com', false],
    ['a URL alone', { urls: ['https://example.com/'] }, 'example.com', false],
    ['the host of an address of mail', { emails: ['a@example.com'] }, 'example.com', false],

    ['a label of its wildcard', { names: ['*.example.com'] }, 'a.example.com', true],
    ['an international label of its wildcard', { names: ['*.example.com'] }, 'xn--mnchen-3ya.example.com', true],
    ['a label with an underscore', { names: ['*.example.com'] }, 'a_b.example.com', true],
    ['no label of its wildcard', { names: ['*.example.com'] }, 'example.com', false],
    ['two labels of its wildcard', { names: ['*.example.com'] }, 'a.b.example.com', false],
    ['a part of a label', { names: ['a*.example.com'] }, 'ab.example.com', false],
    ['the end of a label', { names: ['*b.example.com'] }, 'ab.example.com', false],
    ['an inner label', { names: ['a.*.example.com'] }, 'a.b.example.com', false],
    ['two wildcards', { names: ['*.*.example.com'] }, 'a.b.example.com', false],
    ['a wildcard alone', { names: ['*'] }, 'example', false],
    ['a wildcard of a top level', { names: ['*.com'] }, 'example.com', false],
    ['a wildcard of a registry', { names: ['*.co.uk'] }, 'example.co.uk', false],
    ['a wildcard of an unknown top level', { names: ['*.internal'] }, 'host.internal', false],
    ['a wildcard below an unknown top level', { names: ['*.corp.internal'] }, 'host.corp.internal', true],
    ['a wildcard of a provider', { names: ['*.github.io'] }, 'someone.github.io', true],
    ['its name beside a wildcard of a registry', { names: ['*.co.uk', 'example.co.uk'] }, 'example.co.uk', true],

    ['its address', { addresses: ['192.0.2.1'] }, '192.0.2.1', true],
    ['another address', { addresses: ['192.0.2.1'] }, '192.0.2.2', false],
    ['an address as a name', { names: ['192.0.2.1'] }, '192.0.2.1', false],
    ['a wildcard for an address', { names: ['*.0.2.1'] }, '192.0.2.1', false],
    ['its address of IPv6', { addresses: ['2001:db8::1'] }, '2001:db8::1', true],
    ['its address of IPv6 in full', { addresses: ['2001:db8::1'] }, '2001:db8:0:0:0:0:0:1', true],
    ['another address of IPv6', { addresses: ['2001:db8::1'] }, '2001:db8::2', false],
  ])('%s', async (_, wish, host, isMade) => {
    expect(isMadeFor(new X509Certificate((await selfSigned(wish)).cert), host)).toBe(isMade)
  })
})

describe('over a trusted certificate', () => {
  let authority: Authority
  let guard: Guard
  beforeAll(async () => {
    authority = await Authority.make()
    guard = new Guard(parseAllowList('127.0.0.0/8'), { ca: [authority.pem] })
  })

  async function outcomes(wish: Wish, host = 'localhost') {
    await using site = await https(await authority.issue(wish), (_, answer) => answer.end())
    const url = `https://${host}:${site.port}/`
    const run = (name: 'uptime' | 'ssl') =>
      runCheck(name, { url }, kinds[name].settings.parse({ ip_version: '4' }), {
        guard,
        timeoutMs: 2_000,
        now: Date.now,
      })
    const [uptime, ssl] = [await run('uptime'), await run('ssl')]
    const seen = kinds.ssl.seen.parse(ssl.seen)
    const judged = kinds.ssl.judge(seen, kinds.ssl.settings.parse({}), { at: new Date(), phases: ssl.phases })
    return { uptime: uptime.fault?.code ?? 'up', why: uptime.fault?.message, ssl: judged.code ?? judged.status, seen }
  }

  test.each<[string, Wish]>([
    ['a common name alone', { commonName: 'localhost', hasAlternatives: false }],
    ['a common name and an address of mail', { commonName: 'localhost', emails: ['a@example.com'] }],
    ['a common name and another host', { commonName: 'localhost', names: ['example.com'] }],
  ])('that names the host by %s, a site is down', async (_, wish) => {
    expect(await outcomes(wish)).toMatchObject({
      uptime: 'tls_failed',
      why: 'The certificate is not made for this host.',
      ssl: 'certificate_wrong_host',
      seen: { matches_host: false, chain_error: null },
    })
  })

  test('that names the host, a site is up', async () => {
    expect(await outcomes({ commonName: 'other', names: ['localhost'] })).toMatchObject({ uptime: 'up', ssl: 'up' })
    expect(await outcomes({ addresses: ['127.0.0.1'] }, '127.0.0.1')).toMatchObject({ uptime: 'up', ssl: 'up' })
  })

  test('that is not for servers, a site is down', async () => {
    const [client, server] = ['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1']
    expect(await outcomes({ names: ['localhost'], usages: [client] })).toMatchObject({ uptime: 'tls_failed' })
    expect(await outcomes({ names: ['localhost'], usages: [server, client] })).toMatchObject({
      uptime: 'up',
      ssl: 'up',
    })
  })
})
