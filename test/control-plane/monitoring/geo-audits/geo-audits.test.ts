import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { noPhases } from '#contract/check.ts'
import { compare } from '#control-plane/monitoring/geo-audits/view.ts'
import { store } from '#test/control-plane/monitoring/results/store-results.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { eventually } from '#test/support/system.ts'

const { listener, platform } = app.services
const mark = randomUUID().slice(0, 8)
const [here, there, nowhere] = [`here-${mark}`, `there-${mark}`, `nowhere-${mark}`]

beforeAll(async () => {
  for (const region of [here, there, nowhere]) {
    await platform.query('insert into regions (name) values ($1) on conflict do nothing', [region])
    if (region === nowhere) continue
    await platform.query(
      `insert into agents (id, region, name, public_key, last_seen_at)
       values (gen_random_uuid(), $1, 'an agent', '{}', now() + interval '1 hour')`,
      [region],
    )
  }
})

// other files of this worker count regions
afterAll(async () => {
  await platform.query('delete from agents where region = any($1)', [[here, there]])
  await platform.query('delete from regions where name = any($1)', [[here, there, nowhere]])
})

let stop = () => undefined as unknown
afterEach(() => stop())

interface RunNotice {
  request: string
  check: string
}

async function aSite(options: Parameters<typeof given.tenant>[0] = {}) {
  const team = await given.tenant(options)
  const { data } = (
    await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/', regions: [here, there, nowhere] })
  ).body
  return { team, monitor: data.id as string, check: data.checks[0].id as string }
}

/** Acts as ingest: receives requested runs, stores their results, and notifies. */
function regionsAnswer(
  { team, monitor, check }: { team: CallerUnderTest; monitor: string; check: string },
  answering: readonly string[],
): RunNotice[] {
  const asked: RunNotice[] = []
  stop = listener.on('run_requests', payload => {
    const run: RunNotice = JSON.parse(payload)
    if (run.check !== check) return
    asked.push(run)
    void (async () => {
      await store(
        answering.map(region => ({
          tenant: team.tenantId,
          monitor,
          check,
          region,
          due: Date.now(),
          attempt: 1,
          request: run.request,
        })),
      )
      for (const region of answering)
        await platform.query(`select pg_notify('run_results', $1)`, [
          JSON.stringify({ request: run.request, check, region, asked: [here, there] }),
        ])
    })()
  })
  return asked
}

describe('geo audits', () => {
  test('have the result of each region, and mark regions without an agent', async () => {
    const site = await aSite()
    const asked = regionsAnswer(site, [here, there])
    const { status, body } = await site.team.post(`/monitors/${site.monitor}/geo-audits`)
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      monitor_id: site.monitor,
      check_id: site.check,
      check_type: 'uptime',
      status: 'pending',
      completed_at: null,
      comparison: [],
    })
    const done = await eventually('the audit is complete', async () => {
      const { data } = (await site.team.get(`/geo-audits/${body.data.id}`)).body
      return data.completed_at && data
    })
    expect(asked.map(({ request }) => request)).toEqual([body.data.id])
    expect(done).toMatchObject({ status: 'complete' })
    expect(done.regions.map((one: { region: string; state: string }) => [one.region, one.state])).toEqual([
      [here, 'answered'],
      [there, 'answered'],
      [nowhere, 'no_agent'],
    ])
    expect(done.regions[0].result).toMatchObject({ outcome: 'up', phases: { total: 42.5 } })
    expect(done.comparison.at(-1)).toMatchObject({
      phase: 'total',
      median_ms: 42.5,
      fastest: { ms: 42.5 },
      slowest: { ms: 42.5 },
    })
    // the stored audit stays when the results are deleted
    const list = await site.team.get(`/monitors/${site.monitor}/geo-audits`)
    expect(list.body.data).toEqual([
      expect.objectContaining({ id: body.data.id, status: 'complete', regions_count: 3, answered_count: 2 }),
    ])
    expect((await app.audited(site.team)).at(-1)).toBe('monitor.geo_audit_requested')
  })

  test('are pending until the timeout, and are then stored by the next read', async () => {
    const site = await aSite()
    const { body } = await site.team.post(`/monitors/${site.monitor}/geo-audits`)
    const age = (seconds: number) =>
      platform.query(`update geo_audits set created_at = now() - $2 * interval '1 second' where id = $1`, [
        body.data.id,
        seconds,
      ])
    const states = async () => {
      const { data } = (await site.team.get(`/geo-audits/${body.data.id}`)).body
      return [data.status, data.completed_at !== null, data.regions.map(({ state }: { state: string }) => state)]
    }
    await store([
      {
        tenant: site.team.tenantId,
        monitor: site.monitor,
        check: site.check,
        region: here,
        due: Date.now(),
        attempt: 1,
        request: body.data.id,
      },
    ])
    expect(await states()).toEqual(['pending', false, ['answered', 'pending', 'no_agent']])
    await age(29)
    expect((await states())[0]).toBe('pending')
    await age(31)
    expect(await states()).toEqual(['complete', false, ['answered', 'silent', 'no_agent']])
    await age(60)
    expect(await states()).toEqual(['complete', true, ['answered', 'silent', 'no_agent']])
    await platform.query('delete from geo_audits where id = $1', [body.data.id])
    expect((await site.team.get(`/geo-audits/${body.data.id}`)).status).toBe(404)
  })

  test('need the plan, a running check, and have a rate limit', async () => {
    const poor = await aSite({ plan: 'hobby' })
    const refused = await poor.team.post(`/monitors/${poor.monitor}/geo-audits`)
    expect([refused.status, refused.body.code, refused.body.quota]).toEqual([403, 'not_in_plan', 'geo_audits'])

    const site = await aSite()
    const path = `/monitors/${site.monitor}/geo-audits`
    expect(Object.keys((await site.team.post(path, { check_id: randomUUID() })).body.errors)).toEqual(['check_id'])
    expect((await site.team.post(`/monitors/${randomUUID()}/geo-audits`)).status).toBe(404)
    await site.team.post(`/checks/${site.check}/disable`)
    expect((await site.team.post(path)).body.code).toBe('not_running')
    await site.team.post(`/checks/${site.check}/enable`)
    const statuses: number[] = []
    for (let n = 0; n < 7; n++) statuses.push((await site.team.post(path, { check_id: site.check })).status)
    expect(statuses).toEqual([201, 201, 201, 201, 201, 201, 429])
    // only for this team
    const other = await aSite()
    expect((await other.team.post(`/monitors/${other.monitor}/geo-audits`)).status).toBe(201)
    expect((await other.team.get(`/monitors/${site.monitor}/geo-audits`)).status).toBe(404)
  })

  test('are available to the reseller of the team', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { data } = (
      await team.post('/monitors', { name: 'Shop', url: 'https://shop.example.com/', regions: [nowhere] })
    ).body
    const made = await reseller.post(`${team.path}/monitors/${data.id}/geo-audits`)
    expect(made.body.data).toMatchObject({
      status: 'complete',
      regions: [{ region: nowhere, state: 'no_agent', result: null }],
    })
    expect((await reseller.get(`${team.path}/geo-audits/${made.body.data.id}`)).status).toBe(200)
    expect((await reseller.get(`${team.path}/monitors/${data.id}/geo-audits`)).body.meta.total).toBe(1)
  })
})

test('phases are compared over the regions that have a value', () => {
  const result = (region: string, dns: number | null, total: number) => ({
    region,
    at: '',
    outcome: 'up' as const,
    error_code: null,
    summary: null,
    response_ms: total,
    phases: { ...noPhases, dns, total },
    http_status: 200,
    address: null,
  })
  expect(compare([result('a', 5, 90), result('b', null, 30), result('c', 1, 50), result('d', null, 70)])).toEqual([
    { phase: 'dns', fastest: { region: 'c', ms: 1 }, median_ms: 3, slowest: { region: 'a', ms: 5 } },
    { phase: 'total', fastest: { region: 'b', ms: 30 }, median_ms: 60, slowest: { region: 'a', ms: 90 } },
  ])
  expect(compare([])).toEqual([])
})
