import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { spans } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

let team: CallerUnderTest
const names = async (query: string) => {
  const { status, body } = await team.get(`/monitors?${query}`)
  expect(status, query).toBe(200)
  return body.data.map((monitor: { name: string }) => monitor.name)
}

beforeAll(async () => {
  team = await given.tenant()
  const { status } = await team.post('/monitors/bulk', {
    monitors: [
      {
        name: 'bravo',
        url: 'https://c.example.com/',
        check_interval: 60,
        tags: ['eu', 'shop'],
        group: 'Shops',
        external_ref: 'x-1',
      },
      { name: 'alpha', url: 'https://a.example.com/', check_interval: 300, tags: ['eu'], is_enabled: false },
      {
        name: 'Überblick 50% _x',
        url: 'https://b.example.com/path',
        check_interval: 120,
        checks: [{ type: 'ssl' }, { type: 'dns' }],
      },
      { name: 'delta', type: 'host', url: 'd.example.com', check_interval: 30, tags: ['shop'] },
    ],
  })
  expect(status).toBe(201)
  const { platform } = app.services
  await platform.query(`update monitors set status = 'up' where tenant_id = $1 and name = 'bravo'`, [team.tenantId])
  await platform.query(
    `update monitors set status = 'down', status_reason = 'The host did not answer.'
     where tenant_id = $1 and name in ('delta', 'alpha')`,
    [team.tenantId],
  )
})

describe('GET /monitors', () => {
  test('newest first, by pages', async () => {
    const { body } = await team.get('/monitors?per_page=3')
    expect(body.data.map((monitor: { name: string }) => monitor.name)).toEqual(['delta', 'Überblick 50% _x', 'alpha'])
    expect(body.meta).toEqual({ current_page: 1, last_page: 2, per_page: 3, total: 4 })
    expect(body.links.prev).toBeNull()
    expect(new URL(body.links.next).searchParams.get('page')).toBe('2')
    expect(await names('per_page=3&page=2')).toEqual(['bravo'])
    expect((await team.get('/monitors?per_page=3&page=1000000000')).body).toMatchObject({
      data: [],
      meta: { total: 4, last_page: 2 },
    })
  })

  test('nothing yet is an empty list', async () => {
    const { body } = await (await given.tenant()).get('/monitors')
    expect(body).toMatchObject({ data: [], meta: { current_page: 1, last_page: 1, per_page: 15, total: 0 } })
  })

  test.each([
    ['sort=name', ['alpha', 'bravo', 'delta', 'Überblick 50% _x']],
    ['sort=name&sort_dir=desc', ['Überblick 50% _x', 'delta', 'bravo', 'alpha']],
    ['sort=-name', ['Überblick 50% _x', 'delta', 'bravo', 'alpha']],
    ['sort=-name&sort_dir=asc', ['alpha', 'bravo', 'delta', 'Überblick 50% _x']],
    ['sort=-created_at', ['delta', 'Überblick 50% _x', 'alpha', 'bravo']],
    ['sort=url', ['delta', 'alpha', 'Überblick 50% _x', 'bravo']],
    ['sort=check_interval', ['delta', 'bravo', 'Überblick 50% _x', 'alpha']],
    ['sort=check_interval&sort_dir=desc', ['alpha', 'Überblick 50% _x', 'bravo', 'delta']],
    ['sort=created_at&sort_dir=asc', ['bravo', 'alpha', 'Überblick 50% _x', 'delta']],
    // without a verdict before one that is up
    ['sort=status', ['delta', 'Überblick 50% _x', 'bravo', 'alpha']],
    ['sort=-status', ['alpha', 'bravo', 'Überblick 50% _x', 'delta']],
    ['sort=status&status=up,paused', ['bravo', 'alpha']],
    ['sort=status&per_page=2&page=2', ['bravo', 'alpha']],
    ['is_enabled=false', ['alpha']],
    ['is_enabled=1&status=down', ['delta']],
    ['status=paused', ['alpha']],
    ['status=up,down&sort=name', ['bravo', 'delta']],
    ['status=maintenance', []],
    ['status=pending', ['Überblick 50% _x']],
    ['status=pending,paused&sort=name', ['alpha', 'Überblick 50% _x']],
    ['check_type=ssl', ['Überblick 50% _x']],
    ['check_type=ping,dns&sort=name', ['delta', 'Überblick 50% _x']],
    ['tag=eu&sort=name', ['alpha', 'bravo']],
    ['tag=eu,shop', ['bravo']],
    ['tag=eu&tag=shop', ['bravo']],
    ['tag=none', []],
    ['tag=', ['delta', 'Überblick 50% _x', 'alpha', 'bravo']],
    ['tag=%27%3B%22%7B%7D', []],
    ['status=', []],
    ['check_type=,', []],
    ['group=', []],
    ['group=Shops', ['bravo']],
    ['external_ref=x-1', ['bravo']],
    ['search=ALPH', ['alpha']],
    ['search=%C3%9CBER', ['Überblick 50% _x']],
    ['search=50%25', ['Überblick 50% _x']],
    ['search=_', ['Überblick 50% _x']],
    ['search=b.example', ['Überblick 50% _x']],
    ['search=%5C', []],
    ["search=';drop", []],
    ['created_after=2001-01-01&sort=name&per_page=1', ['alpha']],
    ['created_after=2999-01-01', []],
    ['created_before=2001-01-01T00:00:00Z', []],
    ['created_before=0000-01-01T00:00:00Z', []],
    ['created_before=9999-12-31T23:59:59.999Z&per_page=1', ['delta']],
  ])('%s', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test.each([
    'per_page=0',
    'per_page=101',
    'per_page=-1',
    'per_page=1e2',
    'per_page=NaN',
    'per_page=50;drop',
    'per_page=1&per_page=2',
    'page=0',
    'page=99999999999',
    'sort=id',
    'sort=name;drop',
    'sort=--name',
    'sort=-',
    'sort=+name',
    'sort_dir=up',
    'status=broken',
    'is_enabled=perhaps',
    'check_type=teapot',
    'created_after=yesterday',
    'created_after=2024-02-30',
    'created_after=999999-01-01T00:00:00Z',
    'search=a%00b',
    `search=${'x'.repeat(201)}`,
  ])('refuses %s', async query => {
    expect((await team.get(`/monitors?${query}`)).status).toBe(422)
  })

  test('shows status, reason and whether a monitor is paused', async () => {
    const { body } = await team.get('/monitors?sort=name')
    expect(body.data[0]).toMatchObject({
      name: 'alpha',
      status: 'paused',
      status_reason: 'Disabled.',
      next_check_at: null,
    })
    expect(body.data[2]).toMatchObject({ name: 'delta', status: 'down', status_reason: 'The host did not answer.' })
  })

  test('another tenant’s monitors are not among them', async () => {
    const other = await given.tenant()
    expect((await other.get('/monitors?search=alpha')).body.meta.total).toBe(0)
  })

  test('a page costs the same statements, however many monitors it holds', async () => {
    const spy = vi.spyOn(pg.Client.prototype, 'query')
    const statements = async (query: string, length: number) => {
      spy.mockClear()
      expect((await team.get(`/monitors?${query}`)).body.data).toHaveLength(length)
      return spy.mock.calls.length
    }
    const one = await statements('per_page=1', 1)
    expect(await statements('per_page=100&sort=name&status=up,down,paused', 3)).toBe(one)
    // token, begin, tenant, count, page, checks, commit
    expect(one).toBeLessThanOrEqual(8)
    spy.mockRestore()
  })
})

test('by status the worst come first, those of one status by name, and what is shown decides', async () => {
  const owner = await given.tenant()
  const { platform } = app.services
  const make = async (name: string, status: string | null, fields: object = {}) => {
    const { body } = await owner.post('/monitors', { name, url: 'https://shop.example/', ...fields })
    await platform.query('update monitors set status = $2 where id = $1', [body.data.id, status])
    return body.data.id as string
  }
  await make('paused while down', 'down', { is_enabled: false })
  for (const name of ['b', 'a']) {
    await make(`up ${name}`, 'up')
    await make(`new ${name}`, null)
    await make(`warning ${name}`, 'warning')
    await make(`down ${name}`, 'down')
  }
  await spans(owner, { id: await make('maintenance while down', 'down') }, [{ from: Date.now() - 60_000, to: null }])
  const sorted = async (query: string) => {
    const { body } = await owner.get(`/monitors?per_page=50&${query}`)
    return body.data.map((monitor: { name: string }) => monitor.name)
  }
  const worstFirst = [
    ...['down a', 'down b', 'warning a', 'warning b', 'new a', 'new b', 'maintenance while down'],
    ...['up a', 'up b', 'paused while down'],
  ]
  expect(await sorted('sort=status')).toEqual(worstFirst)
  expect(await sorted('sort=status&search=down')).toEqual([
    ...['down a', 'down b', 'maintenance while down', 'paused while down'],
  ])
  expect(await sorted('sort=-status')).toEqual([
    ...['paused while down', 'up a', 'up b', 'maintenance while down', 'new a', 'new b'],
    ...['warning a', 'warning b', 'down a', 'down b'],
  ])
})
