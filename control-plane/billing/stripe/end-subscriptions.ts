import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { Refusal } from '#control-plane/base/refusal.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { deleteStripe, getStripe, postStripe } from './api.ts'
import type { EventServices } from './handle-event.ts'
import { collectionOf } from './merge.ts'
import { StripeSubscription } from './objects.ts'

const WithId = z.object({ id: z.string().min(1).max(255) })

/** Orders, in the transaction of the reason, that a team's subscription ends at Stripe, unless it is over. */
export const orderEnd = (client: PoolClient, tenantId: string): Promise<unknown> =>
  rows(client)`
    insert into ended_subscriptions (subscription_ref)
    select subscription_ref from subscriptions
    where tenant_id = ${tenantId} and provider = 'stripe' and subscription_ref is not null
      and collection in ('trialing', 'active', 'past_due', 'unpaid')
    on conflict (subscription_ref) do nothing`

/** Cancels at Stripe what was ordered. While Stripe does not answer, the order stays. */
export async function endDueSubscriptions(services: EventServices): Promise<void> {
  const { platform, config } = services
  if (!config.billing?.stripe) return
  const found = await rows(platform)<Row<'ended_subscriptions', 'subscription_ref'>>`
    update ended_subscriptions e set next_at = clock_timestamp() + interval '15 minutes'
    from (
      select subscription_ref from ended_subscriptions where next_at <= clock_timestamp() order by next_at limit 20
      for update skip locked
    ) due where e.subscription_ref = due.subscription_ref returning e.subscription_ref`
  for (const { subscription_ref: id } of found) await endOne(services, platform, id)
}

async function endOne(services: EventServices, platform: Pool, id: string): Promise<void> {
  try {
    await cancel(services, id)
    await rows(platform)`delete from ended_subscriptions where subscription_ref = ${id}`
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    services.log.warn({ err }, 'subscription end retry')
  }
}

/** A schedule decides over its subscription: it is released first. One that is over at Stripe stays as it is. */
async function cancel(services: EventServices, id: string): Promise<void> {
  const path = `/v1/subscriptions/${encodeURIComponent(id)}`
  const { body } = await getStripe(services, path, StripeSubscription)
  const collection = collectionOf(body)
  if (collection === 'canceled' || collection === 'none') return
  if (body.schedule) {
    const release = `/v1/subscription_schedules/${encodeURIComponent(body.schedule)}/release`
    await postStripe(services, release, {}, `end ${id}`, WithId)
  }
  await deleteStripe(services, path, StripeSubscription)
}
