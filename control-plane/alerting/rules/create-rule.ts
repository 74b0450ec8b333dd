import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { type NewRule, vetRule } from './input.ts'
import { findRule, type RuleRow } from './row.ts'

type Known = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'audit'>

export async function makeRule(
  { em, tenant, now, audit }: Known,
  rule: z.output<typeof NewRule>,
  { isWebhook = false } = {},
): Promise<RuleRow> {
  await vetRule(em, tenant, rule)
  const id = randomUUID()
  await em.execute(
    `insert into notification_rules (id, tenant_id, channel_id, event_types, monitor_filter, tenant_filter, is_webhook, created_at, updated_at)
     values (?, ?, ?, array[?]::text[], ?::jsonb, ?::jsonb, ?, ?, ?)`,
    [
      id,
      tenant.id,
      rule.channel_id,
      rule.event_types,
      jsonOrNull(rule.monitor_filter),
      jsonOrNull(rule.tenant_filter),
      isWebhook,
      now,
      now,
    ],
  )
  audit(
    'notification_rule.created',
    { type: 'notification_rule', id },
    { channel_id: rule.channel_id, event_types: rule.event_types },
  )
  return findRule(em, tenant, id)
}

export const jsonOrNull = (value: unknown) => (value === null ? null : JSON.stringify(value))
