import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { issueInvoice } from '#control-plane/tenancy/billing/invoices.ts'
import { payInvoice } from '#control-plane/tenancy/billing/manual/pay.ts'
import { lockSubscription } from '#control-plane/tenancy/billing/row.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { testPrices } from '#test/control-plane/tenancy/billing/prices.ts'
import { dayMs, type Start, World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await World.open('billing_time')
}, 300_000)
afterAll(() => world?.close())

/** A team that has paid a month of the plan starter now, by the clock that is skipped. */
async function paying(): Promise<string> {
  const tenantId = await createTenant(world.platform, { name: 'Acme', slug: `t-${randomUUID()}`, plan: 'free' })
  const now = new Date(await world.now())
  const price = testPrices.find(({ plan, interval }) => plan === 'starter' && interval === 'month')!
  await inTransaction(world.platform, async client => {
    const row = await lockSubscription(client, tenantId, 'manual')
    const period = { start: now, end: now }
    const { id } = await issueInvoice(client, row, now, { reason: 'start', price, seats: 1, period, dueAt: now })
    await payInvoice(client, row, id, { now, dayMs, action: 'subscription.paid' })
  })
  return tenantId
}

async function pay(tenantId: string): Promise<void> {
  const now = new Date(await world.now())
  await inTransaction(world.platform, async client => {
    const row = await lockSubscription(client, tenantId, 'manual')
    const { rows } = await client.query(`select id from invoices where tenant_id = $1 and status = 'open'`, [tenantId])
    await payInvoice(client, row, rows[0].id, { now, dayMs, action: 'subscription.paid' })
  })
}

/** Starts the workflows of a tenant's outbox as the dispatcher does, each once, until none is left or `isOver`. */
async function dispatch(start: Start, tenantId: string, isOver: () => Promise<boolean>): Promise<string[]> {
  const outcomes: string[] = []
  const started = new Set<string>()
  while (!(await isOver())) {
    const { rows } = await world.platform.query<{ payload: { id: string; input: Record<string, unknown> } }>(
      `select payload from outbox where tenant_id = $1 and kind = 'workflow' order by id`,
      [tenantId],
    )
    const next = rows.find(({ payload }) => !started.has(payload.id))
    if (!next) {
      await sleep(20)
      continue
    }
    started.add(next.payload.id)
    outcomes.push(String(await (await start('billing', next.payload.input)).result()))
  }
  return outcomes
}

const planOf = async (tenantId: string) =>
  (await world.platform.query<{ plan: string }>('select plan from tenants where id = $1', [tenantId])).rows[0]?.plan
const mailsOf = async (tenantId: string) =>
  (
    await world.platform.query<{ name: string }>(
      `select name from outbox where tenant_id = $1 and name like 'billing.%' order by id`,
      [tenantId],
    )
  ).rows.map(({ name }) => name)

describe('a subscription', () => {
  test('that is not paid again ends fourteen days after its month', async () => {
    const tenantId = await paying()
    const begunMs = await world.now()
    await world.working(async start => {
      const outcomes = await dispatch(start, tenantId, async () => (await planOf(tenantId)) === 'free')
      // the invoice, the end of the month, the reminder, the end of the grace period
      expect(outcomes).toEqual(['done', 'done', 'done', 'done'])
    })
    const days = ((await world.now()) - begunMs) / dayMs
    expect(days).toBeGreaterThanOrEqual(28 + 14)
    expect(days).toBeLessThan(31 + 14.1)
    expect(await mailsOf(tenantId)).toEqual([
      'billing.invoice_paid',
      'billing.plan_changed',
      'billing.payment_failed',
      'billing.plan_changed',
    ])
  })

  test('that is paid in its grace period keeps its plan, though its steps fail before and after', async () => {
    const tenantId = await paying()
    for (let i = 0; i < 3; i++)
      world.faults.push({ step: 'advanceBilling', when: 'after' }, { step: 'advanceBilling', when: 'before' })
    const statusOf = async () =>
      (await world.platform.query('select status from subscriptions where tenant_id = $1', [tenantId])).rows[0].status
    await world.working(async start => {
      await dispatch(start, tenantId, async () => (await statusOf()) === 'past_due')
      await pay(tenantId)
      const { rows } = await world.platform.query<{ payload: { input: Record<string, unknown> } }>(
        `select payload from outbox where tenant_id = $1 and kind = 'workflow' order by id`,
        [tenantId],
      )
      // what was due before the payment is due no more
      const results = rows.slice(0, -1).map(async ({ payload }) => (await start('billing', payload.input)).result())
      expect(new Set(await Promise.all(results))).toEqual(new Set(['superseded']))
    })
    expect(world.faults).toEqual([])
    expect(await planOf(tenantId)).toBe('starter')
    expect((await mailsOf(tenantId)).filter(name => name === 'billing.payment_failed')).toHaveLength(1)
  })
})
