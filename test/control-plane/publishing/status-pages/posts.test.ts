import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { followIncidents } from '#control-plane/publishing/status-pages/posts/follow.ts'
import { readPage } from '#control-plane/publishing/status-pages/site/read-page.ts'
import { Contents } from '#control-plane/publishing/status-pages/subscribers/update-content.ts'
import { aMonitor, anIncident, minutesAgo, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { addTo, aPage, hostileTexts, path } from './pages.ts'
import { aSubscriber, queueUpdates } from './subscribers/subscribed.ts'

const { platform } = app.services
const body = 'We examine the cause.'
const component = (name: string) => ({ type: 'static', static_status: 'operational', name })
const errorFields = ({ body }: { body: { errors?: object } }) => Object.keys(body.errors ?? {})
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const visibilityOf = async (team: CallerUnderTest, id: string) =>
  (await team.get(`/incidents/${id}`)).body.data.visibility

/** A published page, and the path of its posts. */
async function aPublished(team: CallerUnderTest) {
  const page = await aPage(team, { state: 'published' })
  return { page, posts: `${path}/${page.id}/posts`, inPage: `${page.id}/posts` }
}

async function monitorOf(team: CallerUnderTest, incident: string): Promise<string> {
  return (await team.get(`/incidents/${incident}`)).body.data.monitor_id
}

/** The people who were mailed that a post is open although its incident is over. */
async function remindersOf(team: CallerUnderTest): Promise<string[]> {
  const { rows } = await platform.query<{ payload: { recipient: { user_id: string } } }>(
    `select payload from outbox where tenant_id = $1 and kind = 'mail' and name = 'status_page_post_open'`,
    [team.tenantId],
  )
  return rows.map(({ payload }) => payload.recipient.user_id)
}

describe('publishing an incident of the team', () => {
  test('takes impact, start and components from it, and leaves its status alone', async () => {
    const team = await given.tenant()
    const { page, posts, inPage } = await aPublished(team)
    const incident = await anIncident(team, { startedAt: minutesAgo(30) })
    const monitor_id = await monitorOf(team, incident)
    await team.patch(`/monitors/${monitor_id}`, { group: 'Web' })
    const shop = await addTo(team, `${page.id}/components`, {
      type: 'monitor',
      monitor_id,
      name: 'Shop',
      status_when_down: 'partial_outage',
    })
    const web = await addTo(team, `${page.id}/components`, { type: 'group', monitor_group: 'Web', name: 'Web' })
    await addTo(team, `${page.id}/components`, { type: 'group', monitor_group: 'Other', name: 'Other' })
    await addTo(team, `${page.id}/components`, component('Office'))
    expect(await visibilityOf(team, incident)).toBe('internal')
    const post = await addTo(team, inPage, { incident_id: incident, title: 'Checkout fails', body })
    const detail = (await team.get(`/incidents/${incident}`)).body.data
    expect(post).toMatchObject({
      incident_id: incident,
      title: 'Checkout fails',
      impact: 'critical',
      phase: 'investigating',
      counts_as_downtime: true,
      components: [
        { component_id: shop.id, status: 'partial_outage' },
        { component_id: web.id, status: 'major_outage' },
      ],
      resolved_at: null,
      postmortem: null,
      created_by: team.userId,
    })
    expect(Date.parse(post.started_at)).toBe(Date.parse(detail.started_at))
    expect([detail.visibility, detail.status]).toEqual(['public', 'investigating'])
    expect(detail.timeline.at(-1).type).toBe('published')
    await team.post(`/incidents/${incident}/resolve`)
    expect((await team.get(`${posts}/${post.id}`)).body.data.phase).toBe('investigating')
    expect((await team.delete(`${posts}/${post.id}`)).status).toBe(204)
    expect(await visibilityOf(team, incident)).toBe('internal')
  })

  test('of an incident that is over begins resolved, with its end', async () => {
    const team = await given.tenant()
    const { inPage } = await aPublished(team)
    const incident = await anIncident(team)
    await team.post(`/incidents/${incident}/resolve`)
    const { resolved_at } = (await team.get(`/incidents/${incident}`)).body.data
    const post = await addTo(team, inPage, { incident_id: incident, title: 'X', body })
    expect([post.phase, Date.parse(post.resolved_at)]).toEqual(['resolved', Date.parse(resolved_at)])
    const { rows } = await app.services.platform.query('select phase from status_page_updates where post_id = $1', [
      post.id,
    ])
    expect(rows).toEqual([{ phase: 'resolved' }])
    const other = await anIncident(team)
    await team.post(`/incidents/${other}/resolve`)
    const open = await addTo(team, inPage, { incident_id: other, title: 'X', body, phase: 'monitoring' })
    expect([open.phase, open.resolved_at]).toEqual(['monitoring', null])
  })

  test('is monitored once that is over: its components follow the monitor, and its author is mailed once', async () => {
    const team = await given.tenant()
    const { page, posts, inPage } = await aPublished(team)
    const monitor = await aMonitor(team)
    await verdicts(team, monitor, [[minutesAgo(60), 'up']])
    await team.patch(`/monitors/${monitor.id}`, { group: 'Web' })
    const parts = [
      { type: 'monitor', monitor_id: monitor.id, name: 'Shop' },
      { type: 'group', monitor_group: 'Web', name: 'Web' },
      component('Office'),
    ]
    const ids: string[] = []
    for (const part of parts) ids.push((await addTo(team, `${page.id}/components`, part)).id)
    const incident = await anIncident(team, { monitor })
    const components = ids.map(component_id => ({ component_id, status: 'major_outage' }))
    const post = await addTo(team, inPage, { incident_id: incident, title: 'Checkout fails', body, components })
    const states = async () => {
      const model = await readPage(app.services, page.slug)
      return model?.groups.flatMap(group => group.components.map(({ name, status }) => `${name} ${status}`))
    }
    await followIncidents(platform)
    expect(await states()).toEqual(['Shop major_outage', 'Web major_outage', 'Office major_outage'])
    await team.post(`/incidents/${incident}/resolve`)
    for (let time = 0; time < 2; time++) await followIncidents(platform)
    expect((await team.get(`${posts}/${post.id}`)).body.data).toMatchObject({
      phase: 'monitoring',
      resolved_at: null,
      components,
    })
    // what no monitor shows is for a person to say
    expect(await states()).toEqual(['Shop operational', 'Web operational', 'Office major_outage'])
    const said = { phase: 'monitoring', body: 'We watch it.' }
    await addTo(team, `${inPage}/${post.id}/updates`, said)
    expect((await states())?.[0]).toBe('Shop operational')
    await addTo(team, `${inPage}/${post.id}/updates`, {
      ...said,
      components: [{ component_id: ids[0], status: 'degraded_performance' }],
    })
    expect(await states()).toEqual(['Shop degraded_performance', 'Web operational', 'Office operational'])
    expect(await remindersOf(team)).toEqual([team.userId])
  })

  test('names no component and is over: the post weighs nothing on the page until a person says more', async () => {
    const team = await given.tenant()
    const { page, inPage } = await aPublished(team)
    await addTo(team, `${page.id}/components`, component('Office'))
    const incident = await anIncident(team)
    const post = await addTo(team, inPage, { incident_id: incident, title: 'X', body })
    const status = async () => (await readPage(app.services, page.slug))?.status
    expect(await status()).toBe('major_outage')
    await team.post(`/incidents/${incident}/resolve`)
    await followIncidents(platform)
    expect(await status()).toBe('operational')
    await addTo(team, `${inPage}/${post.id}/updates`, { phase: 'identified', body })
    await followIncidents(platform)
    expect(await status()).toBe('major_outage')
  })

  test('is over: administrators are mailed in place of an author who has left, and not of what is resolved', async () => {
    const team = await given.tenant()
    const { inPage } = await aPublished(team)
    const [open, closed] = [await anIncident(team), await anIncident(team)]
    for (const incident_id of [open, closed]) {
      const { id } = await addTo(team, inPage, { incident_id, title: 'X', body })
      await platform.query('update status_page_posts set created_by = null where id = $1', [id])
      if (incident_id === closed) await addTo(team, `${inPage}/${id}/updates`, { phase: 'resolved', body })
      await team.post(`/incidents/${incident_id}/resolve`)
    }
    await followIncidents(platform)
    expect(await remindersOf(team)).toEqual([team.userId])
  })

  test('happens once a page, however many ask at once', async () => {
    const team = await given.tenant()
    const [one, two] = [await aPublished(team), await aPublished(team)]
    const incident_id = await anIncident(team)
    const publish = (posts: string) => team.post(posts, { incident_id, title: 'X', body })
    const answers = await Promise.all(Array.from({ length: 10 }, () => publish(one.posts)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = answers.find(({ status }) => status !== 201)!
    expect([refused.status, refused.body.code, errorFields(refused)]).toEqual([
      422,
      'already_published',
      ['incident_id'],
    ])
    expect((await publish(two.posts)).status).toBe(201)
  })

  test('keeps the incident internal while the page is a draft', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const incident = await anIncident(team)
    await addTo(team, `${page.id}/posts`, { incident_id: incident, title: 'X', body })
    expect(await visibilityOf(team, incident)).toBe('internal')
    await team.patch(`${path}/${page.id}`, { state: 'published' })
    expect(await visibilityOf(team, incident)).toBe('public')
  })

  test('takes the start of an incident that is ahead of the clock of this process', async () => {
    const team = await given.tenant()
    const { inPage } = await aPublished(team)
    const startedAt = new Date(Date.now() + 5_000)
    const incident_id = await anIncident(team, { startedAt })
    const post = await addTo(team, inPage, { incident_id, title: 'X', body, phase: 'resolved' })
    expect([Date.parse(post.started_at), Date.parse(post.resolved_at)]).toEqual([+startedAt, +startedAt])
  })

  test('is refused for an incident of another team', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const { posts } = await aPublished(team)
    const answer = await team.post(posts, { incident_id: await anIncident(other), title: 'X', body })
    expect([answer.status, errorFields(answer)]).toEqual([422, ['incident_id']])
  })

  test('stays on the page when its monitor is deleted', async () => {
    const team = await given.tenant()
    const { posts, inPage } = await aPublished(team)
    const incident = await anIncident(team)
    const post = await addTo(team, inPage, { incident_id: incident, title: 'X', body })
    await team.delete(`/monitors/${await monitorOf(team, incident)}`)
    expect((await team.get(`${posts}/${post.id}`)).body.data.incident_id).toBe(incident)
    expect((await team.get(`/incidents/${incident}`)).body.data).toMatchObject({
      visibility: 'public',
      resolution: 'deleted',
    })
  })
})

describe('an incident that no monitor found', () => {
  test('is minor, begins now and counts as no downtime, where nothing else is said', async () => {
    const team = await given.tenant()
    const { inPage } = await aPublished(team)
    const post = await addTo(team, inPage, { title: 'The office is closed', body })
    expect(post).toMatchObject({
      incident_id: null,
      impact: 'minor',
      counts_as_downtime: false,
      components: [],
      started_at: post.created_at,
    })
  })

  test('can be written down afterwards', async () => {
    const team = await given.tenant()
    const { inPage } = await aPublished(team)
    const span = { started_at: inMinutes(-60), resolved_at: inMinutes(-30) }
    const post = await addTo(team, inPage, { title: 'X', body, phase: 'resolved', ...span })
    expect([Date.parse(post.started_at), Date.parse(post.resolved_at)]).toEqual([
      Date.parse(span.started_at),
      Date.parse(span.resolved_at),
    ])
    expect(await addTo(team, inPage, { title: 'X', body, phase: 'resolved' })).toMatchObject({ phase: 'resolved' })
  })

  test.each([
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(256) }],
    ['body', { body: ' ' }],
    ['body', { body: 'x'.repeat(10_001) }],
    ['impact', { impact: 'huge' }],
    ['phase', { phase: 'over' }],
    ['started_at', { started_at: inMinutes(5) }],
    ['started_at', { started_at: '1999-12-31T00:00:00Z' }],
    ['started_at', { started_at: 'yesterday' }],
    ['resolved_at', { resolved_at: inMinutes(-5) }],
    ['resolved_at', { phase: 'resolved', resolved_at: inMinutes(5) }],
    ['resolved_at', { phase: 'resolved', started_at: inMinutes(-5), resolved_at: inMinutes(-6) }],
    ['components.0.component_id', { components: [{ component_id: randomUUID(), status: 'major_outage' }] }],
    ['components.0.status', { components: [{ component_id: randomUUID(), status: 'no_data' }] }],
    ['incident_id', { incident_id: randomUUID() }],
  ])('is refused for its %s: %j', async (field, changes) => {
    const { posts, ...team } = await teamWithPage()
    const answer = await team.caller.post(posts, { title: 'X', body, ...changes })
    expect([answer.status, errorFields(answer)]).toEqual([422, [field]])
  })

  test('may be as long as the limits allow, and hostile', async () => {
    const team = await given.tenant()
    const { posts, inPage } = await aPublished(team)
    await addTo(team, inPage, { title: 'x'.repeat(255), body: 'ä'.repeat(10_000) })
    for (const text of hostileTexts) {
      const post = await addTo(team, inPage, { title: text, body: text })
      expect(post.title).toBe(text)
      expect((await team.get(`${posts}/${post.id}/updates`)).body.data).toMatchObject([{ body: text }])
    }
  })
})

async function teamWithPage() {
  const caller = await given.tenant()
  return { caller, ...(await aPublished(caller)) }
}

describe('an incident of a page', () => {
  test('follows the phase of its updates, and may be opened again', async () => {
    const { caller: team, posts, inPage, page } = await teamWithPage()
    const { id } = await addTo(team, `${page.id}/components`, component('Office'))
    const post = await addTo(team, inPage, { title: 'X', body })
    const say = (phase: string, more: object = {}) =>
      addTo(team, `${inPage}/${post.id}/updates`, { phase, body: phase, ...more })
    const read = async () => (await team.get(`${posts}/${post.id}`)).body.data
    await say('identified', { components: [{ component_id: id, status: 'partial_outage' }] })
    expect(await read()).toMatchObject({
      phase: 'identified',
      resolved_at: null,
      components: [{ component_id: id, status: 'partial_outage' }],
    })
    await say('resolved', { notify_subscribers: false })
    const resolved = await read()
    expect(resolved.phase).toBe('resolved')
    expect(resolved.resolved_at > resolved.started_at).toBe(true)
    await say('resolved')
    expect((await read()).resolved_at).toBe(resolved.resolved_at)
    await say('monitoring')
    expect(await read()).toMatchObject({ phase: 'monitoring', resolved_at: null })
    const { data, meta } = (await team.get(`${posts}/${post.id}/updates`)).body
    expect(data.map(({ phase }: { phase: string }) => phase)).toEqual([
      'investigating',
      'identified',
      'resolved',
      'resolved',
      'monitoring',
    ])
    expect(data.map((update: { notify_subscribers: boolean }) => update.notify_subscribers)).toEqual([
      true,
      true,
      false,
      true,
      true,
    ])
    expect(meta.total).toBe(5)
  })

  test('of a draft notifies no subscribers', async () => {
    const team = await given.tenant()
    const page = await aPage(team)
    const post = await addTo(team, `${page.id}/posts`, { title: 'X', body })
    await addTo(team, `${page.id}/posts/${post.id}/updates`, { phase: 'resolved', body })
    const { data } = (await team.get(`${path}/${page.id}/posts/${post.id}/updates`)).body
    expect(data.map((update: { notify_subscribers: boolean }) => update.notify_subscribers)).toEqual([false, false])
  })

  test('has at most five hundred updates', async () => {
    const { caller: team, posts, inPage } = await teamWithPage()
    const post = await addTo(team, inPage, { title: 'X', body })
    await app.services.platform.query(
      `insert into status_page_updates (id, tenant_id, post_id, body)
       select gen_random_uuid(), $1, $2, 'X' from generate_series(1, 498)`,
      [team.tenantId, post.id],
    )
    const say = () => team.post(`${posts}/${post.id}/updates`, { phase: 'identified', body })
    expect((await say()).status).toBe(201)
    expect(errorFields(await say())).toEqual(['body'])
  })

  test('is changed, with before and after in the audit log', async () => {
    const { caller: team, posts, inPage, page } = await teamWithPage()
    const { id } = await addTo(team, `${page.id}/components`, component('Office'))
    const post = await addTo(team, inPage, { title: 'X', body })
    const changes = {
      title: 'Y',
      impact: 'major',
      counts_as_downtime: true,
      components: [{ component_id: id, status: 'degraded_performance' }],
    }
    const changed = (await team.patch(`${posts}/${post.id}`, changes)).body.data
    expect(changed).toEqual({ ...post, ...changes, updated_at: changed.updated_at })
    expect((await team.patch(`${posts}/${post.id}`, changes)).body.data).toEqual(changed)
    expect(errorFields(await team.patch(`${posts}/${post.id}`, { resolved_at: inMinutes(-1) }))).toEqual([
      'resolved_at',
    ])
    expect(errorFields(await team.patch(`${posts}/${post.id}`, { started_at: inMinutes(9) }))).toEqual(['started_at'])
    const { body: log } = await team.get(
      `/audit-log?entity_type=status_page&entity_id=${page.id}&action=status_page.incident_updated`,
    )
    expect(log.data.map((entry: { changes: { title: unknown } }) => entry.changes.title)).toEqual([
      { before: 'X', after: 'Y' },
    ])
  })

  test('keeps its times in order when they are corrected', async () => {
    const { caller: team, posts, inPage } = await teamWithPage()
    const span = { started_at: inMinutes(-60), resolved_at: inMinutes(-30) }
    const { id } = await addTo(team, inPage, { title: 'X', body, phase: 'resolved', ...span })
    const change = (changes: object) => team.patch(`${posts}/${id}`, changes)
    expect(errorFields(await change({ resolved_at: inMinutes(-61) }))).toEqual(['resolved_at'])
    expect(errorFields(await change({ started_at: inMinutes(-29) }))).toEqual(['resolved_at'])
    expect((await change({ started_at: inMinutes(-40) })).status).toBe(200)
  })

  test('corrects the text of an update', async () => {
    const { caller: team, posts, inPage } = await teamWithPage()
    const post = await addTo(team, inPage, { title: 'X', body })
    const updates = `${posts}/${post.id}/updates`
    const [update] = (await team.get(updates)).body.data
    const corrected = (await team.patch(`${updates}/${update.id}`, { body: 'Now right.' })).body.data
    expect(corrected).toEqual({ ...update, body: 'Now right.', updated_at: corrected.updated_at })
    expect(errorFields(await team.patch(`${updates}/${update.id}`, { body: '' }))).toEqual(['body'])
  })

  test('has a postmortem, published only once it is resolved', async () => {
    const { caller: team, posts, inPage } = await teamWithPage()
    const post = await addTo(team, inPage, { title: 'X', body })
    const write = (text: string, is_published?: boolean) =>
      team.put(`${posts}/${post.id}/postmortem`, { body: text, is_published })
    expect((await write('Draft')).body.data).toMatchObject({ postmortem: 'Draft', postmortem_published_at: null })
    const early = await write('Draft', true)
    expect([early.status, early.body.code, errorFields(early)]).toEqual([422, 'incident_open', ['is_published']])
    await addTo(team, `${inPage}/${post.id}/updates`, { phase: 'resolved', body })
    const published = (await write('Final', true)).body.data
    expect(published.postmortem_published_at).toBeTruthy()
    const again = (await write('x'.repeat(20_000), true)).body.data
    expect(again.postmortem_published_at).toBe(published.postmortem_published_at)
    expect(errorFields(await write('x'.repeat(20_001)))).toEqual(['body'])
    expect((await write('Draft again')).body.data.postmortem_published_at).toBeNull()
    expect((await team.delete(`${posts}/${post.id}/postmortem`)).status).toBe(204)
    expect((await team.get(`${posts}/${post.id}`)).body.data.postmortem).toBeNull()
  })
})

describe('the incidents of a page', () => {
  test('are listed by their start, the latest first, and by phase', async () => {
    const { caller: team, posts, inPage } = await teamWithPage()
    const post = (title: string, minutes: number, phase = 'investigating') =>
      addTo(team, inPage, { title, body, phase, started_at: inMinutes(minutes) })
    await post('old', -60, 'resolved')
    await post('oldest', -90)
    await post('latest', -1)
    const titles = async (query = '') =>
      (await team.get(posts + query)).body.data.map(({ title }: { title: string }) => title)
    expect(await titles()).toEqual(['latest', 'old', 'oldest'])
    expect(await titles('?phase=resolved')).toEqual(['old'])
    expect(await titles('?per_page=1&page=2')).toEqual(['old'])
  })

  test('are not found below another page, in the same team and in another', async () => {
    const { caller: team, page: mine } = await teamWithPage()
    for (const owner of [team, await given.tenant()]) {
      const { posts, inPage } = await aPublished(owner)
      const post = await addTo(owner, inPage, { title: 'X', body })
      const [update] = (await owner.get(`${posts}/${post.id}/updates`)).body.data
      const foreign = `${path}/${mine.id}/posts/${post.id}`
      const answers = [
        await team.get(foreign),
        await team.patch(foreign, { title: 'Mine' }),
        await team.delete(foreign),
        await team.get(`${foreign}/updates`),
        await team.post(`${foreign}/updates`, { phase: 'resolved', body }),
        await team.patch(`${foreign}/updates/${update.id}`, { body: 'Mine' }),
        await team.put(`${foreign}/postmortem`, { body: 'Mine' }),
        await team.delete(`${foreign}/postmortem`),
      ]
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 404))
      expect((await owner.get(`${posts}/${post.id}`)).body.data).toEqual(post)
    }
  })

  test('each change touches the page, and is in the audit log', async () => {
    const { caller: team, posts, inPage, page } = await teamWithPage()
    const changedAt = async () => (await team.get(`${path}/${page.id}`)).body.data.content_changed_at
    const moments = [await changedAt()]
    const note = async (answer: { status: number }) => {
      expect(answer.status).toBeLessThan(300)
      moments.push(await changedAt())
    }
    const post = await addTo(team, inPage, { title: 'X', body })
    await note({ status: 201 })
    await note(await team.post(`${posts}/${post.id}/updates`, { phase: 'resolved', body }))
    await note(await team.patch(`${posts}/${post.id}`, { title: 'Y' }))
    await note(await team.put(`${posts}/${post.id}/postmortem`, { body: 'Why', is_published: true }))
    await note(await team.delete(`${posts}/${post.id}`))
    expect(moments).toEqual([...new Set(moments)].sort())
    expect((await app.audited(team)).slice(2)).toEqual([
      'status_page.incident_posted',
      'status_page.update_posted',
      'status_page.incident_updated',
      'status_page.postmortem_written',
      'status_page.incident_deleted',
    ])
  })

  test('are published to the channels of the team, unless the page is a draft', async () => {
    const { caller: team, page, inPage } = await teamWithPage()
    const post = await addTo(team, inPage, { title: 'X', body, notify_subscribers: false })
    await addTo(team, `${inPage}/${post.id}/updates`, { phase: 'resolved', body: 'Over.' })
    const { rows } = await app.services.platform.query(
      `select name, payload from outbox where tenant_id = $1 and kind = 'event' order by id`,
      [team.tenantId],
    )
    const ofPage = { status_page_id: page.id, status_page_name: page.name, status_page_url: page.url }
    expect(rows).toMatchObject([
      { name: 'status_page.published', payload: ofPage },
      { name: 'status_page.incident_posted', payload: { ...ofPage, post_id: post.id, phase: 'investigating', body } },
      { name: 'status_page.incident_updated', payload: { ...ofPage, phase: 'resolved', body: 'Over.' } },
    ])
    await team.patch(`${path}/${page.id}`, { state: 'draft' })
    await addTo(team, inPage, { title: 'Y', body })
    expect(await app.emitted(team)).toHaveLength(3)
  })

  test('are the reseller’s too', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { posts } = await aPublished(team)
    const { status, body: answer } = await reseller.post(team.path + posts, { title: 'X', body })
    expect(status).toBe(201)
    expect((await team.get(posts)).body.data).toMatchObject([{ id: answer.data.id, title: 'X' }])
    const reader = await given.reseller({ scopes: ['status-pages:read'] })
    expect((await reader.post(team.path + posts, { title: 'X', body })).status).toBe(403)
  })
})

describe('a post whose component is deleted', () => {
  test('keeps its name, weighs no more than before, and reaches the same subscribers', async () => {
    const team = await given.tenant()
    const { page, posts, inPage } = await aPublished(team)
    const shop = await addTo(team, `${page.id}/components`, {
      ...{ type: 'monitor', name: 'Shop', monitor_id: (await aMonitor(team)).id },
    })
    const office = await addTo(team, `${page.id}/components`, component('Office'))
    const readers = {
      all: await aSubscriber(team, page),
      shop: await aSubscriber(team, page, { component_ids: [shop.id] }),
      office: await aSubscriber(team, page, { component_ids: [office.id] }),
    }
    const components = [{ component_id: shop.id, status: 'degraded_performance' }]
    const post = await addTo(team, inPage, { title: 'Checkout is slow', impact: 'critical', body, components })
    const shown = async () => {
      const model = await readPage(app.services, page.slug)
      return { status: model?.status, concerned: model?.posts[0]?.components.map(({ name }) => name) }
    }
    expect(await shown()).toEqual({ status: 'degraded_performance', concerned: ['Shop'] })
    expect((await team.delete(`/monitors/${shop.monitor_id}`)).status).toBe(204)
    expect(await shown()).toEqual({ status: 'operational', concerned: ['Shop'] })
    const kept = (await team.get(`${posts}/${post.id}`)).body.data
    expect(kept).toMatchObject({ components: [], former_components: ['Shop'] })
    const said = { phase: 'monitoring', body: 'We watch it.', notify_subscribers: true }
    const { id: update } = await addTo(team, `${inPage}/${post.id}/updates`, said)
    await queueUpdates()
    const { rows } = await platform.query('select subscriber_id from subscriber_messages where update_id = $1', [
      update,
    ])
    expect(new Set(rows.map(({ subscriber_id }) => subscriber_id))).toEqual(new Set([readers.all.id, readers.shop.id]))
    expect((await new Contents(platform).update(update))?.components).toEqual(['Shop'])
    // the author decides again
    await team.patch(`${posts}/${post.id}`, { components: [{ component_id: office.id, status: 'major_outage' }] })
    expect((await team.get(`${posts}/${post.id}`)).body.data.former_components).toEqual([])
  })
})
