import { beforeAll, describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { store } from './store-results.ts'

let team: CallerUnderTest
let monitor: string
let check: string
let other: string
const minute = 60_000
const hour = 60 * minute
const start = Math.floor(Date.now() / hour) * hour - 5 * hour

beforeAll(async () => {
  team = await given.tenant()
  const { data } = (
    await team.post('/monitors', {
      name: 'Shop',
      url: 'https://shop.example.com/',
      checks: [{ type: 'uptime' }, { type: 'ssl' }],
    })
  ).body
  monitor = data.id
  check = data.checks[0].id
  other = data.checks[1].id
  const own = { tenant: team.tenantId, monitor, check }
  const open = start + 4 * hour
  const results = [
    { ...own, region: 'eu-west', due: open, response_ms: 10 },
    { ...own, region: 'us-east', due: open + 20_000, response_ms: 30 },
    { ...own, region: 'eu-west', due: open + minute, outcome: 'down' as const, response_ms: null },
    { ...own, region: 'eu-west', due: open + 2 * minute, outcome: 'warning' as const, response_ms: 100 },
    { ...own, check: other, region: 'eu-west', due: open, response_ms: 7 },
  ]
  await store(results)
  await store(results.map(result => ({ ...result, received: result.due + 9_000 })))
  await app.services.clickhouse.insert({
    table: 'results_by_hour',
    format: 'JSONEachRow',
    clickhouse_settings: { date_time_input_format: 'best_effort' },
    values: [1, 2].map(version => ({
      ...{
        tenant_id: team.tenantId,
        monitor_id: monitor,
        check_id: check,
        hour: new Date(start).toISOString(),
        region: 'eu-west',
        version,
      },
      ...{
        total: 60,
        good: 58,
        warning: 1,
        failed: 1,
        unknown: 0,
        response_count: 59,
        response_us_sum: 59 * version * 10_000,
        response_us_min: 5_000,
        response_us_max: 90_000,
      },
    })),
  })
})

const at = (ms: number) => `${new Date(ms).toISOString().slice(0, -1)}000Z`
const span = `from=${new Date(start).toISOString()}&to=${new Date(start + 5 * hour).toISOString()}`
const read = async (query: string, id = check) => (await team.get(`/checks/${id}/timeseries?${query}`)).body

describe('GET /checks/{check}/timeseries', () => {
  test('closed hours from the roll-ups, the open one from single results, each result once', async () => {
    const { data, meta } = await read(`${span}&bucket=hour`)
    expect(meta).toEqual({ from: at(start), to: at(start + 5 * hour), bucket: 'hour', history_waits_since: null })
    expect(data).toEqual([
      {
        at: at(start),
        total_checks: 60,
        succeeded: 58,
        warnings: 1,
        failed: 1,
        avg_response_ms: 20,
        min_response_ms: 5,
        max_response_ms: 90,
      },
      {
        at: at(start + 4 * hour),
        total_checks: 4,
        succeeded: 2,
        warnings: 1,
        failed: 1,
        avg_response_ms: 46.667,
        min_response_ms: 10,
        max_response_ms: 100,
      },
    ])
    expect((await team.get(`/monitors/${monitor}/checks/${check}/timeseries?${span}&bucket=hour`)).body.data).toEqual(
      data,
    )
  })

  test('by minute, and by region', async () => {
    const { data } = await read(`${span}&bucket=minute`)
    expect(
      data.map((point: { at: string; total_checks: number; avg_response_ms: number }) => [
        point.at,
        point.total_checks,
        point.avg_response_ms,
      ]),
    ).toEqual([
      [at(start + 4 * hour), 2, 20],
      [at(start + 4 * hour + minute), 1, null],
      [at(start + 4 * hour + 2 * minute), 1, 100],
    ])
    expect((await read(`${span}&bucket=minute&region=us-east`)).data).toHaveLength(1)
    expect((await read(`${span}&bucket=minute&region=mars`)).data).toEqual([])
  })

  test('by default the last day, in buckets that fit', async () => {
    expect((await read('')).meta.bucket).toBe('five_minutes')
    expect((await read('from=2020-01-01&to=2020-01-02')).data).toEqual([])
    expect((await read('from=2020-01-01&to=2020-01-20')).meta.bucket).toBe('hour')
    expect((await read('from=2020-01-01&to=2020-12-31')).meta.bucket).toBe('day')
  })

  test.each([
    'from=0001-01-01&to=0001-01-02',
    'from=1969-12-31&to=1970-01-02',
    'from=2999-01-01&to=2999-01-02',
    'from=9998-12-31&to=9999-12-31',
  ])('has no points for %s', async query => {
    expect((await read(query)).data).toEqual([])
  })

  test.each([
    'bucket=week',
    'from=2020-01-02&to=2020-01-01',
    'from=2020-01-01&to=2020-01-01',
    'from=2999-01-01',
    'from=2020-01-01&to=2020-01-03&bucket=minute',
    'from=2020-01-01&to=2020-01-05&bucket=five_minutes',
    'from=2020-01-01&to=2020-03-01&bucket=hour',
    'from=2018-01-01&to=2020-01-01',
    'from=0000-01-01&to=9999-01-01&bucket=day',
    'from=now',
  ])('refuses %s', async query => {
    expect((await team.get(`/checks/${check}/timeseries?${query}`)).status).toBe(422)
  })
})

describe('POST /checks/timeseries-batch', () => {
  const batch = (check_ids: unknown, fields: Record<string, unknown> = {}, caller = team) =>
    caller.post('/checks/timeseries-batch', {
      check_ids,
      from: new Date(start).toISOString(),
      to: new Date(start + 5 * hour).toISOString(),
      bucket: 'hour',
      ...fields,
    })

  test('many at once, in the order asked, twice counted once', async () => {
    const { status, body } = await batch([other, check, other])
    expect(status).toBe(200)
    expect(
      body.data.map((series: { check_id: string; points: unknown[] }) => [series.check_id, series.points.length]),
    ).toEqual([
      [other, 1],
      [check, 2],
    ])
    expect(body.data[1].points).toEqual((await read(`${span}&bucket=hour`)).data)
  })

  test('another tenant’s and unknown checks are left out', async () => {
    const stranger = await given.tenant()
    expect((await batch([check, other], {}, stranger)).body.data).toEqual([])
    expect((await batch([crypto.randomUUID(), check])).body.data).toHaveLength(1)
  })

  test('two hundred, not two hundred and one, nor too many points', async () => {
    const ids = Array.from({ length: 201 }, () => crypto.randomUUID())
    expect((await batch(ids.slice(0, 200))).status).toBe(200)
    expect((await batch(ids)).status).toBe(422)
    expect((await batch([])).status).toBe(422)
    expect((await batch('all')).status).toBe(422)
    expect((await batch(ids.slice(0, 200), { bucket: 'minute' })).body.errors.bucket[0]).toContain('50000 points')
  })

  test('with the slowest twentieth over the whole span, of all or some regions, where it is asked for', async () => {
    const slow = async (fields: Record<string, unknown>) =>
      (
        await batch([check, other], { from: new Date(start + 4 * hour).toISOString(), p95: true, ...fields })
      ).body.data.map(({ p95_response_ms }: { p95_response_ms: number | null }) => p95_response_ms)
    expect(await slow({})).toEqual([expect.closeTo(100, -1), expect.closeTo(7, 0)])
    expect(await slow({ regions: ['us-east'] })).toEqual([expect.closeTo(30, -1), null])
    expect(await slow({ bucket: 'minute' })).toEqual([expect.closeTo(100, -1), expect.closeTo(7, 0)])
    expect((await batch([check], { p95: true }, await given.tenant())).body.data).toEqual([])
    expect((await batch([check], { p95: 'yes' })).status).toBe(422)
    expect('p95_response_ms' in (await batch([check])).body.data[0]).toBe(false)
  })

  test('is available to the reseller of the team', async () => {
    const [reseller, rival] = [await given.reseller({ scopes: ['monitors:read'] }), await given.reseller()]
    const managed = await given.team(reseller)
    const made = (await managed.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })).body.data
    const id = made.checks[0].id
    const path = `${managed.path}/checks/timeseries-batch`
    expect((await reseller.post(path, { check_ids: [id, check] })).body.data).toEqual([{ check_id: id, points: [] }])
    expect((await rival.post(path, { check_ids: [id] })).status).toBe(403)
    expect((await reseller.get(`${managed.path}/monitors/${made.id}/checks/${id}/timeseries`)).status).toBe(200)
    expect((await reseller.get(`${managed.path}/monitors/${monitor}/checks/${check}/timeseries`)).status).toBe(404)
    expect((await reseller.get(`${managed.path}/monitors/${made.id}/checks/${id}/results`)).body.data).toEqual([])
  })
})
