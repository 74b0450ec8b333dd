import { z } from 'zod'
import { parseFilter } from '#control-plane/access/scim/filter.ts'
import { listResponse } from '#control-plane/access/scim/names.ts'
import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { meaning } from '#control-plane/http/page.ts'
import { scim } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { peopleWhere } from './row.ts'
import { ScimUserList, viewPerson } from './view.ts'

/** The greatest number of people in one answer. */
export const mostResults = 200
const defaultResults = 100

const whole = (description: string) =>
  z
    .string()
    .regex(/^-?\d{1,9}$/, 'Must be a whole number.')
    .transform(Number)
    .optional()
    .meta({ description, ...meaning({ type: 'integer' }) })

export const listScimUsers = endpoint({
  method: 'GET',
  path: '/scim/v2/Users',
  root: true,
  operation: 'scim.users.list',
  summary: 'List the members of the team as a directory knows them',
  description: 'Or those that a filter finds.',
  access: 'scim',
  query: z.object({
    filter: z
      .string()
      .optional()
      .meta({ description: '`eq` of id, userName, externalId, emails.value and active, joined by `and`.' }),
    startIndex: whole('The place of the first one in the list, from 1.'),
    count: whole(`How many at most: ${defaultResults} where not given, at most ${mostResults}.`),
  }),
  returns: scim(ScimUserList),

  async handle({ em, tenant, query, services }) {
    const people = peopleWhere(em, tenant, query.filter === undefined ? [] : parseFilter(query.filter))
    // values out of range stand for the nearest one within it (RFC 7644, section 3.4.2.4)
    const startIndex = Math.max(1, query.startIndex ?? 1)
    const count = Math.min(mostResults, Math.max(0, query.count ?? defaultResults))
    const rows = await people
      .orderBy('m.created_at')
      .orderBy('m.user_id')
      .limit(count)
      .offset(startIndex - 1)
      .execute()
    const all = await people.clearSelect().select(total).executeTakeFirstOrThrow()
    const origin = await keptOriginOf(services, tenant.id)
    return {
      schemas: [listResponse as typeof listResponse],
      totalResults: all.total,
      startIndex,
      itemsPerPage: rows.length,
      Resources: rows.map(row => viewPerson(row, origin)),
    }
  },
})
