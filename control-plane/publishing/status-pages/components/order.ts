import { z } from 'zod'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { json, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { limits, mayWrite } from '#control-plane/publishing/status-pages/access.ts'
import { readGroups } from '#control-plane/publishing/status-pages/groups/row.ts'
import { validateOrder } from '#control-plane/publishing/status-pages/order.ts'
import { lockPage } from '#control-plane/publishing/status-pages/row.ts'
import { touchPage } from '#control-plane/publishing/status-pages/touch.ts'
import { readComponents } from './row.ts'
import { ComponentView } from './view.ts'

const Id = z.uuid().toLowerCase()
const Place = z
  .object({
    id: Id,
    group_id: Id.nullable().optional().meta({ description: 'Moves the component; without it the group stays.' }),
  })
  .meta({ id: 'StatusPageComponentPlace' })

export const orderComponents = endpoint({
  method: 'PUT',
  path: '/status-pages/{status_page}/components/order',
  operation: 'statusPages.components.order',
  summary: 'Order the components of a status page',
  description:
    'Also moves them between groups. ' + 'Names each component once. Their positions are 1, 2, 3 and so on afterwards.',
  access: mayWrite,
  body: z.object({ components: z.array(Place).max(limits.components) }),
  returns: ok({ data: z.array(ComponentView) }),

  async handle({ em, tenant, params, body: { components }, now, audit }) {
    const page = await lockPage(em, tenant, params.status_page)
    const ids = components.map(({ id }) => id)
    validateOrder('components', await readComponents(em, tenant, page.id), ids)
    const groups = new Set((await readGroups(em, tenant, page.id)).map(({ id }) => id))
    const errors: FieldErrors = {}
    for (const [index, { group_id }] of components.entries())
      if (group_id && !groups.has(group_id)) errors[`components.${index}.group_id`] = ['The page has no such group.']
    if (Object.keys(errors).length > 0) throw invalid(errors)
    const places = components.map(({ id, group_id }, index) => ({
      id,
      place: index + 1,
      moves: group_id !== undefined,
      group_id: group_id ?? null,
    }))
    await rows(em)`update status_page_components c
      set position = o.place, group_id = case when o.moves then o.group_id else c.group_id end, updated_at = ${now}
      from jsonb_to_recordset(${json(places)}) as o(id uuid, place int, moves boolean, group_id uuid)
      where c.tenant_id = ${tenant.id} and c.page_id = ${page.id} and c.id = o.id
        and (c.position <> o.place or o.moves and c.group_id is distinct from o.group_id)`
    await touchPage(em, page.id)
    audit('status_page.components_ordered', { type: 'status_page', id: page.id }, { components })
    return { data: await readComponents(em, tenant, page.id) }
  },
})
