import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { type InvitationRow, InvitationView, invitationStatuses, selectInvitations, shownStatus } from './view.ts'

export const listInvitations = endpoint({
  method: 'GET',
  path: '/invitations',
  summary: 'List invitations to a team, newest first',
  access: { tenant: 'team:read', reseller: 'members:read' },
  query: offsetQuery().extend({ status: commaList(invitationStatuses).optional() }),
  returns: offsetPage(InvitationView),

  async handle({ em, tenant, query, url }) {
    const where = `i.tenant_id = ?${query.status ? ` and ${shownStatus} = any(array[?]::varchar[])` : ''}`
    const values: unknown[] = [tenant.id, ...(query.status ? [query.status] : [])]
    const data = await em.execute<InvitationRow[]>(
      `select ${selectInvitations} from invitations i where ${where} order by i.created_at desc, i.id desc limit ? offset ?`,
      [...values, query.per_page, (query.page - 1) * query.per_page],
    )
    const [count] = await em.execute<{ total: number }[]>(
      `select count(*)::int as total from invitations i where ${where}`,
      values,
    )
    return { data, ...offsetParts(query, count?.total ?? 0, url) }
  },
})
