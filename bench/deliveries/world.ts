import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import type pg from 'pg'
import { encryptConfig } from '#control-plane/alerting/channels/config.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { keyring } from '../api.ts'

export const secret = 'a secret for signing, 32 letters'

export interface Arrivals {
  arrivals: [event: string, path: string, at: number][]
  twice: number
  wrong: number
}

/** A receiver in a process of its own. */
export async function startReceiver(env: Record<string, string> = {}) {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'receiver.ts')], {
    env: { ...process.env, WEBHOOK_SECRET: secret, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [port] = await once(child.stdout!, 'data')
  const url = `http://127.0.0.1:${String(port).trim()}`
  return {
    url,
    pid: child.pid ?? 0,
    arrived: async (): Promise<Arrivals> => (await fetch(url)).json() as Promise<Arrivals>,
    async stop() {
      child.kill('SIGKILL')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
    },
  }
}

/** A tenant with monitors of the given tags, one each in turn. */
export async function aTenant(
  platform: pg.Pool,
  monitors: number,
  tags: readonly string[],
): Promise<{ id: string; monitors: string[] }> {
  const id = await createTenant(platform, { name: 'Team', slug: `t-${randomUUID()}`, plan: 'pro', isReseller: false })
  const ids = Array.from({ length: monitors }, () => randomUUID())
  await platform.query(
    `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
     recovery_confirmations, tags)
     select m.id, $1, 'Shop ' || m.n, 'https://shop.example.com/' || m.n, 'website', 60, 10,
       '{"mode":"majority","count":null}', 2, 2,
       array[($3::text[])[1 + (m.n % cardinality($3::text[]))]]
     from unnest($2::uuid[]) with ordinality m(id, n)`,
    [id, ids, tags],
  )
  return { id, monitors: ids }
}

/** A signed webhook and a rule that subscribes it to incidents of one tag. */
export async function aWebhook(platform: pg.Pool, tenantId: string, url: string, tag: string): Promise<void> {
  const id = randomUUID()
  const { config, secrets } = encryptConfig(keyring, id, 'webhook', { url, secret })
  await platform.query(
    `insert into notification_channels (id, tenant_id, name, type, config, secrets)
     values ($1, $2, 'Ops', 'webhook', $3, $4)`,
    [id, tenantId, JSON.stringify(config), secrets],
  )
  await platform.query(
    `insert into notification_rules (id, tenant_id, channel_id, event_types, monitor_filter)
     values ($1, $2, $3, '{incident.created,incident.resolved}', $4)`,
    [randomUUID(), tenantId, id, JSON.stringify({ monitor_ids: [], tags: [tag], types: [] })],
  )
}

export interface Happened {
  tenantId: string
  monitorId: string
  incidentId: string
}

/** Incidents that are open, so that what is decided about their events can be stored beside them. */
export async function openIncidents(platform: pg.Pool, events: readonly Happened[]): Promise<void> {
  await platform.query(
    `insert into incidents (id, tenant_id, monitor_id, check_type, number, title, severity, started_at,
     confirmed_at, quorum)
     select e.id, e.tenant_id, e.monitor_id, 'uptime', e.n, 'Shop is down', 'critical', now(), now(), '{}'
     from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as e(tenant_id, monitor_id, id, n)`,
    [events.map(each => each.tenantId), events.map(each => each.monitorId), events.map(each => each.incidentId)],
  )
}

/** Incidents as the transaction of their cause would leave them, all committed together. */
export async function happen(platform: pg.Pool, events: readonly Happened[]): Promise<void> {
  await platform.query(
    `with said as (
       insert into outbox (tenant_id, kind, name, payload)
       select e.tenant_id, 'event', 'incident.created',
         jsonb_build_object('incident_id', e.incident_id, 'monitor_id', e.monitor_id, 'monitor_name', 'Shop',
         'monitor_url', 'https://shop.example.com/cart', 'title', 'Shop is down', 'status', 'investigating',
           'severity', 'critical',
         'started_at', '2026-01-15T08:30:00.000000Z', 'resolved_at', null)
       from unnest($1::uuid[], $2::uuid[], $3::uuid[]) as e(tenant_id, monitor_id, incident_id) returning 1
     )
     select pg_notify('outbox', '') from (select count(*) from said) s`,
    [events.map(each => each.tenantId), events.map(each => each.monitorId), events.map(each => each.incidentId)],
  )
}
