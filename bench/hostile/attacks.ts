import { randomUUID } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { zstdCompressSync } from 'node:zlib'
import { compress } from 'snappyjs'
import { agentPaths } from '#contract/agent.ts'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { mintSecret } from '#control-plane/base/token-secret.ts'
import { writeMessage } from '#control-plane/passive/servers/intake/protobuf.ts'

/** What an attacker knows: where the service is, and what a customer of it was given. */
export interface World {
  port: number
  serverToken: string
  tenantToken: string
  resellerToken: string
  pingPath: string
  badgePath: string
  /** Sign-ins at a provider that were begun; each takes one answer. */
  relayStates: string[]
  /** A public page and its id. */
  page: { slug: string; id: string; post: string }
  monitor: string
  migrations: { csv: string; gatus: string; 'uptime-kuma': string }
}

export interface Attack {
  /** Requests, or connections, a second. */
  perSecond: number
  /** How the n-th begins. `own`: by a customer, from one address. */
  make(n: number, world: World): Buffer
  own?: boolean
  /** What is done with a connection after its beginning was sent: by default it is read and closed by the server. */
  afterwards?: 'stay' | 'drip' | 'read nothing'
}

/** The n-th address of as many as a botnet has. */
const addressOf = (n: number) => `127.${1 + ((n >> 16) & 127)}.${(n >> 8) & 255}.${n & 255}`

const request = (
  method: string,
  path: string,
  {
    token,
    type,
    encoding,
    body = '',
  }: { token?: string; type?: string; encoding?: string; body?: string | Uint8Array } = {},
) => {
  const bytes = Buffer.from(body)
  const headers = [
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(type ? [`Content-Type: ${type}`] : []),
    ...(encoding ? [`Content-Encoding: ${encoding}`] : []),
    ...(method === 'GET' ? [] : [`Content-Length: ${bytes.length}`]),
  ]
  return Buffer.concat([
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers.map(line => `${line}\r\n`).join('')}\r\n`,
    ),
    bytes,
  ])
}
const json = 'application/json'
const form = 'application/x-www-form-urlencoded'
const protobuf = 'application/x-protobuf'
const repeated = (text: string, count: number) => Array(count).fill(text).join(',')
const names = (count: number) => Array.from({ length: count }, (_, n) => `{{a${n.toString(36)}}}`)

const rubbish = [
  () => request('POST', agentPaths.token, { type: json, body: '{"assertion":"x"}' }),
  () => request('GET', agentPaths.work, { token: `eyJhbGciOiJIUzI1NiJ9.${'A'.repeat(200)}.${'A'.repeat(43)}` }),
  () => request('POST', agentPaths.beat, { token: 'rubbish', type: json, body: '{}' }),
  () =>
    request('POST', agentPaths.enrol, {
      type: json,
      body: JSON.stringify({ token: mintSecret('ag').plain, region: 'x' }),
    }),
]

const double = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleLE(value)
  return bytes
}
/** One series with 20,000 samples of the same moment, and 20,000 series that are parts of one whole. */
function remoteWrite(series: number, samples: number): Uint8Array {
  const label = (name: string, value: string) =>
    writeMessage([
      [
        1,
        writeMessage([
          [1, name],
          [2, value],
        ]),
      ],
    ])
  const sample = writeMessage([[2, Buffer.concat([Buffer.from([9]), double(1), writeMessage([[2, Date.now()]])])]])
  const one = (n: number) =>
    writeMessage([
      [
        1,
        Buffer.concat([
          label('__name__', 'node_filesystem_size_bytes'),
          label('mountpoint', '/'),
          label('device', String(n)),
          ...Array(samples).fill(sample),
        ]),
      ],
    ])
  return compress(Buffer.concat(Array.from({ length: series }, (_, n) => one(n))))
}
function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
const twice = once(() => remoteWrite(1, 20_000))
const parts = once(() => remoteWrite(20_000, 1))
const emptyMetrics = once(() =>
  zstdCompressSync(Buffer.from(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[${repeated('{}', 2_600_000)}]}]}]}`)),
)
const emptyPoints = once(() => {
  const points = Buffer.alloc(7_900_000, Buffer.from([10, 0]))
  return zstdCompressSync(writeMessage([[1, writeMessage([[2, writeMessage([[2, writeMessage([[9, points]])]])]])]]))
})
const newlines = once(() => zstdCompressSync(Buffer.alloc(7_900_000, 10)))
const template = once(() =>
  JSON.stringify({
    name: 'x',
    monitors: [
      {
        name_template: 'x',
        url_template: 'https://e.com',
        checks: [{ type: 'uptime', settings: Object.fromEntries(names(30_000).map(name => [name, 1])) }],
      },
    ],
  }),
)
const templateBodies = once(() =>
  JSON.stringify({
    name: 'x',
    monitors: Array.from({ length: 14 }, () => ({
      name_template: 'x',
      url_template: 'https://e.com',
      checks: [{ type: 'uptime', settings: { method: 'POST', body: names(8_000).join('') } }],
    })),
  }),
)
const samlAnswers = once(() =>
  [
    `<r>${'<a/>'.repeat(49_000)}`,
    '<a>'.repeat(20_000),
    '<'.repeat(190_000),
    `<a ${Array.from({ length: 15_000 }, (_, n) => `a${n}="" `).join('')}/>`,
    `<a>${'&amp;'.repeat(38_000)}</a>`,
  ].map(xml => Buffer.from(xml).toString('base64')),
)
const doubled = (name: string, count: number) => `{% assign ${name} = ${name} | append: ${name} %}`.repeat(count)
const searches = `{% assign a = "${'x'.repeat(64)}" %}${doubled('a', 10)}{% for i in (1..1900) %}{% if a contains "y" %}{% endif %}{% endfor %}`
const dearChannel = (template: string) =>
  JSON.stringify({
    name: 'x',
    type: 'custom',
    config: {
      url: 'https://hooks.example.com/x',
      content_type: 'text/plain',
      headers: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`X-${n}`, template])),
      body_template: template,
    },
  })
const channels = once(() =>
  [searches, '{% comment %}'.repeat(140), '{{ (1..399000) | size }}'.repeat(30)].map(dearChannel),
)
const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1).join()
const rules = [
  `FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYMONTHDAY=${upTo(31)};BYSETPOS=-366;COUNT=500`,
  `FREQ=YEARLY;BYWEEKNO=${upTo(53)};BYYEARDAY=${upTo(60)};BYMONTH=${upTo(12)};BYMONTHDAY=31;BYSETPOS=500`,
  'FREQ=DAILY;INTERVAL=999;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=500',
  'FREQ=MONTHLY;BYDAY=5MO,5TU,5WE,5TH,5FR;BYMONTH=2;COUNT=500',
]
const files = once(() => ({
  csv: Buffer.from(`url\n${'"a"\n'.repeat(1_500_000)}`),
  gatus: Buffer.from(
    `a: &a {${Array.from({ length: 60_000 }, (_, n) => `k${n}: 1`).join(', ')}}\nb:\n${'- {<<: *a}\n'.repeat(20_000)}`,
  ),
  'uptime-kuma': Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(33_554_416, 1)]),
}))
const markdown = ['*_', '* a\n', '**[', 'https://a.b?(', '<a@b.c>', '`a``', '[a]\n'].map(text =>
  text.repeat(10_000 / text.length),
)
const importFiles = once(() => [
  `address\n${'"a"\n'.repeat(500_000)}`,
  `address\n${','.repeat(2_000_000)}`,
  `address\n${'\r\n'.repeat(1_000_000)}`,
  `address,channel,locale,components\n${Array.from({ length: 10_000 }, (_, n) => `${n},b,c,${'d '.repeat(80)}`).join('\n')}`,
])
const expressions = ['0 0 30 2 *', '59 23 31 2,4,6,9,11 *', '0 0 29 2 1#5', '0 0 31W 2 *', '*/59 */23 29 2 7']
const queries = once(() => [
  Array.from({ length: 2_000 }, (_, n) => `k${n.toString(36)}=1`).join('&'),
  'tag=a&'.repeat(2_300),
  `search=${'%CC%80'.repeat(2_000)}`,
  '%'.repeat(14_000),
])

const pick = <Value>(list: readonly Value[], n: number): Value => list[n % list.length]!

/** The dearest known input of each open endpoint. */
export const attacks: Record<string, Attack> = {
  'rubbish at the endpoints of agents': { perSecond: 600, make: n => pick(rubbish, n)() },
  'rubbish tokens of the API': {
    perSecond: 600,
    make: () => request('GET', '/api/v1/monitors', { token: mintSecret('sk').plain }),
  },
  'sign-ins': {
    perSecond: 100,
    make: n =>
      request('POST', '/api/v1/auth/token', {
        type: json,
        body: JSON.stringify({ email: `a${n}@example.test`, password: 'x'.repeat(900), device_name: 'x' }),
      }),
  },
  'remote write of parts of one whole': {
    perSecond: 2,
    own: true,
    make: (n, { serverToken }) =>
      request('POST', serverAgentPaths.remoteWrite, {
        token: serverToken,
        type: protobuf,
        encoding: 'snappy',
        body: pick([twice, parts], n)(),
      }),
  },
  'empty metrics and lines': {
    perSecond: 2,
    own: true,
    make: (n, { serverToken: token }) =>
      pick(
        [
          () => request('POST', serverAgentPaths.otlp, { token, type: json, encoding: 'zstd', body: emptyMetrics() }),
          () =>
            request('POST', serverAgentPaths.otlp, { token, type: protobuf, encoding: 'zstd', body: emptyPoints() }),
          () =>
            request('POST', serverAgentPaths.metrics, {
              token,
              type: 'application/x-ndjson',
              encoding: 'zstd',
              body: newlines(),
            }),
        ],
        n,
      )(),
  },
  'templates of placeholders': {
    perSecond: 2,
    own: true,
    make: (n, { resellerToken }) =>
      request('POST', '/api/v1/reseller/monitor-templates', {
        token: resellerToken,
        type: json,
        body: pick([template, templateBodies], n)(),
      }),
  },
  'deep and broad JSON': {
    perSecond: 5,
    own: true,
    make: (n, { tenantToken }) =>
      request('POST', '/api/v1/monitors', {
        token: tenantToken,
        type: json,
        body: pick(
          [
            '['.repeat(250_000),
            `{"name":"x","url":"https://e.com","tags":[${repeated('1', 30_000)}]}`,
            `{"name":"${'\\u0000'.repeat(40_000)}"}`,
          ],
          n,
        ),
      }),
  },
  'SAML answers': {
    perSecond: 3,
    make: (n, { relayStates }) =>
      request('POST', '/sso/saml/acs', {
        type: form,
        body: new URLSearchParams({
          SAMLResponse: pick(samlAnswers(), n),
          RelayState: pick(relayStates, n),
        }).toString(),
      }),
  },
  'templates of channels': {
    perSecond: 2,
    own: true,
    make: (n, { tenantToken }) =>
      request('POST', '/api/v1/notification-channels', { token: tenantToken, type: json, body: pick(channels(), n) }),
  },
  'recurrence rules': {
    perSecond: 4,
    own: true,
    make: (n, { tenantToken }) =>
      request('POST', '/api/v1/maintenance-windows/preview', {
        token: tenantToken,
        type: json,
        body: JSON.stringify({
          starts_at: '2026-01-01T02:00',
          timezone: 'Europe/Berlin',
          duration_minutes: 60,
          rrule: pick(rules, n),
        }),
      }),
  },
  'cron expressions': {
    perSecond: 5,
    own: true,
    make: (n, { tenantToken }) =>
      request('POST', '/api/v1/cron-monitors', {
        token: tenantToken,
        type: json,
        body: JSON.stringify({ name: `${n}`, schedule: pick(expressions, n), timezone: 'Europe/Berlin' }),
      }),
  },
  'files of migrations': {
    perSecond: 1,
    own: true,
    make: (n, { tenantToken, migrations }) => {
      const source = pick(['csv', 'gatus', 'uptime-kuma'] as const, n)
      return request('PUT', `/api/v1/migrations/${migrations[source]}/file`, {
        token: tenantToken,
        type: 'application/octet-stream',
        body: files()[source],
      })
    },
  },
  'files of subscribers': {
    perSecond: 2,
    own: true,
    make: (n, { tenantToken, page }) =>
      request('POST', `/api/v1/status-pages/${page.id}/subscribers/import`, {
        token: tenantToken,
        type: 'text/csv',
        body: pick(importFiles(), n),
      }),
  },
  'Markdown of a page': {
    perSecond: 4,
    own: true,
    make: (n, { tenantToken, page }) =>
      n % 2 === 0
        ? request('POST', `/api/v1/status-pages/${page.id}/posts/${page.post}/updates`, {
            token: tenantToken,
            type: json,
            body: JSON.stringify({ phase: 'monitoring', body: `${n}${pick(markdown, n / 2)}`.slice(0, 10_000) }),
          })
        : request('GET', `/status/${page.slug}${pick(['', '/feed.atom', '/feed.rss'], n)}`),
  },
  'PDFs and pictures': {
    perSecond: 4,
    own: true,
    make: (n, { tenantToken, page, monitor }) =>
      pick(
        [
          () => request('GET', '/api/v1/monthly-report.pdf', { token: tenantToken }),
          () => request('GET', `/api/v1/monitors/${monitor}/report.pdf`, { token: tenantToken }),
          () => request('GET', `/status/${page.slug}/og.png?lang=${pick(['en', 'de'], n)}`),
        ],
        n,
      )(),
  },
  'wide queries': {
    perSecond: 5,
    own: true,
    make: (n, { tenantToken }) => request('GET', `/api/v1/monitors?${pick(queries(), n)}`, { token: tenantToken }),
  },
  'large pings of strangers': {
    perSecond: 100,
    make: () => request('POST', `/api/ping/${randomUUID()}`, { type: form, body: 'a&'.repeat(130_000) }),
  },
  'large pings of a customer': {
    perSecond: 2,
    own: true,
    make: (n, { pingPath }) =>
      request('POST', pingPath, { type: form, body: pick(['a&'.repeat(130_000), '%61&'.repeat(60_000)], n) }),
  },
  'badges in all colours': {
    perSecond: 500,
    make: (n, { badgePath }) =>
      request(
        'GET',
        `${badgePath}?label_color=${(n % 0xffffff).toString(16).padStart(6, '0')}&text_color=${((7 * n) % 0xffffff).toString(16).padStart(6, '0')}`,
      ),
  },
  'unknown badges': { perSecond: 500, make: () => request('GET', `/api/badges/${randomUUID()}`) },
  'unknown beacons': {
    perSecond: 300,
    make: () =>
      request('POST', `/api/vitals/${randomUUID()}`, {
        type: 'text/plain',
        body: JSON.stringify(Array(10).fill({ metric: 'LCP', value: 1, path: `/${'a1/'.repeat(100)}` })),
      }),
  },
  'downloads of the documentation': { perSecond: 20, make: () => request('GET', '/api/docs/scalar.js') },
  '8,400 connections of one address': { perSecond: 2_000, own: true, afterwards: 'stay', make: () => Buffer.alloc(0) },
  '8,400 connections of many addresses': {
    perSecond: 2_000,
    afterwards: 'stay',
    make: () => Buffer.from('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'),
  },
  'heads that drip': {
    perSecond: 300,
    afterwards: 'drip',
    make: () => Buffer.from('GET / HTTP/1.1\r\nHost: x\r\nX-Slow: '),
  },
  'bodies that drip': {
    perSecond: 300,
    afterwards: 'drip',
    make: () =>
      Buffer.from(
        'POST /api/v1/auth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n',
      ),
  },
  'unread answers': {
    perSecond: 50,
    afterwards: 'read nothing',
    make: () => Buffer.from('GET /api/docs/scalar.js HTTP/1.1\r\nHost: x\r\n\r\n'),
  },
}

const openAtMost = 8_400

/** Attacks until it is stopped; returns the number of requests. */
export async function attack(
  { perSecond, make, own = false, afterwards }: Attack,
  world: World,
  signal: AbortSignal,
): Promise<number> {
  const open = new Set<Socket>()
  const began = performance.now()
  let sent = 0
  const more = () => {
    for (const socket of open) if (socket.writable) socket.write('x')
  }
  const drip = afterwards === 'drip' ? setInterval(more, 1_000) : undefined
  while (!signal.aborted) {
    const due = Math.floor(((performance.now() - began) / 1_000) * perSecond)
    for (; sent < due; sent++) {
      if (open.size >= openAtMost) break
      const socket = connect({
        port: world.port,
        host: '127.0.0.1',
        localAddress: own ? '127.250.0.1' : addressOf(sent),
      })
      open.add(socket)
      socket.on('error', () => undefined)
      socket.once('close', () => open.delete(socket))
      if (afterwards === 'read nothing') socket.pause()
      else socket.resume()
      socket.write(make(sent, world))
    }
    await sleep(10)
  }
  clearInterval(drip)
  for (const socket of open) socket.destroy()
  return sent
}
