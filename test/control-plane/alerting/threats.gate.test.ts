import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { Agent } from 'undici'
import { afterAll, describe, expect, test } from 'vitest'
import { encryptConfig } from '#control-plane/alerting/channels/config.ts'
import { publicReceivers } from '#control-plane/alerting/channels/kinds/kind.ts'
import { attempt } from '#control-plane/alerting/deliveries/attempt.ts'
import type { Channel } from '#control-plane/alerting/deliveries/delivery.ts'
import { sendHttp } from '#control-plane/alerting/deliveries/send.ts'
import { composeMessage } from '#control-plane/alerting/dispatch/message.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { systemLookup } from '#egress/names.ts'
import { a, DnsServer } from '#test/egress/dns-server.ts'
import { hostileUrls, innerSpellings } from '#test/egress/spellings.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { injected } from './injected.ts'

const closing: (() => unknown)[] = []
afterAll(async () => {
  for (const close of closing.toReversed()) await close()
})

async function listening<Given extends Server>(
  server: Given,
  host = '127.0.0.1',
  port = 0,
): Promise<Given & { port: number }> {
  const sockets = new Set<Socket>()
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(port, host)
  await once(server, 'listening')
  closing.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return Object.assign(server, { port: (server.address() as AddressInfo).port })
}

/** A server on the loopback of both families that must never be reached; it counts requests. */
async function aCanary(port = 0) {
  const hits: string[] = []
  const hit = (socket: Socket) => {
    hits.push(socket.remoteAddress ?? '')
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\nsecret')
  }
  const four = await listening(createTcp(hit), '127.0.0.1', port)
  await listening(createTcp(hit), '::1', four.port).catch(() => undefined)
  return { hits, port: four.port }
}

const answering = (answer: RequestListener) => listening(createHttp(answer))
const strict = new Guard()
const local = new Guard(parseAllowList('127.0.0.0/8'))
const text = composeMessage({ event: 'incident.created', at: new Date(), payload: { title: 'Shop is down' } }).text
const sentTo = (url: string, guard = strict) => sendHttp(guard, { url, headers: {}, body: text })
const chats = ['webhook', 'slack', 'discord', 'microsoft_teams', 'custom'] as const
const fieldOf = (type: (typeof chats)[number]) => (type === 'webhook' || type === 'custom' ? 'url' : 'webhook_url')
const addressOf = (type: (typeof chats)[number], url: string) => ({ [fieldOf(type)]: url })

function aChannel(type: Channel['type'], config: Record<string, unknown>): Channel {
  const id = randomUUID()
  return { id, tenantId: randomUUID(), type, ...encryptConfig(app.services.config, id, type, config) }
}
const attemptBy = (guard: Guard, channel: Channel, receivers = publicReceivers) =>
  attempt(
    { ...app.services, guard, receivers, log: pino({ level: 'silent' }) },
    { id: randomUUID(), channel, body: text },
  )

describe('T25, T28, S4: private addresses', () => {
  const spellings = innerSpellings()

  test('are refused when a channel is saved, by field, for every type with an address', async () => {
    const callers = await Promise.all(Array.from({ length: 6 }, () => given.tenant()))
    const urls = [...spellings.map(host => `http://${host}:8080/hook`), ...hostileUrls(8080)]
    const passed: string[] = []
    let turn = 0
    const save = (caller: CallerUnderTest, type: (typeof chats)[number], url: string) =>
      caller.post('/notification-channels', { name: 'x', type, config: addressOf(type, url) })
    const saveRemaining = async (caller: CallerUnderTest) => {
      for (let mine = turn++; mine < urls.length; mine = turn++) {
        const type = chats[mine % chats.length]!
        const { status, body } = await save(caller, type, urls[mine]!)
        if (status !== 422 || !body.errors[`config.${fieldOf(type)}`]) passed.push(`${type} ${urls[mine]}: ${status}`)
      }
    }
    await Promise.all(callers.map(saveRemaining))
    expect(urls.length).toBeGreaterThan(300)
    expect(passed).toEqual([])
    expect((await save(callers[0]!, 'webhook', 'https://hooks.example.com/in')).status).toBe(201)
  })

  test('are not requested, even if a stored channel has them', async () => {
    const canary = await aCanary()
    const urls = [...spellings.map(host => `http://${host}:${canary.port}/hook`), ...hostileUrls(canary.port)]
    const outcomes = await Promise.all(urls.map(async url => [url, await sentTo(url)] as const))
    expect(outcomes.filter(([, { isDelivered }]) => isDelivered)).toEqual([])
    expect(outcomes.filter(([, { error }]) => error === 'blocked').length).toBeGreaterThan(250)
    for (const type of chats)
      for (const host of ['127.0.0.1', '2130706433', '[::ffff:7f00:1]', 'localhost'])
        expect(
          await attemptBy(strict, aChannel(type, addressOf(type, `http://${host}:${canary.port}/x`))),
        ).toMatchObject({
          isDelivered: false,
          error: 'blocked',
        })
    expect(canary.hits).toEqual([])
  })

  test('control: a sender without the guard reaches the server', async () => {
    const canary = await aCanary()
    const dispatcher = new Agent()
    const urls = spellings
      .filter(host => /^(127\.|0x7f|0177|2130706433|017700000001)/i.test(host))
      .map(host => `http://${host}:${canary.port}/`)
    const sent = await Promise.all(
      urls.map(url =>
        sendHttp({ refuseUrl: () => null, dispatcher: () => dispatcher }, { url, headers: {}, body: text }),
      ),
    )
    expect(sent.filter(({ isDelivered }) => isDelivered).length).toBeGreaterThan(5)
    expect(canary.hits.length).toBeGreaterThan(5)
    await dispatcher.close()
  })

  test('a bot token, a chat and a routing key cannot change the address of the vendor', async () => {
    const owner = await given.tenant()
    const bad: [type: string, config: Record<string, unknown>, field: string][] = [
      ['telegram', { bot_token: '123456:abcdefghijklmnopqrstuvwxyz@127.0.0.1/', chat_id: '1' }, 'config.bot_token'],
      ['telegram', { bot_token: '../../123456:abcdefghijklmnopqrstuvwxyz', chat_id: '1' }, 'config.bot_token'],
      ['telegram', { bot_token: '123456:abcdefghijklmnopqrstuvwxyz', chat_id: '1&text=x' }, 'config.chat_id'],
      ['pagerduty', { routing_key: 'abc/../../x' }, 'config.routing_key'],
    ]
    for (const [type, config, field] of bad) {
      const { status, body } = await owner.post('/notification-channels', { name: 'x', type, config })
      expect([status, Object.keys(body.errors)], JSON.stringify(config)).toEqual([422, [field]])
    }
  })
})

describe('T26: DNS rebinding', () => {
  test('a thousand changed answers never reach a private address; one among public ones blocks all', async () => {
    let seen = 0
    const outside = await listening(
      createHttp((_, response) => {
        seen++
        response.writeHead(200, { Connection: 'close' }).end('ok')
      }),
      '127.7.0.1',
    )
    const inside = await aCanary(outside.port)
    const dns = await DnsServer.open((name, type, nth) => {
      if (type !== 'A') return []
      if (name === 'mixed.example') return a(name, '127.7.0.1', '127.0.0.1')
      return a(name, nth % 2 ? '127.0.0.1' : '127.7.0.1')
    })
    closing.push(() => dns.close())
    const guard = new Guard(parseAllowList('127.7.0.0/16'), { lookup: systemLookup({ servers: [dns.address] }) })
    const channel = aChannel('webhook', {
      url: `http://flip.example:${outside.port}/in`,
      secret: 'a secret of sixteen',
    })
    const errors = new Map<string | null, number>()
    for (let round = 0; round < 1_000; round++) {
      const { error } = await attemptBy(guard, channel)
      errors.set(error, (errors.get(error) ?? 0) + 1)
    }
    expect(errors).toEqual(
      new Map([
        [null, 500],
        ['blocked', 500],
      ]),
    )
    expect(seen).toBe(500)
    expect(
      await attemptBy(guard, aChannel('slack', { webhook_url: `http://mixed.example:${outside.port}/` })),
    ).toMatchObject({ error: 'blocked' })
    expect(inside.hits).toEqual([])
  }, 60_000)
})

describe('T27: a redirect', () => {
  test('fails the attempt and is never followed, for every type of channel', async () => {
    const canary = await aCanary()
    const targets = [
      `http://127.0.0.1:${canary.port}/`,
      `http://[::1]:${canary.port}/`,
      'file:///etc/passwd',
      'gopher://127.0.0.1/',
      '//127.0.0.1/',
      '/again',
    ]
    let asked = 0
    const receiver = await answering((request, response) => {
      asked++
      const [, status = '302', target = '0'] = (request.url ?? '').split('/')
      const location = targets[Number(target)] ?? ''
      response
        .writeHead(Number(status), status === '200' ? { Refresh: `0; url=${location}` } : { Location: location })
        .end()
    })
    let expected = 0
    for (const status of [301, 302, 303, 307, 308])
      for (const target of targets.keys())
        for (const type of chats) {
          expected++
          const sent = await attemptBy(
            local,
            aChannel(type, addressOf(type, `http://127.0.0.1:${receiver.port}/${status}/${target}`)),
          )
          expect(sent).toMatchObject({ isDelivered: false, status, error: 'http_status' })
        }
    for (const type of ['telegram', 'pagerduty'] as const) {
      expected++
      const config =
        type === 'telegram'
          ? { bot_token: '123456:abcdefghijklmnopqrstuvwxyz', chat_id: '1' }
          : { routing_key: 'R0UTINGKEY0123456789abcdefABCDEF' }
      const base = `http://127.0.0.1:${receiver.port}/307/0`
      expect(await attemptBy(local, aChannel(type, config), { telegram: base, pagerduty: base })).toMatchObject({
        isDelivered: false,
        status: 307,
      })
    }
    expect((await sentTo(`http://127.0.0.1:${receiver.port}/200/0`, local)).isDelivered).toBe(true)
    expect(asked).toBe(expected + 1)
    expect(canary.hits).toEqual([])
  })
})

// the next two wait for ten seconds: they run concurrently
describe.concurrent('T29, S12: a hostile receiver', () => {
  test('is abandoned after ten seconds, and fills no memory', async () => {
    const drip = (socket: Socket, bytes: string) => {
      const timer = setInterval(() => socket.write(bytes), 500)
      socket.once('close', () => clearInterval(timer))
    }
    const bomb = gzipSync(Buffer.alloc(50_000_000))
    const raw: Record<string, (socket: Socket) => void> = {
      'never answers': () => undefined,
      'never ends its headers': socket => {
        socket.write('HTTP/1.1 200 OK\r\n')
        drip(socket, 'x-more: y\r\n')
      },
      'a byte at a time': socket => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
        drip(socket, 'x')
      },
      'endless chunks of nothing': socket => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
        drip(socket, '1\r\nx\r\n')
      },
      'a megabyte of headers': socket =>
        socket.end(`HTTP/1.1 200 OK\r\n${`x: ${'y'.repeat(1_000)}\r\n`.repeat(1_000)}\r\n`),
      'no HTTP at all': socket => socket.end('220 mail.example.com ESMTP\r\n'),
      'more than it promised': socket =>
        socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n${'x'.repeat(100_000)}`),
      'a bomb of gzip': socket => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
        socket.end(bomb)
      },
      'interim answers without end': socket => drip(socket, 'HTTP/1.1 100 Continue\r\n\r\n'),
      'closes at once': socket => socket.destroy(),
    }
    const before = process.memoryUsage.rss()
    const outcomes = await Promise.all([
      ...Object.entries(raw).map(async ([name, answer]) => {
        const server = await listening(createTcp(answer))
        return { name, ...(await sentTo(`http://127.0.0.1:${server.port}/`, local)) }
      }),
      (async () => {
        const server = await listening(createTcp(() => undefined))
        return { name: 'never ends its handshake', ...(await sentTo(`https://127.0.0.1:${server.port}/`, local)) }
      })(),
    ])
    const by = Object.fromEntries(outcomes.map(({ name, ...sent }) => [name, sent]))
    for (const { name, durationMs } of outcomes) expect(durationMs, name).toBeLessThanOrEqual(20_000)
    for (const name of [
      'never answers',
      'never ends its headers',
      'a byte at a time',
      'endless chunks of nothing',
      'never ends its handshake',
    ])
      expect([name, by[name]?.error]).toEqual([name, 'timeout'])
    for (const name of ['a megabyte of headers', 'no HTTP at all', 'interim answers without end', 'closes at once'])
      expect([name, by[name]?.isDelivered]).toEqual([name, false])
    expect(by['a bomb of gzip']?.answer?.length).toBeLessThanOrEqual(1_024)
    expect(process.memoryUsage.rss() - before).toBeLessThan(50_000_000)
  }, 30_000)
})

describe.concurrent('F22: a degraded resolver', () => {
  test('fails attempts as `dns` within ten seconds, and they succeed once it has recovered', async () => {
    let isIll = true
    const receiver = await listening(
      createHttp((_, response) => response.writeHead(200, { Connection: 'close' }).end('ok')),
    )
    const dns = await DnsServer.open((name, type) => {
      if (!isIll) return type === 'A' ? a(name, '127.0.0.1') : []
      return name.startsWith('servfail') ? 'servfail' : name.startsWith('gone') ? 'nxdomain' : 'silent'
    })
    closing.push(() => dns.close())
    const guard = new Guard(parseAllowList('127.0.0.0/8'), { lookup: systemLookup({ servers: [dns.address] }) })
    const urls = ['servfail', 'gone', 'silent'].map(name => `http://${name}.example:${receiver.port}/`)
    const failed = await Promise.all(urls.map(url => sentTo(url, guard)))
    for (const sent of failed) expect(sent).toMatchObject({ isDelivered: false, status: null, answer: null })
    expect(failed.map(({ error }) => error).slice(0, 2)).toEqual(['dns', 'dns'])
    expect(['dns', 'timeout']).toContain(failed[2]?.error)
    for (const { durationMs } of failed) expect(durationMs).toBeLessThanOrEqual(20_000)
    isIll = false
    for (const url of urls) expect((await sentTo(url, guard)).isDelivered).toBe(true)
  }, 30_000)
})

describe('T30: what the log shows of a blocked attempt', () => {
  test('open, closed and distant private addresses cannot be distinguished', async () => {
    const canary = await aCanary()
    const free = await listening(createTcp())
    const closed = free.port
    free.close()
    const targets = [
      `http://127.0.0.1:${canary.port}/`,
      `http://127.0.0.1:${closed}/`,
      'http://10.255.255.1/',
      'https://[fd00::1]/',
      'http://169.254.169.254/latest/',
    ]
    const outcomes = await Promise.all(targets.map(url => sentTo(url)))
    for (const { durationMs, ...outcome } of outcomes) {
      expect(outcome).toEqual({ isDelivered: false, status: null, error: 'blocked', answer: null })
      expect(durationMs).toBeLessThan(50)
    }
    const dns = await DnsServer.open((name, type) =>
      type === 'A' ? a(name, name.startsWith('open') ? '127.0.0.1' : '10.255.255.1') : [],
    )
    closing.push(() => dns.close())
    const guard = new Guard([], { lookup: systemLookup({ servers: [dns.address] }) })
    const named = await Promise.all(
      [`http://open.example:${canary.port}/`, 'http://far.example/'].map(url => sentTo(url, guard)),
    )
    for (const { durationMs: _, ...outcome } of named)
      expect(outcome).toEqual({ isDelivered: false, status: null, error: 'blocked', answer: null })
    expect(canary.hits).toEqual([])
  })
})

describe('S9: texts of customers in messages for people', () => {
  const payloads = [
    '<script>alert(1)</script>',
    '<!channel> <@U1>',
    '@everyone <@&1>',
    '[x](javascript:alert(1))',
    '"}],"blocks":[{"',
    '\r\nBcc: a@b.example',
    '{{team}} $(x) %s',
    '\u202Eevil\u2028',
    '`*_~',
    '\0\u0007',
    '🦊'.repeat(200),
    '</b><b>',
  ]
  /** `npm run faults` tries each payload after each of these, and in each field by itself. */
  const behind = process.env.INJECTIONS ? ['', ...injected] : ['']
  const fields = [
    'monitor_name',
    'title',
    'monitor_url',
    'tenant_name',
    'reason',
    'severity',
    'zone',
    'issuer',
    'name',
    'role',
    'feature',
    'plan',
  ]
  const shapeOf = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shapeOf)
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shapeOf(each)]))
        : typeof value

  test('change nothing in a message but its texts', async () => {
    const bodies: unknown[] = []
    const receiver = await answering(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      bodies.push(JSON.parse(body))
      response.end('ok')
    })
    const base = `http://127.0.0.1:${receiver.port}`
    const channels = [
      ...chats.map(type => aChannel(type, addressOf(type, base))),
      aChannel('telegram', { bot_token: '123456:abcdefghijklmnopqrstuvwxyz', chat_id: '1' }),
      aChannel('pagerduty', { routing_key: 'R0UTINGKEY0123456789abcdefABCDEF' }),
    ]
    const means = { ...app.services, guard: local, receivers: { telegram: base, pagerduty: base } }
    const messageWith = async (channel: Channel, words: string, only?: string) => {
      const payload = {
        ...Object.fromEntries(fields.map(field => [field, only === undefined || only === field ? words : 'words'])),
        incident_id: 'i',
        monitor_id: 'm',
      }
      const { text } = composeMessage({ event: 'incident.created', at: new Date(), payload })
      expect(await attempt(means, { id: randomUUID(), channel, body: text })).toMatchObject({ isDelivered: true })
      return bodies.pop()
    }
    for (const channel of channels) {
      const plain = shapeOf(await messageWith(channel, 'words'))
      for (const before of behind)
        for (const payload of payloads)
          for (const field of behind.length > 1 ? fields : [undefined])
            expect(
              shapeOf(await messageWith(channel, `words ${before}${payload} words`, field)),
              `${channel.type}: ${before}${payload}`,
            ).toEqual(plain)
    }
    console.log(
      `injections ${payloads.length * behind.length} in ${fields.length} fields ` +
        `of ${channels.length} kinds of messages: 0 change more than texts`,
    )
  }, 600_000)
})

describe('T62, T66, S8: data of other tenants and secrets', () => {
  test('a team sees the deliveries to its own channels, not to those of its reseller or of other tenants', async () => {
    const [reseller, other] = [await given.reseller(), await given.reseller()]
    const [team, foreign] = [await given.team(reseller), await given.team(other)]
    const ids = new Map<CallerUnderTest, string>()
    for (const whose of [reseller, other, team, foreign]) {
      const [channel, delivery] = [randomUUID(), randomUUID()]
      await app.services.platform.query(
        `insert into notification_channels (id, tenant_id, name, type, config)
         values ($1, $2, 'x', 'webhook', '{"url":"https://x.example.com"}')`,
        [channel, whose.tenantId],
      )
      await app.services.platform.query(
        `insert into deliveries
           (id, tenant_id, channel_id, event, managed_tenant_id, body, status, next_at, finished_at)
         values ($1, $2, $3, 'incident.created', $4, '{}', 'delivered', now(), now())`,
        [delivery, whose.tenantId, channel, team.tenantId],
      )
      ids.set(whose, delivery)
    }
    for (const [whose, own] of ids) {
      const base = whose === reseller || whose === other ? '/reseller/notification-logs' : '/notification-logs'
      const listed = await whose.get(base)
      if (listed.status === 200) expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([own])
      for (const [someone, id] of ids)
        if (someone !== whose)
          for (const path of [
            `/notification-logs/${id}`,
            `/notification-logs/${id}/replay`,
            `${team.path}/notification-logs/${id}`,
          ]) {
            const mayRead = whose === reseller && someone === team && path.startsWith(team.path)
            const { status } = path.endsWith('replay') ? await whose.post(path) : await whose.get(path)
            if (!mayRead) expect([403, 404], `${path}`).toContain(status)
          }
    }
    expect((await reseller.get(`${team.path}/notification-logs/${ids.get(team)}`)).status).toBe(200)
  })

  test('no secret of a channel is in the log, in metrics, in another column, or in an error', async () => {
    const lines: string[] = []
    const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
    const marks = {
      hush: randomBytes(12).toString('hex'),
      hook: randomBytes(12).toString('hex'),
      bot: randomBytes(16).toString('hex'),
      key: randomBytes(16).toString('hex'),
    }
    const receiver = await answering((_, response) => response.writeHead(500).end('no'))
    const base = `http://127.0.0.1:${receiver.port}`
    const owner = await given.tenant()
    const made: { type: Channel['type']; config: Record<string, unknown> }[] = [
      { type: 'webhook', config: { url: 'https://hooks.example.com/in', secret: marks.hush } },
      { type: 'slack', config: { webhook_url: `https://hooks.example.com/${marks.hook}` } },
      { type: 'telegram', config: { bot_token: `123456:${marks.bot}`, chat_id: '1' } },
      { type: 'pagerduty', config: { routing_key: marks.key } },
    ]
    const answers: string[] = []
    for (const { type, config } of made) {
      const created = await owner.post('/notification-channels', { name: 'x', type, config })
      expect(created.status).toBe(201)
      const { id } = created.body.data
      answers.push(
        created.text,
        (await owner.patch(`/notification-channels/${id}`, { name: 'y' })).text,
        (await owner.get(`/notification-channels/${id}`)).text,
      )
      const { rows } = await app.services.platform.query<{ config: Record<string, unknown>; secrets: string }>(
        'select config, secrets from notification_channels where id = $1',
        [id],
      )
      const channel = { id, tenantId: owner.tenantId, type, ...rows[0]! }
      const means = { ...app.services, log, guard: local, receivers: { telegram: base, pagerduty: base } }
      answers.push(JSON.stringify(await attempt(means, { id: randomUUID(), channel, body: text })))
      // a secret that is moved to another row, or damaged, cannot be decrypted, and the error does not contain it
      answers.push(
        JSON.stringify(
          await attempt(means, { id: randomUUID(), channel: { ...channel, id: randomUUID() }, body: text }),
        ),
      )
    }
    answers.push((await owner.get('/notification-channels')).text, (await owner.get('/audit-log')).text)
    const { rows } = await app.services.platform.query<{ row: string }>(
      `select c::text as row from notification_channels c where tenant_id = $1
         union all select d::text from deliveries d where tenant_id = $1
       union all select o::text from outbox o where tenant_id = $1
         union all select a::text from audit_entries a where tenant_id = $1`,
      [owner.tenantId],
    )
    expect(rows.length).toBeGreaterThan(7)
    expect(lines.length).toBeGreaterThan(0)
    const figures = await app.services.metrics.register.metrics()
    const everything = [...answers, ...lines, ...rows.map(({ row }) => row), figures].join('\n')
    for (const [name, mark] of Object.entries(marks)) expect(everything.includes(mark), name).toBe(false)
  })
})
