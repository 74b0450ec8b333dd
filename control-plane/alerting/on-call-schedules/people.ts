import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import { worksSql } from '#control-plane/alerting/contact-methods/channels.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { among, amongTexts, queries } from '#control-plane/db/queries.ts'
import type { Schedule } from './duty.ts'

export const PersonView = z
  .object({
    user_id: z.uuid(),
    name: z.string(),
    is_reachable: z.boolean().meta({
      description:
        'Whether steps of escalation policies reach this person: the address of the account is proven, or a contact ' +
        'method is enabled, verified and not failing, and of the plan.',
    }),
  })
  .meta({ id: 'OnCallPerson' })
export type Person = z.input<typeof PersonView>

/** The ids of all people who are named in a schedule. */
export const namedIn = ({ rotations, overrides }: Schedule): Set<string> =>
  new Set([...rotations.flatMap(({ users }) => users), ...overrides.map(({ userId }) => userId)])

const usersOfVersions = ({ rotations }: Schedule): string[] =>
  rotations.flatMap(({ versions }) => versions.flatMap(({ users }) => users))

/** Members of the team who are named in one of the schedules or had duty in them, by id, sorted by name. */
export async function readPeople(
  em: EntityManager,
  tenant: TenantContext,
  schedules: readonly Schedule[],
): Promise<Map<string, Person>> {
  const ids = new Set(schedules.flatMap(schedule => [...namedIn(schedule), ...usersOfVersions(schedule)]))
  const allowed = effectiveLimits(tenant.plan, tenant.featureOverrides).notification_channels
  const people = await queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.tenant_id', '=', tenant.id)
    .where('m.user_id', '=', among([...ids]))
    .select(['m.user_id', 'u.name'])
    .select(
      sql<boolean>`m.disabled_at is null and (u.email_verified_at is not null or exists (
      select 1 from notification_channels c
      where c.tenant_id = m.tenant_id and c.owner_user_id = m.user_id
        and c.type = ${amongTexts(allowed)} and ${worksSql}))`.as('is_reachable'),
    )
    .orderBy(namesOf('u.name'))
    .orderBy('m.user_id')
    .execute()
  return new Map(people.map(person => [person.user_id, person]))
}
