import { randomUUID } from 'node:crypto'
import type { Serving } from '#test/control-plane/serving.ts'
import type { CallerUnderTest } from '#test/support/app.ts'

/** Puts an event into a tenant's outbox, as the transaction of its cause would. */
export async function happen({ platform }: Serving, tenantId: string, name: string, payload: Record<string, unknown>): Promise<string> {
  const { rows } = await platform.query<{ id: string }>(`insert into outbox (tenant_id, kind, name, payload) values ($1, 'event', $2, $3) returning id`, [
    tenantId,
    name,
    JSON.stringify(payload),
  ])
  await platform.query(`select pg_notify('outbox', '')`)
  return rows[0]!.id
}

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

export type Json = ReturnType<typeof JSON.parse>
export type { CallerUnderTest }
