import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import { json, queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { type NewRule, validateRule } from './input.ts'
import { findRule, type RuleRow } from './row.ts'

type CreateContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'audit'>

export async function makeRule(
  { em, tenant, now, audit }: CreateContext,
  rule: z.output<typeof NewRule>,
  { isWebhook = false } = {},
): Promise<RuleRow> {
  await validateRule(em, tenant, rule)
  const id = randomUUID()
  const at = now.toISOString()
  await queries(em)
    .insertInto('notification_rules')
    .values({
      id,
      tenant_id: tenant.id,
      channel_id: rule.channel_id,
      event_types: rule.event_types,
      monitor_filter: jsonOrNull(rule.monitor_filter),
      tenant_filter: jsonOrNull(rule.tenant_filter),
      is_webhook: isWebhook,
      created_at: at,
      updated_at: at,
    })
    .execute()
  audit(
    'notification_rule.created',
    { type: 'notification_rule', id },
    { channel_id: rule.channel_id, event_types: rule.event_types },
  )
  return findRule(em, tenant, id)
}

export const jsonOrNull = <Value>(value: Value | null) => (value === null ? null : json(value))
