import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { mayWrite } from './access.ts'
import { lockPage } from './row.ts'

export const deleteStatusPage = endpoint({
  method: 'DELETE',
  path: '/status-pages/{status_page}',
  summary: 'Delete a status page',
  description:
    'With its components and its incidents. ' +
    'Its address leads nowhere from then on, and no other team gets it for 30 days. ' +
    'The incidents of the team themselves stay.',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const { id, name, slug } = await lockPage(em, tenant, params.status_page)
    await queries(em).deleteFrom('status_pages').where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
    audit('status_page.deleted', { type: 'status_page', id }, { name, slug })
  },
})
