import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceBilling } from '#control-plane/billing/advance.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { testPrices } from './prices.ts'

const { platform, config } = app.services
const dayMs = 86_400_000

let operator: CallerUnderTest
beforeAll(async () => {
  config.billing = { prices: testPrices }
  operator = await given.operator()
})
afterAll(() => {
  config.billing = undefined
})

const invoicesOf = async (team: CallerUnderTest, status = 'open') =>
  (await team.get(`/billing/invoices?status=${status}`)).body.data
const billingOf = async (team: CallerUnderTest) => (await team.get('/billing')).body.data
const act = (team: CallerUnderTest, invoice: { id: string }, what: 'mark-paid' | 'void') =>
  operator.post(`/tenants/${team.tenantId}/billing/invoices/${invoice.id}/${what}`)

async function paying(plan: string, interval = 'month'): Promise<CallerUnderTest> {
  const team = await given.tenant({ plan: 'free' })
  expect((await team.post('/billing/plan', { plan, interval })).status).toBe(200)
  const [invoice] = await invoicesOf(team)
  expect((await act(team, invoice, 'mark-paid')).status).toBe(200)
  return team
}

const monitorsOf = async (team: CallerUnderTest, count: number) => {
  for (let index = 0; index < count; index++)
    expect((await team.post('/monitors', { name: `M${index}`, url: 'https://example.com/' })).status).toBe(201)
}
const mailsOf = async (team: CallerUnderTest) => {
  const { rows } = await platform.query<{ name: string; email: string }>(
    `select name, payload -> 'recipient' ->> 'email' as email from outbox
     where tenant_id = $1 and kind = 'mail' and name like 'billing%' order by id`,
    [team.tenantId],
  )
  return rows
}

/** Moves a subscription to what is due next, as if that moment had come. */
async function advance(team: CallerUnderTest): Promise<{ dueAt: Date; outcome: unknown }> {
  const { rows } = await platform.query<{ next_due_at: Date }>(
    'select next_due_at from subscriptions where tenant_id = $1',
    [team.tenantId],
  )
  const dueAt = rows[0]!.next_due_at
  const calendar = { now: async () => dueAt, dayMs }
  return { dueAt, outcome: await advanceBilling(platform, testPrices, team.tenantId, dueAt, calendar) }
}

describe('a team whose invoices an operator marks as paid', () => {
  test('pays for nothing at first and sees what is offered', async () => {
    const team = await given.tenant({ plan: 'pro' })
    const billing = await billingOf(team)
    expect(billing).toMatchObject({ plan: 'pro', status: 'none', provider: 'manual', pending_plan: null })
    expect(billing.payer.type).toBe('team')
    expect(billing.prices).toHaveLength(testPrices.length)
    expect(JSON.stringify(billing)).not.toContain('price_')
  })

  test('has a plan once its first invoice is paid, and not before', async () => {
    const team = await given.tenant({ plan: 'free' })
    const asked = await team.post('/billing/plan', { plan: 'pro' })
    expect(asked.body.data).toMatchObject({ plan: 'free', status: 'none', pending_plan: 'pro', pending_at: null })
    const [invoice] = await invoicesOf(team)
    expect(invoice).toMatchObject({ reason: 'start', subtotal: 4_900, tax: 931, total: 5_831, currency: 'eur' })
    expect(invoice.number).toBe(`${team.tenantId.slice(0, 8).toUpperCase()}-0001`)
    const paid = await act(team, invoice, 'mark-paid')
    expect(paid.body.data).toMatchObject({ status: 'paid', amount_paid: 5_831 })
    expect(await billingOf(team)).toMatchObject({
      plan: 'pro',
      status: 'active',
      interval: 'month',
      pending_plan: null,
    })
    expect(await app.emitted(team)).toEqual(['billing.invoice_paid', 'billing.plan_changed'])
    expect((await mailsOf(team)).map(({ name }) => name)).toEqual([
      'billing_invoice_issued',
      'billing_invoice_paid',
      'billing_plan_changed',
    ])
    expect(await app.audited(team)).toContain('invoice.paid')
    expect(await app.audited(operator)).toContain('invoice.paid')
  })

  test('is given a plan once, however many operators mark its invoice as paid at a time', async () => {
    const team = await given.tenant({ plan: 'free' })
    await team.post('/billing/plan', { plan: 'starter' })
    const [invoice] = await invoicesOf(team)
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(team, invoice, 'mark-paid')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)])
    expect(answers.find(({ status }) => status === 422)?.body.code).toBe('invoice_not_open')
    expect((await app.emitted(team)).filter(name => name === 'billing.invoice_paid')).toHaveLength(1)
  })

  test('upgrades for the difference, as what is left of the paid period is credited', async () => {
    const team = await paying('starter')
    await platform.query(
      `update invoices set period_start = period_start - interval '15 days', period_end = period_start + interval '15 days'
       where tenant_id = $1`,
      [team.tenantId],
    )
    const asked = await team.post('/billing/plan', { plan: 'pro' })
    expect(asked.body.data).toMatchObject({ plan: 'starter', pending_plan: 'pro', pending_at: null })
    const [invoice] = await invoicesOf(team)
    expect(invoice.lines).toHaveLength(2)
    expect(invoice.lines[1].amount).toBeLessThanOrEqual(-949)
    expect(invoice.lines[1].amount).toBeGreaterThanOrEqual(-950)
    await act(team, invoice, 'mark-paid')
    expect(await billingOf(team)).toMatchObject({ plan: 'pro', status: 'active' })
  })

  test('downgrades at the end of the period, and keeps its monitors', async () => {
    const team = await paying('starter')
    await monitorsOf(team, 6)
    const asked = await team.post('/billing/plan', { plan: 'hobby' })
    const { current_period_end } = asked.body.data
    expect(asked.body.data).toMatchObject({ plan: 'starter', pending_plan: 'hobby', pending_at: current_period_end })
    // the invoice of the next period is that of the lower plan
    expect((await advance(team)).outcome).toBe('done')
    const [invoice] = await invoicesOf(team)
    expect(invoice).toMatchObject({ reason: 'renewal', plan: 'hobby', total: 900, period_start: current_period_end })
    await act(team, invoice, 'mark-paid')
    expect((await billingOf(team)).plan).toBe('starter')
    await advance(team)
    expect(await billingOf(team)).toMatchObject({ plan: 'hobby', status: 'active', pending_plan: null })
  })

  test('downgrades now if it says so, and what exceeds the plan is put on hold, the chosen monitors last', async () => {
    const team = await paying('starter')
    await monitorsOf(team, 7)
    const { body: monitors } = await team.get('/monitors?sort=created_at&per_page=50')
    const newest = monitors.data.at(-1).id
    await team.put('/plan/kept-monitors', { monitor_ids: [newest] })
    const preview = (await team.get('/billing/plan-preview?plan=free')).body.data
    expect(preview).toMatchObject({ monitors_on_hold_count: 2, price: null })
    expect(preview.over_limit).toContainEqual({ feature: 'monitors', current: 7, limit: 5 })
    const canceled = await team.post('/billing/cancel', { at: 'now' })
    expect(canceled.body.data).toMatchObject({ plan: 'free', status: 'canceled' })
    const { on_hold, kept } = (await team.get('/plan/kept-monitors')).body.data
    expect(on_hold.toSorted()).toEqual(preview.monitors_on_hold.map(({ id }: { id: string }) => id).toSorted())
    expect(kept).toContain(newest)
  })

  test('cancels a pending downgrade, a pending upgrade and a pending end, each by its own call', async () => {
    const team = await paying('starter')
    await team.post('/billing/plan', { plan: 'hobby' })
    expect((await team.post('/billing/resume')).body.code).toBe('nothing_pending')
    expect((await team.delete('/billing/plan-change')).body.data.pending_plan).toBeNull()
    await team.post('/billing/plan', { plan: 'pro' })
    expect(await invoicesOf(team)).toHaveLength(1)
    expect((await team.delete('/billing/plan-change')).body.data.pending_plan).toBeNull()
    expect(await invoicesOf(team)).toHaveLength(0)
    expect((await team.delete('/billing/plan-change')).body.code).toBe('nothing_pending')
    const ending = await team.post('/billing/cancel')
    expect(ending.body.data).toMatchObject({ plan: 'starter', status: 'active', pending_plan: 'free' })
    expect((await team.delete('/billing/plan-change')).body.code).toBe('nothing_pending')
    expect((await team.post('/billing/resume')).body.data.pending_plan).toBeNull()
  })

  test('keeps its plan fourteen days after an unpaid period, is reminded, and then has the free plan', async () => {
    const team = await paying('starter')
    await monitorsOf(team, 6)
    await advance(team) // the invoice
    const { dueAt: end } = await advance(team) // the end of the period
    expect(await billingOf(team)).toMatchObject({ plan: 'starter', status: 'past_due' })
    expect((await advance(team)).dueAt.getTime() - end.getTime()).toBe(11 * dayMs)
    expect((await mailsOf(team)).at(-1)?.name).toBe('billing_grace_ending')
    expect((await advance(team)).dueAt.getTime() - end.getTime()).toBe(14 * dayMs)
    expect(await billingOf(team)).toMatchObject({ plan: 'free', status: 'canceled' })
    expect((await team.get('/plan/kept-monitors')).body.data.on_hold).toHaveLength(1)
    expect((await team.get('/monitors')).body.meta.total).toBe(6)
    expect((await app.emitted(team)).filter(name => name.startsWith('billing.'))).toEqual([
      'billing.invoice_paid',
      'billing.plan_changed',
      'billing.payment_failed',
      'billing.plan_changed',
    ])
    // a payment restores all of it
    const [invoice] = await invoicesOf(team)
    await act(team, invoice, 'mark-paid')
    expect(await billingOf(team)).toMatchObject({ plan: 'starter', status: 'active', grace_ends_at: null })
    expect((await team.get('/plan/kept-monitors')).body.data.on_hold).toEqual([])
  })

  test('has its period go on without a gap when it pays in the grace period', async () => {
    const team = await paying('starter')
    await advance(team)
    const { dueAt: end } = await advance(team)
    const [invoice] = await invoicesOf(team)
    await act(team, invoice, 'mark-paid')
    const billing = await billingOf(team)
    expect(billing.status).toBe('active')
    expect(new Date(billing.current_period_end).getTime()).toBeGreaterThan(end.getTime() + 27 * dayMs)
  })

  test('ends when the operator makes its next invoice void', async () => {
    const team = await paying('starter')
    await advance(team)
    const [invoice] = await invoicesOf(team)
    expect((await act(team, invoice, 'void')).body.data.status).toBe('void')
    expect((await billingOf(team)).status).toBe('active')
    await advance(team)
    expect(await billingOf(team)).toMatchObject({ plan: 'free', status: 'canceled' })
  })

  test('may not change its plan while a payment is open, but may cancel', async () => {
    const team = await paying('starter')
    await advance(team)
    await advance(team)
    const refused = await team.post('/billing/plan', { plan: 'pro' })
    expect([refused.status, refused.body.code]).toEqual([422, 'payment_due'])
    expect((await team.post('/billing/cancel')).body.data).toMatchObject({ plan: 'free', status: 'canceled' })
    expect(await invoicesOf(team)).toEqual([])
  })

  test('has one invoice for a change, however often it asks at a time', async () => {
    const team = await given.tenant({ plan: 'free' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => team.post('/billing/plan', { plan: index % 2 ? 'pro' : 'starter' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    const open = await invoicesOf(team)
    expect(open).toHaveLength(1)
    expect((await billingOf(team)).pending_plan).toBe(open[0].plan)
    const all = (await team.get('/billing/invoices?per_page=100')).body.data
    expect(new Set(all.map(({ number }: { number: string }) => number)).size).toBe(10)
  })

  test('mails the payer as well as the owners, each once', async () => {
    const team = await given.tenant({ plan: 'free' })
    const email = `${team.tenantId}@books.test`
    const changed = await team.patch('/billing/payer', { name: 'Books', email, country: 'DE' })
    expect(changed.body.data.payer).toEqual({ type: 'team', name: 'Books', email, address: null, country: 'DE' })
    await team.patch('/billing/payer', { address: 'Street 1\u2003Town' })
    await team.post('/billing/plan', { plan: 'hobby' })
    const [invoice] = await invoicesOf(team)
    expect(invoice.payer).toMatchObject({ name: 'Books', country: 'DE' })
    await act(team, invoice, 'mark-paid')
    const to = (await mailsOf(team)).filter(({ name }) => name === 'billing_invoice_paid').map(mail => mail.email)
    expect(to.toSorted()).toEqual([email, `${team.userId}@people.test`].toSorted())
    const { rows } = await platform.query(
      `select changes from audit_entries where tenant_id = $1 and action = 'subscription.payer_updated'
       order by created_at`,
      [team.tenantId],
    )
    expect(rows.map(({ changes }) => changes.payer)).toEqual([
      { changed: ['name', 'email', 'country'] },
      { changed: ['address'] },
    ])
  })
})

describe('what is refused', () => {
  test.each([
    [{ plan: 'free' }, 'plan'],
    [{ plan: 'enterprise' }, 'plan'],
    [{ plan: 'pro', interval: 'year' }, 'interval'],
    [{ plan: 'pro', interval: 'week' }, 'interval'],
    [{ plan: 'pro', at: 'later' }, 'at'],
    [{}, 'plan'],
  ])('is a change with the wrong %o, by its field', async (body, field) => {
    const team = await given.tenant({ plan: 'free' })
    const { status, body: answer } = await team.post('/billing/plan', body)
    expect([status, Object.keys(answer.errors)]).toEqual([422, [field]])
  })

  test.each([
    [{ email: 'no address' }, 'email'],
    [{ country: 'de' }, 'country'],
    [{ name: 'x'.repeat(256) }, 'name'],
    [{ address: 'x'.repeat(501) }, 'address'],
    [{ name: 'a\nb' }, 'name'],
  ])('is a payer with the wrong %o, by its field', async (body, field) => {
    const { status, body: answer } = await (await given.tenant()).patch('/billing/payer', body)
    expect([status, Object.keys(answer.errors)]).toEqual([422, [field]])
  })

  test('is the plan that there is', async () => {
    const team = await paying('starter')
    expect((await team.post('/billing/plan', { plan: 'starter' })).body.code).toBe('same_plan')
  })

  test('is all that needs a subscription where there is none', async () => {
    const team = await given.tenant({ plan: 'pro' })
    expect((await team.post('/billing/cancel')).body.code).toBe('subscription_not_active')
    expect((await team.post('/billing/resume')).body.code).toBe('nothing_pending')
    expect((await team.post('/billing/checkout', { plan: 'pro' })).body.code).toBe('provider_lacks')
    expect((await team.post('/billing/portal')).body.code).toBe('provider_lacks')
  })

  test.each(['//evil.example', '/\\evil.example', 'https://evil.example', '/a\r\nb', 'javascript:alert(1)'])(
    'is the return path %j, which leads elsewhere',
    async return_path => {
      const { status, body } = await (await given.tenant()).post('/billing/checkout', { plan: 'pro', return_path })
      expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['return_path']])
    },
  )

  test('is a change by members, viewers and tokens without the scope', async () => {
    const team = await given.tenant()
    for (const role of ['member', 'viewer'] as const) {
      const colleague = await given.colleague(team, role)
      expect((await colleague.post('/billing/plan', { plan: 'pro' })).status).toBe(403)
      expect((await colleague.get('/billing')).status).toBe(200)
    }
    const token = await given.token(team, 'svc', ['settings:manage', 'team:manage'])
    expect((await token.get('/billing')).status).toBe(403)
  })

  test('is every call in another tenant’s name, to read too', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const impersonator = await given.impersonation(reseller, team)
    for (const answer of [
      await impersonator.get('/billing'),
      await impersonator.post('/billing/plan', { plan: 'pro' }),
      await impersonator.post('/billing/cancel'),
      await operator.get('/billing', { headers: { 'X-Tenant-Id': team.tenantId } }),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, 'impersonation_refused'])
  })

  test('is a change by a managed team: its reseller pays', async () => {
    const team = await given.team(await given.reseller(), { plan: 'starter' })
    const billing = await billingOf(team)
    expect(billing).toMatchObject({ plan: 'starter', status: 'none', prices: [] })
    expect(billing.payer.type).toBe('reseller')
    for (const answer of [
      await team.post('/billing/plan', { plan: 'pro' }),
      await team.post('/billing/cancel'),
      await team.patch('/billing/payer', { name: 'X' }),
    ])
      expect([answer.status, answer.body.code]).toEqual([403, 'billed_by_reseller'])
  })

  test('is another tenant’s invoice, as one that never was', async () => {
    const team = await paying('starter')
    const [invoice] = await invoicesOf(team, 'paid')
    const other = await given.tenant()
    expect((await other.get(`/billing/invoices/${invoice.id}`)).status).toBe(404)
    expect((await team.get(`/billing/invoices/${invoice.id}`)).body.data.id).toBe(invoice.id)
    expect((await act(other, invoice, 'mark-paid')).status).toBe(404)
    expect((await team.post(`/tenants/${team.tenantId}/billing/invoices/${invoice.id}/void`)).status).toBe(403)
  })

  test('is every change where the operator offers no plans', async () => {
    config.billing = undefined
    try {
      const team = await given.tenant()
      expect((await team.get('/billing')).body.data.prices).toEqual([])
      expect((await team.post('/billing/plan', { plan: 'pro' })).body.code).toBe('billing_not_set')
    } finally {
      config.billing = { prices: testPrices }
    }
  })
})

test('a plan that an operator gave stays where nothing was ever paid for', async () => {
  const team = await given.tenant({ plan: 'pro' })
  await team.patch('/billing/payer', { name: 'Acme' })
  await team.post('/billing/plan', { plan: 'starter' })
  await team.delete('/billing/plan-change')
  expect(await billingOf(team)).toMatchObject({ plan: 'pro', status: 'none' })
})
