import { changesOf } from '#control-plane/base/changes.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { GroupChanges } from './input.ts'
import { findGroup } from './row.ts'
import { GroupView } from './view.ts'

const names = ['name', 'position', 'is_open'] as const

export const updateGroup = endpoint({
  method: 'PATCH',
  path: '/status-pages/{status_page}/groups/{group}',
  summary: 'Update a group of a status page',
  access: mayWrite,
  body: GroupChanges,
  returns: ok({ data: GroupView }),

  async handle({ em, tenant, params, body, now, audit }) {
    const page = await lockPage(em, tenant, params.status_page)
    const before = await findGroup(em, tenant, page, params.group)
    const after = {
      name: body.name ?? before.name,
      position: body.position ?? before.position,
      is_open: body.is_open ?? before.is_open,
    }
    const changed = names.filter(name => before[name] !== after[name])
    if (changed.length === 0) return { data: before }
    await queries(em)
      .updateTable('status_page_groups')
      .set({
        name: after.name,
        position: after.position,
        is_open: after.is_open,
        updated_at: now.toISOString(),
      })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', before.id)
      .execute()
    await touchPage(em, page.id)
    audit(
      'status_page.group_updated',
      { type: 'status_page', id: page.id },
      {
        group_id: before.id,
        ...changesOf(changed, before, after),
      },
    )
    return { data: await findGroup(em, tenant, page, before.id) }
  },
})
