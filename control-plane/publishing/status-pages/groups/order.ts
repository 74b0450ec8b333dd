import { z } from 'zod'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { limits, mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { validateOrder } from '#control-plane/publishing/status-pages/order.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { readGroups } from './row.ts'
import { GroupView } from './view.ts'

export const orderGroups = endpoint({
  method: 'PUT',
  path: '/status-pages/{status_page}/groups/order',
  operation: 'statusPages.groups.order',
  summary: 'Order the groups of a status page',
  description: 'Names each group once. Their positions are 1, 2, 3 and so on afterwards.',
  access: mayWrite,
  body: z.object({ groups: z.array(z.uuid().toLowerCase()).max(limits.groups) }),
  returns: ok({ data: z.array(GroupView) }),

  async handle({ em, tenant, params, body, now, audit }) {
    const page = await lockPage(em, tenant, params.status_page)
    validateOrder('groups', await readGroups(em, tenant, page.id), body.groups)
    await rows(em)`update status_page_groups g set position = o.place, updated_at = ${now}
      from unnest(${body.groups}::uuid[]) with ordinality as o(id, place)
      where g.tenant_id = ${tenant.id} and g.page_id = ${page.id} and g.id = o.id and g.position <> o.place`
    await touchPage(em, page.id)
    audit('status_page.groups_ordered', { type: 'status_page', id: page.id }, { groups: body.groups })
    return { data: await readGroups(em, tenant, page.id) }
  },
})
