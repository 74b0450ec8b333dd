import { sql } from 'kysely'
import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { InvitationView, invitationStatuses, selectInvitations, shownStatus } from './view.ts'

export const listInvitations = endpoint({
  method: 'GET',
  path: '/invitations',
  summary: 'List invitations to a team, newest first',
  access: { tenant: 'team:read', reseller: 'members:read' },
  query: offsetQuery().extend({ status: commaList(invitationStatuses).optional() }),
  returns: offsetPage(InvitationView),

  async handle({ em, tenant, query, url }) {
    let invitations = selectInvitations(em, tenant)
    if (query.status) {
      const wanted = sql<(typeof invitationStatuses)[number]>`any(${[...query.status]}::varchar[])`
      invitations = invitations.where(eb => eb(shownStatus(eb), '=', wanted))
    }
    const data = await invitations
      .orderBy('i.created_at', 'desc')
      .orderBy('i.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    const count = await invitations.clearSelect().select(total).executeTakeFirstOrThrow()
    return { data, ...offsetParts(query, count.total, url) }
  },
})
