import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let plane: Serving
let tenant: string
beforeAll(async () => {
  plane = await serving('silence', { roles: ['api', 'ingest'] })
  tenant = await plane.tenant()
})
afterAll(() => plane.close())

const query = async (text: string, values: unknown[] = []) => (await plane.platform.query(text, values)).rows

/** A heartbeat of a minute with a minute of grace, that the work list knows. */
async function heartbeat(
  settings: Record<string, unknown> = {},
): Promise<{ monitor: string; check: string; url: string }> {
  const made = await plane.monitor(tenant, 'cron://job', {
    kind: 'cron',
    settings: { period_minutes: 1, grace_minutes: 1, ...settings },
  })
  const [address] = await query('select id from ping_addresses where check_id = $1', [made.check])
  return { ...made, url: `${plane.plane.baseUrl}/api/ping/${address.id}` }
}
const post = async (url: string, fields: Record<string, string>) =>
  (await fetch(url, { method: 'POST', body: new URLSearchParams(fields) })).status
const incidents = (check: string) =>
  query(
    `select cause, started_at, confirmed_at, resolved_at, evidence from incidents
     where check_id = $1 order by started_at`,
    [check],
  )
const openOf = (check: string) =>
  eventually(async () => (await incidents(check)).find(incident => incident.resolved_at === null), 5_000)
const verdictOf = async (check: string) => (await query('select verdict from checks where id = $1', [check]))[0].verdict
const isUp = (check: string) => eventually(async () => ((await verdictOf(check)) === 'up' ? true : undefined), 5_000)
/** As if so much time had passed for it. */
const age = (check: string, seconds: number) =>
  query(
    `update heartbeats set expected_at = expected_at - make_interval(secs => $2),
       alert_after = alert_after - make_interval(secs => $2),
       wake_at = wake_at - make_interval(secs => $2),
       last_ping_at = last_ping_at - make_interval(secs => $2) where check_id = $1`,
    [check, seconds],
  )

describe('a job', () => {
  test('that fails has an incident within a second, until a good ping', async () => {
    const { monitor, check, url } = await heartbeat()
    expect(await post(url, { state: 'ok' })).toBe(200)
    await isUp(check)
    const sent = Date.now()
    expect(await post(url, { state: 'fail', exit_code: '2', output: 'no space left on device' })).toBe(200)
    const incident = await openOf(check)
    expect(incident).toMatchObject({
      cause: 'The job reported a failure (exit code 2).',
      evidence: { snippet: 'no space left on device' },
    })
    expect(incident.confirmed_at.getTime() - sent).toBeLessThan(1_500)
    await post(url, { state: 'log', output: 'a line of the log' })
    await post(url, { state: 'start' })
    await pause(300)
    expect(await incidents(check)).toHaveLength(1)
    await post(url, { state: 'complete' })
    await isUp(check)
    const events = await query(`select name from outbox where payload ->> 'monitor_id' = $1 order by id`, [monitor])
    expect(events.map(row => row.name)).toEqual(['incident.created', 'incident.resolved'])
    expect((await query('select status from monitors where id = $1', [monitor]))[0].status).toBe('up')
  })

  test('that is silent has an incident within two seconds after its grace, and not before', async () => {
    const { check, url } = await heartbeat()
    await post(url, { state: 'ok' })
    await isUp(check)
    await age(check, 119)
    const [armed] = await query('select alert_after from heartbeats where check_id = $1', [check])
    expect(await incidents(check)).toEqual([])
    const incident = await openOf(check)
    expect(incident.cause).toMatch(/^No ping came: one was due at \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\)\.$/)
    expect(incident.started_at).toEqual(armed.alert_after)
    const late = incident.confirmed_at - armed.alert_after
    expect(late).toBeGreaterThanOrEqual(0)
    expect(late).toBeLessThan(2_000)
    await fetch(url)
    await eventually(async () => ((await incidents(check))[0].resolved_at ? true : undefined))
  })

  test('pings many times at once, in all ways, and each is stored once', async () => {
    const { check, url } = await heartbeat()
    await post(url, { state: 'ok' })
    await isUp(check)
    const statuses = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => (i % 3 ? (await fetch(url)).status : post(url, { state: 'log' }))),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
    const stored = await query('select number, state from pings where check_id = $1 order by number', [check])
    expect(stored.map(({ number }) => Number(number))).toEqual(Array.from({ length: 61 }, (_, i) => i + 1))
    expect(stored.filter(({ state }) => state === 'log')).toHaveLength(20)
    expect((await query('select pings from heartbeats where check_id = $1', [check]))[0].pings).toBe('61')
  })

  test('that is up is judged by its present settings, although its address is cached', async () => {
    const { check, url } = await heartbeat()
    const ping = async () => {
      expect((await fetch(url)).status).toBe(200)
      const [beat] = await query(
        `select extract(epoch from expected_at - last_ping_at)::float8 / 60 as due_in, outcome, runs, pings,
           (select max(number) from pings p where p.check_id = h.check_id) as newest
     from heartbeats h where check_id = $1`,
        [check],
      )
      expect(beat.newest).toBe(beat.pings)
      return beat
    }
    await ping()
    await isUp(check)
    expect(await ping()).toMatchObject({ due_in: 1, outcome: 'up', pings: '2' })
    await query(`update checks set settings = settings || '{"period_minutes":7}' where id = $1`, [check])
    expect(await ping()).toMatchObject({ due_in: 7, pings: '3' })
    await post(url, { state: 'start' })
    expect(await ping()).toMatchObject({ due_in: 7, runs: {}, pings: '5' })
    await query('update checks set verdict = null, is_enabled = false where id = $1', [check])
    expect(await ping()).toMatchObject({ outcome: 'up', pings: '6' })
    expect(await query('select 1 from pushed_reports where check_id = $1', [check])).toEqual([])
    await query('delete from ping_addresses where check_id = $1', [check])
    expect((await fetch(url)).status).toBe(404)
  })

  test('that never pings is silent too', async () => {
    const { check } = await heartbeat()
    await eventually(async () =>
      (await query('select 1 from heartbeats where check_id = $1 and alert_after is not null', [check])).length > 0
        ? true
        : undefined,
    )
    await age(check, 120)
    expect((await openOf(check)).cause).toMatch(/^No ping came/)
  })

  test('that is paused has no incident, and restarts its clock when it is resumed', async () => {
    const { monitor, check, url } = await heartbeat()
    await post(url, { state: 'ok' })
    await isUp(check)
    await query('update monitors set is_enabled = false where id = $1', [monitor])
    expect(await post(url, { state: 'fail' })).toBe(200)
    await pause(400)
    expect(await incidents(check)).toEqual([])
    expect(await query('select state from pings where check_id = $1 order by number', [check])).toEqual([
      { state: 'ok' },
      { state: 'fail' },
    ])
    await query('update monitors set is_enabled = true where id = $1', [monitor])
    await eventually(async () =>
      (await query('select 1 from heartbeats where check_id = $1 and outcome is null and alert_after > now()', [check]))
        .length > 0
        ? true
        : undefined,
    )
    await post(url, { state: 'ok' })
    await isUp(check)
    expect(await incidents(check)).toEqual([])
  })

  test('another schedule counts from now', async () => {
    const { check, url } = await heartbeat({ period_minutes: 600 })
    await post(url, { state: 'ok' })
    await age(check, 300 * 60)
    await query(`update checks set settings = settings || '{"period_minutes":60}' where id = $1`, [check])
    const [row] = await eventually(async () => {
      const rows = await query(
        `select alert_after - now() as left from heartbeats where check_id = $1 and armed_by like '3600000 %'`,
        [check],
      )
      return rows.length > 0 ? rows : undefined
    })
    expect(row.left.hours).toBe(1)
    expect(await incidents(check)).toEqual([])
  })
})

test('pings expected during an ingestion gap are excused, and silence after it is reported', async () => {
  const [alive, before] = [await heartbeat({ period_minutes: 10 }), await heartbeat()]
  for (const { url, check } of [alive, before]) {
    await post(url, { state: 'ok' })
    await isUp(check)
  }
  const port = Number(new URL(plane.plane.baseUrl).port)
  await plane.plane.close()
  // ten minutes pass, of which we know nothing: the one was due within them, the other long before
  const { Pool } = (await import('pg')).default
  const owner = new Pool({ connectionString: plane.config.platformUrl, max: 1 })
  await owner.query(`update liveness set at = at - interval '10 minutes'`)
  const shift = (check: string, minutes: number) =>
    owner.query(
      `update heartbeats set expected_at = expected_at - make_interval(mins => $2),
       alert_after = alert_after - make_interval(mins => $2),
         wake_at = wake_at - make_interval(mins => $2) where check_id = $1`,
      [check, minutes],
    )
  await shift(alive.check, 15)
  await shift(before.check, 60)
  await owner.end()
  const { startControlPlane } = await import('#cli/serve/serve.ts')
  plane.plane = await startControlPlane({ ...plane.config, port }, ['api', 'ingest'])
  expect((await openOf(before.check)).cause).toMatch(/^No ping came/)
  expect(await incidents(alive.check)).toEqual([])
  const [gap] = await query(
    "select ended_at - started_at > interval '9 minutes' as is_long from ingestion_gaps order by id desc limit 1",
  )
  expect(gap.is_long).toBe(true)
  // in its own rhythm: due five minutes ago, so again in five
  const [beat] = await query(
    'select outcome, extract(epoch from expected_at - now()) / 60 as due_in from heartbeats where check_id = $1',
    [alive.check],
  )
  expect(beat.outcome).toBe('up')
  expect(Number(beat.due_in)).toBeGreaterThan(4)
  expect(Number(beat.due_in)).toBeLessThan(6)
})

test('old pings, rotated addresses and old gaps are deleted', async () => {
  const { trimPings } = await import('#control-plane/passive/heartbeats/trim.ts')
  const { check, url } = await heartbeat()
  for (let i = 0; i < 3; i++) await post(url, { state: 'log' })
  await query(`update pings set at = at - interval '400 days' where check_id = $1 and number < 3`, [check])
  await query(
    `insert into ping_addresses (id, tenant_id, check_id, ends_at) values ($1, $2, $3, now() - interval '2 days')`,
    [randomUUID(), tenant, check],
  )
  await query(`update heartbeats set trimmed_at = now() - interval '2 days' where check_id = $1`, [check])
  await trimPings(plane.plane.services)
  expect(await query('select number::int from pings where check_id = $1', [check])).toEqual([{ number: 3 }])
  expect(await query('select 1 from ping_addresses where check_id = $1', [check])).toHaveLength(1)
})
