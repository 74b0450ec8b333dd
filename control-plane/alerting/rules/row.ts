import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { z } from 'zod'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

/** The rules of a tenant; callers add conditions. */
export const selectRules = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('notification_rules as r')
    .where('r.tenant_id', '=', tenant.id)
    .select(['r.id', 'r.channel_id', 'r.event_types', 'r.monitor_filter', 'r.tenant_filter'])
    .select(({ ref }) => [stamp(ref('r.created_at')).as('created_at'), stamp(ref('r.updated_at')).as('updated_at')])
export type RuleRow = InferResult<ReturnType<typeof selectRules>>[number]

export async function findRule(em: EntityManager, tenant: { id: string }, id: string): Promise<RuleRow> {
  const row = await selectRules(em, tenant).where('r.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Notification rule')
  return row
}

/** As `findRule`; others who change it wait until this transaction ends. */
export async function lockRule(em: EntityManager, tenant: { id: string }, id: string): Promise<RuleRow> {
  const row = await selectRules(em, tenant).where('r.id', '=', id).forUpdate().executeTakeFirst()
  if (!row) throw notFound('Notification rule')
  return row
}

const time = z.string().meta({ format: 'date-time' })

export const RuleView = z
  .object({
    id: z.uuid(),
    channel_id: z.uuid(),
    event_types: z.array(z.string()),
    monitor_filter: z
      .object({ monitor_ids: z.array(z.uuid()), tags: z.array(z.string()), types: z.array(z.string()) })
      .nullable(),
    tenant_filter: z.object({ tenant_ids: z.array(z.uuid()), labels: z.array(z.string()) }).nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'NotificationRule' })
