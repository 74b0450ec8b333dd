import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { fromMembers, type MemberRow, MemberView, selectMembers, viewMember } from './view.ts'

export const listMembers = endpoint({
  method: 'GET',
  path: '/members',
  summary: 'List the people of a team by name',
  access: { tenant: 'team:read', reseller: 'members:read' },
  query: offsetQuery().extend({
    search: z.string().trim().max(200).optional().meta({ description: 'Part of the name or of the e-mail address.' }),
    role: commaList(roles).optional(),
  }),
  returns: offsetPage(MemberView),

  async handle({ em, tenant, query, url }) {
    const conditions = ['m.tenant_id = ?']
    const values: unknown[] = [tenant.id]
    if (query.role) {
      conditions.push('m.role = any(array[?]::varchar[])')
      values.push(query.role)
    }
    if (query.search) {
      const pattern = `%${query.search.replace(/[\\%_]/g, '\\$&')}%`
      conditions.push('(u.name ilike ? or u.email::text ilike ?)')
      values.push(pattern, pattern)
    }
    const from = `${fromMembers} where ${conditions.join(' and ')}`
    const rows = await em.execute<MemberRow[]>(
      `select ${selectMembers} ${from} order by u.name, u.id limit ? offset ?`,
      [...values, query.per_page, (query.page - 1) * query.per_page],
    )
    const [count] = await em.execute<{ total: number }[]>(`select count(*)::int as total ${from}`, values)
    return { data: rows.map(viewMember), ...offsetParts(query, count?.total ?? 0, url) }
  },
})
