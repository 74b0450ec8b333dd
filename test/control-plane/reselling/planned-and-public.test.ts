import { describe, expect, test } from 'vitest'
import { newWindow } from '#test/control-plane/monitoring/maintenance-windows/windows.ts'
import { aMonitor, anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { aHostname } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { fetchPdf } from '#test/control-plane/publishing/reports/pdfs.ts'
import { newPage } from '#test/control-plane/publishing/status-pages/pages.ts'
import { type Answer, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'

/** What a reseller creates for a team, and what it changes then. */
const families: Record<string, { body(team: TeamUnderTest): Record<string, unknown>; changes: object }> = {
  'escalation-policies': {
    body: () => ({ name: 'Night', steps: [{ delay_minutes: 5, targets: [{ type: 'team' }] }] }),
    changes: { name: 'Day' },
  },
  'on-call-schedules': { body: aRota, changes: { name: 'Second' } },
  'maintenance-windows': { body: () => newWindow(), changes: { title: 'Network upgrade' } },
  'status-page-templates': {
    body: () => ({ name: 'Outage', phase: 'investigating', title: null, body: 'We investigate it.' }),
    changes: { name: 'Fault' },
  },
  'status-pages': { body: () => newPage(), changes: { name: 'Shop status' } },
}

function aRota(team: TeamUnderTest) {
  const rotation = { name: 'Primary', users: [team.userId], handoff: 'daily', first_handoff_at: '2026-01-05T09:00' }
  return { name: 'Operations', timezone: 'UTC', rotations: [rotation] }
}

async function aTeam() {
  const reseller = await given.reseller()
  return { reseller, team: await given.team(reseller) }
}

/** The data of an answer that has to have this status. */
function dataOf({ status, body, text }: Answer, expected = 200) {
  expect(status, text).toBe(expected)
  return body?.data
}

async function made(caller: CallerUnderTest, path: string, body: unknown) {
  return dataOf(await caller.post(path, body), 201)
}

describe.each(Object.entries(families))('a reseller, for a team, with %s', (family, { body, changes }) => {
  test('creates, lists, gets, updates and deletes what the team has', async () => {
    const { reseller, team } = await aTeam()
    const path = `${team.path}/${family}`
    const { id } = await made(reseller, path, body(team))
    expect(dataOf(await reseller.get(path))).toMatchObject([{ id }])
    expect(dataOf(await team.get(`/${family}`))).toMatchObject([{ id }])
    expect(dataOf(await reseller.patch(`${path}/${id}`, changes))).toMatchObject(changes)
    expect(dataOf(await reseller.get(`${path}/${id}`))).toMatchObject({ id, ...changes })
    expect(dataOf(await team.get(`/${family}/${id}`))).toMatchObject(changes)
    expect((await reseller.delete(`${path}/${id}`)).status).toBe(204)
    expect((await team.get(`/${family}/${id}`)).status).toBe(404)
    const trail = (dataOf(await team.get('/audit-log')) as { action: string }[]).map(({ action }) => action)
    expect(trail).toContainEqual(expect.stringMatching(/created|scheduled/))
    expect(trail).toContainEqual(expect.stringMatching(/deleted|cancelled/))
  })

  test('reaches no team of another reseller, and nothing without the scope', async () => {
    const { reseller, team } = await aTeam()
    const rival = await given.reseller()
    const reader = await given.token(reseller, 'rk', ['branding:manage'])
    for (const caller of [rival, reader, team]) {
      expect((await caller.get(`${team.path}/${family}`)).status).toBe(403)
      expect((await caller.post(`${team.path}/${family}`, body(team))).status).toBe(403)
    }
    expect(dataOf(await team.get(`/${family}`))).toEqual([])
  })
})

test('a reseller plans the overrides and swaps of a team', async () => {
  const { reseller, team } = await aTeam()
  const colleague = await given.colleague(team, 'member')
  const path = `${team.path}/on-call-schedules`
  const schedule = `${path}/${(await made(reseller, path, aRota(team))).id}`
  const times = { starts_at: '2099-01-07T00:00:00Z', ends_at: '2099-01-08T00:00:00Z' }
  const override = await made(reseller, `${schedule}/overrides`, { user_id: colleague.userId, ...times })
  const at = `at=${times.starts_at}`
  expect(dataOf(await reseller.get(`${schedule}/current?${at}`)).user.user_id).toBe(colleague.userId)
  expect(dataOf(await reseller.get(`${schedule}/overrides`))).toMatchObject([{ id: override.id }])
  const span = `from=${times.starts_at}&to=${times.ends_at}`
  expect(dataOf(await reseller.get(`${schedule}/preview?${span}`)).shifts).toMatchObject([
    { user_id: colleague.userId, override_id: override.id },
  ])
  expect((await reseller.delete(`${schedule}/overrides/${override.id}`)).status).toBe(204)
  expect(dataOf(await reseller.get(`${schedule}/current?${at}`)).user.user_id).toBe(team.userId)
  const covered = { user_id: colleague.userId, starts_at: '2099-01-09T00:00:00Z', ends_at: '2099-01-10T00:00:00Z' }
  await made(reseller, `${schedule}/overrides`, covered)
  const swap = { first: { user_id: team.userId, ...times }, second: covered }
  expect(await made(reseller, `${schedule}/swap`, swap)).toHaveLength(2)
})

test('a reseller previews, starts, extends and stops the windows of a team, and cancels one', async () => {
  const { reseller, team } = await aTeam()
  const path = `${team.path}/maintenance-windows`
  const weekly = newWindow({ rrule: 'FREQ=WEEKLY' })
  expect((await reseller.post(`${path}/preview`, weekly)).status).toBe(200)
  const { id } = await made(reseller, path, newWindow())
  for (const [action, body, state] of [
    ['start', {}, 'active'],
    ['extend', { minutes: 30 }, 'active'],
    ['stop', {}, 'completed'],
  ] as const)
    expect(dataOf(await reseller.post(`${path}/${id}/${action}`, body)).state).toBe(state)
  const other = await made(reseller, path, newWindow())
  expect(dataOf(await reseller.post(`${path}/${other.id}/cancel`)).state).toBe('cancelled')
  expect((await made(reseller, `${path}/calendar`, {})).url).toContain('/')
  expect((await reseller.delete(`${path}/calendar`)).status).toBe(204)
})

test('a reseller gives a team a domain', async () => {
  const { reseller, team } = await aTeam()
  const path = `${team.path}/custom-domains`
  const { id, hostname } = await made(reseller, path, { hostname: aHostname() })
  expect(dataOf(await reseller.get(path))).toMatchObject([{ id, hostname }])
  expect(dataOf(await reseller.post(`${path}/${id}/verify`))).toMatchObject({ id, state: 'pending_dns' })
  expect((await reseller.patch(`${path}/${id}`, { is_enabled: false })).status).toBe(200)
  expect(dataOf(await reseller.get(`${path}/${id}`)).state).toBe('disabled')
  expect((await reseller.delete(`${path}/${id}`)).status).toBe(204)
  expect(dataOf(await team.get('/custom-domains'))).toEqual([])
})

test('a reseller acknowledges for a team, takes that back, and reads its reports', async () => {
  const { reseller, team } = await aTeam()
  const monitor = await aMonitor(team)
  const incident = `${team.path}/incidents/${await anIncident(team, { monitor })}`
  expect(dataOf(await reseller.post(`${incident}/acknowledge`)).acknowledged_at).not.toBeNull()
  expect(dataOf(await reseller.post(`${incident}/unacknowledge`)).acknowledged_at).toBeNull()
  const report = `/monitors/${monitor.id}/report`
  const dateOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)
  const past = `${report}?from=${dateOf(9)}&to=${dateOf(2)}`
  expect(dataOf(await reseller.get(team.path + past))).toEqual(dataOf(await team.get(past)))
  const pdf = await fetchPdf(reseller, `${team.path}${report}.pdf`)
  expect(pdf.status).toBe(200)
  expect(pdf.bytes.toString('latin1', 0, 5)).toBe('%PDF-')
  expect(dataOf(await reseller.get(`${team.path}/monthly-reports`))).toEqual(dataOf(await team.get('/monthly-reports')))
})

test('a reseller fills and publishes the page of a team', async () => {
  const { reseller, team } = await aTeam()
  const path = `${team.path}/status-pages`
  const { id } = await made(reseller, path, newPage({ state: 'published' }))
  const page = `${path}/${id}`
  const groups = [await made(reseller, `${page}/groups`, { name: 'Europe' })]
  groups.push(await made(reseller, `${page}/groups`, { name: 'Asia' }))
  const ids = groups.map(group => group.id).reverse()
  expect((await reseller.put(`${page}/groups/order`, { groups: ids })).status).toBe(200)
  expect(dataOf(await reseller.get(`${page}/groups`)).map((group: { id: string }) => group.id)).toEqual(ids)
  expect(dataOf(await reseller.get(`${page}/groups/${ids[0]}`)).name).toBe('Asia')
  expect(dataOf(await reseller.patch(`${page}/groups/${ids[0]}`, { name: 'Pacific' })).name).toBe('Pacific')
  expect((await reseller.delete(`${page}/groups/${ids[0]}`)).status).toBe(204)
  const part = { name: 'API', type: 'static', static_status: 'operational', group_id: ids[1] }
  const component = await made(reseller, `${page}/components`, part)
  const spare = await made(reseller, `${page}/components`, { ...part, name: 'Mail' })
  const order = { components: [{ id: spare.id }, { id: component.id }] }
  expect((await reseller.put(`${page}/components/order`, order)).status).toBe(200)
  expect(dataOf(await reseller.get(`${page}/components`))).toMatchObject([{ id: spare.id }, { id: component.id }])
  expect(dataOf(await reseller.get(`${page}/components/${spare.id}`)).name).toBe('Mail')
  expect((await reseller.delete(`${page}/components/${spare.id}`)).status).toBe(204)
  const changed = await reseller.patch(`${page}/components/${component.id}`, { static_status: 'major_outage' })
  expect(dataOf(changed).static_status).toBe('major_outage')

  const posts = `${page}/posts`
  const post = await made(reseller, posts, { title: 'The API is out', body: 'We investigate it.' })
  expect(dataOf(await reseller.get(posts))).toMatchObject([{ id: post.id }])
  expect(dataOf(await reseller.patch(`${posts}/${post.id}`, { title: 'The API was out' })).title).toMatch(/was out/)
  const update = await made(reseller, `${posts}/${post.id}/updates`, { phase: 'resolved', body: 'It works again.' })
  expect(dataOf(await reseller.get(`${posts}/${post.id}/updates`))).toHaveLength(2)
  const corrected = await reseller.patch(`${posts}/${post.id}/updates/${update.id}`, { body: 'It works.' })
  expect(dataOf(corrected).body).toBe('It works.')
  const review = { body: 'A disk was full.', is_published: true }
  expect((await reseller.put(`${posts}/${post.id}/postmortem`, review)).status).toBe(200)
  expect((await reseller.delete(`${posts}/${post.id}/postmortem`)).status).toBeLessThan(300)
  expect(dataOf(await team.get(`/status-pages/${id}/posts/${post.id}`))).toMatchObject({ phase: 'resolved' })
  expect(dataOf(await reseller.get(`${posts}/${post.id}`))).toMatchObject({ phase: 'resolved' })
  expect(dataOf(await team.get(`/status-pages/${id}/groups`))).toMatchObject([{ name: 'Europe' }])
  for (const previewed of [await reseller.get(`${page}/preview`), await team.get(`/status-pages/${id}/preview`)])
    expect(previewed).toMatchObject({ status: 200, text: expect.stringContaining('The API was out') })
  expect(dataOf(await reseller.post(`${path}/preview-text`, { text: '**Now**' })).html).toContain('<strong>Now')

  const subscribers = `${page}/subscribers`
  const subscriber = await made(reseller, subscribers, { address: 'pat@example.com' })
  expect(dataOf(await reseller.get(subscribers))).toMatchObject([{ id: subscriber.id, state: 'pending' }])
  expect(dataOf(await reseller.get(`${subscribers}/counts`))).toMatchObject({ pending: 1 })
  expect((await reseller.get(`${subscribers}/export`)).text).toContain('pat@example.com')
  expect((await reseller.delete(`${subscribers}/${subscriber.id}`)).status).toBe(204)
  const csv = { headers: { 'Content-Type': 'text/csv' } }
  const imported = await reseller.call('POST', `${subscribers}/import`, 'address\nann@example.com', csv)
  expect(dataOf(imported)).toMatchObject({ added: 1 })
  expect((await reseller.delete(`${posts}/${post.id}`)).status).toBe(204)

  const templates = `${team.path}/status-page-templates`
  const template = {
    name: 'Outage',
    phase: 'investigating',
    title: null,
    body: 'See {{page_name}}: {{component_names}}.',
  }
  const { id: templateId } = await made(reseller, templates, template)
  const about = { status_page_id: id, component_ids: [component.id] }
  expect(dataOf(await reseller.post(`${templates}/${templateId}/fill`, about)).body).toBe('See Acme status: API.')
})
