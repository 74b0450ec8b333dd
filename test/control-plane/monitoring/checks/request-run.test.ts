import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runInRegions } from '#control-plane/monitoring/checks/run-in-regions.ts'
import { store } from '#test/control-plane/monitoring/results/store-results.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

let team: CallerUnderTest
let monitor: string
let check: string
let stop: () => void
let asked: { request: string; check: string }[]

const { listener, platform } = app.services
const notify = (notice: unknown) =>
  platform.query(`select pg_notify('run_results', $1)`, [typeof notice === 'string' ? notice : JSON.stringify(notice)])

/** Acts as ingest: receives requested runs, stores their results, and notifies. */
const regionsAnswer = (answer: (run: { request: string; check: string }) => Promise<void>) => {
  stop = listener.on('run_requests', payload => {
    const run = JSON.parse(payload)
    asked.push(run)
    void answer(run)
  })
}

const all = ['ap-south', 'eu-west', 'us-east']
const storeAndNotify = async ({ request }: { request: string }, regions: string[], of = all) => {
  await store(
    regions.map(region => ({ tenant: team.tenantId, monitor, check, region, due: Date.now(), attempt: 1, request })),
  )
  for (const region of regions) await notify({ request, check, region, asked: of })
}

beforeEach(async () => {
  asked = []
  stop = () => undefined
  team = await given.tenant()
  const { data } = (await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/', regions: all })).body
  monitor = data.id
  check = data.checks[0].id
})
afterEach(() => stop())

describe('POST /checks/{check}/request-run', () => {
  test('answers with the result of every region', async () => {
    regionsAnswer(async run => {
      await notify('no notice at all')
      await notify({ request: crypto.randomUUID(), check, region: 'eu-west', asked: ['eu-west'] })
      await storeAndNotify(run, all)
    })
    const { status, body } = await team.post(`/checks/${check}/request-run`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({ request_id: asked[0]!.request, check_id: check, asked: all, silent: [] })
    expect(body.data.results).toHaveLength(3)
    for (const result of body.data.results)
      expect(result).toMatchObject({
        result: 'succeeded',
        reason: 'asked',
        request_id: asked[0]!.request,
        phases: { total: 42.5 },
      })
    expect((await app.audited(team)).at(-1)).toBe('check.run_requested')
  })

  test('answers at once when no region has an agent', async () => {
    regionsAnswer(({ request }) => notify({ request, check, region: null, asked: [] }).then(() => undefined))
    const { body } = await team.post(`/monitors/${monitor}/checks/${check}/request-run`)
    expect(body.data).toMatchObject({ asked: all, silent: all, results: [] })
  })

  test('lists a region without an agent as silent', async () => {
    await team.patch(`/monitors/${monitor}`, { regions: ['eu-west', 'us-east'] })
    regionsAnswer(run => storeAndNotify(run, ['eu-west'], ['eu-west']))
    const { body } = await team.post(`/checks/${check}/request-run`)
    expect(body.data).toMatchObject({ asked: ['eu-west', 'us-east'], silent: ['us-east'] })
    expect(body.data.results).toHaveLength(1)
  })

  test('runs once for concurrent requests', async () => {
    regionsAnswer(async run => {
      await new Promise(resolve => setTimeout(resolve, 500))
      await storeAndNotify(run, all)
    })
    const answers = await Promise.all(Array.from({ length: 5 }, () => team.post(`/checks/${check}/request-run`)))
    expect(asked).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.data.request_id)).size).toBe(1)
    await team.post(`/checks/${check}/request-run`)
    expect(asked).toHaveLength(2)
  })

  test('refuses a check that is not running, and requests no run', async () => {
    regionsAnswer(async () => undefined)
    await team.post(`/checks/${check}/disable`)
    expect((await team.post(`/checks/${check}/request-run`)).body.code).toBe('not_running')
    await team.post(`/checks/${check}/enable`)
    await team.post(`/monitors/${monitor}/disable`)
    expect((await team.post(`/checks/${check}/request-run`)).status).toBe(422)
    expect(asked).toEqual([])
  })

  test('stops waiting after its timeout', async () => {
    const request = crypto.randomUUID()
    regionsAnswer(run => notify({ request: run.request, check, region: 'eu-west', asked: all }).then(() => undefined))
    const started = performance.now()
    expect([...(await runInRegions(app.services, { request, check, tenant: team.tenantId }, 300))]).toEqual(['eu-west'])
    expect(performance.now() - started).toBeGreaterThanOrEqual(299)
  })
})
