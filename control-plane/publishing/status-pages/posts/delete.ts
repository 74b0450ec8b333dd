import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { findPost } from './row.ts'

export const deletePost = endpoint({
  method: 'DELETE',
  path: '/status-pages/{status_page}/posts/{post}',
  summary: 'Delete an incident of a status page with its updates',
  description: 'The incident of the team stays. Subscribers who were notified are not notified of this.',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const page = await lockPage(em, tenant, params.status_page)
    const { id, incident_id, title } = await findPost(em, tenant, page, params.post)
    await queries(em).deleteFrom('status_page_posts').where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
    await touchPage(em, page.id)
    audit('status_page.incident_deleted', { type: 'status_page', id: page.id }, { post_id: id, incident_id, title })
    if (incident_id)
      audit('incident.unpublished', { type: 'incident', id: incident_id }, { status_page_id: page.id, post_id: id })
  },
})
