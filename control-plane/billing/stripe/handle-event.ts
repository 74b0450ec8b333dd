import type { PoolClient } from 'pg'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { pricesOf } from '#control-plane/billing/provider.ts'
import { lockExisting, type SubscriptionRow, tenantOfCustomer } from '#control-plane/billing/row.ts'
import type { Change } from '#control-plane/billing/settle.ts'
import { rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { getStripe } from './api.ts'
import { applyInvoice, applySubscription, knownOf, type SeenSubscription } from './apply.ts'
import { collectionOf, orderOf } from './merge.ts'
import { StripeCheckout, StripeInvoice, StripeSchedule, StripeSubscription, schemaOf } from './objects.ts'

export type EventServices = Pick<Services, 'platform' | 'config' | 'guard' | 'log'>

interface EventRow {
  id: string
  type: string
  occurred_at: string
  object: Record<string, unknown> | null
}

export type Outcome = 'applied' | 'stale' | 'ignored' | 'foreign'

/** The present state of a subscription, read while the row had this revision. */
interface Present extends SeenSubscription {
  revision: number
}

const dayMs = 86_400_000
const mostReads = 5

/** The payload of an event cannot be ordered, or lacks something: the present object is to be read. */
class Doubt extends Error {
  readonly subscription: string
  readonly revision: number

  constructor(subscription: string, revision: number) {
    super('The order of events is in doubt.')
    this.subscription = subscription
    this.revision = revision
  }
}

/**
 * Applies a stored event in one transaction, once. What it says is read from Stripe where its order is in doubt;
 * the result counts only if the row is then as it was before the reading.
 */
export async function handleEvent(services: EventServices, id: string): Promise<void> {
  let present: Present | null = null
  for (let reads = 0; ; reads++) {
    const read: Present | null = present
    try {
      return await inTransaction(services.platform, client => handleStored(services, client, id, read))
    } catch (error) {
      if (!(error instanceof Doubt) || reads === mostReads) throw error
      present = await readPresent(services, error)
    }
  }
}

async function readPresent(services: EventServices, { subscription, revision }: Doubt): Promise<Present> {
  const path = `/v1/subscriptions/${encodeURIComponent(subscription)}`
  const { body: object, seenS } = await getStripe(services, path, StripeSubscription)
  const schedule = object.schedule
    ? (await getStripe(services, `/v1/subscription_schedules/${encodeURIComponent(object.schedule)}`, StripeSchedule))
        .body
    : null
  return { object, seenS, schedule, revision }
}

async function handleStored(services: EventServices, client: PoolClient, id: string, present: Present | null) {
  const [event] = await rows(client)<EventRow>`
    select id, type, occurred_at, object from billing_events where id = ${id} and outcome is null for update`
  if (!event) return
  const { outcome, tenantId } = await applyEvent(services, client, event, present)
  await rows(client)`update billing_events
    set outcome = ${outcome}, tenant_id = ${tenantId}, next_at = null, handled_at = clock_timestamp()
    where id = ${id}`
}

async function applyEvent(
  services: EventServices,
  client: PoolClient,
  event: EventRow,
  present: Present | null,
): Promise<{ outcome: Outcome; tenantId: string | null }> {
  if (!event.object || !schemaOf(event.type)) return { outcome: 'ignored', tenantId: null }
  const customer = customerOf(event.object)
  const tenantId = customer && (await tenantOfCustomer(client, customer))
  const row = tenantId ? await lockExisting(client, tenantId) : undefined
  if (!row || !isOf(event, row)) return { outcome: 'foreign', tenantId: null }
  const change: Change = { now: await nowOf(client), dayMs, action: `subscription.${nameOf(event.type)}` }
  const seenS = Math.floor(Date.parse(event.occurred_at) / 1_000)
  if (event.type.startsWith('customer.subscription.'))
    return {
      outcome: await applyOrdered(services, client, row, event, seenS, present, change),
      tenantId: row.tenant_id,
    }
  if (event.type.startsWith('invoice.')) {
    const object = StripeInvoice.parse(event.object)
    const isFailure = event.type === 'invoice.payment_failed'
    return {
      outcome: await applyInvoice(client, row, { object, seenS, isFailure }, change),
      tenantId: row.tenant_id,
    }
  }
  // a completed checkout: the events of its subscription say the rest
  return { outcome: 'applied', tenantId: row.tenant_id }
}

async function applyOrdered(
  services: EventServices,
  client: PoolClient,
  row: SubscriptionRow,
  { object: given }: EventRow,
  seenS: number,
  present: Present | null,
  change: Change,
): Promise<Outcome> {
  const object = StripeSubscription.parse(given)
  const order = orderOf(knownOf(row), {
    id: object.id,
    createdS: object.created,
    seenS,
    collection: collectionOf(object),
  })
  if (order === 'stale') return 'stale'
  const needsReading = order === 'doubt' || Boolean(object.schedule)
  if (needsReading && (present?.revision !== row.revision || present.object.id !== object.id))
    throw new Doubt(object.id, row.revision)
  const seen: SeenSubscription = needsReading && present ? present : { object, seenS, schedule: null }
  // an object whose customer changed since is no longer of this row
  if (seen.object.customer !== row.customer_ref) return 'foreign'
  await applySubscription(client, row, seen, pricesOf(services), change)
  return 'applied'
}

function customerOf({ customer }: Record<string, unknown>): string | null {
  return typeof customer === 'string' && customer !== '' ? customer : null
}

/** A checkout names the tenant that began it: one of another tenant's customer is refused. */
function isOf({ type, object }: EventRow, { tenant_id }: SubscriptionRow): boolean {
  if (type !== 'checkout.session.completed') return true
  return StripeCheckout.parse(object).client_reference_id === tenant_id
}

const nameOf = (type: string) => type.replace(/^customer\.subscription\./, '').replaceAll('.', '_')

async function nowOf(client: PoolClient): Promise<Date> {
  const [row] = await rows(client)<{ now: string }>`select clock_timestamp() as now`
  return new Date(row!.now)
}
