import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import type { TenantFilter } from '#control-plane/alerting/rules/input.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { mask } from '#control-plane/base/secrets.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Row } from '#control-plane/db/queries.ts'

/** A channel and its rule, made together; its id is the channel's. */
export type WebhookRow = Row<
  'notification_channels',
  'id' | 'name' | 'is_enabled' | 'failing_since' | 'created_at' | 'updated_at'
> & {
  rule_id: Row<'notification_rules'>['id']
  config: { url: string; secret?: string | null }
  events: Row<'notification_rules'>['event_types']
  tenant_filter: TenantFilter | null
}

export const selectWebhooks = `c.id, r.id as rule_id, c.name, c.config, r.event_types as events, r.tenant_filter, c.is_enabled,
  ${stampSql('c.failing_since')} as failing_since, ${stampSql('c.created_at')} as created_at, ${stampSql('greatest(c.updated_at, r.updated_at)')} as updated_at`
export const fromWebhooks = `from notification_channels c join notification_rules r on r.channel_id = c.id and r.is_webhook and c.type = 'webhook'`

export async function findWebhook(em: EntityManager, reseller: { id: string }, id: string): Promise<WebhookRow> {
  const [row] = await em.execute<WebhookRow[]>(
    `select ${selectWebhooks} ${fromWebhooks} where c.tenant_id = ? and c.id = ?`,
    [reseller.id, id],
  )
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
