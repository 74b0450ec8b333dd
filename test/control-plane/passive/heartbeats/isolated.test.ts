import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gapSeconds } from '#control-plane/passive/heartbeats/readiness.ts'
import { HeartbeatSweep } from '#control-plane/passive/heartbeats/sweep.ts'
import { trimPings } from '#control-plane/passive/heartbeats/trim.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
let owner: pg.Client
beforeAll(async () => {
  served = await serving('isolated_heartbeats', { roles: ['api', 'ingest'] })
  owner = new pg.Client({ connectionString: served.stores.ownerUrl })
  await owner.connect()
})
afterAll(async () => {
  await owner?.end()
  await served?.close()
})

interface Job {
  tenant: string
  monitor: string
  check: string
  url: string
}

async function job(): Promise<Job> {
  const tenant = await served.tenant()
  const [monitor, check] = [randomUUID(), randomUUID()]
  await served.platform.query(
    `with made as (
       insert into monitors (
         id, tenant_id, name, url, type, check_interval, timeout, regions, region_policy, confirmations,
         recovery_confirmations
       )
       values ($1, $2, 'Job', 'cron:job', 'cron', 60, 10, '{}', '{"mode":"majority","count":null}', 2, 2) returning id
     )
     insert into checks (id, tenant_id, monitor_id, type, settings, severity)
     select $3, $2, id, 'cron', '{"period_minutes": 60, "grace_minutes": 1}', 'critical' from made`,
    [monitor, tenant, check],
  )
  const { rows } = await served.platform.query<{ id: string }>('select id from ping_addresses where check_id = $1', [
    check,
  ])
  return { tenant, monitor, check, url: `${served.plane.baseUrl}/api/ping/${rows[0]!.id}` }
}

/** The status of a ping. A busy machine may answer 503, after which a job repeats its ping. */
const ping = ({ url }: Job): Promise<number> =>
  eventually(async () => {
    const { status } = await fetch(url)
    return status === 503 ? undefined : status
  })
/** Stores a setting that only an older version accepted, without the trigger that publishes changes. */
const spoil = async (
  { check }: Job,
  settings = '{"timezone": "Atlantis/Capital", "schedule_kind": "cron", "schedule": "* * * * *"}',
) => {
  await owner.query('set session_replication_role = replica')
  await owner.query('update checks set settings = $2 where id = $1', [check, settings])
  await owner.query('set session_replication_role = origin')
}
/** Lets the deadline of a job pass, outside of any ingestion gap. */
const silent = ({ check }: Job, where = 'true') =>
  owner.query(
    `with none as (delete from ingestion_gaps)
     update heartbeats set expected_at = now() - interval '2 minutes', alert_after = now() - interval '1 second',
       wake_at = now() where check_id = $1 and ${where}`,
    [check],
  )
/**
 * Waits for what the sweep does with a silent job. If the control plane had no time for pings for five seconds, it
 * excuses the silence: the deadline passes again then.
 */
const afterSilence = <Found>(job: Job, ask: () => Promise<Found | undefined>): Promise<Found> =>
  eventually(async () => {
    const found = await ask()
    if (found === undefined) await silent(job, `outcome = 'up' and alert_after > clock_timestamp()`)
    return found
  })
/** Gaps because of pings that could not be stored. Those because of the control plane's absence are longer. */
const failureGaps = async (): Promise<number> =>
  (
    await owner.query(
      `select count(*)::int as n from ingestion_gaps where ended_at - started_at < interval '${gapSeconds} seconds'`,
    )
  ).rows[0].n
const lastBeat = async (): Promise<Date> =>
  (await owner.query(`select at from liveness where name = 'pings'`)).rows[0].at
/** Waits until the control plane stores once more that it receives pings. */
async function nextBeat(): Promise<void> {
  const last = await lastBeat()
  await eventually(async () => ((await lastBeat()) > last ? true : undefined))
}
const quarantined = async (key: string) =>
  (await owner.query('select kind, reason from quarantined_rows where key = $1 order by kind', [key])).rows as {
    kind: string
    reason: string
  }[]
const incidents = async ({ check }: Job) =>
  (await owner.query('select cause from incidents where check_id = $1 and resolved_at is null', [check])).rows
const kept = async ({ check }: Job) =>
  (await owner.query('select number::int, state from pings where check_id = $1 order by number', [check])).rows

test('a job whose rules cannot be parsed is quarantined, and silence of other jobs is reported', async () => {
  const jobs = await Promise.all(Array.from({ length: 5 }, job))
  for (const each of jobs) expect(await ping(each)).toBe(200)
  const [bad, ...good] = jobs as [Job, ...Job[]]
  await spoil(bad)
  for (const each of jobs) await silent(each)
  for (const each of good)
    expect(await afterSilence(each, async () => (await incidents(each))[0])).toMatchObject({
      cause: expect.stringMatching(/^No ping came/),
    })
  expect(await incidents(bad)).toEqual([])
  expect(
    await eventually(async () => (await quarantined(bad.check)).find(({ kind }) => kind === 'heartbeat')),
  ).toMatchObject({
    reason: expect.stringContaining('timezone'),
  })
  // it is left alone for an hour
  const { rows } = await owner.query(
    `select wake_at > now() + interval '50 minutes' as is_put_off from heartbeats where check_id = $1`,
    [bad.check],
  )
  expect(rows).toEqual([{ is_put_off: true }])

  // a ping that was due while its rules could not be read is excused once they can be
  await owner.query(
    `update heartbeats set expected_at = clock_timestamp() - interval '1 second', alert_after = clock_timestamp()
     where check_id = $1`,
    [bad.check],
  )
  await owner.query(`update checks set settings = '{"period_minutes": 60, "grace_minutes": 1}' where id = $1`, [
    bad.check,
  ])
  await eventually(async () => ((await quarantined(bad.check)).length === 0 ? true : undefined))
  expect(await incidents(bad)).toEqual([])
})

test('pings of a job whose rules cannot be parsed are stored, and other pings of the batch are applied', async () => {
  const jobs = await Promise.all(Array.from({ length: 6 }, job))
  const [bad, ...good] = jobs as [Job, ...Job[]]
  await spoil(bad, '{"grace_minutes": "some"}')
  const statuses = await Promise.all([...jobs, bad, bad].flatMap(each => [ping(each), ping(each)]))
  expect(new Set(statuses)).toEqual(new Set([200]))
  for (const each of good) expect(await kept(each)).toHaveLength(2)
  expect((await kept(bad)).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6])
  await eventually(async () => (await quarantined(bad.check)).find(({ kind }) => kind === 'heartbeat'))
})

test('a ping that PostgreSQL refuses fails alone, and excuses no silence', async () => {
  const jobs = await Promise.all(Array.from({ length: 6 }, job))
  const [bad, ...good] = jobs as [Job, ...Job[]]
  await owner.query(
    `create function refuse_ping() returns trigger language plpgsql as $$
     begin raise exception 'no' using errcode = '54000'; end $$`,
  )
  await owner.query(
    `create trigger refuse_ping before insert on pings for each row
     when (new.check_id = '${bad.check}') execute function refuse_ping()`,
  )
  const before = await failureGaps()
  try {
    const statuses = await Promise.all(jobs.flatMap(each => [ping(each), ping(each)]))
    expect(statuses).toEqual([500, 500, ...good.flatMap(() => [200, 200])])
  } finally {
    await owner.query('drop trigger refuse_ping on pings; drop function refuse_ping')
  }
  for (const each of good) expect(await kept(each)).toHaveLength(2)
  // the first beat may have begun before the refusals
  for (let beats = 0; beats < 2; beats++) await nextBeat()
  expect(await failureGaps()).toBe(before)
})

test('a heartbeat whose stored state is of another shape is quarantined by the sweep, others are swept', async () => {
  const [bad, good] = [await job(), await job()]
  for (const each of [bad, good]) expect(await ping(each)).toBe(200)
  await owner.query(`update heartbeats set runs = 'null' where check_id = $1`, [bad.check])
  for (const each of [bad, good]) await silent(each)
  await afterSilence(good, async () => (await incidents(good))[0])
  await afterSilence(bad, async () => (await quarantined(bad.check))[0])
  await owner.query(`update heartbeats set runs = '{}', wake_at = now() where check_id = $1`, [bad.check])
  await eventually(async () => ((await quarantined(bad.check)).length === 0 ? true : undefined))
})

test('a heartbeat that PostgreSQL refuses to write is put off, others are swept', async () => {
  const sweep = new HeartbeatSweep(served.plane.services)
  const [bad, good] = [await job(), await job()]
  for (const each of [bad, good]) expect(await ping(each)).toBe(200)
  await owner.query(
    `create function refuse_beat() returns trigger language plpgsql as $$
     begin raise exception 'no' using errcode = '54000'; end $$`,
  )
  await owner.query(
    `create trigger refuse_beat before update on heartbeats for each row
     when (new.check_id = '${bad.check}' and old.outcome is distinct from new.outcome) execute function refuse_beat()`,
  )
  try {
    for (const each of [bad, good]) await silent(each)
    await afterSilence(good, async () => (await incidents(good))[0])
    await afterSilence(bad, async () => (await quarantined(bad.check))[0])
  } finally {
    await owner.query('drop trigger refuse_beat on heartbeats; drop function refuse_beat')
  }
  await sweep.retry([bad.check])
  await eventually(async () => ((await quarantined(bad.check)).length === 0 ? true : undefined))
})

test('old pings that cannot be deleted keep no others from being deleted', async () => {
  const [bad, good] = [await job(), await job()]
  for (const each of [bad, good]) expect(await ping(each)).toBe(200)
  const old = async () => {
    await owner.query(`update pings set at = now() - interval '500 days' where check_id = any($1)`, [
      [bad.check, good.check],
    ])
    await owner.query(`update heartbeats set trimmed_at = now() - interval '2 days' where check_id = any($1)`, [
      [bad.check, good.check],
    ])
  }
  await owner.query(
    `create function refuse_trim() returns trigger language plpgsql as $$
     begin raise exception 'no' using errcode = '54000'; end $$`,
  )
  await owner.query(
    `create trigger refuse_trim before delete on pings for each row
     when (old.check_id = '${bad.check}') execute function refuse_trim()`,
  )
  try {
    await old()
    // a heartbeat that the sweep has locked just then is left to the next round
    await eventually(async () => {
      await trimPings(served.plane.services)
      return (await kept(good)).length === 0 ? true : undefined
    })
  } finally {
    await owner.query('drop trigger refuse_trim on pings; drop function refuse_trim')
  }
  expect(await kept(bad)).toHaveLength(1)
  expect(await quarantined(bad.check)).toMatchObject([{ kind: 'ping_retention' }])
  await old()
  await eventually(async () => {
    await trimPings(served.plane.services)
    return (await kept(bad)).length === 0 ? true : undefined
  })
  expect(await quarantined(bad.check)).toEqual([])
})

test('a heartbeat whose trim is retried is trimmed at once', async () => {
  const sweep = new HeartbeatSweep(served.plane.services)
  const mended = await job()
  expect(await ping(mended)).toBe(200)
  await owner.query(`update pings set at = now() - interval '500 days' where check_id = $1`, [mended.check])
  await owner.query('update heartbeats set trimmed_at = now() where check_id = $1', [mended.check])
  try {
    await sweep.retryTrim([mended.check])
    await eventually(async () => ((await kept(mended)).length === 0 ? true : undefined))
  } finally {
    await sweep.stop()
  }
})
