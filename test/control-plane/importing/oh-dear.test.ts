import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { given } from '#test/support/app.ts'
import { checksOf, importAll, itemsOf, migrationOf, OldProvider } from './old-provider.ts'

const key = 'token-of-the-provider'
let provider: OldProvider
beforeAll(async () => {
  provider = await OldProvider.open()
})
afterAll(() => provider?.close())
beforeEach(() => {
  provider.received.length = 0
})

type Checks = Record<string, boolean | string>
let numbers = 100
const monitor = (id: number, checks: Checks, fields: Record<string, unknown> = {}) => ({
  id,
  team_id: 1,
  type: 'http',
  url: `https://m${id}.example.com`,
  label: `Monitor ${id}`,
  group_name: '',
  tags: [],
  description: null,
  notes: null,
  summarized_check_result: 'succeeded',
  checks: Object.entries(checks).map(([type, result]) => ({
    ...{ id: numbers++, type, label: type, enabled: result !== false, settings: [], active_snooze: null },
    latest_run_result: typeof result === 'string' ? result : 'succeeded',
  })),
  uptime_check_settings: {
    ...{ location: 'paris', look_for_string: '', absent_string: null, expected_response_headers: [], payload: [] },
    ...{ failed_notification_threshold: 2, http_verb: 'get', timeout: 5, valid_status_codes: ['2*'] },
    ...{ max_redirect_count: 5, expected_final_redirect_url: null, http_client_headers: [] },
  },
  certificate_health_check_settings: { expires_soon_threshold_in_days: null },
  performance_check_settings: { threshold_in_ms: 3_500, change_percentage: 50 },
  ...fields,
})
type Monitor = ReturnType<typeof monitor>

const monitors = (): Monitor[] => [
  monitor(
    1,
    {
      ...{ uptime: true, performance: true, certificate_health: true, broken_links: true, mixed_content: false },
      ...{ lighthouse: false, cron: true, application_health: true, sitemap: true, dns: true, domain: true },
      ...{ dns_blocklist: true, ports: true },
    },
    {
      group_name: 'Shops',
      tags: ['prod', { id: 3, name: 'eu' }],
      notes: 'Call Pat first.',
      uptime_check_settings: {
        ...{ look_for_string: 'Welcome', absent_string: 'Error', failed_notification_threshold: 3, http_verb: 'post' },
        ...{ timeout: 5, valid_status_codes: ['2*', '30*', '404', 'odd'], max_redirect_count: 2 },
        expected_response_headers: [
          { name: 'X-Cache', condition: 'not-contains', value: 'MISS' },
          { name: 'X-Id', condition: 'matches-pattern', value: '/a+/' },
        ],
        payload: [{ name: 'q', value: 'a b' }],
        expected_final_redirect_url: 'https://m1.example.com/home',
        http_client_headers: [{ name: 'X-Key', value: 'pass-of-pat' }],
      },
      certificate_health_check_settings: { expires_soon_threshold_in_days: 14 },
      application_health_check_settings: {
        ...{ result_url: 'https://m1.example.com/health?x=1', secret: 'pass-of-health', headers: [] },
      },
      sitemap_check_settings: { path: 'map.xml', speed: 'default' },
      dns_check_settings: { extra_cnames: [], monitor_main_domain: false, ignored_record_types: ['SOA', 'TXT'] },
      domain_check_settings: { expires_soon_threshold_in_days: null },
      broken_links_check_settings: {
        check_include_external_links: false,
        whitelisted_urls: ['https://x.example.com/*'],
      },
    },
  ),
  monitor(
    2,
    { uptime: true, performance: false, dns: false },
    {
      type: 'ping',
      url: 'host.example.com',
      uptime_check_settings: {
        ...{ count: 5, acceptable_packet_loss_percentage: 0, acceptable_average_response_time_in_ms: 400 },
        failed_notification_threshold: 2,
      },
    },
  ),
  monitor(
    3,
    { uptime: true, domain: true },
    {
      type: 'tcp',
      url: 'mail.example.com:587',
      uptime_check_settings: {
        ...{ tcp_send_string: '', timeout_in_ms: 3_000, look_for_string_in_welcome_message: '220' },
        ...{ look_for_string_in_send_string_response: '', failed_notification_threshold: 2 },
      },
    },
  ),
  monitor(4, { uptime: false, certificate_health: true }),
  monitor(5, { uptime: false }),
  monitor(6, { uptime: 'failed', cron: true }),
  monitor(7, { uptime: true }, { type: 'game' }),
]

const jobs: Record<string, Record<string, unknown>[]> = {
  1: [
    {
      ...{ id: 11, uuid: 'a2313fbd-27a1-48b5-9e8f-c743362bb0df', name: 'Backup', type: 'simple', cron_expression: '' },
      ...{ frequency_in_minutes: 60, grace_time_in_minutes: 10, server_timezone: null, latest_result: '' },
      ping_url: 'https://ping.ohdear.app/a2313fbd-27a1-48b5-9e8f-c743362bb0df',
    },
  ],
  6: [
    {
      ...{
        id: 12,
        uuid: 'b2313fbd-27a1-48b5-9e8f-c743362bb0df',
        name: 'Report',
        type: 'cron',
        description: 'Nightly.',
      },
      ...{ cron_expression: '15 3 * * *', server_timezone: 'Europe/Riga', grace_time_in_minutes: 5 },
    },
    {
      ...{ id: 13, uuid: 'c2313fbd-27a1-48b5-9e8f-c743362bb0df', name: 'Clock', type: 'cron' },
      ...{ cron_expression: 'whenever', server_timezone: 'UTC', grace_time_in_minutes: 5 },
    },
  ],
}

/** The API with three monitors a page, whose next links name another host: only their number may be used. */
const ohDear =
  (all: Monitor[], paused: string[] = [], kind = 'monitors'): OldProvider['handle'] =>
  ({ method, path, headers }, response) => {
    expect(headers.authorization).toBe(`Bearer ${key}`)
    if (method === 'POST') {
      paused.push(path)
      return {}
    }
    const url = new URL(path, provider.url)
    const page = Number(url.searchParams.get('page[number]'))
    if (url.pathname.endsWith('/downtime')) return { data: [], links: { prev: null, next: null } }
    const [, id] = new RegExp(`^/api/${kind}/(\\d+)/cron-checks$`).exec(url.pathname) ?? []
    const found = id
      ? (jobs[id] ?? [])
      : url.pathname === `/api/${kind}`
        ? all
        : url.pathname === '/api/status-pages'
          ? [{ id: 8, title: 'Public page', slug: 'public' }]
          : null
    if (found === null) {
      response.statusCode = 404
      return { message: 'Not found' }
    }
    const next =
      page * 3 < found.length ? `https://elsewhere.example.com/api/monitors?page%5Bnumber%5D=${page + 1}` : null
    return { data: found.slice((page - 1) * 3, page * 3), links: { prev: null, next }, meta: { current_page: page } }
  }

const sent = () => ({ provider: 'oh-dear', base_url: `${provider.url}/api`, api_key: key })

test('Oh Dear is read page by page with all checks of a monitor, polled and paused', async () => {
  const paused: string[] = []
  const all = monitors()
  provider.handle = ohDear(all, paused)
  const team = await given.tenant({ plan: 'pro' })
  const id = await provider.preview(team, sent())
  expect(await migrationOf(team, id)).toMatchObject({ state: 'previewed', counts: { create: 8, skip: 3 } })
  const items = await itemsOf(team, id)
  expect(items.get('7')?.reason).toBe('There is no check for monitors of type game.')
  expect(items.get('status-page-8')).toMatchObject({ name: 'Public page', action: 'skip' })
  expect(items.get('cron-6-13')?.action).toBe('skip')
  expect(items.get('1')?.stand_ins).toEqual([
    'There is no check here for its check ports.',
    'Its payload is sent as a form.',
    'Of its valid statuses those are left out that are neither a number nor a range.',
    'What its header X-Id must be is left out: patterns are not compared.',
  ])
  expect(items.get('4')?.stand_ins).toEqual(['Its uptime is not checked there: that check is disabled here.'])

  const imported = await importAll(provider, team, id)
  const checksFor = async (name: string) => new Map(await checksOf(team, imported.get(name)))
  expect(imported.get('Monitor 1')).toMatchObject({
    ...{ group: 'Shops', tags: ['prod', 'eu'], notes: 'Call Pat first.', confirmations: 3, timeout: 5 },
  })
  const first = await checksFor('Monitor 1')
  expect([...first.keys()].toSorted()).toEqual([
    ...['application_health', 'broken_links', 'dns', 'dnsbl', 'domain_expiry', 'redirect_chain', 'sitemap', 'ssl'],
    'uptime',
  ])
  expect(first.get('uptime')).toMatchObject({
    ...{ method: 'POST', body: 'q=a+b', expected_status: ['200-299', '300-309', '404'], max_redirects: 2 },
    ...{ keyword_present: 'Welcome', keyword_absent: 'Error', degraded_after_ms: 3_500 },
    assertions: [{ source: 'header', property: 'X-Cache', comparison: 'not_contains', target: 'MISS' }],
  })
  expect(first.get('ssl')).toMatchObject({ warn_days: [14, 7, 3, 1] })
  expect(first.get('sitemap')).toMatchObject({ path: '/map.xml' })
  expect(first.get('application_health')).toMatchObject({ path: '/health?x=1' })
  expect(first.get('dns')).toMatchObject({ record_types: ['A', 'AAAA', 'MX', 'CNAME', 'NS', 'SRV', 'CAA'] })
  expect(first.get('broken_links')).toMatchObject({ check_external: false, ignore: ['https://x.example.com/*'] })
  expect((await checksFor('Monitor 2')).get('ping')).toMatchObject({
    ...{ packets: 5, warn_loss_percent: 1, down_loss_percent: 1, degraded_after_ms: 400 },
  })
  const mail = await checksFor('Monitor 3')
  expect(mail.get('tcp')).toMatchObject({ port: 587, expect: '220' })
  expect(mail.has('domain_expiry')).toBe(true)
  expect((await checksFor('Backup')).get('cron')).toMatchObject({ period_minutes: 60, grace_minutes: 10 })
  expect((await checksFor('Report')).get('cron')).toMatchObject({ schedule: '15 3 * * *', timezone: 'Europe/Riga' })

  await team.post(`/migrations/${id}/shadow`)
  await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ poll_failure: null })
  await team.post(`/migrations/${id}/cutover`, { force: true, pause_source: true })
  expect(await provider.advance(id)).toBe('done')
  const idsOf = (place: number, but: string[] = []) =>
    all[place]!.checks.filter(({ type, enabled }) => enabled && !but.includes(type)).map(each => each.id)
  const expected = [...idsOf(0, ['ports']), ...idsOf(1), ...idsOf(2), ...idsOf(3), ...idsOf(5, ['cron'])]
  expect(paused.toSorted()).toEqual(expected.map(check => `/api/checks/${check}/disable`).toSorted())
  // of monitor 6 one task could not be carried over, so that its tasks go on
  expect((await migrationOf(team, id)).poll_failure).toMatch(/Scheduled tasks of Monitor 6 go on/)
})

test('an Oh Dear that knows sites only is read with its settings where it kept them', async () => {
  const settings = {
    ...{ uptime_check_http_verb: 'head', uptime_check_timeout: 7, uptime_check_look_for_string: null },
    ...{ uptime_check_valid_status_codes: ['204'], http_client_headers: [{ name: 'X-Team', value: 'ops' }] },
  }
  const { uptime_check_settings: _, ...old } = monitor(1, { uptime: true })
  provider.handle = ohDear([{ ...old, ...settings } as unknown as Monitor], [], 'sites')
  const team = await given.tenant()
  const id = await provider.preview(team, sent())
  const imported = await importAll(provider, team, id)
  expect(imported.get('Monitor 1')).toMatchObject({ timeout: 7 })
  expect(await checksOf(team, imported.get('Monitor 1'))).toMatchObject([
    ['uptime', { method: 'HEAD', expected_status: ['204'], headers: { 'X-Team': 'ops' } }],
  ])
})
