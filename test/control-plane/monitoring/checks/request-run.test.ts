import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { askRegions } from '#control-plane/monitoring/checks/ask-regions.ts'
import { store } from '#test/control-plane/monitoring/results/looks.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

let team: CallerUnderTest
let monitor: string
let check: string
let stop: () => void
let asked: { request: string; check: string }[]

const { listener, platform } = app.services
const tell = (notice: unknown) =>
  platform.query(`select pg_notify('looked', $1)`, [typeof notice === 'string' ? notice : JSON.stringify(notice)])

/** Plays the part of ingest: hears what is asked, stores results, tells. */
const regionsAnswer = (answer: (look: { request: string; check: string }) => Promise<void>) => {
  stop = listener.on('look', payload => {
    const look = JSON.parse(payload)
    asked.push(look)
    void answer(look)
  })
}

const all = ['ap-south', 'eu-west', 'us-east']
const looked = async ({ request }: { request: string }, regions: string[], of = all) => {
  await store(
    regions.map(region => ({ tenant: team.tenantId, monitor, check, region, due: Date.now(), attempt: 1, request })),
  )
  for (const region of regions) await tell({ request, check, region, asked: of })
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
  test('answers what every region saw', async () => {
    regionsAnswer(async look => {
      await tell('no notice at all')
      await tell({ request: crypto.randomUUID(), check, region: 'eu-west', asked: ['eu-west'] })
      await looked(look, all)
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

  test('says at once when nobody can be asked', async () => {
    regionsAnswer(({ request }) => tell({ request, check, region: null, asked: [] }).then(() => undefined))
    const { body } = await team.post(`/monitors/${monitor}/checks/${check}/request-run`)
    expect(body.data).toMatchObject({ asked: all, silent: all, results: [] })
  })

  test('names the region that cannot be asked as silent', async () => {
    await team.patch(`/monitors/${monitor}`, { regions: ['eu-west', 'us-east'] })
    regionsAnswer(look => looked(look, ['eu-west'], ['eu-west']))
    const { body } = await team.post(`/checks/${check}/request-run`)
    expect(body.data).toMatchObject({ asked: ['eu-west', 'us-east'], silent: ['us-east'] })
    expect(body.data.results).toHaveLength(1)
  })

  test('asked many times at once, looks once', async () => {
    regionsAnswer(async look => {
      await new Promise(resolve => setTimeout(resolve, 500))
      await looked(look, all)
    })
    const answers = await Promise.all(Array.from({ length: 5 }, () => team.post(`/checks/${check}/request-run`)))
    expect(asked).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.data.request_id)).size).toBe(1)
    await team.post(`/checks/${check}/request-run`)
    expect(asked).toHaveLength(2)
  })

  test('a check that is not looked at is refused, and nobody is asked', async () => {
    regionsAnswer(async () => undefined)
    await team.post(`/checks/${check}/disable`)
    expect((await team.post(`/checks/${check}/request-run`)).body.code).toBe('not_running')
    await team.post(`/checks/${check}/enable`)
    await team.post(`/monitors/${monitor}/disable`)
    expect((await team.post(`/checks/${check}/request-run`)).status).toBe(422)
    expect(asked).toEqual([])
  })

  test('waits no longer than it has patience', async () => {
    const request = crypto.randomUUID()
    regionsAnswer(look => tell({ request: look.request, check, region: 'eu-west', asked: all }).then(() => undefined))
    const started = performance.now()
    expect([...(await askRegions(app.services, { request, check }, 300))]).toEqual(['eu-west'])
    expect(performance.now() - started).toBeGreaterThanOrEqual(299)
  })
})
