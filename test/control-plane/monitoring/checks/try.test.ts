import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { RawAgent } from '#test/control-plane/engine/agents/raw-agent.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'
import { app, given } from '#test/support/app.ts'
import { Site } from '#test/support/target.ts'

let served: Serving
let api: ControlPlane
let site: Site

beforeAll(async () => {
  served = await serving('check_tries', { roles: ['ingest'] })
  api = await startControlPlane(served.config, ['api'])
  site = await Site.open()
  await served.agent('eu-west')
  await served.agent('us-east')
}, 60_000)
afterAll(async () => {
  await api?.close()
  await served?.close()
  await site?.close()
})

async function aTeam(overrides?: Record<string, unknown>) {
  const tenantId = await served.tenant(overrides)
  const { plain } = await createToken(served.platform, {
    ...{ kind: 'svc' as const, tenantId, userId: null, name: 'test' },
    ...{ scopes: ['checks:write', 'checks:read', 'monitors:read'], expiresAt: null },
  })
  const call = async (method: string, path: string, sent?: unknown) => {
    const response = await fetch(`${api.baseUrl}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${plain}`, 'Content-Type': 'application/json' },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null }
  }
  return {
    tenantId,
    get: (path: string) => call('GET', path),
    post: (sent: unknown) => call('POST', '/checks/try', sent),
  }
}

test('a try answers with the outcome and the phases of each region, and stores nothing but an audit entry', async () => {
  site.become('up')
  const team = await aTeam()
  const { status, body } = await team.post({ url: site.url })
  expect(status).toBe(200)
  expect(body.data).toMatchObject({ type: 'uptime', asked: ['eu-west', 'us-east'], silent: [] })
  expect(body.data.results.map(({ region }: { region: string }) => region)).toEqual(['eu-west', 'us-east'])
  for (const result of body.data.results) {
    expect(result).toMatchObject({ outcome: 'up', error_code: null, http_status: 200, is_suspect: false })
    expect(result.phases.connect).toBeGreaterThan(0)
    expect(result.phases.first_byte).toBeGreaterThan(0)
  }
  expect((await team.get('/monitors')).body.meta.total).toBe(0)
  const { rows: audits } = await served.platform.query('select action from audit_entries where tenant_id = $1', [
    team.tenantId,
  ])
  expect(audits.map(({ action }) => action)).toEqual(['check.tried'])
  const stored = await served.plane.services.clickhouse.query({
    query: 'select count() as n from check_results where tenant_id = {tenant: UUID}',
    query_params: { tenant: team.tenantId },
    format: 'JSONEachRow',
  })
  expect((await stored.json<{ n: number | string }>()).map(({ n }) => Number(n))).toEqual([0])
})

test('a failure is an answer too, and the settings of the check are used', async () => {
  site.become('error')
  const team = await aTeam()
  const failed = await team.post({ url: site.url, regions: ['eu-west'] })
  expect(failed.body.data.results).toMatchObject([{ region: 'eu-west', outcome: 'down', http_status: 500 }])
  expect(failed.body.data.results[0].summary).toBeTruthy()
  const expected = { type: 'uptime', settings: { expected_status: ['500'] } }
  const { status, body } = await team.post({ url: site.url, regions: ['eu-west'], check: expected })
  expect([status, body.errors]).toEqual([200, undefined])
  expect(body.data.results).toMatchObject([{ outcome: 'up' }])
  site.become('up')
})

test('a region whose agent dies before it answers is silent, as is a region without an agent', async () => {
  const dying = await RawAgent.enrolled(served, 'dying')
  const stream = await (await dying.work()).synced()
  const team = await aTeam()
  const asked = team.post({ url: site.url, regions: ['eu-west', 'dying'] })
  await expect.poll(() => stream.frames.some(({ type }) => type === 'run')).toBe(true)
  stream.break()
  const { body } = await asked
  expect(body.data).toMatchObject({ asked: ['eu-west', 'dying'], silent: ['dying'] })
  expect(body.data.results).toMatchObject([{ region: 'eu-west', outcome: 'up' }])
  const again = await team.post({ url: site.url, regions: ['dying'] })
  expect(again.body.data).toMatchObject({ silent: ['dying'], results: [] })
}, 60_000)

test('agents forget a tried check, and a result for a try of another region is refused', async () => {
  const raw = await RawAgent.enrolled(served, 'forgetful')
  const stream = await (await raw.work()).synced()
  const team = await aTeam()
  const asked = team.post({ url: site.url, regions: ['forgetful'] })
  await expect.poll(() => stream.checks.size).toBe(1)
  const [check = ''] = stream.checks
  const other = await RawAgent.enrolled(served, 'other')
  const otherStream = await (await other.work()).synced()
  const stolen = await other.results(otherStream.generation, [{ check, isGood: true }])
  expect(stolen.body.refused).toMatchObject([{ reason: 'not_assigned' }])
  expect((await raw.results(stream.generation, [{ check, isGood: true }])).body.refused).toEqual([])
  expect((await asked).body.data.results).toMatchObject([{ region: 'forgetful', outcome: 'up' }])
  await expect.poll(() => stream.checks.size).toBe(0)
  const late = await raw.results(stream.generation, [{ check, isGood: true }])
  expect(late.body.refused).toMatchObject([{ reason: 'not_assigned' }])
  for (const open of [stream, otherStream]) open.break()
})

test('a team has sixty runs a minute, counted in each region', async () => {
  const team = await aTeam()
  await served.platform.query(`insert into regions (name) select 'quiet-' || n from generate_series(1, 30) n`)
  const quiet = Array.from({ length: 30 }, (_, n) => `quiet-${n + 1}`)
  for (let n = 0; n < 2; n++) expect((await team.post({ url: site.url, regions: quiet })).status).toBe(200)
  const refused = await team.post({ url: site.url, regions: ['quiet-1'] })
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect((await (await aTeam()).post({ url: site.url, regions: ['quiet-1'] })).status).toBe(200)
  await served.platform.query(`delete from regions where name like 'quiet-%'`)
})

describe('POST /checks/try refuses', () => {
  const refusals = [
    ['url', { url: 'ftp://example.com/' }],
    ['url', { url: '' }],
    ['regions', { url: 'https://example.com/', regions: ['nowhere'] }],
    ['timeout', { url: 'https://example.com/', timeout: 26 }],
    ['check.type', { url: 'https://example.com/', check: { type: 'cron' } }],
    ['check.type', { url: 'https://example.com/', check: { type: 'crawl' } }],
    ['check.type', { url: 'https://example.com/', check: { type: 'lighthouse' } }],
    ['check.type', { url: 'example.com', type: 'host', check: { type: 'uptime' } }],
    ['check.settings', { url: `https://example.com/${'x'.repeat(2_000)}`, check: longBody() }],
  ] as const

  test.each(refusals)('%s', async (field, body) => {
    const tenant = await given.tenant()
    const answer = await tenant.post('/checks/try', body)
    expect(answer.status).toBe(422)
    expect(Object.keys(answer.body.errors).map(path => path.split('.').slice(0, 2).join('.'))).toContain(field)
    expect(await app.audited(tenant)).not.toContain('check.tried')
  })

  test('an address that this installation may not reach', async () => {
    const tenant = await given.tenant()
    const { status, body } = await tenant.post('/checks/try', { url: 'http://169.254.169.254/' })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['url']])
  })

  test('more regions, and kinds, than the plan has', async () => {
    const tenant = await given.tenant({ plan: 'free' })
    const { status, body } = await tenant.post('/checks/try', {
      url: 'https://example.com/',
      regions: ['ap-south', 'eu-west', 'us-east', 'sa-east'],
    })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['regions']])
  })

  test('everybody who may not write checks', async () => {
    const tenant = await given.tenant()
    const viewer = await given.colleague(tenant, 'viewer')
    expect((await viewer.post('/checks/try', { url: 'https://example.com/' })).status).toBe(403)
  })
})

function longBody() {
  return { type: 'uptime', settings: { method: 'POST', body: 'x'.repeat(4_000) } }
}
