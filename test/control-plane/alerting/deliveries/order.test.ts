import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteExpiredDeliveries } from '#control-plane/alerting/deliveries/delete-expired.ts'
import { claimS } from '#control-plane/alerting/deliveries/delivery.ts'
import { addDeliveries, type NewDelivery } from '#control-plane/alerting/deliveries/store.ts'
import { Listener } from '#control-plane/base/listen.ts'
import { deliverers, ProcessRegistry } from '#control-plane/base/process-registry.ts'
import { deleteOldOutboxRows } from '#control-plane/outbox/dispatcher.ts'
import { anIncident, aTenantOf, happen } from '#test/control-plane/alerting/alerted.ts'
import { Receiver } from '#test/control-plane/alerting/receiver.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'

let served: Serving
let receiver: Receiver
beforeAll(async () => {
  receiver = await Receiver.open()
  served = await serving('in_order', { roles: ['api', 'worker'] })
  receiver.answer = (request, response) => {
    if (broken.has(request.path)) response.writeHead(503)
    response.end('')
  }
})
afterAll(async () => {
  await served?.close()
  await receiver?.close()
})

/** Paths that the receiver refuses. */
const broken = new Set<string>()

/** A first delivery, about a monitor of its own. */
const aDelivery = (tenant: { id: string; channel: { id: string } }): NewDelivery => ({
  id: randomUUID(),
  channel_id: tenant.channel.id,
  tenant_id: tenant.id,
  event_id: null,
  event: 'incident.created',
  managed_tenant_id: null,
  monitor_id: null,
  subject: randomUUID(),
  body: JSON.stringify({ event: 'incident.created', ...anIncident() }),
})

const aTenant = async (options?: { isReseller?: boolean }) => {
  const tenant = await aTenantOf(served, receiver, options)
  const { channel } = await tenant.subscribe(['incident.created', 'incident.resolved'])
  const logs = async (): Promise<{ id: string; status: string; event: string; attempts: unknown[] }[]> =>
    tenant.call('GET', '/notification-logs')
  return {
    ...tenant,
    channel,
    until: (statuses: string[], withinMs = 10_000) =>
      eventually(
        async () =>
          (await logs())
            .map(({ status }) => status)
            .toSorted()
            .join() === statuses.toSorted().join()
            ? true
            : undefined,
        withinMs,
      ),
    hurry: async () => {
      await served.platform.query(
        `update deliveries set next_at = clock_timestamp() where tenant_id = $1 and status = 'retrying'`,
        [tenant.id],
      )
      await served.platform.query(`select pg_notify('deliveries', '')`)
    },
  }
}
const messagesOf = (tenant: Awaited<ReturnType<typeof aTenant>>) =>
  tenant.received().map(({ body }) => `${body.event.split('.')[1]} ${body.monitor_name}`)

describe('messages about one monitor to one channel', () => {
  test('are sent in their order, also if the first is retried; those about other monitors do not wait', async () => {
    const tenant = await aTenant()
    const [shop, blog] = [anIncident({ monitor_name: 'Shop' }), anIncident({ monitor_name: 'Blog' })]
    broken.add(tenant.path)
    await happen(served, tenant.id, 'incident.created', shop)
    await tenant.until(['retrying'])
    broken.delete(tenant.path)
    await happen(served, tenant.id, 'incident.resolved', { ...shop, status: 'resolved' })
    await happen(served, tenant.id, 'incident.created', { ...shop, incident_id: randomUUID() })
    await happen(served, tenant.id, 'incident.created', blog)
    await tenant.until(['delivered', 'held', 'held', 'retrying'])
    expect(messagesOf(tenant)).toEqual(['created Shop', 'created Blog'])
    await tenant.hurry()
    await tenant.until(['delivered', 'delivered', 'delivered', 'delivered'])
    const later = ['created Shop', 'resolved Shop', 'created Shop']
    expect(messagesOf(tenant)).toEqual(['created Shop', 'created Blog', ...later])
    const [first, , again, resolved] = tenant.received()
    expect(again!.headers['webhook-id']).toBe(first!.headers['webhook-id'])
    expect(resolved!.body.timestamp > again!.body.timestamp).toBe(true)
  })

  test('are queued until the last attempt of the earlier one, or until that takes too long', async () => {
    const tenant = await aTenant()
    broken.add(tenant.path)
    const shop = anIncident({ monitor_name: 'Shop' })
    await happen(served, tenant.id, 'incident.created', shop)
    await tenant.until(['retrying'])
    await served.platform.query(`update deliveries set attempts = 3 where tenant_id = $1`, [tenant.id])
    await happen(served, tenant.id, 'incident.resolved', { ...shop, status: 'resolved' })
    await tenant.until(['held', 'retrying'])
    await tenant.hurry()
    await tenant.until(['retrying', 'failed'])
    expect(messagesOf(tenant)).toEqual(['created Shop', 'created Shop', 'resolved Shop'])

    broken.delete(tenant.path)
    const { rows } = await served.platform.query<{ subject: string; body: string }>(
      'select subject, body from deliveries where tenant_id = $1 limit 1',
      [tenant.id],
    )
    const late = { ...aDelivery(tenant), ...rows[0]! }
    expect(await addDeliveries(served.platform, [late], 1)).toEqual(['held'])
    await tenant.until(['delivered', 'retrying', 'failed'])
  })

  test('are released when no earlier one is unfinished', async () => {
    const tenant = await aTenant()
    const one = aDelivery(tenant)
    await addDeliveries(served.platform, [one])
    await served.platform.query(
      `update deliveries set status = 'held', next_at = clock_timestamp() + interval '6 minutes' where id = $1`,
      [one.id],
    )
    await eventually(() => (tenant.received().length === 1 ? true : undefined), 12_000)
  })
})

test('the remaining process sends what a killed process had claimed, long before the claim expires', async () => {
  const tenant = await aTenant()
  const listener = new Listener(served.config.platformUrl, served.plane.services.log)
  await listener.start()
  const other = new ProcessRegistry(served.platform, listener, deliverers)
  await other.join(() => undefined)
  // the remaining process has noticed it
  await sleep(1_500)
  const claimed = aDelivery(tenant)
  expect(await addDeliveries(served.platform, [claimed])).toEqual(['pending'])
  other.leave()
  await listener.stop()
  await tenant.until(['delivered'], (claimS - 5) * 1_000)
  expect(tenant.received()).toHaveLength(1)
})

describe('old data', () => {
  test('is deleted in batches: deliveries as the plan says, sink mails in a month, the outbox in a week', async () => {
    const [free, pro, own] = [await aTenant(), await aTenant(), await aTenant()]
    await served.platform.query(`update tenants set plan = 'free' where id = $1`, [free.id])
    await served.platform.query(`update tenants set feature_overrides = '{"data_retention_days": 5}' where id = $1`, [
      own.id,
    ])
    for (const { id, channel } of [free, pro, own]) {
      await served.platform.query(
        `insert into deliveries (id, tenant_id, channel_id, event, status, next_at, created_at)
         select gen_random_uuid(), $1, $2, 'x', s, now() + interval '1 day',
           now() - (d || ' days')::interval + interval '1 hour'
         from unnest('{1,5,6,14,15,90,91}'::int[]) d, unnest('{delivered,failed,retrying}'::text[]) s`,
        [id, channel.id],
      )
      await served.platform.query(
        `insert into mail_sink_messages (id, tenant_id, recipients, subject, body, created_at)
         select gen_random_uuid(), $1, '{}', d::text, '', now() - (d || ' days')::interval + interval '1 hour'
       from unnest('{30,31}'::int[]) d`,
        [id],
      )
      await served.platform.query(
        `insert into outbox (tenant_id, kind, name, payload, done_at)
       select $1, 'event', d::text, '{}', now() - (d || ' days')::interval + interval '1 hour'
       from unnest('{7,8,9}'::int[]) d`,
        [id],
      )
    }
    expect(await deleteExpiredDeliveries(served.platform, { batch: 2 })).toBe(2 * (3 + 1 + 5) + 3)
    await deleteOldOutboxRows(served.platform, { batch: 2 })
    const left = async (id: string) =>
      (
        await served.platform.query<{ days: number }>(
          `select ceil(extract(epoch from now() - created_at) / 86400)::int as days from deliveries
       where tenant_id = $1 and status = 'failed' order by 1`,
          [id],
        )
      ).rows.map(({ days }) => days)
    expect([await left(free.id), await left(pro.id), await left(own.id)]).toEqual([
      [1, 5, 6, 14],
      [1, 5, 6, 14, 15, 90],
      [1, 5],
    ])
    expect(
      (await served.platform.query(`select 1 from deliveries where tenant_id = $1 and status = 'retrying'`, [own.id]))
        .rowCount,
    ).toBe(7)
    expect(
      (await served.platform.query(`select name from outbox where tenant_id = $1 and kind = 'event'`, [own.id])).rows,
    ).toEqual([{ name: '7' }])
    expect(
      (await served.platform.query(`select subject from mail_sink_messages where tenant_id = $1`, [own.id])).rows,
    ).toEqual([{ subject: '30' }])
  })
})
