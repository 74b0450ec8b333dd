import { mkdtemp, readFile, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { domainExpiry } from '#checks/domain-expiry/kind.ts'
import { parseServers, Registries } from '#checks/domain-expiry/registries.ts'
import { runCheck } from '#checks/probes.ts'
import { noPhases } from '#contract/check.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { http, type Local, tcp } from '#test/checks/servers.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const record = (name: string, more: object = {}) => ({
  objectClassName: 'domain',
  ldhName: name,
  status: ['active'],
  events: [{ eventAction: 'expiration', eventDate: inDays(100) }],
  ...more,
})

const guard = new Guard(parseAllowList('127.0.0.0/8'))
let rdap: Local
let whois: Local
let answer: RequestListener
let say: (question: string, socket: Socket) => void
const asked: string[] = []

beforeAll(async () => {
  rdap = await http((request, reply) => {
    asked.push(`rdap ${request.url}`)
    answer(request, reply)
  })
  whois = await tcp(socket => {
    socket.once('data', question => {
      asked.push(`whois ${question.toString().trim()}`)
      say(question.toString().trim(), socket)
    })
  })
})
afterAll(async () => {
  await rdap[Symbol.asyncDispose]()
  await whois[Symbol.asyncDispose]()
})
beforeEach(() => {
  asked.length = 0
  answer = (_, reply) => reply.writeHead(500).end()
  say = (_, socket) => socket.end('WHOIS LIMIT EXCEEDED\r\n')
})

const json = (body: unknown, status = 200, headers: Record<string, string> = {}): void => {
  answer = (_, reply) =>
    reply.writeHead(status, { 'content-type': 'application/rdap+json', ...headers }).end(JSON.stringify(body))
}
const web = (status: number, text = ''): void => {
  answer = (_, reply) => reply.writeHead(status, { 'content-type': 'text/html' }).end(text)
}
const line = (text: string): void => {
  say = (_, socket) => socket.end(text.replaceAll('\n', '\r\n'))
}

/** An agent's registries, by their own clock: com by both, net by RDAP, de by WHOIS, and whatever else by referral. */
class Agent {
  now = Date.now()
  readonly registries = new Registries({
    own: parseServers(`rdap http://127.0.0.1:${rdap.port}/r/ com net\nwhois 127.0.0.1:${whois.port} com de .`),
  })
  readonly settings = domainExpiry.settings.parse({ timeout_ms: 1_000 })

  async run(host: string, timeoutMs = 1_000) {
    const settings = domainExpiry.settings.parse({ timeout_ms: timeoutMs })
    const { seen, fault } = await runCheck('domain_expiry', { url: `https://${host}/` }, settings, {
      guard,
      timeoutMs,
      now: () => this.now,
      registries: this.registries,
    })
    if (!seen) return { fault, verdict: undefined, seen: undefined }
    const parsed = domainExpiry.seen.parse(seen)
    const verdict = domainExpiry.judge(parsed, settings, { at: new Date(this.now), phases: noPhases })
    return { fault, seen: parsed, verdict: verdict.code ?? verdict.status }
  }
}

describe('a run', () => {
  test('asks RDAP for the registered domain, and no other server when that gives the end', async () => {
    json(record('example.com', { nameservers: [{ ldhName: 'NS1.EXAMPLE.COM' }] }))
    const { seen, verdict } = await new Agent().run('shop.www.example.com')
    expect(verdict).toBe('up')
    expect(seen).toMatchObject({
      domain: 'example.com',
      answer: 'fresh',
      source: 'rdap',
      server: '127.0.0.1',
      nameservers: ['ns1.example.com'],
    })
    expect(asked).toEqual(['rdap /r/domain/example.com'])
  })

  test('asks WHOIS where RDAP fails, and where it does not give the end', async () => {
    line(`Domain Name: EXAMPLE.COM\nRegistry Expiry Date: ${inDays(5)}\nRegistrar: R\n`)
    const broken = await new Agent().run('example.com')
    expect([broken.verdict, broken.seen?.source]).toEqual(['domain_expiring', 'whois'])
    json(record('example.com', { events: [], status: ['client hold'] }))
    const both = await new Agent().run('example.com')
    expect([both.verdict, both.seen?.registrar, both.seen?.expires_at !== null]).toEqual(['domain_on_hold', 'R', true])
  })

  test('follows IANA’s referral to an unknown registry, once a day', async () => {
    const agent = new Agent()
    say = (question, socket) =>
      socket.end(
        question.includes('.')
          ? `domain: ${question}\r\nexpires: ${inDays(400)}\r\n`
          : `refer: 127.0.0.1\r\nwhois: 127.0.0.1\r\n`,
      )
    // the referral names port 43, where no server listens here
    expect((await agent.run('example.va')).seen).toMatchObject({
      answer: 'none',
      problem: expect.stringContaining('127.0.0.1'),
    })
    await agent.run('other.va')
    expect(asked).toEqual(['whois va'])
  })

  test('reports a registry that answers no one as unsupported, never down', async () => {
    say = (_, socket) => socket.end('domain: ER\r\nwhois:\r\n')
    const { seen, verdict } = await new Agent().run('example.er')
    expect([seen?.answer, verdict]).toEqual(['unsupported', 'unsupported'])
    for (const host of ['192.0.2.1', 'co.uk', 'printer'])
      expect((await new Agent().run(host)).verdict, host).toBe('unsupported')
  })

  test.each<[string, () => unknown, string]>([
    ['RDAP knows no such domain', () => json({ errorCode: 404 }, 404), 'domain_not_registered'],
    ['some web server of today knows no such page', () => web(404, 'Oh'), 'registry_silent'],
    [
      'some web server knows no such page, and WHOIS no such domain',
      () => [web(404), line('Domain not found.\n')],
      'domain_not_registered',
    ],
    [
      'RDAP knows no such domain and WHOIS does',
      () => [json({}, 404), line(`Domain Name: example.com\nRegistry Expiry Date: ${inDays(100)}\n`)],
      'up',
    ],
    [
      'only WHOIS can be asked and knows no such domain',
      () => line('No match for domain "EXAMPLE.COM".\n'),
      'domain_not_registered',
    ],
    [
      'the end has come',
      () => json(record('example.com', { events: [{ eventAction: 'expiration', eventDate: inDays(-1) }] })),
      'domain_expired',
    ],
    [
      'the domain is in redemption',
      () => json(record('example.com', { status: ['redemption period', 'pending delete'] })),
      'domain_in_redemption',
    ],
    ['both refuse', () => json({}, 429), 'registry_silent'],
    ['RDAP speaks of another domain', () => json(record('example.org')), 'registry_silent'],
    ['RDAP is a login page', () => (answer = (_, reply) => reply.end('<html>Welcome</html>')), 'registry_silent'],
    [
      'RDAP has no end',
      () => (answer = (_, reply) => void reply.write('{"objectClassName":"domain",')),
      'registry_silent',
    ],
    ['RDAP is endless', () => (answer = (_, reply) => pour(reply)), 'registry_silent'],
    [
      'RDAP goes round in circles',
      () => (answer = (request, reply) => reply.writeHead(302, { location: `${request.url}` }).end()),
      'registry_silent',
    ],
    [
      'RDAP leads inside',
      () => (answer = (_, reply) => reply.writeHead(302, { location: 'http://10.0.0.1/' }).end()),
      'registry_silent',
    ],
    [
      'RDAP leads to a file',
      () => (answer = (_, reply) => reply.writeHead(302, { location: 'file:///etc/passwd' }).end()),
      'registry_silent',
    ],
    ['WHOIS hangs', () => (say = () => {}), 'registry_silent'],
    ['WHOIS is endless', () => (say = (_, socket) => pour(socket)), 'registry_silent'],
    [
      'WHOIS drips',
      () => (say = (_, socket) => void setInterval(() => socket.write('a'), 50).unref()),
      'registry_silent',
    ],
    ['WHOIS hangs up', () => (say = (_, socket) => socket.destroy()), 'registry_silent'],
  ])('where %s', async (_, arrange, outcome) => {
    arrange()
    const start = performance.now()
    expect((await new Agent().run('example.com', 700)).verdict ?? 'registry_silent').toBe(outcome)
    expect(performance.now() - start).toBeLessThan(2_000)
  })

  test('of a hanging RDAP server leaves WHOIS its turn', async () => {
    answer = () => {}
    line(`Domain Name: example.com\nRegistry Expiry Date: ${inDays(100)}\n`)
    expect((await new Agent().run('example.com', 900)).seen).toMatchObject({ answer: 'fresh', source: 'whois' })
  })

  test('uses the last good answer while a registry fails', async () => {
    const agent = new Agent()
    json(record('example.com', { events: [{ eventAction: 'expiration', eventDate: inDays(20) }] }))
    expect((await agent.run('example.com')).verdict).toBe('domain_expiring')
    answer = (_, reply) => reply.writeHead(500).end()
    agent.now += 12 * 3_600_000
    const bad = await agent.run('example.com')
    expect(bad.verdict).toBe('domain_expiring')
    expect(bad.seen).toMatchObject({ answer: 'kept', source: 'rdap', problem: expect.stringContaining('127.0.0.1') })
    agent.now += 19.6 * 86_400_000
    // past the end it gave, which may have moved meanwhile
    expect((await agent.run('example.com')).verdict).toBe('domain_expiring')
    agent.now += 30 * 86_400_000
    expect((await agent.run('example.com')).verdict).toBe('registry_silent')
  })

  test('believes that a domain is gone only when it is said plainly', async () => {
    const agent = new Agent()
    json(record('example.com'))
    await agent.run('example.com')
    agent.now += 3_600_000
    answer = (_, reply) => reply.writeHead(500).end()
    line('No match for domain "EXAMPLE.COM".\n')
    // WHOIS alone, against what RDAP said before
    expect((await agent.run('example.com')).seen).toMatchObject({ answer: 'kept' })
    answer = (_, reply) => reply.writeHead(404).end()
    expect((await agent.run('example.com')).verdict).toBe('domain_not_registered')
    answer = (_, reply) => reply.writeHead(500).end()
    say = (_, socket) => socket.end()
    expect((await agent.run('example.com')).verdict).toBe('registry_silent')
  })

  test('asks no registry again within ten minutes: a confirming run costs it nothing', async () => {
    const agent = new Agent()
    json(record('example.net'))
    await agent.run('www.example.net')
    agent.now += 599_000
    expect((await agent.run('api.example.net')).seen?.answer).toBe('fresh')
    expect(asked).toHaveLength(1)
    agent.now += 2_000
    await agent.run('example.net')
    expect(asked).toHaveLength(2)
  })

  test('leaves a server alone for as long as it asks, for every domain', async () => {
    const agent = new Agent()
    json({}, 429, { 'retry-after': '7200' })
    expect((await agent.run('example.net')).seen).toMatchObject({
      answer: 'none',
      problem: '127.0.0.1 asked not to be asked for a while.',
    })
    json(record('example.net'))
    agent.now += 7_199_000
    await agent.run('example.net')
    await agent.run('other.net')
    expect(asked).toHaveLength(1)
    agent.now += 2_000
    expect((await agent.run('example.net')).verdict).toBe('up')
  })

  test('goes through the guard for every server', async () => {
    const { registries, settings } = new Agent()
    const strict = { guard: new Guard(), timeoutMs: 500, now: Date.now, registries }
    const { seen } = await runCheck('domain_expiry', { url: 'https://example.com/' }, settings, strict)
    expect(seen).toMatchObject({ answer: 'none', problem: '127.0.0.1: The target is not a public address.' })
    expect((await runCheck('domain_expiry', { url: 'host://localhost' }, settings, strict)).fault?.code).toBe('blocked')
    expect(asked).toEqual([])
  })
})

const pour = (to: {
  write(text: string): boolean
  once(event: 'drain', then: () => void): unknown
  writable: boolean
}) => {
  while (to.writable && to.write('x'.repeat(65_536)));
  if (to.writable) to.once('drain', () => pour(to))
}

describe('IANA’s list', () => {
  let dir: string
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vedette-rdap-'))
  })
  afterAll(() => rm(dir, { recursive: true }))
  const list = (url: string) => ({
    version: '1.0',
    services: Array.from({ length: 12 }, (_, n) => [[`zone${n}`, 'com'], [url]]),
  })
  const reach = (now: number) => ({ guard, now: () => now })

  test('is fetched once a day, kept over a restart, and never lost to a bad day', async () => {
    const options = {
      bootstrapUrl: `http://127.0.0.1:${rdap.port}/dns.json`,
      cacheFile: join(dir, 'some', 'rdap.json'),
    }
    const registries = new Registries(options)
    json(list('https://one.example/'))
    await registries.refresh(reach(0))
    expect(registries.rdapOf('a.com')).toEqual(['https://rdap.verisign.com/com/v1/'])
    await registries.refreshing
    expect(registries.rdapOf('a.com')).toEqual(['https://one.example/'])
    await registries.refresh(reach(86_399_000))
    expect(asked).toHaveLength(1)
    expect(JSON.parse(await readFile(options.cacheFile, 'utf8')).fetched_at).toBe(0)

    for (const bad of [
      () => json({}, 500),
      () => json({ services: [] }),
      () => json('<html>'),
      () => (answer = (_, reply) => pour(reply)),
    ]) {
      bad()
      const restarted = new Registries(options)
      await restarted.refresh(reach(86_401_000))
      await restarted.refreshing
      expect(restarted.rdapOf('a.com')).toEqual(['https://one.example/'])
      // and it is not asked again at once
      await restarted.refresh(reach(86_402_000))
    }
    expect(asked).toHaveLength(5)
    json(list('https://two.example/'))
    await registries.refresh(reach(86_401_000))
    await registries.refreshing
    expect(registries.rdapOf('a.com')).toEqual(['https://two.example/'])
  })

  test('that is not there leaves what the package knows', async () => {
    json({}, 404)
    const registries = new Registries({ bootstrapUrl: `http://127.0.0.1:${rdap.port}/` })
    await registries.refresh(reach(0))
    await registries.refreshing
    expect(registries.rdapOf('a.com')).toEqual(['https://rdap.verisign.com/com/v1/'])
  })
})

test('a registry is asked a few questions at once, and those of one tenant do not keep another waiting', async () => {
  let [now, most] = [0, 0]
  say = (question, socket) => {
    most = Math.max(most, ++now)
    setTimeout(() => {
      now--
      socket.end(`Domain: ${question.replace('-T dn ', '')}\r\nStatus: connect\r\nexpires: ${inDays(50)}\r\n`)
    }, 100)
  }
  const { registries } = new Agent()
  const settings = domainExpiry.settings.parse({ timeout_ms: 20_000 })
  const ask = (tenant: string, domain: string) =>
    runCheck('domain_expiry', { url: `https://${domain}/` }, settings, {
      guard,
      timeoutMs: 20_000,
      now: Date.now,
      registries,
      tenant,
    })
  let answered = 0
  const many = Array.from({ length: 80 }, (_, n) => ask('hog', `hog-${n}.de`).then(() => answered++))
  await expect.poll(() => now).toBe(8)
  const { seen } = await ask('other', 'other.de')
  expect(seen).toMatchObject({ domain: 'other.de', answer: 'fresh' })
  expect(answered).toBeLessThan(40)
  await Promise.all(many)
  expect(most).toBeLessThanOrEqual(16)
})
