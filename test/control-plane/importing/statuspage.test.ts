import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { given } from '#test/support/app.ts'
import { itemsOf, migrationOf, OldProvider } from './old-provider.ts'

const key = 'key-of-the-provider'
let provider: OldProvider
beforeAll(async () => {
  provider = await OldProvider.open()
})
afterAll(() => provider?.close())
beforeEach(() => {
  provider.received.length = 0
})

const component = (id: string, fields: Record<string, unknown> = {}) => ({
  ...{ id, page_id: 'p1', group_id: null, group: false, name: `Part ${id}`, description: null, position: 1 },
  ...{ status: 'operational', showcase: true, only_show_if_degraded: false },
  ...fields,
})
const update = (status: string, body: string, at: string, affected: Record<string, string> | null = null) => ({
  ...{ id: `${status}-${at}`, status, body, created_at: at, display_at: at, deliver_notifications: true },
  affected_components:
    affected && Object.entries(affected).map(([code, new_status]) => ({ code, old_status: 'operational', new_status })),
})
const incident = (id: string, fields: Record<string, unknown> = {}) => ({
  ...{ id, page_id: 'p1', name: `Incident ${id}`, status: 'resolved', impact: 'minor', impact_override: null },
  ...{ started_at: null, created_at: '2026-10-01T10:00:00.000Z', resolved_at: '2026-10-01T11:00:00.000Z' },
  ...{ scheduled_for: null, scheduled_until: null, postmortem_body: null, postmortem_published_at: null },
  ...{ components: [], incident_updates: [] },
  ...fields,
})

/** A name that is free on the installation of the tests, or is not, as the test wants. */
const page = (subdomain: string, fields: Record<string, unknown> = {}) => ({
  ...{ id: 'p1', name: 'Acme', page_description: 'How Acme is.', subdomain, domain: 'status.example.com' },
  ...{ time_zone: 'America/Chicago', hidden_from_search: true, viewers_must_be_team_members: false },
  ...fields,
})

const parts = [
  component('c2', { group_id: 'g1', position: 2, status: 'under_maintenance', description: 'Takes orders.' }),
  component('c1', { group_id: 'g1', position: 1, status: 'degraded_performance' }),
  component('c3', { position: 3, status: 'odd', showcase: false }),
  component('g1', { group: true, name: 'Shop' }),
]
const incidents = [
  incident('i1', {
    ...{ status: 'postmortem', impact: 'major', postmortem_body: 'It was a cable.' },
    postmortem_published_at: '2026-10-02T10:00:00.000Z',
    components: [component('c1'), component('gone')],
    incident_updates: [
      update('postmortem', 'It was a cable.', '2026-10-02T10:00:00.000Z'),
      update('resolved', 'Solved.', '2026-10-01T11:00:00.000Z', { c1: 'operational' }),
      update('identified', '', '2026-10-01T10:20:00.000Z'),
      update('investigating', 'We check it.', '2026-10-01T10:00:00.000Z', {
        c1: 'major_outage',
        c2: 'partial_outage',
      }),
    ],
  }),
  incident('i2', { status: 'monitoring', resolved_at: null, impact: 'odd', incident_updates: null }),
  incident('i3', {
    status: 'completed',
    scheduled_for: '2026-09-01T01:00:00Z',
    scheduled_until: '2026-09-01T02:00:00Z',
  }),
  incident('i4', { created_at: 'once upon a time' }),
]

const statusPage =
  (subdomain: string, more: Record<string, unknown> = {}): OldProvider['handle'] =>
  ({ path, headers }, response) => {
    expect(headers.authorization).toBe(`OAuth ${key}`)
    const url = new URL(path, provider.url)
    const lists: Record<string, unknown> = {
      '/v1/pages': [page(subdomain)],
      '/v1/pages/p1/component-groups': [
        { id: 'g1', page_id: 'p1', name: 'Shop', components: ['c1', 'c2'], position: 1 },
      ],
      '/v1/pages/p1/components': parts,
      '/v1/pages/p1/incidents': incidents,
      '/v1/pages/p1/metrics': [{ id: 'm1', name: 'Response time' }],
      '/v1/pages/p1/subscribers/count': { email: 12, sms: 3, webhook: 1, slack: 0, integration_partner: 0 },
      ...more,
    }
    const found = lists[url.pathname]
    if (found !== undefined) return found
    response.statusCode = 404
    return {}
  }

const sent = () => ({ provider: 'statuspage', base_url: `${provider.url}/v1`, api_key: key })
const named = () => `acme-${crypto.randomUUID().slice(0, 8)}`

test('a page of Statuspage becomes a draft with components in groups and past incidents, once', async () => {
  const subdomain = named()
  provider.handle = statusPage(subdomain)
  const team = await given.tenant({ plan: 'pro' })
  const other = await given.tenant({ plan: 'pro' })
  // its address is taken by another team
  await other.post('/status-pages', { name: 'Other', slug: `${subdomain}-status` })
  const id = await provider.preview(team, sent())
  expect(await migrationOf(team, id)).toMatchObject({ counts: { create: 1, skip: 3 }, is_compared: false })
  const items = await itemsOf(team, id)
  expect(items.get('p1')).toMatchObject({ action: 'create', kind: 'status_page', name: 'Acme' })
  expect(items.get('p1')?.stand_ins).toEqual([
    'It is created as a draft: publish it when it is as it should be.',
    'Its components have the status that they have there now: give each its monitor.',
    'Its domain status.example.com is not carried over: add it as a domain of the page.',
  ])
  expect(items.get('incident-i3')?.reason).toMatch(/planned from 2026-09-01T01:00:00Z to 2026-09-01T02:00:00Z\.$/)
  expect(items.get('metric-p1-m1')?.reason).toMatch(/^Metrics are not carried over/)
  expect(items.get('subscribers-p1')?.reason).toMatch(/There are 12 by e-mail, 3 by SMS, 1 by webhook\./)

  expect((await team.post(`/migrations/${id}/import`)).status).toBe(200)
  await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ state: 'imported', counts: { created: 1, failed: 0 } })
  const [made] = (await team.get('/status-pages')).body.data
  expect(made).toMatchObject({
    ...{ name: 'Acme', slug: `${subdomain}-status-2`, state: 'draft', description: 'How Acme is.', noindex: true },
    ...{ timezone: 'America/Chicago', uptime_mode: 'manual' },
  })
  const found = (await team.get(`/migrations/${id}/items?kind=status_page`)).body.data
  expect(found).toMatchObject([{ state: 'done', status_page_id: made.id, monitor_id: null }])
  const groups = (await team.get(`/status-pages/${made.id}/groups`)).body.data
  const components = (await team.get(`/status-pages/${made.id}/components`)).body.data
  expect(groups).toMatchObject([{ name: 'Shop' }])
  expect(components).toMatchObject([
    { name: 'Part c1', type: 'static', static_status: 'degraded_performance', group_id: groups[0].id },
    { name: 'Part c2', static_status: 'maintenance', group_id: groups[0].id, description: 'Takes orders.' },
    { name: 'Part c3', static_status: 'operational', group_id: null, show_history: false },
  ])
  const posts = (await team.get(`/status-pages/${made.id}/posts`)).body.data
  const post = (title: string) => posts.find((each: { title: string }) => each.title === title)
  expect(posts).toHaveLength(2)
  expect(post('Incident i1')).toMatchObject({
    ...{ impact: 'major', phase: 'resolved', counts_as_downtime: true, postmortem: 'It was a cable.' },
    ...{ started_at: '2026-10-01T10:00:00.000000Z', resolved_at: '2026-10-01T11:00:00.000000Z' },
  })
  expect(
    post('Incident i1')
      .components.map(({ status }: { status: string }) => status)
      .toSorted(),
  ).toEqual(['major_outage', 'partial_outage'])
  expect(post('Incident i2')).toMatchObject({ impact: 'minor', phase: 'monitoring', resolved_at: null })
  const updates = (await team.get(`/status-pages/${made.id}/posts/${post('Incident i1').id}/updates`)).body.data
  expect(updates.map(({ phase, body }: Record<string, unknown>) => [phase, body]).toSorted()).toEqual([
    ['investigating', 'We check it.'],
    ['resolved', 'Solved.'],
  ])

  const again = await provider.preview(team, sent())
  expect((await itemsOf(team, again)).get('p1')).toMatchObject({
    action: 'skip',
    reason: 'It was imported before: a status page is imported once.',
  })
  await team.delete(`/status-pages/${made.id}`)
  const next = await provider.preview(team, sent())
  expect((await itemsOf(team, next)).get('p1')?.action).toBe('create')
})

test('a status page is imported by those who may create one, and within the plan', async () => {
  provider.handle = statusPage(named())
  const team = await given.tenant({ plan: 'free' })
  const key = await given.token(team, 'sk', ['monitors:read', 'monitors:write'])
  const id = await provider.preview(key, sent())
  const refused = await key.post(`/migrations/${id}/import`)
  expect([refused.status, refused.body.code]).toEqual([403, 'missing_scope'])
  expect((await migrationOf(team, id)).state).toBe('previewed')
  await team.post('/status-pages', { name: 'First', slug: named() })
  expect((await team.post(`/migrations/${id}/import`)).status).toBe(200)
  await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ state: 'imported', counts: { created: 0, failed: 1 } })
  const next = await provider.preview(team, sent())
  expect((await itemsOf(team, next)).get('p1')?.reason).toBe('The plan allows 1 status pages.')
})

test('a Statuspage with records of any shape is read', async () => {
  const odd = [null, 5, 'text', [], {}, { id: {}, name: 7, incident_updates: 'x', components: [3] }, { id: 1 }]
  provider.handle = statusPage(named(), {
    ...{ '/v1/pages': [...odd, page(named())], '/v1/pages/p1/components': odd, '/v1/pages/p1/incidents': odd },
    ...{ '/v1/pages/1/components': odd, '/v1/pages/1/component-groups': odd, '/v1/pages/1/incidents': odd },
    ...{ '/v1/pages/1/metrics': odd, '/v1/pages/1/subscribers/count': odd, '/v1/pages/p1/component-groups': odd },
  })
  const team = await given.tenant({ plan: 'pro' })
  const id = await provider.preview(team, sent())
  expect(await migrationOf(team, id)).toMatchObject({ state: 'previewed', counts: { create: 2 } })
  expect((await team.post(`/migrations/${id}/import`)).status).toBe(200)
  await provider.advance(id)
  expect(await migrationOf(team, id)).toMatchObject({ state: 'imported', counts: { created: 2, failed: 0 } })
})
