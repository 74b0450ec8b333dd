import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readYaml } from '#importers/read-yaml.ts'
import { type CallerUnderTest, given } from '#test/support/app.ts'
import { importAll, itemsOf, migrationOf, OldProvider } from './old-provider.ts'

let provider: OldProvider
beforeAll(async () => {
  provider = await OldProvider.open()
})
afterAll(() => provider?.close())

const checksOf = async (team: CallerUnderTest, monitor: { id: string } | undefined) =>
  (await team.get(`/monitors/${monitor?.id}/checks`)).body.data.map(
    ({ type, settings }: { type: string; settings: unknown }) => [type, settings],
  )

const gatus = `
alerting:
  slack:
    webhook-url: https://hooks.example.com/secret-of-the-hook
defaults: &defaults
  interval: 30s
  alerts:
    - type: slack
      failure-threshold: 5
endpoints:
  - name: front
    <<: *defaults
    group: core
    url: https://front.example.com/health
    headers: {X-Team: ops, X-Key: "\${KEY}"}
    conditions:
      - "[STATUS] == any(200, 204)"
      - "[RESPONSE_TIME] < 800"
      - "[CERTIFICATE_EXPIRATION] > 48h"
      - "[BODY].status == UP"
      - "len([BODY].items) > 3"
  - name: text
    url: https://text.example.com/
    interval: 1m30s
    enabled: false
    conditions: ["[BODY] == pat(*Welcome*)", "[STATUS] < 300", "[DOMAIN_EXPIRATION] > 720h"]
  - {name: port, url: "tcp://db.example.com:5432", conditions: ["[CONNECTED] == true"]}
  - {name: ping, url: "icmp://host.example.com", conditions: ["[CONNECTED] == true"]}
  - name: names
    url: 8.8.8.8
    dns: {query-name: example.com, query-type: A}
    conditions: ["[BODY] == 192.0.2.1", "[DNS_RCODE] == NOERROR"]
  - {name: shell, url: "ssh://host.example.com:22", conditions: ["[CONNECTED] == true"]}
external-endpoints:
  - {name: nightly, group: jobs, token: secret-token, heartbeat: {interval: 24h}}
`

test('Gatus: endpoints become monitors, conditions their settings', async () => {
  const team = await given.tenant()
  const id = await provider.preview(team, { provider: 'gatus', content: gatus })
  expect(await migrationOf(team, id)).toMatchObject({ state: 'previewed', counts: { create: 6, skip: 2 } })
  const items = await itemsOf(team, id)
  expect(items.get('_shell')?.reason).toBe('There is no check for endpoints of kind ssh.')
  expect(items.get('core_front')?.stand_ins).toEqual([
    'The condition len([BODY].items) > 3 is not carried over: add an assertion.',
    'A certificate that ends within 2 days is a warning here; one that has ended is an outage.',
    'The header X-Key stands in an environment variable: set it.',
  ])
  const monitors = await importAll(provider, team, id)
  expect(monitors.get('front')).toMatchObject({ group: 'core', check_interval: 30, confirmations: 5 })
  expect(await checksOf(team, monitors.get('front'))).toMatchObject([
    [
      'uptime',
      {
        expected_status: ['200', '204'],
        assertions: [
          { source: 'time', comparison: 'less_than', target: 800 },
          { source: 'json', property: 'status', comparison: 'equals', target: 'UP' },
        ],
      },
    ],
    ['ssl', { warn_days: [2, 1] }],
  ])
  expect(await checksOf(team, monitors.get('text'))).toMatchObject([
    ['uptime', { keyword_present: 'Welcome', expected_status: ['200-299'], warning_status: [] }],
    ['domain_expiry', {}],
  ])
  expect(await checksOf(team, monitors.get('port'))).toMatchObject([['tcp', { port: 5_432 }]])
  expect(await checksOf(team, monitors.get('ping'))).toMatchObject([['ping', {}]])
  expect(await checksOf(team, monitors.get('names'))).toMatchObject([
    ['dns', { record_types: ['A'], resolvers: ['8.8.8.8'], expected: { A: ['192.0.2.1'] } }],
  ])
  expect(await checksOf(team, monitors.get('nightly'))).toMatchObject([['cron', { period_minutes: 1_440 }]])
  const shown = (await team.get(`/migrations/${id}/items?per_page=100`)).text
  for (const secret of ['secret-of-the-hook', 'secret-token']) expect(shown).not.toContain(secret)
})

const conditions = `
endpoints:
  - {name: any, url: "https://a.example.com/", conditions: ["[CONNECTED] == true"], alerts: [{type: slack}]}
  - name: moved
    url: https://a.example.com/old
    client: {ignore-redirect: true, proxy-url: "http://proxy.example.com"}
    conditions: ["[STATUS] >= 300", "[STATUS] < 400", "[STATUS] != 304"]
  - {name: pattern, url: "https://a.example.com/", conditions: ["[status] == pat(20?)", "[BODY] == pat(*a?b*)"]}
  - {name: odd, url: "https://a.example.com/", conditions: ["[STATUS] == 200", "[STATUS] != any(200)"]}
  - name: graphql
    url: https://a.example.com/graphql
    method: POST
    graphql: true
    body: "{ state }"
    conditions: ["[STATUS] == 200"]
  - name: banner
    url: tcp://a.example.com:6379
    body: PING
    conditions: ["[BODY] == pat(*PONG*)", "[RESPONSE_TIME] < 300"]
  - name: tls
    url: tls://a.example.com:465
    conditions: ["[CERTIFICATE_EXPIRATION] > 240h", "[RESPONSE_TIME] < 300"]
  - name: names
    url: 8.8.8.8:5353
    dns: {query-name: a.example.com, query-type: MX}
    conditions: ["[DNS_RCODE] == NOERROR", "[RESPONSE_TIME] < 200"]
`

test('Gatus: conditions hold all at once, by the kind of the endpoint', async () => {
  const team = await given.tenant({ plan: 'pro' })
  const id = await provider.preview(team, { provider: 'gatus', content: conditions })
  expect(await migrationOf(team, id)).toMatchObject({ counts: { create: 7, skip: 1 } })
  const items = await itemsOf(team, id)
  expect(items.get('_odd')?.action).toBe('skip')
  expect(items.get('_moved')?.stand_ins).toEqual(['It is checked directly, not through a proxy.'])
  expect(items.get('_pattern')?.stand_ins).toEqual([
    'The condition [BODY] == pat(*a?b*) is not carried over: add an assertion.',
  ])
  expect(items.get('_tls')?.stand_ins).toEqual([
    'The condition [RESPONSE_TIME] < 300 is not carried over: add an assertion.',
    'A certificate that ends within 10 days is a warning here; one that has ended is an outage.',
  ])
  const monitors = await importAll(provider, team, id)
  const checksFor = (name: string) => checksOf(team, monitors.get(name))
  // an alert that does not say so waits for three failures
  expect(monitors.get('any')).toMatchObject({ confirmations: 3 })
  expect(await checksFor('any')).toMatchObject([['uptime', { expected_status: ['200-599'], warning_status: [] }]])
  expect(await checksFor('moved')).toMatchObject([
    ['uptime', { expected_status: ['300-303', '305-399'], follow_redirects: false }],
  ])
  expect(await checksFor('pattern')).toMatchObject([['uptime', { expected_status: ['200-209'] }]])
  expect(await checksFor('graphql')).toMatchObject([
    ['uptime', { method: 'POST', body: '{"query":"{ state }"}', headers: { 'Content-Type': 'application/json' } }],
  ])
  expect(await checksFor('banner')).toMatchObject([
    ['tcp', { port: 6_379, send: 'PING', expect: 'PONG', degraded_after_ms: 300 }],
  ])
  expect(await checksFor('tls')).toMatchObject([['ssl', { port: 465, warn_days: [10, 7, 3, 1] }]])
  expect(await checksFor('names')).toMatchObject([
    ['dns', { record_types: ['MX'], resolvers: ['8.8.8.8:5353'], degraded_after_ms: 200 }],
  ])
})

const prometheus = `
global: {scrape_interval: 2m}
scrape_configs:
  - job_name: node
    static_configs: [{targets: ['localhost:9100']}]
  - job_name: sites
    metrics_path: /probe
    params: {module: [pages]}
    scrape_interval: 30s
    static_configs:
      - targets: ['https://a.example.com/', 'b.example.com']
  - job_name: mail
    metrics_path: /probe
    params: {module: [tcp_connect]}
    static_configs: [{targets: ['mail.example.com:25', 'mail.example.com']}]
  - job_name: names
    metrics_path: /probe
    params: {module: [names]}
    static_configs: [{targets: ['8.8.8.8']}]
  - job_name: found
    metrics_path: /probe
    params: {module: [icmp]}
    dns_sd_configs: [{names: [_x._tcp.example.com]}]
modules:
  pages:
    prober: http
    timeout: 5s
    http:
      valid_status_codes: [200, 301]
      method: POST
      body: ping
      follow_redirects: false
      fail_if_body_not_matches_regexp: [Welcome, 'a.*b']
      basic_auth: {username: pat, password: pass-of-pat}
  names: {prober: dns, dns: {query_name: example.com., query_type: MX}}
`

test('blackbox_exporter: each static target becomes a monitor by its module', async () => {
  const team = await given.tenant()
  const id = await provider.preview(team, { provider: 'blackbox-exporter', content: prometheus })
  expect(await migrationOf(team, id)).toMatchObject({ state: 'previewed', counts: { create: 4, skip: 3 } })
  const items = await itemsOf(team, id)
  expect(items.get('mail mail.example.com')?.reason).toBe('Its port is missing.')
  expect(items.get('node')?.reason).toContain('no probe')
  expect(items.get('found discovery')?.reason).toContain('Only Prometheus')
  const monitors = await importAll(provider, team, id)
  expect(monitors.get('https://a.example.com/')).toMatchObject({ check_interval: 30, timeout: 5, group: 'sites' })
  expect(await checksOf(team, monitors.get('https://a.example.com/'))).toMatchObject([
    [
      'uptime',
      {
        method: 'POST',
        body: 'ping',
        expected_status: ['200', '301'],
        warning_status: [],
        follow_redirects: false,
        keyword_present: 'Welcome',
        auth: { type: 'basic', username: 'pat' },
      },
    ],
  ])
  expect(monitors.get('mail.example.com:25')).toMatchObject({ check_interval: 120 })
  expect(await checksOf(team, monitors.get('8.8.8.8'))).toMatchObject([
    ['dns', { record_types: ['MX'], resolvers: ['8.8.8.8'] }],
  ])
})

describe('YAML made to hurt', () => {
  const bomb = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let n = 1; n < 9; n++)
    bomb.push(
      `a${n}: &a${n} [${Array(10)
        .fill(`*a${n - 1}`)
        .join(', ')}]`,
    )

  test('is refused for its values, its depth, its length and its time', () => {
    expect(() => readYaml(bomb.join('\n'))).toThrow('more values than are read')
    expect(() => readYaml('&a [*a]')).toThrow('more values than are read')
    expect(() => readYaml('['.repeat(100_000))).toThrow('The YAML cannot be read')
    expect(() => readYaml(' '.repeat(2_097_153))).toThrow('more than 2 MB')
    const merges = `a: &a {${Array.from({ length: 60_000 }, (_, n) => `k${n}: 1`).join(', ')}}\n`
    const endless = `${merges}b:\n${'- {<<: *a}\n'.repeat(20_000)}`
    expect(() => readYaml(endless)).toThrow('The YAML cannot be read in line 3')
  }, 30_000)

  test('and what is malformed is named with its line', () => {
    expect(() => readYaml('a: 1\nb: [')).toThrow(/cannot be read in line \d+: /)
    expect(() => readYaml('a: !!js/function "x"')).toThrow('cannot be read')
    expect(readYaml('a: 1')).toEqual({ a: 1 })
    expect(readYaml('')).toBeNull()
  })

  test('fails the migration with its reason, and imports nothing', async () => {
    const team = await given.tenant()
    for (const source of ['gatus', 'blackbox-exporter']) {
      const id = await provider.preview(team, { provider: source, content: `endpoints:\n  - x\n${bomb.join('\n')}` })
      expect(await migrationOf(team, id)).toMatchObject({
        state: 'failed',
        failure: 'The YAML holds more values than are read of one source.',
      })
    }
    const id = await provider.preview(team, { provider: 'gatus', content: 'a: 1' })
    expect((await migrationOf(team, id)).failure).toContain('it has no endpoints')
  })
})
