import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { aMonitor, anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const path = '/reseller/managed-teams'
let reseller: CallerUnderTest
const ids: Record<string, { id: string; tenantId: string }> = {}
const names = async (query: string) => {
  const { status, body } = await reseller.get(`${path}?${query}`)
  expect(status, query).toBe(200)
  return body.data.map((team: { name: string }) => team.name)
}
const inDays = (days: number) => new Date(app.services.clock.nowMs() + days * 86_400_000).toISOString()

beforeAll(async () => {
  reseller = await given.reseller()
  for (const team of [
    { name: 'bravo', plan: 'pro', label: 'gold 50%', external_ref: 'x-1', trial_days: 3 },
    { name: 'alpha', plan: 'free' },
    { name: 'Übermut _x', plan: 'hobby', label: 'Silver', trial_days: 30 },
    { name: 'delta\\', plan: 'pro', label: 'gold' },
    { name: 'gone', plan: 'pro' },
  ]) {
    const { body } = await reseller.post(path, { ...team, slug: `t-${crypto.randomUUID()}` })
    ids[team.name] = { id: body.data.id, tenantId: body.data.tenant_id }
  }
  await platform.query(`update tenants set paused_at = now() where id = $1`, [ids['delta\\']?.tenantId])
  await platform.query('update managed_teams set deleted_at = now() where id = $1', [ids.gone?.id])
  for (const [name, count] of [
    ['alpha', 3],
    ['bravo', 1],
    ['gone', 9],
  ] as const)
    for (let n = 0; n < count; n++) await aMonitor(ids[name]!)
  await anIncident(ids.alpha!)
  await anIncident(ids.gone!)
  await anIncident(ids['delta\\']!, { resolvedAt: new Date() })
  await given.team(await given.reseller())
}, 120_000)

describe('GET /reseller/managed-teams', () => {
  test('newest first, by pages', async () => {
    const { body } = await reseller.get(`${path}?per_page=3`)
    expect(body.data.map((team: { name: string }) => team.name)).toEqual(['delta\\', 'Übermut _x', 'alpha'])
    expect(body.meta).toEqual({ current_page: 1, last_page: 2, per_page: 3, total: 4 })
    expect(body.links.prev).toBeNull()
    expect(new URL(body.links.next).searchParams.get('page')).toBe('2')
    expect(await names('per_page=3&page=2')).toEqual(['bravo'])
    const beyond = (await reseller.get(`${path}?per_page=250&page=9`)).body
    expect(beyond).toMatchObject({ data: [], links: { next: null }, meta: { total: 4, last_page: 1 } })
    expect(new URL(beyond.links.prev).searchParams.get('page')).toBe('1')
    for (const sort of ['created_at', 'monitors_count']) {
      const { body } = await reseller.get(`${path}?per_page=250&page=2000000000&sort=${sort}`)
      expect(body).toMatchObject({ data: [], meta: { current_page: 2_000_000_000, total: 4 } })
    }
  })

  test('each as it is when read alone', async () => {
    const { body } = await reseller.get(path)
    expect(body.meta.per_page).toBe(15)
    for (const team of body.data) expect(team).toEqual((await reseller.get(`${path}/${team.id}`)).body.data)
    expect(body.data[0]).toMatchObject({ is_paused: true, on_trial: false, monitors_count: 1 })
    expect(body.data[3]).toMatchObject({ is_paused: false, on_trial: true, monitors_count: 1, monitors_up_count: 1 })
  })

  test('nothing yet is an empty list', async () => {
    const { body } = await (await given.reseller({ scopes: ['teams:read'] })).get(path)
    expect(body).toMatchObject({ data: [], meta: { current_page: 1, last_page: 1, per_page: 15, total: 0 } })
  })

  test.each([
    ['sort=name', ['alpha', 'bravo', 'delta\\', 'Übermut _x']],
    ['sort=-name', ['Übermut _x', 'delta\\', 'bravo', 'alpha']],
    ['sort=name&sort_dir=desc', ['Übermut _x', 'delta\\', 'bravo', 'alpha']],
    ['sort=created_at', ['delta\\', 'Übermut _x', 'alpha', 'bravo']],
    ['sort=-created_at', ['delta\\', 'Übermut _x', 'alpha', 'bravo']],
    ['sort=created_at&sort_dir=asc', ['bravo', 'alpha', 'Übermut _x', 'delta\\']],
    ['sort=-monitors_count&per_page=1', ['alpha']],
    ['sort=monitors_count&page=4&per_page=1', ['alpha']],
    ['sort=monitors_count&sort_dir=desc&per_page=1', ['alpha']],
    ['plan=pro', ['delta\\', 'bravo']],
    ['sort=-monitors_count&has_incidents=true', ['alpha']],
    ['plan=pro,%20hobby&sort=name', ['bravo', 'delta\\', 'Übermut _x']],
    ['plan=', []],
    ['status=active&sort=name', ['alpha', 'bravo', 'Übermut _x']],
    ['status=paused', ['delta\\']],
    ['status=trial&sort=name', ['bravo', 'Übermut _x']],
    ['has_incidents=true', ['alpha']],
    ['has_incidents=0&sort=name', ['bravo', 'delta\\', 'Übermut _x']],
    ['has_incidents=1&plan=pro', []],
    [`trial_expires_before=${inDays(10)}`, ['bravo']],
    [`trial_expires_before=${inDays(60)}&sort=name`, ['bravo', 'Übermut _x']],
    [`trial_expires_before=${inDays(60).slice(0, 10)}&status=paused`, []],
    ['trial_expires_before=2001-01-01', []],
    ['trial_expires_before=0000-01-01T00:00:00Z', []],
    ['external_ref=x-1', ['bravo']],
    ['external_ref=X-1', []],
    ['external_ref=', []],
    ['search=ALPH', ['alpha']],
    ['search=%C3%BCBER', ['Übermut _x']],
    ['search=silver', ['Übermut _x']],
    ['search=gold&sort=name', ['bravo', 'delta\\']],
    ['search=50%25', ['bravo']],
    ['search=%25', ['bravo']],
    ['search=_', ['Übermut _x']],
    ['search=%5C', ['delta\\']],
    ['search=*', []],
    ["search=';drop", []],
    ['search=gold&plan=pro&status=paused&sort=-monitors_count&has_incidents=false', ['delta\\']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test.each([
    'per_page=0',
    'per_page=251',
    'per_page=-1',
    'per_page=ten',
    'per_page=1&per_page=2',
    'page=0',
    'page=99999999999',
    'sort=id',
    'sort=--name',
    'sort=name;drop',
    'sort=plan',
    'sort_dir=up',
    'status=broken',
    'status=active,paused',
    'plan=gold',
    'has_incidents=perhaps',
    'trial_expires_before=soon',
    'trial_expires_before=2024-02-30',
    'search=a%00b',
    `search=${'x'.repeat(201)}`,
    `external_ref=${'x'.repeat(256)}`,
  ])('refuses %s', async query => {
    expect((await reseller.get(`${path}?${query}`)).status).toBe(422)
  })

  test('takes no token but a reseller token with the scope', async () => {
    const [team, tenant] = [await given.team(reseller), await given.tenant()]
    await platform.query('update managed_teams set deleted_at = now() where id = $1', [team.id])
    for (const caller of [
      tenant,
      await given.token(reseller, 'ss', []),
      await given.token(reseller, 'rk', ['teams:write']),
    ])
      expect((await caller.get(path)).status).toBe(403)
    expect((await given.stranger().get(path)).status).toBe(401)
  })

  test('costs four statements at the most, however many teams it shows', async () => {
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    const texts = async (query: string) => {
      await reseller.get(`${path}?${query}`)
      spy.mockClear()
      await reseller.get(`${path}?${query}`)
      return spy.mock.calls.map(
        ([asked]) => (typeof asked === 'string' ? asked : (asked as { text?: string }).text) ?? '',
      )
    }
    for (const query of ['per_page=1', 'per_page=250&sort=-monitors_count&has_incidents=false&search=a']) {
      const work = (await texts(query)).filter(text => !/^(begin|commit)/i.test(text))
      expect(work.length, work.join('\n')).toBeLessThanOrEqual(4)
    }
    spy.mockRestore()
  })
})
