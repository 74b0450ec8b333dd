import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { endSnooze } from '#control-plane/monitoring/checks/end-snooze.ts'
import { audiencesOf } from '#test/control-plane/alerting/plan/suppressions.ts'
import { Site } from '#test/support/target.ts'
import { RawAgent } from './engine/agents/raw-agent.ts'
import { Relay } from './relay.ts'
import { eventually, prepared, type Serving, serving } from './serving.ts'

const get = async (url: string) => {
  const response = await fetch(url)
  const text = await response.text()
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

const isReady = (plane: ControlPlane, part: string) =>
  eventually(async () => ((await plane.health.readiness()).parts[part]?.is_ready ? true : undefined), 20_000)

describe('the whole loop in one process', () => {
  let served: Serving
  let site: Site
  beforeAll(async () => {
    ;[served, site] = await Promise.all([serving('serve', { roles: ['api', 'ingest'] }), Site.open()])
    await Promise.all(['eu-west', 'us-east', 'ap-south'].map(region => served.agent(region)))
    await isReady(served.plane, 'agents')
  })
  afterAll(async () => {
    await served?.close()
    await site?.close()
  })

  const incidentOf = async (check: string) =>
    (await served.platform.query('select * from incidents where check_id = $1', [check])).rows[0]
  const verdictOf = (check: string, verdict: string) =>
    eventually(async () => {
      const { rows } = await served.platform.query('select verdict from checks where id = $1', [check])
      return rows[0].verdict === verdict ? true : undefined
    }, 20_000)

  test('a site that goes down opens an incident with its proof, and recovery resolves it', async () => {
    const { check } = await served.monitor(await served.tenant(), site.url)
    await verdictOf(check, 'up')
    site.become('error')
    const incident = await eventually(() => incidentOf(check), 20_000)
    expect(incident.quorum.failed.length).toBeGreaterThanOrEqual(2)
    site.become('up')
    await eventually(async () => (await incidentOf(check))?.resolved_at ?? undefined, 20_000)
  })

  test('says what is ready, keeps its figures off the public port', async () => {
    const { status, body } = await get(`${served.plane.baseUrl}/readyz`)
    expect(status).toBe(200)
    expect(Object.keys(body.parts)).toEqual(['postgres', 'clickhouse', 'ingest', 'history', 'agents'])
    expect((await get(`${served.plane.baseUrl}/healthz`)).body).toEqual({ status: 'alive' })
    expect((await get(`${served.plane.baseUrl}/metrics`)).status).toBe(404)
    const { text } = await get(`${served.plane.metricsUrl}/metrics`)
    expect(text).toMatch(/vedette_agents\{state="ok"\} 3/)
    expect(text).toMatch(/vedette_results_ingested_total\{region="eu-west"\} \d/)
  })

  test('every region reports the result of a requested run, with all regions that were asked', async () => {
    const { check } = await served.monitor(await served.tenant(), site.url)
    await verdictOf(check, 'up')
    const request = randomUUID()
    const notices: { region: string; asked: string[] }[] = []
    const { listener } = served.plane.services
    const stop = listener.on('run_results', payload => {
      const notice = JSON.parse(payload)
      if (notice.request === request) notices.push(notice)
    })
    await new Promise(resolve => setTimeout(resolve, 100))
    await served.platform.query(`select pg_notify('run_requests', $1)`, [JSON.stringify({ request, check })])
    await eventually(() => (notices.length === 3 ? true : undefined))
    stop()
    expect(notices.map(({ region }) => region).sort()).toEqual(['ap-south', 'eu-west', 'us-east'])
    expect(notices[0]?.asked).toEqual(['ap-south', 'eu-west', 'us-east'])
  })

  test('an outage of a snoozed check opens an incident that notifies the reseller, and the team when the snooze ends', async () => {
    const tenant = await served.tenant()
    const { check } = await served.monitor(tenant, site.url)
    await verdictOf(check, 'up')
    const until = new Date(Date.now() + 60_000)
    await served.platform.query('update checks set snoozed_until = $2 where id = $1', [check, until])
    const notified = async () =>
      (
        await served.platform.query(
          `select suppression from outbox where tenant_id = $1 and name = 'incident.created' order by id`,
          [tenant],
        )
      ).rows.flatMap(({ suppression }) => audiencesOf(suppression).map(({ audience }) => audience))
    site.become('error')
    await eventually(() => incidentOf(check), 20_000)
    expect(await notified()).toEqual(['reseller'])
    await served.platform.query(`update checks set snoozed_until = $2 where id = $1`, [check, new Date(1_000_000)])
    expect(await endSnooze(served.platform, check, new Date(1_000_000))).toBe('ended')
    expect(await notified()).toEqual(['reseller', 'team'])
    site.become('up')
    await eventually(async () => (await incidentOf(check))?.resolved_at ?? undefined, 20_000)
  })

  test('the leading process publishes the flapping of a monitor', async () => {
    const tenant = await served.tenant()
    const { monitor, check } = await served.monitor(tenant, site.url)
    await served.platform.query(
      'insert into flappings (id, tenant_id, monitor_id, check_id, started_at, last_change_at) values (gen_random_uuid(), $1, $2, $3, now(), now())',
      [tenant, monitor, check],
    )
    const [event] = await eventually(async () => {
      const { rows } = await served.platform.query(
        `select payload from outbox where tenant_id = $1 and name = 'monitor.flapping'`,
        [tenant],
      )
      return rows.length > 0 ? rows : undefined
    })
    expect(event.payload).toMatchObject({ monitor_id: monitor, incidents_count: 0, incidents: [] })
    await served.platform.query('delete from monitors where id = $1', [monitor])
  })

  test('a restart loses nothing: agents come back, results go on, nothing is decided twice', async () => {
    const { check } = await served.monitor(await served.tenant(), site.url)
    await verdictOf(check, 'up')
    await served.restart(['api', 'ingest'])
    await isReady(served.plane, 'agents')
    site.become('error')
    await eventually(() => incidentOf(check), 20_000)
    site.become('up')
    await eventually(async () => (await incidentOf(check))?.resolved_at ?? undefined, 20_000)
    const { rows } = await served.platform.query(
      'select verdict from verdict_changes where check_id = $1 order by at, id',
      [check],
    )
    expect(rows.map(({ verdict }) => verdict)).toEqual(expect.arrayContaining(['up', 'down']))
    expect(rows.filter(({ verdict }) => verdict === 'down')).toHaveLength(1)
  })
})

describe('a second process', () => {
  test('a second ingest process waits, says so, and takes over when the first is gone', async () => {
    const first = await serving('standby', { roles: ['ingest'] })
    const second = await startControlPlane(first.config, ['ingest'])
    try {
      expect((await get(`${first.plane.baseUrl}/readyz`)).status).toBe(200)
      const { status, body } = await get(`${second.baseUrl}/readyz`)
      expect(status).toBe(503)
      expect(body.parts.ingest.why).toMatch(/stands by/)
      expect((await get(`${second.baseUrl}/agent/v1/work`)).status).toBe(503)
      await first.plane.close()
      await isReady(second, 'ingest')
      expect((await get(`${second.baseUrl}/agent/v1/work`)).status).toBe(401)
    } finally {
      await second.close()
    }
  })

  test('roles that are not asked for are not there', async () => {
    const { config } = await prepared('roles')
    const plane = await startControlPlane(config, ['worker'])
    expect((await get(`${plane.baseUrl}/api/v1/user`)).status).toBe(404)
    expect((await get(`${plane.baseUrl}/agent/v1/work`)).status).toBe(404)
    await plane.close()
  })
})

describe('stores that are away', () => {
  test('PostgreSQL may come after us, and go and come back while we run', async () => {
    const { stores, config } = await prepared('away')
    const relay = new Relay(stores.platformUrl)
    await relay.url()
    const plane = await startControlPlane(
      { ...config, databaseUrl: relay.of(stores.appUrl), platformUrl: relay.of(stores.platformUrl) },
      ['api', 'ingest'],
    )
    try {
      expect((await get(`${plane.baseUrl}/readyz`)).body.parts.postgres.is_ready).toBe(false)
      expect((await get(`${plane.baseUrl}/api/v1/user`)).status).toBe(503)
      expect((await get(`${plane.baseUrl}/healthz`)).status).toBe(200)
      await relay.mend()
      await isReady(plane, 'ingest')
      expect((await get(`${plane.baseUrl}/api/v1/user`)).status).toBe(401)

      await relay.cut()
      await eventually(async () =>
        (await plane.health.readiness()).parts.postgres?.is_ready === false ? true : undefined,
      )
      await relay.mend()
      const back = performance.now()
      await isReady(plane, 'ingest')
      expect(performance.now() - back).toBeLessThan(5_000)
    } finally {
      await plane.close()
      await relay.cut()
    }
  })

  test('the API starts without Temporal and says what waits', async () => {
    const { config } = await prepared('no_temporal')
    const plane = await startControlPlane({ ...config, temporal: { address: '127.0.0.1:1', namespace: 'default' } }, [
      'api',
      'worker',
    ])
    const { status, body } = await get(`${plane.baseUrl}/readyz`)
    expect(status).toBe(200)
    expect(body.parts.temporal.is_ready).toBe(false)
    await plane.close()
  })

  test('a role that could see past row security is refused', async () => {
    const { stores, config } = await prepared('powerful')
    await expect(startControlPlane({ ...config, platformUrl: stores.ownerUrl }, ['api'])).rejects.toThrow(
      /owner|superuser/,
    )
  })

  test('time in which no process measured is stored as a monitoring gap', async () => {
    const served = await serving('monitoring_gap', { roles: ['ingest'] })
    const gap = async () => (await served.platform.query('select started_at, ended_at from monitoring_gaps')).rows
    expect(await gap()).toEqual([])
    await served.plane.close()
    const admin = await serving('monitoring_gap', { roles: ['api'] })
    await admin.platform.query(`update liveness set at = now() - interval '5 minutes'`)
    await admin.restart(['ingest'])
    const { rows } = await admin.platform.query(
      'select extract(epoch from ended_at - started_at)::float8 as s from monitoring_gaps',
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].s).toBeGreaterThan(299)
    await admin.close()
  })
})

describe('the end', () => {
  test('lets a request under way finish, and ends streams at once', async () => {
    const served = await serving('ending', { roles: ['api', 'ingest'] })
    const agent = await RawAgent.enrolled(served, 'ending')
    const stream = await (await agent.work()).synced()
    const { platform } = served.plane.services
    const slow = platform.query('select pg_sleep(1)')
    const started = performance.now()
    await Promise.all([served.plane.close(), slow])
    expect(performance.now() - started).toBeLessThan(4_000)
    await stream.ended()
  })
})
