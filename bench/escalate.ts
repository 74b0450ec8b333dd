import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { encryptConfig } from '#control-plane/alerting/channels/config.ts'
import { keyring, type Stores, startServing, withStores } from './api.ts'
import { aTenant, openIncidents, secret, startReceiver } from './deliveries/world.ts'
import { claim, quantile, round } from './figures.ts'

/**
 * A thousand incidents whose first escalation step is due at one moment, each of a team with a policy of three steps:
 * from that moment to the arrival at the receiver. Meanwhile a hundred other incidents are acknowledged.
 */
const incidents = Number(process.env.ESCALATE_INCIDENTS ?? 1_000)
/** Of those that are acknowledged, half are before the rest begins, to compare. */
const acknowledged = 200
const before = acknowledged / 2

await withStores('escalate', measure)

interface Team {
  id: string
  monitor: string
  incident: string
}

async function measure(stores: Stores): Promise<void> {
  const platform = new pg.Pool({ connectionString: stores.platformUrl, max: 4 })
  const receiver = await startReceiver()
  const settings = { EGRESS_ALLOW: '127.0.0.0/8', LOG_LEVEL: 'warn' }
  const served: Awaited<ReturnType<typeof startServing>>[] = []
  try {
    const teams: Team[] = []
    for (let n = 0; n < incidents + acknowledged; n++) {
      const { id, monitors } = await aTenant(platform, 1, ['shop'])
      teams.push({ id, monitor: monitors[0]!, incident: randomUUID() })
      await aPolicy(platform, id, `${receiver.url}/${n}`)
    }
    await openIncidents(
      platform,
      teams.map(({ id, monitor, incident }) => ({ tenantId: id, monitorId: monitor, incidentId: incident })),
    )
    for (const role of ['ingest', 'worker', 'api'] as const) served.push(await startServing(stores, role, settings))
    const api = served.at(-1)!
    const taking = teams.slice(incidents)
    const tokens = await Promise.all(taking.map(({ id }) => aToken(platform, id)))
    const alone = await acknowledge(api.port, taking.slice(0, before), tokens)
    await receiver.arrived()
    const due = Date.now() + 1_000
    await platform.query(
      `insert into escalation_runs (tenant_id, incident_id, monitor_id, policy_id, next_at)
       select i.tenant_id, i.id, i.monitor_id, p.id,
         case when i.id = any($2::uuid[]) then to_timestamp($1 / 1000.0) else now() + interval '1 hour' end
       from incidents i join escalation_policies p on p.tenant_id = i.tenant_id`,
      [due, teams.slice(0, incidents).map(({ incident }) => incident)],
    )
    await sleep(Math.max(0, due - Date.now()))
    const meanwhile = await acknowledge(api.port, taking.slice(before), tokens.slice(before))
    for (let delivered = 0; delivered < incidents; await sleep(100)) {
      const { rows } = await platform.query<{ n: number }>(
        `select count(*)::int as n from deliveries where status = 'delivered'`,
      )
      delivered = rows[0]?.n ?? 0
      if (Date.now() - due > 60_000) throw new Error(`after a minute ${delivered} of ${incidents} are delivered`)
    }
    const { arrivals, twice } = await receiver.arrived()
    const late = arrivals.map(([, , at]) => at - due)
    if (arrivals.length !== incidents || twice > 0) throw new Error(`${arrivals.length} arrived, ${twice} came twice`)
    const { rows: taken } = await platform.query<{ ms: number }>(
      `select extract(epoch from created_at)::float8 * 1000 - $1 as ms from escalation_notifications`,
      [due],
    )
    const takenMs = taken.map(({ ms }) => ms)
    console.log(
      `      steps taken after ms: median ${round(quantile(takenMs, 0.5))}, last ${round(Math.max(...takenMs))};
       acknowledging before, p99 ms: ${round(quantile(alone, 0.99))}`,
    )
    console.log(`      first step after ms: median ${round(quantile(late, 0.5))}, last ${round(Math.max(...late))}`)
    claim('first step notified, p99', quantile(late, 0.99) / 1_000, 'under', 5, ' s')
    claim('acknowledging meanwhile, p99', quantile(meanwhile, 0.99), 'under', 100, ' ms')
  } finally {
    for (const each of served.toReversed()) await each.stop()
    await receiver.stop()
    await platform.end()
  }
}

/** Acknowledges incidents, one after the other. Returns how long each took, in milliseconds. */
async function acknowledge(port: number, teams: readonly Team[], tokens: readonly string[]): Promise<number[]> {
  const tookMs: number[] = []
  for (const [index, { incident }] of teams.entries()) {
    const began = performance.now()
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/incidents/${incident}/acknowledge`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${tokens[index]}`, 'X-Forwarded-For': `198.51.100.${index}` },
    })
    if (!answer.ok) throw new Error(`an acknowledgement answered ${answer.status}: ${await answer.text()}`)
    tookMs.push(performance.now() - began)
  }
  return tookMs
}

/** A policy of three steps that call one signed webhook. */
async function aPolicy(platform: pg.Pool, tenantId: string, url: string): Promise<void> {
  const [channel, policy] = [randomUUID(), randomUUID()]
  const { config, secrets } = encryptConfig(keyring, channel, 'webhook', { url, secret })
  await platform.query(
    `with c as (
       insert into notification_channels (id, tenant_id, name, type, config, secrets)
       values ($1, $2, 'Desk', 'webhook', $3, $4)
     ), p as (
       insert into escalation_policies (id, tenant_id, name, is_default, repeat_delay_minutes)
       values ($5, $2, 'Night', true, 10)
     ), s as (
       insert into escalation_steps (id, tenant_id, policy_id, position, delay_minutes)
       select gen_random_uuid(), $2, $5, n, 5 from generate_series(1, 3) n returning id
     )
     insert into escalation_targets (tenant_id, step_id, position, channel_id) select $2, s.id, 0, $1 from s`,
    [channel, tenantId, JSON.stringify(config), secrets, policy],
  )
}

async function aToken(platform: pg.Pool, tenantId: string): Promise<string> {
  const { plain } = await createToken(platform, {
    kind: 'svc',
    tenantId,
    userId: null,
    name: 'bench',
    scopes: ['incidents:manage'],
    expiresAt: null,
  })
  return plain
}
