import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import type { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { jsonOrNull } from './create-rule.ts'
import { type RuleChanges, vetRule } from './input.ts'
import { findRule, type RuleRow } from './row.ts'

type Known = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'audit'>
const fields = ['channel_id', 'event_types', 'monitor_filter', 'tenant_filter'] as const

export async function changeRule(
  { em, tenant, now, audit }: Known,
  id: string,
  sent: z.output<typeof RuleChanges>,
): Promise<RuleRow> {
  const before = await findRule(em, tenant, id, 'for update')
  await vetRule(em, tenant, sent)
  if (sent.channel_id !== undefined && sent.channel_id !== before.channel_id) await refuseToPart(em, tenant, id)
  const after = { ...before, ...Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) }
  const names = fields.filter(name => !isDeepStrictEqual(before[name], after[name]))
  if (names.length === 0) return before
  await em.execute(
    `update notification_rules set channel_id = ?, event_types = array[?]::text[], monitor_filter = ?::jsonb, tenant_filter = ?::jsonb, updated_at = ?
     where tenant_id = ? and id = ?`,
    [
      after.channel_id,
      after.event_types,
      jsonOrNull(after.monitor_filter),
      jsonOrNull(after.tenant_filter),
      now,
      tenant.id,
      id,
    ],
  )
  audit(
    'notification_rule.updated',
    { type: 'notification_rule', id },
    Object.fromEntries(names.map(name => [name, { before: before[name], after: after[name] }])),
  )
  return findRule(em, tenant, id)
}

/** A reseller's webhook is a channel and its rule: one without the other would be none. */
async function refuseToPart(em: EntityManager, tenant: { id: string }, id: string): Promise<void> {
  const [found] = await em.execute<unknown[]>(
    'select 1 from notification_rules where tenant_id = ? and id = ? and is_webhook',
    [tenant.id, id],
  )
  if (found)
    throw invalid({ channel_id: ['This rule and its channel are one webhook: make another rule for another channel.'] })
}
