import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { given } from '#test/support/app.ts'
import { checksOf, importAll, itemsOf, migrationOf, OldProvider } from './old-provider.ts'

const key = 'os_token-of-the-provider'
let provider: OldProvider
beforeAll(async () => {
  provider = await OldProvider.open()
})
afterAll(() => provider?.close())
beforeEach(() => {
  provider.received.length = 0
})

const monitor = (id: number, fields: Record<string, unknown> = {}) => ({
  ...{ id, name: `Monitor ${id}`, url: `https://m${id}.example.com/`, periodicity: '5m', regions: [], method: 'GET' },
  ...{ body: '', headers: [], assertions: [], active: true, public: false, degradedAfter: null, timeout: 45_000 },
  ...{ retry: 3, followRedirects: true, jobType: 'http', description: '', externalName: null },
  ...fields,
})

const monitors = [
  monitor(1, {
    ...{ method: 'POST', body: '{"a":1}', periodicity: '30s', regions: ['ams', 'iad'], public: true, retry: 1 },
    ...{ degradedAfter: 3_000, followRedirects: false, description: 'The shop.' },
    headers: [
      { key: 'X-Key', value: 'pass-of-pat' },
      { key: '', value: 'none' },
    ],
    assertions: [
      { version: 'v1', type: 'status', compare: 'gte', target: 200 },
      { version: 'v1', type: 'status', compare: 'lt', target: 400 },
      { version: 'v1', type: 'status', compare: 'not_eq', target: 204 },
      { version: 'v1', type: 'header', compare: 'eq', key: 'content-type', target: 'application/json' },
      { version: 'v1', type: 'header', compare: 'gt', key: 'x-age', target: '5' },
      { version: 'v1', type: 'textBody', compare: 'not_contains', target: 'Error' },
      { version: 'v1', type: 'jsonBody', compare: 'not_empty', path: '$.data.id', target: '' },
    ],
    openTelemetry: { endpoint: 'https://otel.example.com', headers: {} },
  }),
  monitor(2, { jobType: 'tcp', url: 'db.example.com:5432', active: false }),
  monitor(3, { jobType: 'icmp', url: 'host.example.com' }),
  monitor(4, {
    ...{ jobType: 'dns', url: 'example.com' },
    assertions: JSON.stringify([
      { type: 'dnsRecord', key: 'A', compare: 'eq', target: '192.0.2.1' },
      { type: 'dnsRecord', key: 'TXT', compare: 'not_contains', target: 'old' },
    ]),
  }),
  monitor(5, { jobType: 'udp' }),
  monitor(6, { periodicity: 'other', body: 'null', headers: '[{"key":"X-Team","value":"ops"}]' }),
]

const lists: Record<string, unknown[]> = {
  monitor: monitors,
  page: [{ id: 1, title: 'Public', slug: 'public', monitors: [1] }],
  status_report: [{ id: 2, title: 'Slow answers', status: 'resolved', pageId: 1 }],
  maintenance: [],
  notification: [{ id: 4, name: 'On call', provider: 'email' }],
  incident: [
    { id: 1, monitorId: 1, startedAt: '2026-11-01T10:00:00.000Z', resolvedAt: '2026-11-01T10:05:00.000Z' },
    { id: 2, monitorId: 3, startedAt: '2026-11-02T10:00:00.000Z', resolvedAt: null },
  ],
}

test('openstatus is read with its assertions, polled by its incidents and paused without other changes', async () => {
  const paused = new Map<string, Record<string, unknown>>()
  provider.handle = ({ method, path, headers, body }) => {
    expect(headers['x-openstatus-key']).toBe(key)
    const [, kind = '', id] = /^\/v1\/(\w+)(?:\/(\d+))?$/.exec(path) ?? []
    if (method === 'PUT') {
      paused.set(id ?? '', JSON.parse(body))
      return {}
    }
    return id ? monitors.find(each => String(each.id) === id) : (lists[kind] ?? [])
  }
  const team = await given.tenant({ plan: 'pro' })
  const id = await provider.preview(team, {
    ...{ provider: 'openstatus', base_url: `${provider.url}/v1`, api_key: key },
  })
  expect(await migrationOf(team, id)).toMatchObject({ state: 'previewed', counts: { create: 5, skip: 4 } })
  const items = await itemsOf(team, id)
  expect(items.get('5')?.reason).toBe('There is no check for monitors of type udp.')
  expect(items.get('status-page-1')?.name).toBe('Public')
  expect(items.get('status-report-2')?.action).toBe('skip')
  expect(items.get('notification-4')?.reason).toMatch(/^Channels are not carried over/)
  expect(items.get('1')?.stand_ins).toEqual([
    'It is checked from all of our regions in place of ams, iad.',
    'It is public there: add it to a status page.',
    'Its results are not sent to its OpenTelemetry collector.',
    'Its assertion of header that compares by gt is left out.',
  ])
  expect(items.get('4')?.stand_ins).toEqual(['What is said of its TXT records by not_contains is left out.'])
  expect(items.get('6')?.stand_ins[0]).toMatch(/Its interval other is not known/)

  const imported = await importAll(provider, team, id)
  const checksFor = (name: string) => checksOf(team, imported.get(name))
  expect(imported.get('Monitor 1')).toMatchObject({
    ...{ check_interval: 30, confirmations: 2, timeout: 30, notes: 'The shop.' },
  })
  expect(await checksFor('Monitor 1')).toMatchObject([
    [
      'uptime',
      {
        ...{ method: 'POST', body: '{"a":1}', degraded_after_ms: 3_000, follow_redirects: false },
        expected_status: ['200-203', '205-399'],
        warning_status: [],
        assertions: [
          { source: 'header', property: 'content-type', comparison: 'equals', target: 'application/json' },
          { source: 'body', comparison: 'not_contains', target: 'Error' },
          { source: 'json', property: '$.data.id', comparison: 'not_empty' },
        ],
      },
    ],
  ])
  expect(await checksFor('Monitor 2')).toMatchObject([['tcp', { port: 5_432 }]])
  expect(await checksFor('Monitor 3')).toMatchObject([['ping', {}]])
  expect(await checksFor('Monitor 4')).toMatchObject([['dns', { record_types: ['A'], expected: { A: ['192.0.2.1'] } }]])
  expect(await checksFor('Monitor 6')).toMatchObject([['uptime', { body: null, headers: { 'X-Team': 'ops' } }]])

  await team.post(`/migrations/${id}/shadow`)
  for (let poll = 0; poll < 2; poll++) await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ poll_failure: null })
  await team.post(`/migrations/${id}/cutover`, { force: true, pause_source: true })
  expect(await provider.advance(id)).toBe('done')
  // what is not active already is left alone
  expect([...paused.keys()].toSorted()).toEqual(['1', '3', '4', '6'])
  const { id: _, ...first } = monitors[0]!
  expect(paused.get('1')).toEqual({ ...first, active: false })
})
