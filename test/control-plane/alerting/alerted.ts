import { randomUUID } from 'node:crypto'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { eventually, type Serving } from '#test/control-plane/serving.ts'
import type { Receiver } from './receiver.ts'

/** A running control plane. */
export interface Reached {
  platform: Serving['platform']
  plane: { baseUrl: string }
}

/** Puts an event into a tenant's outbox, as the transaction of its cause would. */
export async function happen(
  { platform }: Pick<Reached, 'platform'>,
  tenantId: string,
  name: string,
  payload: Record<string, unknown>,
): Promise<string> {
  const { rows } = await platform.query<{ id: string }>(
    `insert into outbox (tenant_id, kind, name, payload) values ($1, 'event', $2, $3) returning id`,
    [tenantId, name, JSON.stringify(payload)],
  )
  await platform.query(`select pg_notify('outbox', '')`)
  return rows[0]!.id
}

/** Waits until all events of a tenant are dispatched, and each of their deliveries was attempted. */
export const settled = ({ platform }: Serving, tenantId: string): Promise<true> =>
  eventually(async () => {
    const { rows } = await platform.query(
      `select 1 from outbox o where o.tenant_id = $1
         and (o.done_at is null or exists (
           select 1 from deliveries d where d.event_id = o.id and d.status in ('pending', 'held')))`,
      [tenantId],
    )
    return rows.length === 0 ? true : undefined
  })

export const anIncident = (more: Record<string, unknown> = {}) => ({
  incident_id: randomUUID(),
  monitor_id: randomUUID(),
  monitor_name: 'Shop',
  monitor_url: 'https://shop.example.com/cart',
  title: 'Shop is down',
  status: 'investigating',
  severity: 'critical',
  started_at: '2026-01-15T08:30:00.000000Z',
  resolved_at: null,
  ...more,
})

// biome-ignore lint/suspicious/noExplicitAny: answers are read as a user's script would
type Json = any

/** A tenant that calls its own API. */
export async function aTenantOf(
  served: Reached,
  receiver: Receiver,
  { isReseller = false, scopes = [] as string[] } = {},
) {
  const id = await createTenant(served.platform, {
    name: 'Team',
    slug: `t-${crypto.randomUUID()}`,
    plan: 'pro',
    featureOverrides: {},
    isReseller,
  })
  const { plain } = await createToken(served.platform, {
    kind: isReseller ? 'rk' : 'svc',
    tenantId: id,
    userId: null,
    name: 'test',
    scopes: [...(isReseller ? ['notifications:manage', 'webhooks:manage'] : ['notifications:manage']), ...scopes],
    expiresAt: null,
  })
  const call = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const response = await fetch(`${served.plane.baseUrl}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${plain}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return text ? JSON.parse(text).data : undefined
  }
  const path = `/${crypto.randomUUID()}`
  return {
    id,
    path,
    call,
    token: plain,
    received: () => receiver.at(path),
    async subscribe(event_types: string[], rule: object = {}, config: object = {}) {
      const channel = await call('POST', '/notification-channels', {
        name: 'x',
        type: 'webhook',
        config: { url: receiver.url + path, ...config },
        notify_all: false,
      })
      return {
        channel,
        rule: await call('POST', '/notification-rules', { channel_id: channel.id, event_types, ...rule }),
      }
    },
  }
}
