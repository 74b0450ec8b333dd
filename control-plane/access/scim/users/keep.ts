import type { EntityManager } from '@mikro-orm/postgresql'
import type { Person } from '#control-plane/access/scim/person.ts'
import { queries } from '#control-plane/db/queries.ts'
import { scimRefusal } from '#control-plane/http/scim-error.ts'
import { selectPeople } from './row.ts'

/** Refuses a user name or an address that another person of the team has. Call it under `lockMembers`. */
export async function refuseTaken(
  em: EntityManager,
  tenant: { id: string },
  wanted: { userName: string; email?: string; besides?: string },
): Promise<void> {
  const { userName, email = userName, besides } = wanted
  let others = selectPeople(em, tenant).where(({ eb, fn, or }) =>
    or([eb(fn.coalesce('s.user_name', 'u.email'), '=', userName), eb('u.email', '=', email)]),
  )
  if (besides !== undefined) others = others.where('m.user_id', '<>', besides)
  if (await others.limit(1).executeTakeFirst())
    throw scimRefusal('uniqueness', 'A person of this team has this user name or address already.')
}

/** Stores what a directory says of a member, beside what account and membership say. */
export async function storePerson(
  em: EntityManager,
  tenant: { id: string },
  userId: string,
  { userName, externalId, displayName, name }: Person,
): Promise<void> {
  const kept = {
    user_name: userName ?? null,
    external_id: externalId ?? null,
    display_name: displayName ?? null,
    formatted_name: name?.formatted ?? null,
    given_name: name?.givenName ?? null,
    family_name: name?.familyName ?? null,
  }
  await queries(em)
    .insertInto('scim_users')
    .values({ tenant_id: tenant.id, user_id: userId, ...kept })
    .onConflict(conflict =>
      conflict.columns(['tenant_id', 'user_id']).doUpdateSet(({ fn }) => ({
        ...kept,
        updated_at: fn<string>('clock_timestamp', []),
      })),
    )
    .execute()
}
