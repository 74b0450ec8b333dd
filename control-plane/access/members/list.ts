import { sql } from 'kysely'
import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { memberStatuses } from './status.ts'
import { MemberView, selectMembers, viewMember } from './view.ts'

export const listMembers = endpoint({
  method: 'GET',
  path: '/members',
  summary: 'List the members of a team by name',
  access: { tenant: 'team:read', reseller: 'members:read' },
  query: offsetQuery().extend({
    search: z.string().trim().max(200).optional().meta({ description: 'Part of the name or of the e-mail address.' }),
    role: commaList(roles).optional(),
    status: z.enum(memberStatuses).optional(),
  }),
  returns: offsetPage(MemberView),

  async handle({ em, tenant, query, url }) {
    let members = selectMembers(em, tenant)
    if (query.role) members = members.where('m.role', '=', sql<string>`any(${[...query.role]}::varchar[])`)
    if (query.status) members = members.where('m.disabled_at', query.status === 'active' ? 'is' : 'is not', null)
    if (query.search) {
      const pattern = `%${query.search.replace(/[\\%_]/g, '\\$&')}%`
      members = members.where(({ eb, or, cast }) =>
        or([eb('u.name', 'ilike', pattern), eb(cast<string>('u.email', 'text'), 'ilike', pattern)]),
      )
    }
    const rows = await members
      .orderBy(namesOf('u.name'))
      .orderBy('u.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    const count = await members.clearSelect().select(total).executeTakeFirstOrThrow()
    return { data: rows.map(viewMember), ...offsetParts(query, count.total, url) }
  },
})
