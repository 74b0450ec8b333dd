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

test('Healthchecks is read, polled and paused', async () => {
  const uuid = (n: number) => `0000000${n}-1111-4222-8333-444455556666`
  // as Healthchecks of August 2026 answers
  const check = (n: number, fields: Record<string, unknown> = {}) => ({
    ...{ name: `Job ${n}`, slug: `job-${n}`, tags: 'prod db', desc: 'Runs at night.', grace: 600, n_pings: 2 },
    ...{ status: 'up', started: false, last_ping: '2026-11-28T02:54:37+00:00' },
    ...{ next_ping: '2026-11-28T03:54:37+00:00', manual_resume: false, methods: '', subject: '', subject_fail: '' },
    ...{ start_kw: '', success_kw: '', failure_kw: '', filter_subject: false, filter_body: false },
    ...{ filter_http_body: false, filter_default_fail: false, uuid: uuid(n), channels: '', timeout: 3_600 },
    ping_url: `http://127.0.0.1:8000/ping/${uuid(n)}`,
    ...fields,
  })
  let checks = [
    check(1),
    check(2, { timeout: undefined, schedule: '15 3 * * *', tz: 'Europe/Riga', status: 'paused' }),
    check(3, { timeout: undefined, schedule: 'Mon..Fri 09:00', tz: 'UTC' }),
    check(4, { uuid: undefined, manual_resume: true }),
    check(5, { timeout: undefined, schedule: 'daily', tz: 'UTC' }),
    check(6, { filter_http_body: true, failure_kw: 'ERROR, FATAL', start_kw: 'begin', filter_default_fail: true }),
    check(7, { failure_kw: 'ERROR', filter_subject: true }),
  ]
  const paused: string[] = []
  provider.handle = ({ method, path, headers }) => {
    expect(headers['x-api-key']).toBe(key)
    if (method === 'POST') paused.push(path)
    return path.includes('/flips/') ? { flips: [] } : { checks }
  }
  const team = await given.tenant()
  const id = await provider.preview(team, { provider: 'healthchecks', base_url: provider.url, api_key: key })
  expect(await migrationOf(team, id)).toMatchObject({ counts: { create: 5, skip: 2 }, is_compared: true })
  const items = await itemsOf(team, id)
  expect(items.get(uuid(3))?.reason).toBe('Its schedule is an OnCalendar expression: write it as cron.')
  expect(items.get(uuid(5))?.reason).toBe('Its schedule is an OnCalendar expression: write it as cron.')
  expect(items.get(uuid(6))?.stand_ins.slice(0, 3)).toEqual([
    'Of the words that mean failure only ERROR does: there is one of them here.',
    'A ping with none of its words in the body is a success here; there it is a failure.',
    'Words in the body of a ping do not start or end a run: send them to /start and /fail instead.',
  ])
  expect(items.get(uuid(7))?.stand_ins).toHaveLength(1)
  expect(items.get(uuid(4))?.stand_ins).toContain('It resumes by itself at its next ping.')
  const monitors = await importAll(provider, team, id)
  expect(await checksOf(team, monitors.get('Job 1'))).toMatchObject([
    ['cron', { period_minutes: 60, grace_minutes: 10 }],
  ])
  expect(await checksOf(team, monitors.get('Job 2'))).toMatchObject([
    ['cron', { schedule: '15 3 * * *', timezone: 'Europe/Riga' }],
  ])
  expect(monitors.get('Job 1')).toMatchObject({ tags: ['prod', 'db'] })
  expect(await checksOf(team, monitors.get('Job 6'))).toMatchObject([['cron', { fail_keyword: 'ERROR' }]])
  expect(await checksOf(team, monitors.get('Job 7'))).toMatchObject([['cron', { fail_keyword: null }]])
  await team.post(`/migrations/${id}/shadow`)
  checks = checks.map(each => (each.name === 'Job 1' ? { ...each, status: 'paused' } : each))
  for (let poll = 0; poll < 2; poll++) await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ poll_failure: null })
  await team.post(`/migrations/${id}/cutover`, { force: true, pause_source: true })
  expect(await provider.advance(id)).toBe('done')
  expect(paused.toSorted()).toEqual([1, 2, 4, 6, 7].map(n => `/api/v3/checks/${uuid(n)}/pause`))
})

test('Better Stack is read, with groups and heartbeats, polled and paused', async () => {
  const monitor = (id: number, attributes: Record<string, unknown>) => ({
    id: String(id),
    type: 'monitor',
    attributes: {
      pronounceable_name: `Monitor ${id}`,
      url: `https://m${id}.example.com/`,
      monitor_type: 'status',
      check_frequency: 60,
      confirmation_period: 120,
      request_timeout: 30,
      http_method: 'GET',
      status: 'up',
      paused: false,
      ...attributes,
    },
  })
  const lists: Record<string, unknown[]> = {
    'monitor-groups': [{ id: '9', attributes: { name: 'Shops' } }],
    monitors: [
      monitor(1, {
        monitor_group_id: 9,
        ssl_expiration: 14,
        request_headers: [{ name: 'X-Key', value: 'pass-of-pat' }],
      }),
      monitor(2, { monitor_type: 'keyword', required_keyword: 'Welcome', verify_ssl: false }),
      monitor(3, { monitor_type: 'expected_status_code', expected_status_codes: [301, 302], follow_redirects: false }),
      monitor(4, { monitor_type: 'tcp', url: 'db.example.com', port: '5432', request_timeout: 5_000 }),
      monitor(5, { monitor_type: 'playwright' }),
      monitor(6, { monitor_type: 'ping', url: 'host.example.com', status: 'paused', paused: true }),
      monitor(7, { monitor_type: 'smtp', url: 'mail.example.com', port: '25,465,587' }),
    ],
    heartbeats: [{ id: '1', attributes: { name: 'Backup', period: 10_800, grace: 300, status: 'up' } }],
  }
  const paused: string[] = []
  provider.handle = ({ method, path, headers, body }) => {
    expect(headers.authorization).toBe(`Bearer ${key}`)
    if (method === 'PATCH') {
      paused.push(`${path} ${body}`)
      return { data: {} }
    }
    const url = new URL(path, provider.url)
    const all = lists[url.pathname.replace('/api/v2/', '')] ?? []
    const page = Number(url.searchParams.get('page'))
    const next = page * 4 < all.length ? `${provider.url}${url.pathname}?page=${page + 1}` : null
    return { data: all.slice((page - 1) * 4, page * 4), pagination: { next } }
  }
  const team = await given.tenant()
  const id = await provider.preview(team, { provider: 'better-stack', base_url: provider.url, api_key: key })
  expect(await migrationOf(team, id)).toMatchObject({ counts: { create: 7, skip: 1 } })
  const items = await itemsOf(team, id)
  expect(items.get('5')?.reason).toBe('There is no check for monitors of type playwright.')
  expect(items.get('7')?.stand_ins[0]).toMatch(/Of its ports 25, 465, 587 only the first/)
  const monitors = await importAll(provider, team, id)
  expect(monitors.get('Monitor 1')).toMatchObject({ group: 'Shops', confirmations: 3 })
  expect((await checksOf(team, monitors.get('Monitor 1'))).map(([type]) => type)).toEqual(['uptime', 'ssl'])
  expect(await checksOf(team, monitors.get('Monitor 2'))).toMatchObject([
    ['uptime', { keyword_present: 'Welcome', verify_tls: false }],
  ])
  expect(await checksOf(team, monitors.get('Monitor 3'))).toMatchObject([
    ['uptime', { expected_status: ['301', '302'], follow_redirects: false }],
  ])
  expect(monitors.get('Monitor 4')).toMatchObject({ timeout: 5 })
  expect(await checksOf(team, monitors.get('Backup'))).toMatchObject([['cron', { period_minutes: 180 }]])
  await team.post(`/migrations/${id}/shadow`)
  await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ poll_failure: null })
  await team.post(`/migrations/${id}/cutover`, { force: true, pause_source: true })
  expect(await provider.advance(id)).toBe('done')
  expect(paused).toHaveLength(7)
  expect(paused).toContain('/api/v2/heartbeats/1 {"paused":true}')
  expect(paused).toContain('/api/v2/monitors/1 {"paused":true}')
})

test('Pingdom is read check by check, polled and paused', async () => {
  const checks: Record<string, Record<string, unknown>> = {
    '1': {
      name: 'Shop',
      hostname: 'shop.example.com',
      resolution: 5,
      status: 'up',
      responsetime_threshold: 2_000,
      ssl_down_days_before: 7,
      tags: [{ name: 'prod' }],
      type: {
        http: {
          url: '/basket?x=1',
          encryption: true,
          port: 8_443,
          username: 'pat',
          password: 'pass-of-pat',
          shouldcontain: 'Basket',
          requestheaders: { 'User-Agent': 'Pingdom', 'X-Team': 'ops' },
        },
      },
    },
    '2': { name: 'Mail', hostname: 'mail.example.com', resolution: 1, status: 'up', type: { smtp: {} } },
    '3': { name: 'Host', hostname: 'host.example.com', resolution: 1, status: 'paused', type: { ping: {} } },
    '4': {
      name: 'Names',
      hostname: 'example.com',
      resolution: 1,
      status: 'up',
      type: { dns: { expectedip: '192.0.2.1', nameserver: '8.8.8.8' } },
    },
    '5': { name: 'Radio', hostname: 'udp.example.com', status: 'up', type: { udp: { port: 5 } } },
  }
  const paused: string[] = []
  provider.handle = ({ method, path, headers, body }, response) => {
    expect(headers.authorization).toBe(`Bearer ${key}`)
    if (method === 'PUT') {
      paused.push(`${path} ${body}`)
      return { message: 'Modification of check was successful!' }
    }
    const [, id] = /^\/api\/3\.1\/checks\/(\d+)$/.exec(path) ?? []
    if (id) return { check: { id: Number(id), ...checks[id] } }
    if (path.startsWith('/api/3.1/checks?'))
      return { checks: Object.entries(checks).map(([id, { name, status }]) => ({ id: Number(id), name, status })) }
    if (path.startsWith('/api/3.1/summary.outage/')) return { summary: { states: [] } }
    response.statusCode = 404
    return {}
  }
  const team = await given.tenant()
  const base_url = `${provider.url}/api/3.1`
  const id = await provider.preview(team, { provider: 'pingdom', base_url, api_key: key })
  expect(await migrationOf(team, id)).toMatchObject({ counts: { create: 4, skip: 1 }, is_compared: true })
  expect((await itemsOf(team, id)).get('5')?.reason).toBe('There is no check for checks of type udp.')
  const monitors = await importAll(provider, team, id)
  expect(monitors.get('Shop')).toMatchObject({
    url: 'https://shop.example.com:8443/basket?x=1',
    check_interval: 300,
    tags: ['prod'],
  })
  expect(await checksOf(team, monitors.get('Shop'))).toMatchObject([
    [
      'uptime',
      { keyword_present: 'Basket', degraded_after_ms: 2_000, headers: { 'X-Team': 'ops' }, auth: { username: 'pat' } },
    ],
    ['ssl', {}],
  ])
  expect(await checksOf(team, monitors.get('Mail'))).toMatchObject([['tcp', { port: 25 }]])
  expect(await checksOf(team, monitors.get('Names'))).toMatchObject([
    ['dns', { record_types: ['A'], resolvers: ['8.8.8.8'], expected: { A: ['192.0.2.1'] } }],
  ])
  await team.post(`/migrations/${id}/shadow`)
  await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ poll_failure: null })
  await team.post(`/migrations/${id}/cutover`, { force: true, pause_source: true })
  expect(await provider.advance(id)).toBe('done')
  expect(paused.toSorted()).toEqual([1, 2, 3, 4].map(n => `/api/3.1/checks/${n} {"paused":true}`))
})
