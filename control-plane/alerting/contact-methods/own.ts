import type { EntityManager } from '@mikro-orm/postgresql'
import { recipientsIn } from '#control-plane/alerting/channels/config.ts'
import type { ChannelOwner } from '#control-plane/alerting/channels/row.ts'
import type { Caller } from '#control-plane/base/caller.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { advisoryLock, queries, rows } from '#control-plane/db/queries.ts'
import { personOfSession } from '#control-plane/identity/sessions/signed-in.ts'

export const mostContactMethods = 10

/** Contact methods belong to a person in a team: administrators neither change nor read them. */
export const ownAccess = { access: 'session', underImpersonation: 'refused', tag: 'profile' } as const

/** The signed-in person in the team of the session. */
export const ownerOf = (caller: Caller, tenant: { id: string }): ChannelOwner & { ownerId: string } => ({
  id: tenant.id,
  ownerId: personOfSession(caller).id,
})

/** A contact method reaches one address. */
export function validateRecipient(type: string, config: Record<string, unknown> | undefined): void {
  if (type === 'email' && config !== undefined && recipientsIn(config).length > 1)
    throw invalid({ 'config.recipients': ['Must have one address.'] })
}

/** The ids of the contact methods of a person in their order. Others who change it wait until this transaction ends. */
export async function lockOrder(
  em: EntityManager,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<string[]> {
  await advisoryLock(em, `contact_methods:${id}:${ownerId}`)
  const rows = await queries(em)
    .selectFrom('notification_channels')
    .where('tenant_id', '=', id)
    .where('owner_user_id', '=', ownerId)
    .select('id')
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(row => row.id)
}

/** Stores the order of contact methods, by their ids. */
export async function storeOrder(em: EntityManager, tenant: { id: string }, ids: readonly string[]): Promise<void> {
  await rows(em)`update notification_channels c set position = o.place
   from unnest(${[...ids]}::uuid[]) with ordinality as o(id, place)
   where c.tenant_id = ${tenant.id} and c.id = o.id and c.position is distinct from o.place`
}
