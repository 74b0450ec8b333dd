import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { issueInvoice } from '#control-plane/billing/invoices.ts'
import { payInvoice } from '#control-plane/billing/manual/pay.ts'
import { lockSubscription } from '#control-plane/billing/row.ts'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { testPrices } from '#test/control-plane/billing/prices.ts'
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

interface DueRow {
  next_due_at: Date | null
}

/** Lets days pass, and starts the workflows of a tenant's outbox meanwhile as the dispatcher does, each once. */
async function live(start: Start, tenantId: string, days: number, started: Set<string> = new Set()): Promise<void> {
  for (let day = 0; day < days; day++) {
    const { rows } = await world.platform.query<{ payload: { id: string; input: Record<string, unknown> } }>(
      `select payload from outbox where tenant_id = $1 and kind = 'workflow' order by id`,
      [tenantId],
    )
    for (const { payload } of rows) {
      if (started.has(payload.id)) continue
      started.add(payload.id)
      await start('billing', payload.input)
    }
    await world.sleep(dayMs)
    for (;;) {
      const { rows: due } = await world.platform.query<DueRow>(
        'select next_due_at from subscriptions where tenant_id = $1',
        [tenantId],
      )
      const next = due[0]?.next_due_at
      // what is due has been done, or waits for the workflow that is started next
      if (!next || next.getTime() > (await world.now()) || (await isUnstarted(tenantId, started))) break
      await sleep(20)
    }
  }
}

async function isUnstarted(tenantId: string, started: ReadonlySet<string>): Promise<boolean> {
  const { rows } = await world.platform.query<{ id: string }>(
    `select payload ->> 'id' as id from outbox where tenant_id = $1 and kind = 'workflow'`,
    [tenantId],
  )
  return rows.some(({ id }) => !started.has(id))
}

const doneOn = (begunMs: number) =>
  world.steps
    .filter(({ step, outcome }) => step === 'advanceBilling' && outcome === 'done')
    .map(({ at }) => Math.floor((at - begunMs) / dayMs))

const planOf = async (tenantId: string) =>
  (await world.platform.query<{ plan: string }>('select plan from tenants where id = $1', [tenantId])).rows[0]?.plan
const statusOf = async (tenantId: string) =>
  (await world.platform.query('select status from subscriptions where tenant_id = $1', [tenantId])).rows[0].status
const eventsOf = async (tenantId: string) =>
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
    world.steps.length = 0
    await world.working(start => live(start, tenantId, 47))
    const [invoice = 0, end = 0, reminder = 0, over = 0, ...more] = doneOn(begunMs)
    expect(more).toEqual([])
    expect([27, 28, 29, 30, 31]).toContain(end)
    expect(end - invoice).toBeGreaterThanOrEqual(6)
    expect([10, 11, 12]).toContain(reminder - end)
    expect([13, 14, 15]).toContain(over - end)
    expect(await planOf(tenantId)).toBe('free')
    expect(await eventsOf(tenantId)).toEqual([
      'billing.invoice_paid',
      'billing.plan_changed',
      'billing.payment_failed',
      'billing.plan_changed',
    ])
  }, 180_000)

  test('that is paid in its grace period keeps its plan, though its steps fail before and after', async () => {
    const tenantId = await paying()
    for (let i = 0; i < 3; i++)
      world.faults.push({ step: 'advanceBilling', when: 'after' }, { step: 'advanceBilling', when: 'before' })
    const started = new Set<string>()
    await world.working(async start => {
      await live(start, tenantId, 34, started)
      expect(await statusOf(tenantId)).toBe('past_due')
      await pay(tenantId)
      await live(start, tenantId, 14, started)
    })
    expect(world.faults).toEqual([])
    expect([await planOf(tenantId), await statusOf(tenantId)]).toEqual(['starter', 'active'])
    expect((await eventsOf(tenantId)).filter(name => name === 'billing.payment_failed')).toHaveLength(1)
  }, 180_000)
})
