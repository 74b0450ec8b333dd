import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '#test/control-plane/serving.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { store } from './store-results.ts'

let team: CallerUnderTest
let monitor: string
let check: string
const minute = 60_000
const start = Math.floor(Date.now() / minute) * minute - 60 * minute
const regions = ['ap-south', 'eu-west', 'us-east']

beforeAll(async () => {
  team = await given.tenant()
  const { data } = (await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/', regions })).body
  monitor = data.id
  check = data.checks[0].id
  const results = Array.from({ length: 10 }, (_, round) =>
    regions.map(region => ({
      ...{ tenant: team.tenantId, monitor, check, region, due: start + round * minute },
      ...(region === 'us-east' &&
        round % 2 === 1 && {
          outcome: 'down' as const,
          code: 'timeout',
          reason: 'The target did not answer in time.',
          response_ms: null,
        }),
    })),
  ).flat()
  await store(results)
  // the same batch again, whose older half would be judged otherwise since
  await store(
    results.map((result, index) => ({
      ...result,
      received: result.due + 9_000,
      ...(index < 15 && { outcome: 'warning' as const }),
    })),
  )
})

const list = async (query = '', caller = team) => (await caller.get(`/checks/${check}/results?${query}`)).body

describe('GET /checks/{check}/results', () => {
  test('lists newest first, each result once, as it was judged first', async () => {
    const { data, meta } = await list('per_page=100')
    expect(data).toHaveLength(30)
    expect(meta).toEqual({
      next_cursor: null,
      prev_cursor: null,
      has_more: false,
      per_page: 100,
      history_waits_since: null,
    })
    expect(data[0]).toMatchObject({
      check_id: check,
      monitor_id: monitor,
      region: 'us-east',
      result: 'errored_or_timed_out',
      outcome: 'down',
      error_code: 'timeout',
      summary: 'The target did not answer in time.',
      response_ms: null,
    })
    expect(data[1]).toMatchObject({
      region: 'eu-west',
      result: 'succeeded',
      error_code: null,
      response_ms: 42.5,
      phases: { dns: null, connect: 3, tls: null, first_byte: 20, total: 42.5 },
      http_status: 200,
      seen: { status: 200 },
      due_at: `${new Date(start + 9 * minute).toISOString().slice(0, -1)}000Z`,
    })
    expect((await team.get(`/monitors/${monitor}/checks/${check}/results?per_page=100`)).body.data).toEqual(data)
  })

  test('pages by cursor in both directions', async () => {
    const all = (await list('per_page=100')).data
    const pages = []
    for (let page = await list('per_page=7'); ; page = await list(`per_page=7&cursor=${page.meta.next_cursor}`)) {
      pages.push(page)
      if (!page.meta.has_more) break
    }
    expect(pages.flatMap(page => page.data)).toEqual(all)
    for (let index = pages.length - 1; index > 0; index--)
      expect((await list(`per_page=7&cursor=${pages[index].meta.prev_cursor}`)).data).toEqual(pages[index - 1].data)
    expect(pages[0].meta.prev_cursor).toBeNull()
  })

  test.each([
    ['region=eu-west', 10],
    ['region=eu-west,ap-south', 20],
    ['region=mars', 0],
    ['outcome=down', 5],
    ['outcome=up', 25],
    ['outcome=up,down&region=us-east', 10],
    [`from=${new Date(start + 5 * minute).toISOString()}`, 15],
    [`to=${new Date(start + 5 * minute).toISOString()}`, 15],
    [`from=${new Date(start).toISOString()}&to=${new Date(start + minute).toISOString()}`, 3],
    ['from=2999-01-01', 0],
    ['to=0000-01-01', 0],
  ])('%s: %i', async (query, count) => {
    expect((await list(`per_page=100&${query}`)).data).toHaveLength(count)
  })

  test('a cursor works for this list of this tenant only', async () => {
    const cursor: string = (await list('per_page=5')).meta.next_cursor
    const other = await given.tenant()
    const theirs = (await other.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })).body.data
      .checks[0].id
    const status = async (caller: CallerUnderTest, path: string) => (await caller.get(path)).status
    expect(await status(other, `/checks/${theirs}/results?cursor=${cursor}`)).toBe(422)
    expect(await status(team, `/incidents?cursor=${cursor}`)).toBe(422)
    for (let index = 0; index < cursor.length; index += 3) {
      const flipped = cursor.slice(0, index) + (cursor[index] === 'A' ? 'B' : 'A') + cursor.slice(index + 1)
      expect(await status(team, `/checks/${check}/results?cursor=${flipped}`)).toBe(422)
    }
    expect(await status(team, `/checks/${check}/results?cursor=${'A'.repeat(1_001)}`)).toBe(422)
  })

  test.each(['per_page=0', 'per_page=101', 'outcome=broken', 'region=EU', 'from=yesterday', 'region=a%00b'])(
    'refuses %s',
    async query => {
      expect((await team.get(`/checks/${check}/results?${query}`)).status).toBe(422)
    },
  )

  test('does not find a check of another tenant', async () => {
    const other = await given.tenant()
    for (const path of [
      `/checks/${check}/results`,
      `/monitors/${monitor}/checks/${check}/results`,
      `/checks/${check}/timeseries`,
    ])
      expect((await other.get(path)).status).toBe(404)
    const second = (await team.post('/monitors', { name: 'Second', url: 'https://shop.example.com/' })).body.data.id
    expect((await team.get(`/monitors/${second}/checks/${check}/results`)).status).toBe(404)
  })

  test('is limited to the retention of the plan', async () => {
    await store([{ tenant: team.tenantId, monitor, check, region: 'eu-west', due: Date.now() - 20 * 86_400_000 }])
    expect((await list('per_page=100')).data).toHaveLength(31)
    await app.services.platform.query(`update tenants set plan = 'free' where id = $1`, [team.tenantId])
    expect((await list('per_page=100')).data).toHaveLength(30)
  })
})

describe('results in other endpoints', () => {
  test('a check shows the newest result of each region', async () => {
    const { data } = (await team.get(`/checks/${check}`)).body
    expect(data).toMatchObject({ latest_result: 'succeeded', latest_run_at: data.region_results[2].at })
    expect(data.region_results).toMatchObject([
      { region: 'ap-south', result: 'succeeded', response_ms: 42.5, error_code: null },
      { region: 'eu-west', result: 'succeeded' },
      {
        region: 'us-east',
        result: 'errored_or_timed_out',
        response_ms: null,
        error_code: 'timeout',
        summary: 'The target did not answer in time.',
      },
    ])
    expect(Date.parse(data.next_check_at)).toBeGreaterThan(Date.now() - 5_000)
  })

  test('a monitor shows its last check', async () => {
    const { data } = (await team.get(`/monitors/${monitor}`)).body
    expect(Date.parse(data.last_checked_at)).toBe(start + 9 * minute + 5)
    const wait = Date.parse(data.next_check_at) - Date.now()
    expect(wait).toBeGreaterThan(-5_000)
    expect(wait).toBeLessThanOrEqual(100_000) // three regions take turns in the plan's five minutes
  })

  test('a list of monitors shows a later check within seconds', async () => {
    const lastCheckedAt = async () => {
      const { data } = (await team.get('/monitors')).body
      return Date.parse(data.find(({ id }: { id: string }) => id === monitor).last_checked_at)
    }
    expect(await lastCheckedAt()).toBe(start + 9 * minute + 5)
    await store([{ tenant: team.tenantId, monitor, check, region: 'eu-west', due: start + 20 * minute }])
    await eventually(async () => (await lastCheckedAt()) === start + 20 * minute + 5 || undefined)
  })
})
