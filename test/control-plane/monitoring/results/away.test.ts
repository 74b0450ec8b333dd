import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { markedAway } from '#analytics/client.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

let team: CallerUnderTest
let monitor: string
let check: string

beforeAll(async () => {
  team = await given.tenant()
  const { data } = (await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/' })).body
  monitor = data.id
  check = data.checks[0].id
})
afterEach(() => vi.restoreAllMocks())

describe('while ClickHouse', () => {
  test('is away, monitors and checks can be read and changed, single results not', async () => {
    vi.spyOn(app.services.clickhouse, 'query').mockRejectedValue(
      markedAway(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })),
    )
    expect((await team.get('/monitors')).body.data[0]).toMatchObject({ id: monitor, last_checked_at: null })
    expect((await team.patch(`/monitors/${monitor}`, { name: 'Store' })).body.data.name).toBe('Store')
    expect((await team.get(`/checks/${check}`)).body.data).toMatchObject({
      latest_result: 'pending',
      region_results: [],
    })
    for (const path of ['results', 'timeseries']) {
      const { status, headers } = await team.get(`/checks/${check}/${path}`)
      expect(status).toBe(503)
      expect(headers.get('Retry-After')).toBe('1')
    }
  })

  test('does not answer, a list waits no longer than two seconds for it', async () => {
    vi.spyOn(app.services.clickhouse, 'query').mockReturnValue(new Promise(() => undefined))
    const began = performance.now()
    expect((await team.get('/monitors')).status).toBe(200)
    expect(performance.now() - began).toBeLessThan(4_000)
  })
})
