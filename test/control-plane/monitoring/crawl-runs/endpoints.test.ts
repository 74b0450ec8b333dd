import { expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services

/** A crawl with a few addresses, put into the tables as they are. */
async function aRun(owner: { tenantId: string }, monitor: string, pages: number): Promise<string> {
  const { rows } = await platform.query<{ id: string }>(
    `insert into crawl_runs (id, tenant_id, monitor_id, cause, state, created_at)
     values (gen_random_uuid(), $1, $2, 'schedule', 'finished', now() - interval '1 second') returning id`,
    [owner.tenantId, monitor],
  )
  const id = rows[0]?.id ?? ''
  await platform.query(
    `insert into crawl_pages (run_id, tenant_id, url, key, kind, depth, hops, state, status, is_broken, mixed, skipped)
     select $1, $2, 'https://shop.example/' || n, md5(n::text)::uuid,
       case when n % 3 = 0 then 'external' else 'page' end, 1, 0, 'done',
            case when n % 5 = 0 then 404 else 200 end, n % 5 = 0,
            case when n % 7 = 0 then '[{"url":"http://x.example/","element":"img","kind":"passive"}]'::jsonb end,
       case when n % 11 = 0 then 'robots' end
     from generate_series(1, $3) n`,
    [id, owner.tenantId, pages],
  )
  return id
}

test('a crawl is started, read and cancelled by the team and by its reseller', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  const monitor = await aMonitor(team)
  for (const [caller, path] of [
    [team, ''],
    [reseller, team.path],
  ] as const) {
    const begun = await caller.post(`${path}/monitors/${monitor.id}/crawl-runs`)
    expect(begun.status).toBe(201)
    expect(begun.body.data).toMatchObject({
      state: 'queued',
      cause: 'request',
      monitor_id: monitor.id,
      progress: { found: 0, visited: 0, checked: 0, queued: 0 },
    })
    expect(await caller.post(`${path}/monitors/${monitor.id}/crawl-runs`)).toMatchObject({
      status: 422,
      body: { code: 'crawl_under_way' },
    })
    const run = `${path}/crawl-runs/${begun.body.data.id}`
    expect((await caller.get(run)).body.data.id).toBe(begun.body.data.id)
    expect((await caller.get(`${run}/pages`)).body.data).toEqual([])
    expect((await caller.get(`${path}/monitors/${monitor.id}/crawl-runs?state=queued`)).body.data).toHaveLength(1)
    expect((await caller.get(`${path}/monitors/${monitor.id}/crawl-runs?state=odd`)).status).toBe(422)
    expect((await caller.post(`${run}/cancel`)).body.data.state).toBe('cancelled')
    expect(await caller.post(`${run}/cancel`)).toMatchObject({ status: 422, body: { code: 'crawl_over' } })
  }
  expect(await app.audited(team)).toEqual([
    'crawl_run.started',
    'crawl_run.cancelled',
    'crawl_run.started',
    'crawl_run.cancelled',
  ])
})

test('crawls of other tenants cannot be read or started', async () => {
  const [mine, theirs] = [await given.tenant(), await given.tenant()]
  const monitor = await aMonitor(theirs)
  const run = await aRun(theirs, monitor.id, 3)
  for (const path of [`/monitors/${monitor.id}/crawl-runs`, `/crawl-runs/${run}`, `/crawl-runs/${run}/pages`])
    expect((await mine.get(path)).status).toBe(404)
  expect((await mine.post(`/monitors/${monitor.id}/crawl-runs`)).status).toBe(404)
  expect((await mine.post(`/crawl-runs/${run}/cancel`)).status).toBe(404)
})

test('the crawls of a whole team are listed newest first, page by page, by monitor and by state', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  const monitors = [await aMonitor(team), await aMonitor(team)]
  const foreign = await given.tenant()
  await aRun(foreign, (await aMonitor(foreign)).id, 0)
  const runs: string[] = []
  for (let n = 0; n < 6; n++) runs.unshift(await aRun(team, monitors[n % 2]!.id, 0))
  const under = (await team.post(`/monitors/${monitors[0]!.id}/crawl-runs`)).body.data.id
  const all = [under, ...runs]
  const idsOf = (body: { data: { id: string }[] }) => body.data.map(({ id }) => id)
  for (const [caller, path] of [
    [team, ''],
    [reseller, team.path],
  ] as const) {
    const list = async (query: string) => (await caller.get(`${path}/crawl-runs${query}`)).body
    const first = await list('?per_page=4')
    expect([idsOf(first), first.meta]).toEqual([
      all.slice(0, 4),
      { current_page: 1, last_page: 2, per_page: 4, total: 7 },
    ])
    expect(idsOf(await list('?per_page=4&page=2'))).toEqual(all.slice(4))
    expect(first.data[0]).toMatchObject({ monitor_id: monitors[0]!.id, state: 'queued', cause: 'request' })
    expect(idsOf(await list(`?monitor_id=${monitors[1]!.id.toUpperCase()}`))).toEqual(
      runs.filter((_, n) => n % 2 === 0),
    )
    expect(idsOf(await list('?state=queued,running'))).toEqual([under])
    expect(idsOf(await list(`?state=finished&monitor_id=${monitors[0]!.id}`))).toEqual(
      runs.filter((_, n) => n % 2 === 1),
    )
    expect(idsOf(await list(`?monitor_id=${crypto.randomUUID()}`))).toEqual([])
  }
  for (const query of ['state=odd', 'monitor_id=1', 'per_page=101', 'page=0']) {
    const { status, body } = await team.get(`/crawl-runs?${query}`)
    expect([status, Object.keys(body.errors)]).toEqual([
      422,
      [query.split('=')[0] + (query.startsWith('state') ? '.0' : '')],
    ])
  }
  expect((await (await given.token(team, 'sk', ['checks:read'])).get('/crawl-runs')).status).toBe(403)
  expect((await given.stranger().get('/crawl-runs')).status).toBe(401)
  expect((await (await given.reseller()).get(`${team.path}/crawl-runs`)).status).toBe(403)
})

test('a plan without crawls, a paused monitor and a host are refused', async () => {
  const poor = await given.tenant({ plan: 'hobby' })
  expect(await poor.post(`/monitors/${(await aMonitor(poor)).id}/crawl-runs`)).toMatchObject({
    status: 403,
    body: { code: 'not_in_plan' },
  })
  const empty = await given.tenant({ overrides: { crawl_pages: 0 } })
  expect((await empty.post(`/monitors/${(await aMonitor(empty)).id}/crawl-runs`)).status).toBe(403)
  const rich = await given.tenant()
  expect((await rich.post(`/monitors/${(await aMonitor(rich, { isEnabled: false })).id}/crawl-runs`)).body.code).toBe(
    'not_running',
  )
  expect(
    (await rich.post(`/monitors/${(await aMonitor(rich, { type: 'host', url: 'host://a.example' })).id}/crawl-runs`))
      .body.errors,
  ).toHaveProperty('monitor')
})

test('the pages of a crawl are listed by cursor in both directions, and filtered', async () => {
  const owner = await given.tenant()
  const monitor = await aMonitor(owner)
  const run = await aRun(owner, monitor.id, 60)
  const read = async (query: string) =>
    (await owner.get(`/crawl-runs/${run}/pages?per_page=100${query}`)).body.data.length
  expect(await read('')).toBe(60)
  expect(await read('&broken=true')).toBe(12)
  expect(await read('&broken=false')).toBe(48)
  expect(await read('&status=404')).toBe(12)
  expect(await read('&status=200-299')).toBe(48)
  expect(await read('&kind=external')).toBe(20)
  expect(await read('&kind=page,external')).toBe(60)
  expect(await read('&mixed=true')).toBe(8)
  expect(await read('&skipped=true')).toBe(5)
  for (const query of [
    'status=9',
    'status=4xx',
    'status=200-',
    'kind=odd',
    'broken=perhaps',
    'cursor=odd',
    'per_page=101',
  ])
    expect((await owner.get(`/crawl-runs/${run}/pages?${query}`)).status, query).toBe(422)

  const first = await owner.get(`/crawl-runs/${run}/pages?per_page=25`)
  const second = await owner.get(`/crawl-runs/${run}/pages?per_page=25&cursor=${first.body.meta.next_cursor}`)
  const third = await owner.get(`/crawl-runs/${run}/pages?per_page=25&cursor=${second.body.meta.next_cursor}`)
  expect([first, second, third].map(({ body }) => [body.data.length, body.meta.has_more])).toEqual([
    [25, true],
    [25, true],
    [10, false],
  ])
  expect(
    (await owner.get(`/crawl-runs/${run}/pages?per_page=25&cursor=${second.body.meta.prev_cursor}`)).body.data,
  ).toEqual(first.body.data)
  const other = await aRun(owner, monitor.id, 1)
  expect((await owner.get(`/crawl-runs/${other}/pages?cursor=${first.body.meta.next_cursor}`)).status).toBe(422)
})

test('checks of these kinds are created like others, within the limits of their settings', async () => {
  const owner = await given.tenant()
  const monitor = await aMonitor(owner)
  for (const [type, settings, field] of [
    ['broken_links', { max_pages: 0 }, 'settings.max_pages'],
    ['broken_links', { requests_per_second: 21 }, 'settings.requests_per_second'],
    ['broken_links', { ignore: Array.from({ length: 51 }, () => '/x') }, 'settings.ignore'],
    ['broken_links', { ignore: ['x'.repeat(201)] }, 'settings.ignore.0'],
    ['broken_links', { tolerated_status: [399] }, 'settings.tolerated_status.0'],
    ['mixed_content', { active: 'dreadful' }, 'settings.active'],
    ['crawl', { concurrency: 5 }, 'settings.concurrency'],
    ['crawl', { max_depth: 101 }, 'settings.max_depth'],
  ] as const) {
    const { status, body } = await owner.post(`/monitors/${monitor.id}/checks`, { type, settings })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  }
  for (const type of ['broken_links', 'mixed_content', 'crawl'])
    expect((await owner.post(`/monitors/${monitor.id}/checks`, { type })).body.data).toMatchObject({
      type,
      interval: 86_400,
    })
})

test('the crawls of a monitor are deleted with it', async () => {
  const owner = await given.tenant()
  const monitor = await aMonitor(owner)
  const run = await aRun(owner, monitor.id, 3)
  expect((await owner.delete(`/monitors/${monitor.id}`)).status).toBe(204)
  expect((await platform.query('select 1 from crawl_pages where run_id = $1', [run])).rowCount).toBe(0)
})
