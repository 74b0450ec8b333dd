import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { findGroup } from './row.ts'

export const deleteGroup = endpoint({
  method: 'DELETE',
  path: '/status-pages/{status_page}/groups/{group}',
  summary: 'Delete a group of a status page',
  description: 'Its components stay, without a group.',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const page = await lockPage(em, tenant, params.status_page)
    const { id, name } = await findGroup(em, tenant, page, params.group)
    await queries(em).deleteFrom('status_page_groups').where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
    await touchPage(em, page.id)
    audit('status_page.group_deleted', { type: 'status_page', id: page.id }, { group_id: id, name })
  },
})
