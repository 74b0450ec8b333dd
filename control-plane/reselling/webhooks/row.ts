import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { z } from 'zod'
import type { TenantFilter } from '#control-plane/alerting/rules/input.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { mask } from '#control-plane/base/secrets.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

/** A channel and its rule, created together; the id is the channel's. */
export type WebhookRow = InferResult<ReturnType<typeof selectWebhooks>>[number]

/** A query for the webhooks of a reseller. */
export const selectWebhooks = (em: EntityManager, reseller: { id: string }) =>
  queries(em)
    .selectFrom('notification_channels as c')
    .innerJoin('notification_rules as r', 'r.channel_id', 'c.id')
    .where('r.is_webhook', '=', true)
    .where('c.type', '=', 'webhook')
    .where('c.tenant_id', '=', reseller.id)
    .select(['c.id', 'r.id as rule_id', 'c.name', 'r.event_types as events', 'c.is_enabled'])
    .select(({ ref, fn }) => [
      ref('c.config').$castTo<{ url: string; secret?: string | null }>().as('config'),
      ref('r.tenant_filter').$castTo<TenantFilter | null>().as('tenant_filter'),
      stamp(ref('c.failing_since')).as('failing_since'),
      stamp(ref('c.created_at')).as('created_at'),
      stamp(fn<string>('greatest', ['c.updated_at', 'r.updated_at'])).as('updated_at'),
    ])

export async function findWebhook(em: EntityManager, reseller: { id: string }, id: string): Promise<WebhookRow> {
  const row = await selectWebhooks(em, reseller).where('c.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Webhook')
  return row
}

const time = z.string().meta({ format: 'date-time' })

export const WebhookView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    url: z.string(),
    secret: z.literal(mask).nullable().meta({ description: 'Eight asterisks where there is one.' }),
    events: z.array(z.string()),
    tenant_filter: z.object({ tenant_ids: z.array(z.uuid()), labels: z.array(z.string()) }).nullable(),
    is_enabled: z.boolean(),
    is_failing: z.boolean(),
    failing_since: time.nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'ResellerWebhook' })

export const viewWebhook = ({ rule_id: _, config, ...row }: WebhookRow): z.input<typeof WebhookView> => ({
  ...row,
  url: config.url,
  secret: config.secret ? mask : null,
  is_failing: row.failing_since !== null,
})
