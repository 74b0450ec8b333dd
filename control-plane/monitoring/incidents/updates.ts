import { z } from 'zod'
import { text } from '#contract/line.ts'
import { stamp } from '#contract/time.ts'
import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { created, offsetPage } from '#control-plane/http/reply.ts'
import { changeIncident, mayChange } from './change.ts'
import { findIncident, lockOpenIncident } from './find.ts'
import { addUpdate, IncidentUpdateView, listUpdates } from './update-row.ts'

export const postIncidentUpdate = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/updates',
  summary: 'Post an update on an incident, with its status',
  access: mayChange,
  body: z.object({
    status: z.enum(['investigating', 'identified', 'monitoring']),
    body: text(5_000, 1),
  }),
  returns: created({ data: IncidentUpdateView }),

  async handle(context) {
    const { em, tenant, params, body, now, caller } = context
    const incident = await lockOpenIncident(em, tenant, params.incident, now)
    const id = await addUpdate(em, { tenant, incident, status: body.status, body: body.body, caller, now })
    await changeIncident(context, incident, 'incident.update_posted', { status: body.status })
    return {
      data: {
        id,
        status: body.status,
        body: body.body,
        user_id: caller.user?.id ?? null,
        user_name: caller.user?.name ?? null,
        created_at: stamp(now),
      },
    }
  },
})

export const listIncidentUpdates = endpoint({
  method: 'GET',
  path: '/incidents/{incident}/updates',
  summary: 'List the updates of an incident, oldest first',
  access: { tenant: 'incidents:read', reseller: 'incidents:read' },
  query: offsetQuery(),
  returns: offsetPage(IncidentUpdateView),

  async handle({ em, tenant, params, query, now, url }) {
    const incident = await findIncident(em, tenant, params.incident, now)
    const updates = queries(em).selectFrom('incident_updates').where('incident_id', '=', incident.id)
    const count = await updates.select(total).executeTakeFirstOrThrow()
    const data = await listUpdates(em, incident.id, query.per_page, (query.page - 1) * query.per_page)
    return { data, ...offsetParts(query, count.total, url) }
  },
})
