import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { among, queries } from '#control-plane/db/queries.ts'
import type { Schedule } from './duty.ts'

export const PersonView = z
  .object({
    user_id: z.uuid(),
    name: z.string(),
    is_reachable: z.boolean().meta({ description: 'Whether the e-mail address of this person is verified.' }),
  })
  .meta({ id: 'OnCallPerson' })
export type Person = z.input<typeof PersonView>

/** Everybody who is named in a schedule, by id. */
export async function readPeople(
  em: EntityManager,
  tenant: { id: string },
  { rotations, overrides }: Schedule,
): Promise<Map<string, Person>> {
  const ids = new Set([...rotations.flatMap(({ users }) => users), ...overrides.map(({ userId }) => userId)])
  const people = await queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenant.id)
    .where('m.user_id', '=', among([...ids]))
    .select(['m.user_id', 'u.name'])
    .select(({ ref }) => sql<boolean>`${ref('u.email_verified_at')} is not null`.as('is_reachable'))
    .orderBy('u.name')
    .orderBy('m.user_id')
    .execute()
  return new Map(people.map(person => [person.user_id, person]))
}
