import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { installationFindings } from '#cli/commands/doctor-installation.ts'
import { agentHeaders } from '#contract/agent.ts'
import { stamp } from '#contract/time.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { Relay } from '#test/control-plane/relay.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { openDatabases } from '#test/support/databases.ts'
import { RawAgent } from './raw-agent.ts'

const minuteMs = 60_000
let served: Serving
let toClickhouse: Relay

interface Team {
  watched: { monitor: string; check: string }
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is checked by the contract in other tests
  get(path: string): Promise<{ status: number; body: any }>
}

beforeAll(async () => {
  const { clickhouseUrl } = await openDatabases('history_waits')
  toClickhouse = new Relay(clickhouseUrl)
  await toClickhouse.mend()
  served = await serving('history_waits', {
    roles: ['api', 'ingest'],
    config: { clickhouseUrl: toClickhouse.of(clickhouseUrl) },
  })
})
afterAll(async () => {
  await served?.close()
  await toClickhouse?.cut()
})

async function aTeam(): Promise<Team> {
  const [tenantId, userId] = [await served.tenant(), randomUUID()]
  await served.platform.query(`insert into users (id, name, email, home_tenant_id) values ($1, 'Pat', $3, $2)`, [
    userId,
    tenantId,
    `${userId}@people.test`,
  ])
  await served.platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, [
    userId,
    tenantId,
  ])
  const token = { kind: 'ss' as const, tenantId, userId, name: 'test', scopes: [], expiresAt: null }
  const { plain } = await createToken(served.platform, token)
  return {
    watched: await served.monitor(tenantId, 'http://127.0.0.1:1'),
    async get(path) {
      const response = await fetch(`${served.plane.baseUrl}/api/v1${path}`, {
        headers: { Authorization: `Bearer ${plain}` },
      })
      return { status: response.status, body: await response.json() }
    },
  }
}

async function working({ watched }: Team, region: string) {
  const agent = await RawAgent.enrolled(served, region)
  const stream = await (await agent.work()).synced()
  await eventually(() => (stream.checks.has(watched.check) ? true : undefined))
  return { agent, generation: stream.generation }
}

const regionSays = async ({ get }: Team, region: string) =>
  (await get('/regions')).body.data.find(({ name }: { name: string }) => name === region).history_waits_since
const says = (team: Team, region: string, isRight: (since: string | null) => boolean) =>
  eventually(async () => (isRight(await regionSays(team, region)) ? true : undefined))

/** What each answer about the history says, where it ends now and where it ended an hour ago. */
async function everywhere({ watched, get }: Team) {
  const day = new Date().toISOString().slice(0, 10)
  const span = (from: number, to: number) =>
    `from=${new Date(Date.now() - from * minuteMs).toISOString()}&to=${new Date(Date.now() - to * minuteMs).toISOString()}`
  const series = async (query: string) =>
    (await get(`/checks/${watched.check}/timeseries?${query}`)).body.meta.history_waits_since
  const results = async (query: string) =>
    (await get(`/checks/${watched.check}/results?${query}`)).body.meta.history_waits_since
  return {
    dashboard: (await get('/dashboard/stats')).body.data.history_waits_since,
    series: await series(span(120, 0)),
    earlierSeries: await series(span(180, 60)),
    results: await results(''),
    earlierResults: await results(span(180, 60)),
    report: (await get(`/monitors/${watched.monitor}/report?from=${day}&to=${day}`)).body.data.history_waits_since,
    monthlyReport: (await get('/monthly-report')).body.data.history_waits_since,
  }
}

const readiness = async () => {
  const response = await fetch(`${served.plane.baseUrl}/readyz`)
  return { status: response.status, text: await response.text() }
}
const metric = async () => (await served.plane.services.metrics.historyWaits.get()).values[0]?.value
const doctor = async () =>
  (
    await installationFindings({
      DATABASE_PLATFORM_URL: served.config.platformUrl,
      CLICKHOUSE_URL: served.config.clickhouseUrl,
    })
  ).find(({ title }) => title === 'History')

test('since when results wait is said by each answer that lacks them, by /readyz, the doctor and a metric, until none waits', async () => {
  const team = await aTeam()
  const { agent, generation } = await working(team, 'eu-west')
  const sinceMs = Date.now() - 10 * minuteMs
  const since = stamp(new Date(sinceMs))
  const earlier = { earlierSeries: null, earlierResults: null, monthlyReport: null }
  const nothing = { ...earlier, dashboard: null, series: null, results: null, report: null }
  await agent.beat(generation, { unstored_since_ms: null })
  expect(await everywhere(team)).toEqual(nothing)
  expect(await doctor()).toMatchObject({ state: 'good', words: 'all results are stored' })

  expect((await agent.beat(generation, { unstored_since_ms: sinceMs })).status).toBe(200)
  await says(team, 'eu-west', said => said === since)
  const said = { ...earlier, dashboard: since, series: since, results: since, report: since }
  expect(await everywhere(team)).toEqual(said)
  expect(await readiness()).toEqual({ status: 200, text: expect.stringContaining(new Date(sinceMs).toISOString()) })
  expect(await doctor()).toMatchObject({ state: 'bad', words: expect.stringContaining('wait to be stored') })
  expect(await metric()).toBeGreaterThanOrEqual(600)
  // the report of last month lacks what waits since then
  await agent.beat(generation, { unstored_since_ms: sinceMs - 40 * 24 * 60 * minuteMs })
  await says(team, 'eu-west', said => said !== since)
  expect((await everywhere(team)).monthlyReport).toBe(await regionSays(team, 'eu-west'))
  await agent.beat(generation, { unstored_since_ms: sinceMs })
  await says(team, 'eu-west', said => said === since)

  await served.restart(['api', 'ingest'])
  expect(await regionSays(team, 'eu-west')).toBe(since)
  await agent.login()
  const again = await (await agent.work()).synced()
  expect((await agent.beat(again.generation, { unstored_since_ms: null })).status).toBe(200)
  await says(team, 'eu-west', said => said === null)
  expect(await everywhere(team)).toEqual(nothing)
  expect(await metric()).toBe(0)
  expect((await readiness()).text).not.toContain('to be stored')
}, 60_000)

test('a wait of a moment is not worth a word', async () => {
  const team = await aTeam()
  const { agent, generation } = await working(team, 'us-east')
  await agent.beat(generation, { unstored_since_ms: Date.now() - 3_000 })
  await eventually(async () => ((await metric()) ?? 0) > 0 || undefined)
  expect(await regionSays(team, 'us-east')).toBeNull()
  await agent.beat(generation, { unstored_since_ms: null })
})

test('without ClickHouse incidents and uptime are shown, figures of results are null, and a refusal says what goes on', async () => {
  const team = await aTeam()
  const { agent, generation } = await working(team, 'ap-south')
  await toClickhouse.cut()
  const { status, body } = await agent.results(generation, [{ check: team.watched.check }], {
    headers: { [agentHeaders.protocol]: '2' },
  })
  expect([status, body.error?.code ?? body.code]).toEqual([503, expect.any(String)])
  const stats = await team.get('/dashboard/stats')
  expect([stats.status, stats.body.data.checks_24h, stats.body.data.avg_response_ms]).toEqual([200, null, null])
  expect((await team.get(`/monitors/${team.watched.monitor}/checks`)).status).toBe(200)
  const series = await team.get(`/checks/${team.watched.check}/timeseries`)
  expect(series.status).toBe(503)
  expect(JSON.stringify(series.body)).toContain('The history is not reachable at the moment.')
  await says(team, 'ap-south', since => since !== null)

  await toClickhouse.mend()
  await eventually(async () => {
    const sent = { headers: { [agentHeaders.protocol]: '2' } }
    return (await agent.results(generation, [{ check: team.watched.check }], sent)).status === 200 || undefined
  })
  await says(team, 'ap-south', since => since === null)
}, 60_000)
