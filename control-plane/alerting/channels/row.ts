import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import { type RecipientState, selectRecipients } from '#control-plane/alerting/recipients/states.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

/** The channels of a tenant; callers add conditions. */
export const selectChannels = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('notification_channels as c')
    .where('c.tenant_id', '=', tenant.id)
    .select(['c.id', 'c.name', 'c.type', 'c.config', 'c.secrets', 'c.is_enabled'])
    .select(({ ref }) => [
      sql<{ email: string; state: RecipientState }[] | null>`${sql.raw(selectRecipients)}`.as('recipients'),
      stamp(ref('c.failing_since')).as('failing_since'),
      stamp(ref('c.created_at')).as('created_at'),
      stamp(ref('c.updated_at')).as('updated_at'),
    ])
export type ChannelRow = InferResult<ReturnType<typeof selectChannels>>[number]

export async function findChannel(em: EntityManager, tenant: { id: string }, id: string): Promise<ChannelRow> {
  const row = await selectChannels(em, tenant).where('c.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Notification channel')
  return row
}

/** As `findChannel`; others who change it wait until this transaction ends. */
export async function lockChannel(em: EntityManager, tenant: { id: string }, id: string): Promise<ChannelRow> {
  const row = await selectChannels(em, tenant).where('c.id', '=', id).forUpdate('c').executeTakeFirst()
  if (!row) throw notFound('Notification channel')
  return row
}
