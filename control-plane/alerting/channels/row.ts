import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { isVerifiedSql } from '#control-plane/access/members/contact-state.ts'
import { selectRecipients } from '#control-plane/alerting/recipients/states.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

/** Whose channels: those of a team without `ownerId`, else the contact methods of one person in it. */
export interface ChannelOwner {
  id: string
  ownerId?: string
}

/** The channels of a team, or the contact methods of a person; callers add conditions. */
export const selectChannels = (em: EntityManager, { id, ownerId }: ChannelOwner) =>
  queries(em)
    .selectFrom('notification_channels as c')
    .where('c.tenant_id', '=', id)
    .where('c.owner_user_id', 'is not distinct from', ownerId ?? null)
    .select(['c.id', 'c.name', 'c.type', 'c.config', 'c.secrets', 'c.is_enabled', 'c.position', 'c.is_account'])
    .select(({ ref }) => [
      selectRecipients.as('recipients'),
      stamp(ref('c.failing_since')).as('failing_since'),
      isVerifiedSql.as('is_verified'),
      stamp(ref('c.verified_at')).as('verified_at'),
      stamp(ref('c.created_at')).as('created_at'),
      stamp(ref('c.updated_at')).as('updated_at'),
    ])
export type ChannelRow = InferResult<ReturnType<typeof selectChannels>>[number]

const notFoundOf = ({ ownerId }: ChannelOwner) =>
  notFound(ownerId === undefined ? 'Notification channel' : 'Contact method')

export async function findChannel(em: EntityManager, owner: ChannelOwner, id: string): Promise<ChannelRow> {
  const row = await selectChannels(em, owner).where('c.id', '=', id).executeTakeFirst()
  if (!row) throw notFoundOf(owner)
  return row
}

/** As `findChannel`; others who change it wait until this transaction ends. */
export async function lockChannel(em: EntityManager, owner: ChannelOwner, id: string): Promise<ChannelRow> {
  const row = await selectChannels(em, owner).where('c.id', '=', id).forUpdate('c').executeTakeFirst()
  if (!row) throw notFoundOf(owner)
  return row
}
