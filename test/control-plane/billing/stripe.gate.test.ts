import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { request } from 'undici'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { advanceBilling } from '#control-plane/billing/advance.ts'
import { endDueSubscriptions, orderEnd } from '#control-plane/billing/stripe/end-subscriptions.ts'
import { handleDueEvents } from '#control-plane/billing/stripe/watch.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { holdToContract } from '#test/support/contract.ts'
import {
  anInvoice,
  aSubscription,
  event,
  FakeStripe,
  type StripeEvent,
  sign,
  signingSecret,
  stripeKey,
  type Thing,
} from './fake-stripe.ts'
import { testPrices } from './prices.ts'

let stripe: FakeStripe
let served: Serving
beforeAll(async () => {
  stripe = await FakeStripe.start()
  served = await serving('billing_stripe', {
    roles: ['api'],
    config: {
      billing: {
        prices: testPrices,
        stripe: { apiKey: stripeKey, webhookSecrets: ['whsec_replaced', signingSecret], apiUrl: stripe.url },
      },
      trustedProxies: 1,
    },
  })
}, 60_000)
afterAll(async () => {
  await served?.close()
  await stripe?.close()
})
beforeEach(() => {
  stripe.failures.length = 0
  stripe.clockS = null
  stripe.declinesPayments = false
})

interface Team {
  tenantId: string
  token: string
}

async function aTeam(): Promise<Team> {
  const { platform } = served
  const [tenantId, userId] = [await served.tenant({}), randomUUID()]
  await platform.query(`update tenants set plan = 'free' where id = $1`, [tenantId])
  await platform.query(
    `insert into users (id, name, email, home_tenant_id, email_verified_at) values ($1, 'Pat', $2, $3, now())`,
    [userId, `${userId}@people.test`, tenantId],
  )
  await platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'owner')`, [
    userId,
    tenantId,
  ])
  const token = { kind: 'ss' as const, tenantId, userId, name: 'test', scopes: [], expiresAt: null }
  return { tenantId, token: (await createToken(platform, token)).plain }
}

let senders = 0
async function call(method: string, path: string, body: string | undefined, headers: Record<string, string>) {
  const target = `/api/v1${path}`
  const response = await request(served.plane.baseUrl + target, {
    method: method as 'POST',
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      // an address for every two hundred calls: none is limited
      'X-Forwarded-For': `198.51.${100 + (Math.floor(senders / 200) % 100)}.${(senders++ % 200) + 1}`,
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const text = await response.body.text()
  const parsed = text ? JSON.parse(text) : undefined
  const type = String(response.headers['content-type'] ?? '')
  holdToContract(method, target.split('?')[0]!, response.statusCode, type, parsed, body && JSON.parse(body))
  return { status: response.statusCode, body: parsed }
}

const by = (team: Team, method: string, path: string, body?: unknown) =>
  call(method, path, body === undefined ? undefined : JSON.stringify(body), { Authorization: `Bearer ${team.token}` })
const deliver = (given: StripeEvent, headers?: Record<string, string>) => {
  const body = JSON.stringify(given)
  return call('POST', '/billing/webhooks/stripe', body, { 'Stripe-Signature': sign(body), ...headers })
}
const billingOf = async (team: Team) => (await by(team, 'GET', '/billing')).body.data

async function aCustomer(team: Team): Promise<string> {
  const id = `cus_${randomUUID().slice(0, 8)}`
  await served.platform.query(
    `insert into subscriptions (tenant_id, provider, customer_ref) values ($1, 'stripe', $2)`,
    [team.tenantId, id],
  )
  return id
}

/** A team with a paid subscription, and the object of it at Stripe. */
async function paying(changes: Thing = {}): Promise<{ team: Team; customer: string; subscription: Thing }> {
  const team = await aTeam()
  const customer = await aCustomer(team)
  const createdS = Math.floor(Date.now() / 1_000) - 3_600
  const subscription = aSubscription(customer, createdS, changes)
  stripe.subscriptions.set(subscription.id, subscription)
  await deliver(event('customer.subscription.created', createdS, structuredClone(subscription)))
  return { team, customer, subscription }
}

/** All that events lead to, without what each run has of its own. */
async function endOf({ tenantId }: Team): Promise<unknown> {
  const { rows } = await served.platform.query(
    `select t.plan as tenant_plan, s.collection, s.status, s.plan, s.interval, s.seats, s.pending_plan, s.past_due_since,
       s.grace_ends_at, s.next_due_at, s.current_period_end,
       (select json_agg(json_build_object('status', i.status, 'number', i.number, 'paid', i.paid_at,
          'failed', i.failed_at, 'amount', i.amount_paid, 'attempts', i.attempts) order by i.created_at) from invoices i
          where i.tenant_id = t.id) as invoices,
       (select count(*) from outbox o where o.tenant_id = t.id and o.name = 'billing.invoice_paid') as paid_events,
       (select count(*) from billing_events e where e.tenant_id = t.id and e.outcome is null) as open_events
     from tenants t join subscriptions s on s.tenant_id = t.id where t.id = $1`,
    [tenantId],
  )
  return rows[0]
}

type Life = { events: StripeEvent[]; present: Thing }
const at = (hours: number) => Math.floor(Date.now() / 3_600_000) * 3_600 - 48 * 3_600 + hours * 3_600
const paidAt = (s: number): Thing => ({
  status: 'paid',
  amount_paid: 1_900,
  attempt_count: 1,
  number: 'A-1',
  status_transitions: { finalized_at: s, paid_at: s },
})

/** Lives of subscriptions, each of six events as Stripe sends them; some of them in one second. */
const lives: Record<string, (customer: string, tenantId: string) => Life> = {
  'that begins'(customer, tenantId) {
    const s = at(0)
    const first = aSubscription(customer, s, { status: 'incomplete' })
    const invoice = anInvoice(customer, first.id, s)
    const present = { ...first, status: 'active' }
    return {
      present,
      events: [
        event('customer.subscription.created', s, first),
        event('invoice.created', s, invoice),
        event('invoice.finalized', s + 1, { ...invoice, status: 'open', number: 'A-1' }),
        event('invoice.paid', s + 2, { ...invoice, ...paidAt(s + 2) }),
        event('customer.subscription.updated', s + 2, present),
        event('checkout.session.completed', s + 2, {
          id: 'cs_1',
          object: 'checkout.session',
          customer,
          client_reference_id: tenantId,
          mode: 'subscription',
          subscription: first.id,
        }),
      ],
    }
  },
  'whose payment fails'(customer) {
    const s = at(0)
    const first = aSubscription(customer, s)
    const invoice = anInvoice(customer, first.id, s + 10)
    const open = { ...invoice, status: 'open', number: 'A-1' }
    const present = { ...first, status: 'past_due' }
    return {
      present,
      events: [
        event('customer.subscription.created', s, first),
        event('invoice.created', s + 10, invoice),
        event('invoice.finalized', s + 11, open),
        event('invoice.payment_failed', s + 12, { ...open, attempt_count: 1 }),
        event('customer.subscription.updated', s + 12, present),
        event('invoice.payment_failed', s + 7_200, { ...open, attempt_count: 2 }),
      ],
    }
  },
  'that is paid after a failure'(customer) {
    const s = at(0)
    const first = aSubscription(customer, s)
    const open = anInvoice(customer, first.id, s + 10, { status: 'open', number: 'A-1' })
    const present = { ...first, current_period_end: s + 60 * 86_400 }
    return {
      present,
      events: [
        event('customer.subscription.created', s, first),
        event('invoice.finalized', s + 11, open),
        event('invoice.payment_failed', s + 11, { ...open, attempt_count: 1 }),
        event('customer.subscription.updated', s + 11, { ...first, status: 'past_due' }),
        event('invoice.paid', s + 3_600, { ...open, ...paidAt(s + 3_600), attempt_count: 2 }),
        event('customer.subscription.updated', s + 3_600, present),
      ],
    }
  },
  'that is upgraded and canceled within a second'(customer) {
    const s = at(0)
    const first = aSubscription(customer, s)
    const item = { ...first.items.data[0], price: { id: 'price_pro_month' } }
    const upgraded = { ...first, items: { data: [item] } }
    const present = { ...upgraded, status: 'canceled' }
    return {
      present,
      events: [
        event('customer.subscription.created', s, first),
        event('customer.subscription.updated', s, upgraded),
        event('customer.subscription.updated', s, { ...upgraded, cancel_at_period_end: true }),
        event('customer.subscription.deleted', s, present),
        event('invoice.paid', s, { ...anInvoice(customer, first.id, s), ...paidAt(s) }),
        event('customer.updated', s, { id: customer, object: 'customer' }),
      ],
    }
  },
  'that ends for want of a payment'(customer) {
    const s = at(0)
    const first = aSubscription(customer, s)
    const open = anInvoice(customer, first.id, s + 10, { status: 'open', number: 'A-1', attempt_count: 4 })
    const present = { ...first, status: 'canceled', cancellation_details: { reason: 'payment_failed' } }
    return {
      present,
      events: [
        event('customer.subscription.created', s, first),
        event('invoice.payment_failed', s + 12, { ...open, attempt_count: 1 }),
        event('customer.subscription.updated', s + 12, { ...first, status: 'past_due' }),
        event('invoice.payment_failed', s + 20, open),
        event('invoice.marked_uncollectible', s + 21, { ...open, status: 'uncollectible' }),
        event('customer.subscription.deleted', s + 21, present),
      ],
    }
  },
}

/** Plays the events of a life to a new team in the order of these indexes. */
async function play(
  life: (typeof lives)[string],
  order: readonly number[],
  send: (event: StripeEvent) => Promise<void>,
) {
  const team = await aTeam()
  const { events, present } = life(await aCustomer(team), team.tenantId)
  stripe.subscriptions.set(present.id, present)
  for (const index of order) await send(events[index]!)
  return endOf(team)
}

const sent = async (given: StripeEvent) => expect((await deliver(given)).status).toBe(200)
const inOrder = [0, 1, 2, 3, 4, 5]

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]]
  return items.flatMap((item, index) => permutations(items.toSpliced(index, 1)).map(rest => [item, ...rest]))
}
const choices = (items: readonly number[], count: number): number[][] =>
  count === 0
    ? [[]]
    : items.flatMap((item, index) => choices(items.slice(index + 1), count - 1).map(rest => [item, ...rest]))

/** A few of the 720 orders, in which any so many of the six events come in each order. */
function ordersOf(count: number): number[][] {
  const open = permutations(inOrder).map(order => ({ order, parts: choices(order, count).map(String) }))
  const [met, found]: [Set<string>, number[][]] = [new Set(), []]
  for (;;) {
    const unmet = open.map(({ parts }) => parts.filter(part => !met.has(part)).length)
    const most = Math.max(...unmet)
    if (most === 0) return found
    const { order, parts } = open[unmet.indexOf(most)]!
    found.push(order)
    for (const part of parts) met.add(part)
  }
}

describe.each(Object.entries(lives))('a subscription %s', (_, life) => {
  test('ends the same in any order of its events, doubled and late', async () => {
    const expected = await play(life, inOrder, sent)
    expect(expected).toMatchObject({ open_events: '0' })
    for (const [n, order] of ordersOf(3).entries()) {
      const again = [n, n + 2, n + 3].map(place => inOrder[place % 6]!)
      expect(await play(life, n % 2 ? [...order, ...again] : [...again, ...order], sent), `${order}`).toEqual(expected)
    }
  }, 120_000)

  test('ends the same when all its events arrive at once', async () => {
    const expected = await play(life, inOrder, sent)
    const team = await aTeam()
    const { events, present } = life(await aCustomer(team), team.tenantId)
    stripe.subscriptions.set(present.id, present)
    await Promise.all([...events, ...events].map(sent))
    await served.platform.query('update billing_events set next_at = now() where outcome is null')
    await handleDueEvents(served.plane.services)
    expect(await endOf(team)).toEqual(expected)
  }, 60_000)
})

// WHOLE=1, set by hand: each of the 720 orders; otherwise those in which any four events come in each order
test('a subscription that is paid after a failure ends the same whatever the order of its events', async () => {
  const life = lives['that is paid after a failure']!
  const expected = await play(life, inOrder, sent)
  expect(expected).toMatchObject({ status: 'active', tenant_plan: 'starter', paid_events: '1', past_due_since: null })
  const orders = process.env.WHOLE === '1' ? permutations(inOrder) : ordersOf(4)
  const differing: number[][] = []
  const worker = async () => {
    for (let order = orders.pop(); order; order = orders.pop()) {
      const found = await play(life, order, sent)
      if (JSON.stringify(found) !== JSON.stringify(expected)) differing.push(order)
    }
  }
  await Promise.all(Array.from({ length: 4 }, worker))
  expect(differing).toEqual([])
}, 240_000)

describe('an event', () => {
  const outcomeOf = async ({ id }: StripeEvent) => {
    const { rows } = await served.platform.query(
      'select outcome, tenant_id, object from billing_events where id = $1',
      [id],
    )
    return rows[0]
  }

  test('that is not signed, too old, changed or signed by another is refused and not stored', async () => {
    const { customer } = await paying()
    const given = event('customer.subscription.updated', at(0), aSubscription(customer, at(0)))
    const body = JSON.stringify(given)
    const nowS = Math.floor(Date.now() / 1_000)
    for (const signature of [
      '',
      sign(body, nowS - 310),
      sign(body, nowS + 310),
      sign(body, nowS, 'whsec_wrong'),
      sign(`${body} `),
      sign(body).replace('v1=', 'v0='),
    ]) {
      const answer = await deliver(given, { 'Stripe-Signature': signature })
      expect([answer.status, answer.body.code]).toEqual([400, 'bad_signature'])
    }
    expect(await outcomeOf(given)).toBeUndefined()
  })

  test('signed by either secret is taken while one is replaced', async () => {
    const given = event('customer.created', at(0), { id: 'cus_x' })
    const body = JSON.stringify(given)
    expect((await deliver(given, { 'Stripe-Signature': sign(body, undefined, 'whsec_replaced') })).status).toBe(200)
  })

  test('of a customer that is not ours changes nothing, and is kept as foreign', async () => {
    const { team, subscription } = await paying()
    const before = await endOf(team)
    const foreign = { ...subscription, customer: 'cus_of_another', status: 'canceled' }
    const given = event('customer.subscription.deleted', stripe.nowS, foreign)
    expect((await deliver(given)).status).toBe(200)
    expect(await outcomeOf(given)).toMatchObject({ outcome: 'foreign', tenant_id: null })
    expect(await endOf(team)).toEqual(before)
  })

  test('of a checkout that names another tenant than its customer is foreign', async () => {
    const { customer } = await paying()
    const other = await aTeam()
    const session = { id: 'cs_1', customer, client_reference_id: other.tenantId, mode: 'subscription' }
    const given = event('checkout.session.completed', at(1), session)
    await deliver(given)
    expect(await outcomeOf(given)).toMatchObject({ outcome: 'foreign' })
  })

  test('with an invoice of one customer cannot change the invoice of another', async () => {
    const [mine, theirs] = [await paying(), await paying()]
    const invoice = anInvoice(theirs.customer, theirs.subscription.id, at(1), { status: 'open', number: 'B-1' })
    await deliver(event('invoice.finalized', at(1), invoice))
    await deliver(event('invoice.voided', at(2), { ...invoice, customer: mine.customer, status: 'void' }))
    const { body } = await by(theirs.team, 'GET', '/billing/invoices')
    expect(body.data.map(({ status }: Thing) => status)).toEqual(['open'])
    expect((await by(mine.team, 'GET', '/billing/invoices')).body.data).toEqual([])
  })

  test('of a kind that means nothing to us is kept without its contents, and ignored', async () => {
    const given = event('payment_intent.created', at(0), { id: 'pi_1', receipt_email: 'pat@example.com' })
    await deliver(given)
    expect(await outcomeOf(given)).toEqual({ outcome: 'ignored', tenant_id: null, object: null })
  })

  test('of an object of another shape is answered and changes nothing', async () => {
    const { team, customer } = await paying()
    const before = await endOf(team)
    for (const object of [{ customer }, { customer, items: [] }, { customer, status: 5 }, {}])
      expect((await deliver(event('customer.subscription.updated', stripe.nowS, object))).status).toBe(200)
    expect(await endOf(team)).toEqual(before)
  })

  test('that is no event is a 400, though it is signed', async () => {
    for (const body of [
      '{}',
      '[]',
      '"x"',
      '{"id":"evt_1"}',
      '{"id":"x","type":"y","created":-1,"data":{"object":{}}}',
    ]) {
      const answer = await call('POST', '/billing/webhooks/stripe', body, { 'Stripe-Signature': sign(body) })
      expect([answer.status, answer.body.code]).toEqual([400, 'malformed'])
    }
  })

  test('whose effect is cut off is acknowledged, stored, and has its effect later', async () => {
    const { team, subscription } = await paying()
    const blocker = new pg.Client(served.stores.platformUrl)
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('select 1 from subscriptions where tenant_id = $1 for update', [team.tenantId])
    const given = event('customer.subscription.deleted', stripe.nowS, { ...subscription, status: 'canceled' })
    const answering = deliver(given)
    // the connection dies as it would with its process
    const isCut = async () => {
      const { rowCount } = await served.platform.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
         and wait_event_type = 'Lock' and query ~ 'from subscriptions\\s+where tenant_id = \\$1 for update'`,
      )
      return rowCount ? true : undefined
    }
    await eventually(isCut)
    expect((await answering).status).toBe(200)
    await blocker.query('rollback')
    await blocker.end()
    expect(await outcomeOf(given)).toMatchObject({ outcome: null })
    expect(await billingOf(team)).toMatchObject({ plan: 'starter' })
    await served.platform.query('update billing_events set next_at = now() where id = $1', [given.id])
    await handleDueEvents(served.plane.services)
    expect(await billingOf(team)).toMatchObject({ plan: 'free', status: 'canceled' })
  })

  test('with a price that is not configured is put into quarantine, and others go on', async () => {
    const [bad, good] = [await paying(), await paying()]
    const item = { ...bad.subscription.items.data[0], price: { id: 'price_of_nothing' } }
    const unknown = event('customer.subscription.updated', stripe.nowS, {
      ...bad.subscription,
      items: { data: [item] },
    })
    await deliver(unknown)
    await served.platform.query('update billing_events set next_at = now() where outcome is null')
    await handleDueEvents(served.plane.services)
    const { rows } = await served.platform.query(`select key from quarantined_rows where kind = 'billing_event'`)
    expect(rows.map(({ key }) => key)).toContain(unknown.id)
    expect(await billingOf(bad.team)).toMatchObject({ plan: 'starter' })
    await deliver(event('customer.subscription.deleted', stripe.nowS, { ...good.subscription, status: 'canceled' }))
    expect(await billingOf(good.team)).toMatchObject({ plan: 'free' })
    served.plane.services.config.billing!.prices.push({
      ...testPrices[3]!,
      interval: 'year',
      stripe_price: 'price_of_nothing',
    })
    await served.platform.query('update billing_events set next_at = now() where id = $1', [unknown.id])
    await handleDueEvents(served.plane.services)
    expect(await billingOf(bad.team)).toMatchObject({ plan: 'pro', interval: 'year' })
    served.plane.services.config.billing!.prices.pop()
  })
})

describe('a subscription that is not paid for any more', () => {
  const ordersOf = async (subscription: Thing) =>
    (await served.platform.query('select 1 from ended_subscriptions where subscription_ref = $1', [subscription.id]))
      .rowCount
  const callsOf = (subscription: Thing) =>
    stripe.calls.filter(({ method, path }) => method === 'DELETE' && path.endsWith(subscription.id)).length

  test('is cancelled at Stripe once the team is purged, also when Stripe was away meanwhile', async () => {
    const [{ team, subscription }, other] = [await paying(), await paying()]
    await inTransaction(served.platform, client => orderEnd(client, team.tenantId))
    await inTransaction(served.platform, client => orderEnd(client, team.tenantId))
    await served.platform.query('delete from tenants where id = $1', [team.tenantId])
    stripe.failures.push(503, 503, 503)
    await endDueSubscriptions(served.plane.services)
    expect([await ordersOf(subscription), callsOf(subscription)]).toEqual([1, 0])
    await served.platform.query('update ended_subscriptions set next_at = now()')
    await endDueSubscriptions(served.plane.services)
    expect([await ordersOf(subscription), callsOf(subscription)]).toEqual([0, 1])
    expect(stripe.subscriptions.get(subscription.id)?.status).toBe('canceled')
    expect(callsOf(other.subscription)).toBe(0)
  })

  test('is cancelled at Stripe after the grace, and one that is over there needs nothing', async () => {
    const { team, subscription } = await paying()
    const { rows } = await served.platform.query<{ due: Date }>(
      `update subscriptions set collection = 'past_due', status = 'grace', past_due_since = now() - interval '20 days',
         grace_ends_at = now() - interval '1 hour', grace_reminded_at = now(), next_due_at = date_trunc('second', now())
       where tenant_id = $1 returning next_due_at as due`,
      [team.tenantId],
    )
    const calendar = { now: async () => new Date(), dayMs: 86_400_000 }
    const due = rows[0]!.due
    expect(await advanceBilling(served.platform, testPrices, team.tenantId, due, calendar)).toBe('done')
    expect(await ordersOf(subscription)).toBe(1)
    await endDueSubscriptions(served.plane.services)
    expect([await ordersOf(subscription), callsOf(subscription)]).toEqual([0, 1])
    await served.platform.query('insert into ended_subscriptions (subscription_ref) values ($1)', [subscription.id])
    await endDueSubscriptions(served.plane.services)
    expect([await ordersOf(subscription), callsOf(subscription)]).toEqual([0, 1])
  })
})

describe('a team that pays by Stripe', () => {
  const lastCall = (path: string) => stripe.calls.findLast(each => each.path.startsWith(path))

  test('begins by a page of Stripe, as one customer however often it asks', async () => {
    const team = await aTeam()
    const before = stripe.customers.size
    const answers = await Promise.all(
      [1, 2, 3].map(() => by(team, 'POST', '/billing/checkout', { plan: 'pro', return_path: '/app/billing?done=1' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(new Set(answers.map(({ body }) => body.data.url)).size).toBe(1)
    expect(stripe.customers.size - before).toBe(1)
    expect(lastCall('/v1/checkout/sessions')?.form).toMatchObject({
      client_reference_id: team.tenantId,
      'line_items[0][price]': 'price_pro_month',
      success_url: 'http://localhost/app/billing?done=1',
    })
    expect(await billingOf(team)).toMatchObject({ plan: 'free', status: 'none', provider: 'stripe' })
  })

  test('upgrades now, and pays the difference at once', async () => {
    const { team } = await paying()
    const { body } = await by(team, 'POST', '/billing/plan', { plan: 'pro' })
    expect(body.data).toMatchObject({ plan: 'pro', status: 'active' })
    expect(lastCall('/v1/subscriptions/')?.form).toMatchObject({
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    })
  })

  test('keeps its plan when the payment of an upgrade is declined', async () => {
    const { team } = await paying()
    stripe.declinesPayments = true
    const refused = await by(team, 'POST', '/billing/plan', { plan: 'pro' })
    expect([refused.status, refused.body.code]).toEqual([422, 'payment_failed'])
    expect(await billingOf(team)).toMatchObject({ plan: 'starter', status: 'active' })
  })

  test('downgrades at the end of the period, and may cancel that', async () => {
    const { team, subscription } = await paying()
    const asked = await by(team, 'POST', '/billing/plan', { plan: 'hobby' })
    const { current_period_end } = asked.body.data
    expect(asked.body.data).toMatchObject({ plan: 'starter', pending_plan: 'hobby', pending_at: current_period_end })
    const kept = await by(team, 'DELETE', '/billing/plan-change')
    expect(kept.body.data).toMatchObject({ plan: 'starter', pending_plan: null })
    expect(stripe.subscriptions.get(subscription.id)?.schedule).toBeNull()
    // once more; then the period ends
    await by(team, 'POST', '/billing/plan', { plan: 'hobby' })
    const present = stripe.subscriptions.get(subscription.id)!
    present.items.data[0].price = { id: 'price_hobby_month' }
    present.schedule = null
    await deliver(event('customer.subscription.updated', stripe.nowS + 60, structuredClone(present)))
    expect(await billingOf(team)).toMatchObject({ plan: 'hobby', pending_plan: null })
  })

  test('cancels at the end of the period, resumes, and cancels now', async () => {
    const { team, subscription } = await paying()
    expect((await by(team, 'POST', '/billing/cancel', {})).body.data).toMatchObject({
      plan: 'starter',
      status: 'active',
      pending_plan: 'free',
    })
    expect((await by(team, 'POST', '/billing/resume')).body.data.pending_plan).toBeNull()
    const { body } = await by(team, 'POST', '/billing/cancel', { at: 'now' })
    expect(body.data).toMatchObject({ plan: 'free', status: 'canceled' })
    expect(stripe.subscriptions.get(subscription.id)?.status).toBe('canceled')
    expect((await by(team, 'POST', '/billing/cancel', {})).body.code).toBe('checkout_needed')
  })

  test('is charged once though the answer to its change is lost', async () => {
    const { team } = await paying()
    stripe.failures.push('break')
    const before = stripe.calls.length
    const { status } = await by(team, 'POST', '/billing/cancel', {})
    expect(status).toBe(200)
    const changes = stripe.calls.slice(before).filter(({ method }) => method === 'POST')
    expect(changes).toHaveLength(1)
  })

  test('is answered 503 while Stripe is away, and nothing has changed', async () => {
    const { team } = await paying()
    stripe.failures.push(500, 503, 429)
    const answer = await by(team, 'POST', '/billing/cancel', {})
    expect([answer.status, answer.body.code]).toEqual([503, 'unavailable'])
    expect(await billingOf(team)).toMatchObject({ plan: 'starter', pending_plan: null })
    expect((await by(team, 'POST', '/billing/cancel', {})).body.data.pending_plan).toBe('free')
  })

  test('has its payer changed at Stripe as well', async () => {
    const team = await aTeam()
    await by(team, 'POST', '/billing/portal', {})
    const { body } = await by(team, 'PATCH', '/billing/payer', {
      name: 'Books',
      email: 'books@example.com',
      country: 'AT',
    })
    expect(body.data.payer).toMatchObject({ type: 'team', name: 'Books', country: 'AT' })
    expect(lastCall('/v1/customers/')?.form).toMatchObject({ name: 'Books', 'address[country]': 'AT' })
  })

  test('that an operator collected from until now keeps its time when it visits Stripe', async () => {
    const team = await aTeam()
    await served.platform.query(
      `insert into subscriptions (tenant_id, collection, status, plan, plan_in_force, interval, current_period_end)
       values ($1, 'active', 'active', 'starter', 'starter', 'month', now() + interval '20 days')`,
      [team.tenantId],
    )
    expect((await by(team, 'POST', '/billing/portal', {})).status).toBe(201)
    const { rows } = await served.platform.query(
      'select provider, next_due_at > now() as is_timed from subscriptions where tenant_id = $1',
      [team.tenantId],
    )
    expect(rows).toEqual([{ provider: 'manual', is_timed: true }])
  })

  test('pays after fourteen days of grace were over, and has its plan again', async () => {
    const { team, customer, subscription } = await paying()
    const openedS = at(1)
    const long = new Date((openedS - 15 * 86_400) * 1_000)
    const open = anInvoice(customer, subscription.id, openedS, { status: 'open', attempt_count: 1, number: 'A-2' })
    await deliver(event('invoice.payment_failed', openedS, open))
    await deliver(event('customer.subscription.updated', stripe.nowS - 60, { ...subscription, status: 'past_due' }))
    expect(await billingOf(team)).toMatchObject({ plan: 'starter', status: 'past_due' })
    await served.platform.query('update invoices set failed_at = $2 where tenant_id = $1', [team.tenantId, long])
    await deliver(event('customer.subscription.updated', stripe.nowS - 50, { ...subscription, status: 'past_due' }))
    expect(await billingOf(team)).toMatchObject({ plan: 'free', status: 'canceled' })
    await deliver(event('customer.subscription.updated', stripe.nowS - 40, subscription))
    expect(await billingOf(team)).toMatchObject({ plan: 'starter', status: 'active' })
  })
})
