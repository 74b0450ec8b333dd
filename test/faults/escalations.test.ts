import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, System } from '#test/support/system.ts'

/**
 * Five hundred runs of a policy with three steps, while the control plane (API, leading process and worker) is killed.
 * The oracle is the receiver's own log: each step of each run arrives, under one id.
 */
const kills = Number(process.env.ESCALATION_KILLS ?? 3)
const runs = Number(process.env.ESCALATION_RUNS ?? 500)
const steps = 3

let system: System
let receiver: Receiver
let platform: pg.Pool
let channel: string
beforeAll(async () => {
  receiver = await Receiver.open()
  system = await System.start({ regions: ['eu-west'] })
  platform = new pg.Pool({ connectionString: system.environment.DATABASE_PLATFORM_URL ?? '', max: 2 })
  platform.on('error', () => undefined)
  const made = await system.post('/notification-channels', {
    name: 'Desk',
    type: 'webhook',
    config: { url: `${receiver.url}/desk`, secret: 'a secret for the long way' },
    notify_all: false,
  })
  channel = made.body.data.id
}, 180_000)
afterAll(async () => {
  await platform?.end()
  await system?.stop()
  await receiver?.close()
})

/** Incidents that are open, each of a monitor of its own, with runs whose first step is due. */
const begin = (tenantId: string, policyId: string, incidents: readonly string[]) =>
  platform.query(
    `with m as (
       insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
         recovery_confirmations)
       select r.id, $1, 'Shop', 'https://shop.example.com/', 'website', 60, 10, '{"mode":"majority","count":null}', 2, 2
       from unnest($3::uuid[]) as r(id) returning id
     ), i as (
       insert into incidents (id, tenant_id, monitor_id, check_type, number, title, severity, started_at, confirmed_at,
         quorum)
       select m.id, $1, m.id, 'uptime', row_number() over (), 'Shop is down', 'critical', now(), now(), '{}' from m
       returning id
     )
     insert into escalation_runs (tenant_id, incident_id, monitor_id, policy_id, next_at)
     select $1, i.id, i.id, $2, clock_timestamp() from i`,
    [tenantId, policyId, incidents],
  )

test(`kill -9 of the control plane, ${kills} times, during ${runs} escalations: no step is missed, none is taken twice`, {
  timeout: 600_000,
}, async () => {
  const policy = await system.post('/escalation-policies', {
    name: 'Night',
    steps: Array.from({ length: steps }, () => ({ delay_minutes: 1, targets: [{ type: 'channel', id: channel }] })),
  })
  expect(policy.status, JSON.stringify(policy.body)).toBe(201)
  const incidents = Array.from({ length: runs }, () => randomUUID())
  await begin(system.local.team.tenant_id, policy.body.data.id, incidents)
  let isOver = false
  const killing = (async () => {
    for (let killed = 0; killed < kills; killed++) {
      await sleep(300 + Math.random() * 1_200)
      await system.kill('control-plane')
    }
  })()
  // the minutes between steps go by at once, for some of the runs each time
  const hurrying = (async () => {
    for (; !isOver; await sleep(150))
      await platform
        .query(
          `update escalation_runs set next_at = clock_timestamp() where id in (
             select id from escalation_runs
             where state = 'running' and next_at > clock_timestamp() + interval '1 second'
             order by random() limit 60 for update skip locked)`,
        )
        .catch(() => undefined)
  })()
  await killing
  const all = runs * steps
  const taken = () => new Set(receiver.received.map(({ body }) => `${body.run_id} ${body.round} ${body.step}`))
  try {
    await eventually('every step has arrived', async () => taken().size >= all, 300_000, 500)
    await eventually(
      'every run is exhausted',
      async () => {
        const { rows } = await platform.query<{ n: number }>(
          `select count(*)::int as n from escalation_runs where state = 'exhausted'`,
        )
        return rows[0]?.n === runs
      },
      120_000,
      500,
    )
  } finally {
    isOver = true
    await hurrying
  }
  const messages = Map.groupBy(receiver.received, ({ headers }) => String(headers['webhook-id']))
  const { rows } = await platform.query<{ n: number; exhausted: number }>(
    `select (select count(*)::int from escalation_notifications) as n,
       (select count(*)::int from outbox where name = 'incident.escalation_exhausted') as exhausted`,
  )
  console.log(
    `escalations ${runs} with ${steps} steps: ${kills} kills, ${all - taken().size} of ${all} steps missed, ` +
      `${messages.size - all} taken twice, ${receiver.received.length - messages.size} repeated under the same id ` +
      `(bound ${(300 / all).toPrecision(2)} %)`,
  )
  expect(new Set(receiver.received.map(({ body }) => body.incident_id))).toEqual(new Set(incidents))
  expect([taken().size, messages.size, rows[0]]).toEqual([all, all, { n: all, exhausted: runs }])
})
