import { notFound } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { findPage, mayWrite } from './row.ts'

export const deleteSubscriber = endpoint({
  method: 'DELETE',
  path: '/status-pages/{status_page}/subscribers/{subscriber}',
  summary: 'Delete a subscriber of a status page',
  description: 'Deleted with everything that waits to be sent to it; also that it had unsubscribed is forgotten.',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const page = await findPage(em, tenant, params.status_page)
    const { numDeletedRows } = await queries(em)
      .deleteFrom('status_page_subscribers')
      .where('tenant_id', '=', tenant.id)
      .where('page_id', '=', page.id)
      .where('id', '=', params.subscriber)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw notFound('Subscriber')
    audit('status_page.subscriber_deleted', { type: 'status_page', id: page.id }, { subscriber_id: params.subscriber })
  },
})
