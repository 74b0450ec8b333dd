import { z } from 'zod'
import { invalid, Refusal } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { isLive } from '#control-plane/billing/direction.ts'
import { findPrice } from '#control-plane/billing/find-price.ts'
import { refuseUnlessPending } from '#control-plane/billing/pending.ts'
import { type BillingContext, type Provider, pricesOf } from '#control-plane/billing/provider.ts'
import { lockSubscription, type SubscriptionRow } from '#control-plane/billing/row.ts'
import { seatsOf } from '#control-plane/billing/seats.ts'
import { settle } from '#control-plane/billing/settle.ts'
import type { Payer } from '#control-plane/db/model/shapes.ts'
import { deleteStripe, type Fetched, type Form, getStripe, postStripe } from './api.ts'
import { applySubscription, knownOf } from './apply.ts'
import { collectionOf, orderOf } from './merge.ts'
import { StripeSchedule, StripeSubscription } from './objects.ts'

const dayMs = 86_400_000
const WithId = z.object({ id: z.string().min(1).max(255) })
const WithUrl = z.object({ url: z.url() })

const readRow = ({ services, tenant }: BillingContext): Promise<SubscriptionRow> =>
  inTransaction(services.platform, client => lockSubscription(client, tenant.id, 'stripe'))

/** The subscription that goes on, or a 422. */
async function readLive(context: BillingContext): Promise<SubscriptionRow & { subscription_ref: string }> {
  const row = await readRow(context)
  if (!row.subscription_ref || !isLive(row))
    throw new Refusal(422, 'checkout_needed', 'There is no subscription yet: begin one by POST /billing/checkout.')
  return { ...row, subscription_ref: row.subscription_ref }
}

/** Changes of the same state are made once, however often they are sent. */
const purposeOf = (action: string, { tenant_id, revision }: SubscriptionRow) => `${action} ${tenant_id} ${revision}`

const subscriptionPath = (id: string) => `/v1/subscriptions/${encodeURIComponent(id)}`
const schedulePath = (id: string) => `/v1/subscription_schedules/${encodeURIComponent(id)}`

/** Changes the subscription at Stripe, and stores what it then is, unless an event was faster. */
async function updateSubscription(context: BillingContext, row: SubscriptionRow, action: string, form: Form) {
  const { services } = context
  const path = subscriptionPath(row.subscription_ref ?? '')
  const changed = await postStripe(services, path, form, purposeOf(action, row), StripeSubscription)
  await storeSubscription(context, changed, null, action)
}

async function storeSubscription(
  { services, tenant, now, actor }: BillingContext,
  { body: object, seenS }: Fetched<StripeSubscription>,
  schedule: StripeSchedule | null,
  action: string,
): Promise<void> {
  await inTransaction(services.platform, async client => {
    const row = await lockSubscription(client, tenant.id, 'stripe')
    const given = { id: object.id, createdS: object.created, seenS, collection: collectionOf(object) }
    // of the same second: this answer is newer than any event that was stored before the call
    if (object.customer !== row.customer_ref || orderOf(knownOf(row), given) === 'stale') return
    await applySubscription(client, row, { object, seenS, schedule }, pricesOf(services), { now, dayMs, action, actor })
  })
}

/** A schedule decides over its subscription: it is ended before the subscription is changed itself. */
async function releaseSchedule({ services }: BillingContext, row: SubscriptionRow): Promise<void> {
  if (!row.schedule_ref) return
  await postStripe(services, `${schedulePath(row.schedule_ref)}/release`, {}, purposeOf('release', row), WithId)
}

/** The item of the subscription whose price changes. */
async function readItem({ services }: BillingContext, id: string) {
  const { body } = await getStripe(services, subscriptionPath(id), StripeSubscription)
  return { subscription: body, item: body.items.data[0]! }
}

async function changeLater(
  context: BillingContext,
  row: SubscriptionRow & { subscription_ref: string },
  price: string,
  quantity: number,
): Promise<void> {
  const { services } = context
  const { item } = await readItem(context, row.subscription_ref)
  const begun = await postStripe(
    services,
    '/v1/subscription_schedules',
    { from_subscription: row.subscription_ref },
    purposeOf('schedule', row),
    StripeSchedule,
  )
  const [phase] = begun.body.phases
  if (!phase) throw invalid({ at: ['The present period is not known: change the plan now.'] })
  const { body: schedule } = await postStripe(
    services,
    schedulePath(begun.body.id),
    {
      end_behavior: 'release',
      phases: [
        {
          items: [{ price: item.price.id, quantity: item.quantity }],
          start_date: phase.start_date,
          end_date: phase.end_date,
        },
        { items: [{ price, quantity }], iterations: 1, proration_behavior: 'none' },
      ],
    },
    purposeOf('phases', row),
    StripeSchedule,
  )
  const present = await getStripe(services, subscriptionPath(row.subscription_ref), StripeSubscription)
  await storeSubscription(context, present, schedule, 'subscription.change_requested')
}

/** The customer of a tenant at Stripe, created at the first need. */
async function customerOf(context: BillingContext): Promise<string> {
  const { services, tenant, now, actor } = context
  const row = await readRow(context)
  if (row.customer_ref) return row.customer_ref
  const form = { name: row.payer.name ?? tenant.name, ...payerForm(row.payer), metadata: { tenant_id: tenant.id } }
  const { body } = await postStripe(services, '/v1/customers', form, `customer ${tenant.id}`, WithId)
  return inTransaction(services.platform, async client => {
    const locked = await lockSubscription(client, tenant.id, 'stripe')
    if (locked.customer_ref) return locked.customer_ref
    // invoices that an operator collects keep their time until Stripe reports a subscription
    const changes = { customer_ref: body.id, ...(!isLive(locked) && { provider: 'stripe' as const }) }
    await settle(client, locked, changes, { now, dayMs, action: 'subscription.customer_created', actor })
    return body.id
  })
}

const payerForm = ({ email, address, country }: Payer): Form => ({
  ...(email && { email }),
  ...((address || country) && { address: { line1: address ?? '', ...(country && { country }) } }),
})

const quantityOf = ({ per_seat }: { per_seat: boolean }, { services, tenant }: BillingContext) =>
  per_seat ? seatsOf(services.platform, tenant.id) : Promise.resolve(1)

/** Stripe collects payments; its events say what happened. */
export const stripe: Provider = {
  name: 'stripe',

  async change(context, { plan, interval, isNow }) {
    const row = await readLive(context)
    const price = findPrice(pricesOf(context.services), plan, interval)
    if (row.collection === 'past_due' || row.collection === 'unpaid')
      throw new Refusal(422, 'payment_due', 'A payment is open: pay it first, or cancel.')
    await releaseSchedule(context, row)
    const quantity = await quantityOf(price, context)
    if (!isNow) {
      if (row.pending_plan === 'free')
        await updateSubscription(context, row, 'subscription.resumed', { cancel_at_period_end: false })
      return changeLater(context, row, price.stripe_price ?? '', quantity)
    }
    const { item } = await readItem(context, row.subscription_ref)
    await updateSubscription(context, row, 'subscription.changed', {
      cancel_at_period_end: false,
      items: [{ id: item.id, price: price.stripe_price, quantity }],
      proration_behavior: 'always_invoice',
      payment_behavior: 'error_if_incomplete',
    })
  },

  async keep(context, what) {
    const row = await readLive(context)
    refuseUnlessPending(row, what)
    await releaseSchedule(context, row)
    await updateSubscription(context, row, 'subscription.change_canceled', { cancel_at_period_end: false })
  },

  async cancel(context, isNow) {
    const row = await readLive(context)
    await releaseSchedule(context, row)
    if (!isNow) return updateSubscription(context, row, 'subscription.cancel_requested', { cancel_at_period_end: true })
    const canceled = await deleteStripe(context.services, subscriptionPath(row.subscription_ref), StripeSubscription)
    await storeSubscription(context, canceled, null, 'subscription.canceled')
  },

  async updatePayer(context, payer) {
    const { services, tenant, now, actor } = context
    const row = await readRow(context)
    if (row.customer_ref) {
      const path = `/v1/customers/${encodeURIComponent(row.customer_ref)}`
      const form = { name: payer.name ?? tenant.name, ...payerForm(payer) }
      await postStripe(services, path, form, purposeOf('payer', row), WithId)
    }
    await inTransaction(services.platform, async client => {
      const locked = await lockSubscription(client, tenant.id, 'stripe')
      await settle(client, locked, { payer }, { now, dayMs, action: 'subscription.payer_updated', actor })
    })
  },

  async checkout(context, { plan, interval }, returnUrl) {
    const { services, tenant } = context
    const price = findPrice(pricesOf(services), plan, interval)
    const row = await readRow(context)
    if (row.subscription_ref && isLive(row))
      throw new Refusal(422, 'subscription_active', 'There is a subscription: change its plan by POST /billing/plan.')
    const customer = await customerOf(context)
    const form = {
      mode: 'subscription',
      customer,
      client_reference_id: tenant.id,
      line_items: [{ price: price.stripe_price, quantity: await quantityOf(price, context) }],
      subscription_data: { metadata: { tenant_id: tenant.id } },
      success_url: returnUrl,
      cancel_url: returnUrl,
    }
    // a session is valid for a day, and one that was completed must not be offered again
    const purpose = `${purposeOf('checkout', row)} ${context.now.toISOString().slice(0, 13)}`
    return (await postStripe(services, '/v1/checkout/sessions', form, purpose, WithUrl)).body.url
  },

  async portal(context, returnUrl) {
    const form = { customer: await customerOf(context), return_url: returnUrl }
    const purpose = `portal ${context.tenant.id} ${context.now.toISOString()}`
    return (await postStripe(context.services, '/v1/billing_portal/sessions', form, purpose, WithUrl)).body.url
  },
}
