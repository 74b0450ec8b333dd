import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { judge } from '#analytics/ingest/judge.ts'
import { encodeRow } from '#analytics/ingest/rows.ts'
import { allShards } from '#control-plane/base/shards.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { RequestedRuns } from '#control-plane/engine/assignments/requested-runs.ts'
import { runInRegions } from '#control-plane/monitoring/checks/run-in-regions.ts'
import { makeCheck, resultOf } from '#test/analytics/given.ts'
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

  test('answers with what the regions found before it is stored, and while the store is away', async () => {
    const check_ = makeCheck('uptime', {}, team.tenantId)
    const lineOf = (region: string, excerpt: string, request: string) => {
      const result = resultOf({ ...check_, check, monitor }, Date.now(), { excerpt, reason: 'asked', request })
      const judged = judge(result, { ...check_, check, monitor }, { recall: () => undefined })!
      const origin = { region, agent: crypto.randomUUID(), receivedAt: Date.now(), version: 1 }
      return encodeRow(result, { ...check_, check, monitor }, judged, origin)
    }
    const runs = new RequestedRuns({
      services: { ...app.services, listener },
      find: () => ({ rules: { regions: all } }) as unknown as Assigned,
      settled: async () => undefined,
      connected: async () => undefined,
      send: (region, { request }) => {
        const excerpt = region === 'us-east' ? 'ü'.repeat(5_000) : 'Hello'
        setTimeout(() => runs.completed({ request: request!, check, region, row: lineOf(region, excerpt, request!) }))
        return true
      },
      shards: allShards,
    })
    runs.start()
    try {
      const { status, body } = await team.post(`/checks/${check}/request-run`)
      expect(status).toBe(200)
      expect(body.data).toMatchObject({ asked: all, silent: [] })
      const of = (region: string) => body.data.results.find((result: { region: string }) => result.region === region)
      expect(of('eu-west')).toMatchObject({ outcome: 'up', excerpt: 'Hello', seen: { status: 200 }, http_status: 200 })
      expect(of('us-east')).toMatchObject({ outcome: 'up', excerpt: null, seen: null, http_status: 200 })
    } finally {
      runs.stop()
    }
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
    const answers = await runInRegions(app.services, { request, check, tenant: team.tenantId }, 300)
    expect([...answers.keys()]).toEqual(['eu-west'])
    expect(performance.now() - started).toBeGreaterThanOrEqual(299)
  })
})
