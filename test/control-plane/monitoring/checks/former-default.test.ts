import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const former = ['429', '503']

/** A website; its check as it was stored when 503 was a warning by default. */
async function aWebsite(owner: CallerUnderTest, name: string, warning_status: unknown = former): Promise<string> {
  const { status, body, text } = await owner.post('/monitors', { name, url: `https://${name}.example.com/` })
  expect(status, text).toBe(201)
  const [{ id }] = body.data.checks
  await app.services.platform.query(
    `update checks set settings = settings || jsonb_build_object('warning_status', $2::jsonb) where id = $1`,
    [id, JSON.stringify(warning_status)],
  )
  return id
}
const listed = async (owner: CallerUnderTest) =>
  (await owner.get('/former-defaults')).body.data.map(({ id }: { id: string }) => id)
const statusesOf = async (owner: CallerUnderTest, id: string) =>
  (await owner.get(`/checks/${id}`)).body.data.settings.warning_status

describe('/former-defaults', () => {
  test('lists no check that was created with the present default or with statuses of its own', async () => {
    const owner = await given.tenant()
    const { body } = await owner.post('/monitors', { name: 'New', url: 'https://example.com/' })
    expect(await statusesOf(owner, body.data.checks[0].id)).toEqual(['429'])
    for (const own of [[], ['503'], ['503', '429'], [429, 503], ['500-599']])
      await aWebsite(owner, `own-${own.length}-${String(own[0])}`, own)
    expect(await listed(owner)).toEqual([])
  })

  test('lists checks of the former default by the name of their monitor, page by page', async () => {
    const owner = await given.tenant()
    const [b, a] = [await aWebsite(owner, 'b'), await aWebsite(owner, 'a')]
    expect(await listed(owner)).toEqual([a, b])
    const page = await owner.get('/former-defaults?per_page=1&page=2')
    expect(page.body).toMatchObject({ data: [{ id: b, monitor_name: 'b' }], meta: { total: 2, last_page: 2 } })
  })

  test('treats 503 as down in all of them at once, with an audit entry and an event each', async () => {
    const owner = await given.tenant()
    const checks = [await aWebsite(owner, 'a'), await aWebsite(owner, 'b')]
    const own = await aWebsite(owner, 'own', ['503'])
    const { status, body } = await owner.post('/former-defaults', { treat_503_as: 'down' })
    expect([status, body.data]).toEqual([200, { changed_count: 2, left_count: 0 }])
    for (const check of checks) expect(await statusesOf(owner, check)).toEqual(['429'])
    expect(await statusesOf(owner, own)).toEqual(['503'])
    expect((await app.audited(owner)).filter(action => action === 'check.updated')).toHaveLength(2)
    expect((await app.emitted(owner)).filter(event => event === 'monitor.updated')).toHaveLength(2)
    expect(await listed(owner)).toEqual([])
  })

  test('keeps the warning where a person decides so, and asks no more', async () => {
    const owner = await given.tenant()
    const [kept, changed, left] = [await aWebsite(owner, 'a'), await aWebsite(owner, 'b'), await aWebsite(owner, 'c')]
    const keep = await owner.post('/former-defaults', { treat_503_as: 'warning', check_ids: [kept] })
    expect(keep.body.data).toEqual({ changed_count: 1, left_count: 2 })
    const change = await owner.post('/former-defaults', { treat_503_as: 'down', check_ids: [changed] })
    expect(change.body.data).toEqual({ changed_count: 1, left_count: 1 })
    expect([await statusesOf(owner, kept), await statusesOf(owner, changed)]).toEqual([former, ['429']])
    expect(await listed(owner)).toEqual([left])
    // one that was decided is not decided again with the others
    expect((await owner.post('/former-defaults', { treat_503_as: 'down' })).body.data.changed_count).toBe(1)
    expect(await statusesOf(owner, kept)).toEqual(former)
  })

  test('a change of warning_status is a decision, whichever it is, and one of other settings is none', async () => {
    const owner = await given.tenant()
    const [same, other, none] = [await aWebsite(owner, 'a'), await aWebsite(owner, 'b'), await aWebsite(owner, 'c')]
    await owner.patch(`/checks/${same}`, { settings: { warning_status: former } })
    await owner.patch(`/checks/${other}`, { settings: { warning_status: [] } })
    await owner.patch(`/checks/${none}`, { settings: { timeout_ms: 4_000 } })
    expect(await statusesOf(owner, none)).toEqual(former)
    expect(await listed(owner)).toEqual([none])
  })

  test('does not reach checks of other teams, which a reseller decides for in its own', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const [check, foreign] = [await aWebsite(team, 'a'), await aWebsite(await given.tenant(), 'b')]
    expect((await reseller.get(`${team.path}/former-defaults`)).body.meta.total).toBe(1)
    const body = { treat_503_as: 'down', check_ids: [check, foreign] }
    const decided = await reseller.post(`${team.path}/former-defaults`, body)
    expect(decided.body.data).toEqual({ changed_count: 1, left_count: 0 })
    const { rows } = await app.services.platform.query('select settings from checks where id = $1', [foreign])
    expect(rows[0].settings.warning_status).toEqual(former)
  })

  test('refuses a viewer, and what is no decision', async () => {
    const owner = await given.tenant()
    const viewer = await given.colleague(owner, 'viewer')
    expect((await viewer.post('/former-defaults', { treat_503_as: 'down' })).status).toBe(403)
    for (const [field, body] of [
      ['treat_503_as', {}],
      ['treat_503_as', { treat_503_as: 'up' }],
      ['check_ids', { treat_503_as: 'down', check_ids: [] }],
      ['check_ids', { treat_503_as: 'down', check_ids: Array(501).fill(owner.tenantId) }],
      ['check_ids.0', { treat_503_as: 'down', check_ids: ['x'] }],
    ] as const) {
      const { status, body: refused } = await owner.post('/former-defaults', body)
      expect([status, Object.keys(refused.errors)]).toEqual([422, [field]])
    }
  })

  test('answers within the limits for a thousand checks, in two requests', async () => {
    const owner = await given.tenant()
    await app.services.platform.query(
      `with m as (
         insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, regions, region_policy,
           confirmations, recovery_confirmations)
         select gen_random_uuid(), $1, 'Site ' || n, 'https://example.com', 'website', 60, 10, '{}',
           '{"mode":"any","count":null}', 2, 2 from generate_series(1, 1000) n returning id)
       insert into checks (id, tenant_id, monitor_id, type, settings)
       select gen_random_uuid(), $1, id, 'uptime', '{"warning_status":["429","503"]}' from m`,
      [owner.tenantId],
    )
    const first = await owner.post('/former-defaults', { treat_503_as: 'down' })
    expect(first.body.data).toEqual({ changed_count: 500, left_count: 500 })
    const second = await owner.post('/former-defaults', { treat_503_as: 'warning' })
    expect(second.body.data).toEqual({ changed_count: 500, left_count: 0 })
  })
})
