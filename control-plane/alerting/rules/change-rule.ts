import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { z } from 'zod'
import { changesOf } from '#control-plane/base/changes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { jsonOrNull } from './create-rule.ts'
import { type RuleChanges, validateRule } from './input.ts'
import { findRule, lockRule, type RuleRow } from './row.ts'

type ChangeContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'audit'>
const fields = ['channel_id', 'event_types', 'monitor_filter', 'tenant_filter'] as const

export async function changeRule(
  { em, tenant, now, audit }: ChangeContext,
  id: string,
  sent: z.output<typeof RuleChanges>,
): Promise<RuleRow> {
  const before = await lockRule(em, tenant, id)
  await validateRule(em, tenant, sent)
  if (sent.channel_id !== undefined && sent.channel_id !== before.channel_id) await refuseIfWebhook(em, tenant, id)
  const after = { ...before, ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) }
  const names = fields.filter(name => !isDeepStrictEqual(before[name], after[name]))
  if (names.length === 0) return before
  await queries(em)
    .updateTable('notification_rules')
    .set({
      channel_id: after.channel_id,
      event_types: after.event_types,
      monitor_filter: jsonOrNull(after.monitor_filter),
      tenant_filter: jsonOrNull(after.tenant_filter),
      updated_at: now.toISOString(),
    })
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .execute()
  audit('notification_rule.updated', { type: 'notification_rule', id }, changesOf(names, before, after))
  return findRule(em, tenant, id)
}

/** A reseller's webhook is a channel with its rule, so this rule keeps its channel. */
async function refuseIfWebhook(em: EntityManager, tenant: { id: string }, id: string): Promise<void> {
  const found = await queries(em)
    .selectFrom('notification_rules')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .where('is_webhook', '=', true)
    .select('id')
    .executeTakeFirst()
  if (found)
    throw invalid({ channel_id: ['This rule and its channel are one webhook: make another rule for another channel.'] })
}
