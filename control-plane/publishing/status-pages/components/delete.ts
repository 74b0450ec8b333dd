import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { findComponent } from './row.ts'

export const deleteComponent = endpoint({
  method: 'DELETE',
  path: '/status-pages/{status_page}/components/{component}',
  summary: 'Delete a component of a status page',
  description: 'Incidents of the page name it no more. Its monitor stays.',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const page = await lockPage(em, tenant, params.status_page)
    const { id, name } = await findComponent(em, tenant, page, params.component)
    await queries(em)
      .deleteFrom('status_page_components')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .execute()
    await touchPage(em, page.id)
    audit('status_page.component_deleted', { type: 'status_page', id: page.id }, { component_id: id, name })
  },
})
