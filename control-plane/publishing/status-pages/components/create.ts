import { randomUUID } from 'node:crypto'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { limits, mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { insertComponents } from '#control-plane/publishing/status-pages/insert.ts'
import { placeFor } from '#control-plane/publishing/status-pages/order.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { NewComponent, validateComponent } from './input.ts'
import { findComponent } from './row.ts'
import { ComponentView } from './view.ts'

export const createComponent = endpoint({
  method: 'POST',
  path: '/status-pages/{status_page}/components',
  summary: 'Create a component of a status page',
  description:
    'It shows one monitor, all monitors of one `group`, or a status that is set by hand. ' +
    'A component whose monitor is deleted is deleted with it. ' +
    `A page has at most ${limits.components} components.`,
  access: mayWrite,
  body: NewComponent,
  returns: created({ data: ComponentView }),

  async handle(context) {
    const { em, tenant, params, body, audit } = context
    const page = await lockPage(em, tenant, params.status_page)
    await validateComponent(context, page, body)
    const last = await placeFor(em, tenant, page.id, {
      table: 'status_page_components',
      field: 'components',
      most: limits.components,
    })
    const id = randomUUID()
    await insertComponents(context, page, [
      {
        id,
        type: body.type,
        monitor_id: body.monitor_id,
        monitor_group: body.monitor_group,
        static_status: body.static_status,
        name: body.name,
        description: body.description,
        group_id: body.group_id,
        position: body.position ?? last,
        show_history: body.show_history,
        status_when_down: body.status_when_down,
      },
    ])
    await touchPage(em, page.id)
    audit(
      'status_page.component_created',
      { type: 'status_page', id: page.id },
      { component_id: id, name: body.name, type: body.type },
    )
    return { data: await findComponent(em, tenant, page, id) }
  },
})
