import { changesOf } from '#control-plane/base/changes.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { ComponentChanges, validateComponent } from './input.ts'
import { findComponent } from './row.ts'
import { ComponentView } from './view.ts'

export const updateComponent = endpoint({
  method: 'PATCH',
  path: '/status-pages/{status_page}/components/{component}',
  summary: 'Update a component of a status page',
  description: 'Its type stays.',
  access: mayWrite,
  body: ComponentChanges,
  returns: ok({ data: ComponentView }),

  async handle(context) {
    const { em, tenant, params, body, now, audit } = context
    const page = await lockPage(em, tenant, params.status_page)
    const before = await findComponent(em, tenant, page, params.component)
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const after: typeof before = { ...before, ...sent }
    const changed = (Object.keys(sent) as (keyof typeof body)[]).filter(name => before[name] !== after[name])
    if (changed.length === 0) return { data: before }
    await validateComponent(context, page, after)
    await queries(em)
      .updateTable('status_page_components')
      .set({
        monitor_id: after.monitor_id,
        monitor_group: after.monitor_group,
        static_status: after.static_status,
        name: after.name,
        description: after.description,
        group_id: after.group_id,
        position: after.position,
        show_history: after.show_history,
        status_when_down: after.status_when_down,
        updated_at: now.toISOString(),
      })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', before.id)
      .execute()
    await touchPage(em, page.id)
    audit(
      'status_page.component_updated',
      { type: 'status_page', id: page.id },
      {
        component_id: before.id,
        ...changesOf(changed, before, after),
      },
    )
    return { data: await findComponent(em, tenant, page, before.id) }
  },
})
