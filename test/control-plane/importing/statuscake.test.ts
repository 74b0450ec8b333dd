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

/** The statuses that StatusCake takes for an outage unless others are set. */
const defaultCodes =
  '204,205,206,303,400,401,403,404,405,406,408,410,413,444,429,494,495,496,499,500,501,502,503,504,505,506,507,508,' +
  '509,510,511,521,522,523,524,520,598,599'

const uptime = (id: number, fields: Record<string, unknown> = {}) => ({
  id: String(id),
  name: `Check ${id}`,
  test_type: 'HTTP',
  website_url: `https://c${id}.example.com/`,
  check_rate: 60,
  confirmation: 2,
  contact_groups: ['7'],
  dns_ips: [],
  do_not_find: false,
  enable_ssl_alert: false,
  follow_redirects: true,
  include_header: false,
  paused: false,
  processing: false,
  servers: [],
  status: 'up',
  status_codes: defaultCodes.split(','),
  tags: ['prod'],
  timeout: 15,
  trigger_rate: 2,
  uptime: 99.9,
  use_jar: false,
  ...fields,
})

const checks = [
  uptime(1, {
    custom_header: '{"X-Team":"ops","Connection":"close"}',
    user_agent: 'Watcher',
    post_raw: '{"a":1}',
    enable_ssl_alert: true,
    final_endpoint: 'https://www.example.com/home',
    find_string: 'Welcome',
    include_header: true,
  }),
  uptime(2, { test_type: 'HEAD', follow_redirects: false, status_codes: ['500', '503'], check_rate: 0 }),
  uptime(3, { post_body: '{"name":"pat","n":2}', find_string: 'Error', do_not_find: true }),
  uptime(4, { test_type: 'TCP', website_url: 'db.example.com', port: 5_432, paused: true }),
  uptime(5, { test_type: 'SSH', website_url: 'host.example.com' }),
  uptime(6, { test_type: 'PING', website_url: 'host.example.com' }),
  uptime(7, {
    test_type: 'DNS',
    website_url: 'example.com',
    dns_ips: ['192.0.2.1', '2001:db8::1'],
    dns_server: '8.8.8.8',
  }),
  uptime(8, { test_type: 'PUSH' }),
  uptime(9, { test_type: 'DNS', website_url: 'example.org', dns_server: 'ns.example.org' }),
]
const overviews = checks.map(({ id, name, website_url, test_type, check_rate, paused, status, tags }) => ({
  ...{ id, name, website_url, test_type, check_rate, paused, status, tags, contact_groups: [] },
}))
const lists: Record<string, Record<string, unknown>[]> = {
  uptime: overviews,
  heartbeat: [
    {
      ...{ id: '31', name: 'Backup', url: 'https://push.statuscake.com/?PK=secret&TestID=31&time=0', period: 5_400 },
      ...{ contact_groups: [], paused: false, status: 'up', tags: ['night'], uptime: 100 },
    },
  ],
  ssl: [
    {
      ...{ id: '1', website_url: 'https://shop.example.com:8443', check_rate: 2_073_600, alert_at: ['7', '14', '30'] },
      ...{ alert_expiry: true, alert_mixed: true, alert_reminder: true, paused: false, follow_redirects: false },
    },
  ],
  pagespeed: [
    {
      ...{ id: '1', name: 'Front page', website_url: 'https://shop.example.com/', check_rate: 300, alert_bigger: 900 },
      ...{ alert_slower: 4_000, alert_smaller: 0, location: 'PAGESPD-UK5', paused: false },
    },
  ],
  'contact-groups': [
    { id: '7', name: 'On call', email_addresses: ['pat@example.com'], mobile_numbers: [], integrations: ['1', '2'] },
  ],
  'maintenance-windows': [
    {
      ...{ id: '5', name: 'Sundays', start_at: '2026-11-01T02:00:00+00:00', end_at: '2026-11-01T03:00:00+00:00' },
      ...{ repeat_interval: '1w', state: 'pending', tags: ['prod'], tests: [], timezone: 'Europe/London' },
    },
  ],
}

/** Version 1, with four records a page. */
const statusCake =
  (paused: string[] = []): OldProvider['handle'] =>
  ({ method, path, headers, body }, response) => {
    expect(headers.authorization).toBe(`Bearer ${key}`)
    if (method === 'PUT') {
      expect(headers['content-type']).toBe('application/x-www-form-urlencoded')
      paused.push(`${path} ${body}`)
      response.statusCode = 204
      response.end()
      return undefined
    }
    const url = new URL(path, provider.url)
    const [, kind = '', id] = /^\/v1\/([a-z-]+)(?:\/(\d+))?$/.exec(url.pathname) ?? []
    if (id) return { data: checks.find(each => each.id === id) }
    const all = lists[kind] ?? []
    const page = Number(url.searchParams.get('page'))
    return {
      data: all.slice((page - 1) * 4, page * 4),
      metadata: { page, per_page: 4, page_count: Math.ceil(all.length / 4), total_count: all.length },
    }
  }

const sent = () => ({ provider: 'statuscake', base_url: `${provider.url}/v1`, api_key: key })

test('StatusCake is read page by page, each uptime check by itself, polled and paused', async () => {
  const paused: string[] = []
  provider.handle = statusCake(paused)
  const team = await given.tenant({ plan: 'pro' })
  const id = await provider.preview(team, sent())
  expect(await migrationOf(team, id)).toMatchObject({
    state: 'previewed',
    counts: { create: 11, skip: 3 },
    is_compared: true,
  })
  const items = await itemsOf(team, id)
  expect(items.get('8')?.reason).toBe('There is no check for checks of type PUSH.')
  expect(items.get('contact-group-7')?.reason).toMatch(/1 e-mail addresses, 0 telephone numbers, 2 integrations/)
  expect(items.get('maintenance-5')?.reason).toMatch(/Europe\/London\) and repeats 1w/)
  expect(items.get('1')?.stand_ins).toEqual([
    'The header Connection is set by the check itself.',
    'Its text is searched for in the body only, not in the headers.',
  ])
  expect(items.get('2')?.stand_ins[0]).toMatch(/It is checked every 30 seconds/)
  expect(items.get('3')?.stand_ins).toEqual(['Its payload is sent as a form.'])
  expect(items.get('9')?.stand_ins).toEqual(['The name servers of our regions are asked in place of its own.'])
  expect(items.get('pagespeed-1')?.stand_ins).toContain('The size of the page is not compared.')

  const monitors = await importAll(provider, team, id)
  const checksFor = (name: string) => checksOf(team, monitors.get(name))
  expect(monitors.get('Check 1')).toMatchObject({ tags: ['prod'], timeout: 15, confirmations: 3 })
  const [first, ...others] = await checksFor('Check 1')
  expect(first).toMatchObject([
    'uptime',
    {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'X-Team': 'ops', 'User-Agent': 'Watcher' },
      keyword_present: 'Welcome',
      warning_status: [],
    },
  ])
  const { expected_status } = first![1] as { expected_status: string[] }
  expect(expected_status.slice(0, 4)).toEqual(['200-203', '207-302', '304-399', '402'])
  expect(others).toMatchObject([
    ['ssl', {}],
    ['redirect_chain', { final_url: 'https://www.example.com/home' }],
  ])
  expect(await checksFor('Check 2')).toMatchObject([
    [
      'uptime',
      {
        ...{ method: 'HEAD', follow_redirects: false, warning_status: [] },
        expected_status: ['200-499', '501-502', '504-599'],
      },
    ],
  ])
  expect(await checksFor('Check 3')).toMatchObject([
    ['uptime', { method: 'POST', body: 'name=pat&n=2', keyword_absent: 'Error' }],
  ])
  expect(await checksFor('Check 4')).toMatchObject([['tcp', { port: 5_432 }]])
  expect(await checksFor('Check 5')).toMatchObject([['tcp', { port: 22 }]])
  expect(await checksFor('Check 6')).toMatchObject([['ping', {}]])
  expect(await checksFor('Check 7')).toMatchObject([
    [
      'dns',
      {
        ...{ record_types: ['A', 'AAAA'], resolvers: ['8.8.8.8'] },
        expected: { A: ['192.0.2.1'], AAAA: ['2001:db8::1'] },
      },
    ],
  ])
  expect(await checksFor('Backup')).toMatchObject([['cron', { period_minutes: 90, grace_minutes: 1 }]])
  expect(await checksFor('Certificate of shop.example.com')).toMatchObject([
    ['ssl', { port: 8_443, warn_days: [30, 14, 7] }],
  ])
  expect(await checksFor('Front page')).toMatchObject([
    ['uptime', {}],
    ['lighthouse', { categories: ['performance'], max_metrics: { largest_contentful_paint_ms: 4_000 } }],
  ])

  await team.post(`/migrations/${id}/shadow`)
  await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ poll_failure: null })
  await team.post(`/migrations/${id}/cutover`, { force: true, pause_source: true })
  expect(await provider.advance(id)).toBe('done')
  expect(paused).toHaveLength(11)
  for (const path of ['/v1/uptime/1', '/v1/heartbeat/31', '/v1/ssl/1', '/v1/pagespeed/1'])
    expect(paused).toContain(`${path} paused=true`)
})

test('a StatusCake that shows no maintenance windows to this key is read, and says so', async () => {
  const usual = statusCake()
  provider.handle = (received, response) => {
    if (!received.path.startsWith('/v1/maintenance-windows')) return usual(received, response)
    response.statusCode = 403
    return { message: 'Forbidden' }
  }
  const team = await given.tenant()
  const id = await provider.preview(team, sent())
  const reason = (await itemsOf(team, id)).get('list of maintenance window')?.reason
  expect(reason).toMatch(/^It was not read\. The source .* refuses the key \(status 403\)\.$/)
})

test('a StatusCake with more checks than are read of one source is refused before they are read', async () => {
  const many = Array.from({ length: 451 }, (_, id) => ({ id: String(id) }))
  provider.handle = () => ({ data: many, metadata: { page: 1, per_page: 451, page_count: 1, total_count: 451 } })
  const team = await given.tenant()
  const id = await provider.preview(team, sent())
  expect(await migrationOf(team, id)).toMatchObject({
    state: 'failed',
    failure: 'StatusCake has 451 uptime checks: more than the 450 that are read of it.',
  })
  expect(provider.received).toHaveLength(1)
})
