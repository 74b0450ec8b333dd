import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import { z } from 'zod'
import type { Role } from '#contract/scopes.ts'
import type { Comparison } from '#control-plane/access/scim/filter.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { isStorable } from '#control-plane/http/body.ts'
import { scimRefusal } from '#control-plane/http/scim-error.ts'

export type PersonRow = InferResult<ReturnType<typeof selectPeople>>[number]

/** The people of a team, as a directory knows them: members, without service users. */
export const selectPeople = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .leftJoin('scim_users as s', join =>
      join.onRef('s.user_id', '=', 'm.user_id').onRef('s.tenant_id', '=', 'm.tenant_id'),
    )
    .where('m.tenant_id', '=', tenant.id)
    .where('u.is_service', '=', false)
    .select(['u.id', 'u.name', 'u.email'])
    .select(['s.user_name', 's.external_id', 's.display_name', 's.formatted_name', 's.given_name', 's.family_name'])
    .select(({ ref, fn }) => [
      ref('m.role').$castTo<Role>().as('role'),
      sql<boolean>`${ref('m.disabled_at')} is null`.as('is_active'),
      stamp(ref('m.created_at')).as('created_at'),
      stamp(fn<string>('greatest', ['m.updated_at', 's.updated_at', 'u.updated_at'])).as('updated_at'),
    ])

/** A person of the team, or a 404. */
export async function findPerson(em: EntityManager, tenant: { id: string }, id: string): Promise<PersonRow> {
  const row = await selectPeople(em, tenant).where('m.user_id', '=', id).executeTakeFirst()
  if (!row) throw notFound('User')
  return row
}

const uuid = z.guid()

/** No person has it. */
const noPerson = '00000000-0000-0000-0000-000000000000'

/** The people of a team for whom all comparisons of a filter hold. An attribute that is not compared is refused. */
export function peopleWhere(em: EntityManager, tenant: { id: string }, filter: readonly Comparison[]) {
  let people = selectPeople(em, tenant)
  for (const { attribute, value } of filter) {
    const text = typeof value === 'string' && isStorable(value) ? value : undefined
    switch (attribute) {
      case 'username':
        people = people.where(({ fn, eb }) => eb(fn.coalesce('s.user_name', 'u.email'), '=', text ?? ''))
        break
      case 'externalid':
        people = people.where('s.external_id', '=', text ?? '')
        break
      case 'emails':
      case 'emails.value':
        people = people.where('u.email', '=', text ?? '')
        break
      case 'active':
        if (typeof value !== 'boolean') throw unknown(attribute)
        people = people.where('m.disabled_at', value ? 'is' : 'is not', null)
        break
      case 'id':
        people = people.where('m.user_id', '=', uuid.safeParse(value).data ?? noPerson)
        break
      case 'emails.type':
      case 'emails.primary':
        // each person has one address, for work and primary
        if (!['work', 'true'].includes(String(value).toLowerCase())) people = people.where('m.user_id', '=', noPerson)
        break
      default:
        throw unknown(attribute)
    }
  }
  return people
}

const unknown = (attribute: string) =>
  scimRefusal(
    'invalidFilter',
    `People are found by id, userName, externalId, emails.value and active (a boolean), not by this value of ` +
      `${attribute.slice(0, 50)}.`,
  )
