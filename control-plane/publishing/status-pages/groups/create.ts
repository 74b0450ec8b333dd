import { randomUUID } from 'node:crypto'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { limits, mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { insertGroups } from '#control-plane/publishing/status-pages/insert.ts'
import { placeFor } from '#control-plane/publishing/status-pages/order.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { NewGroup } from './input.ts'
import { findGroup } from './row.ts'
import { GroupView } from './view.ts'

export const createGroup = endpoint({
  method: 'POST',
  path: '/status-pages/{status_page}/groups',
  summary: 'Create a group of components on a status page',
  description: `A page has at most ${limits.groups} groups.`,
  access: mayWrite,
  body: NewGroup,
  returns: created({ data: GroupView }),

  async handle(context) {
    const { em, tenant, params, body, audit } = context
    const page = await lockPage(em, tenant, params.status_page)
    const last = await placeFor(em, tenant, page.id, {
      table: 'status_page_groups',
      field: 'groups',
      most: limits.groups,
    })
    const id = randomUUID()
    await insertGroups(context, page, [{ id, name: body.name, position: body.position ?? last, is_open: body.is_open }])
    await touchPage(em, page.id)
    audit('status_page.group_created', { type: 'status_page', id: page.id }, { group_id: id, name: body.name })
    return { data: await findGroup(em, tenant, page, id) }
  },
})
