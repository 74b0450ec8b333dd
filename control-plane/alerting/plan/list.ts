import { pageOf, readByCursor } from '#control-plane/http/cursor-page.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { cursorQuery } from '#control-plane/http/page.ts'
import { cursorPage } from '#control-plane/http/reply.ts'
import { findIncident } from '#control-plane/monitoring/incidents/find.ts'
import { type DecisionsRow, readDeliveries, selectDecisions } from './row.ts'
import { IncidentNotificationsView, viewDecisions } from './view.ts'

export const listIncidentNotifications = endpoint({
  method: 'GET',
  path: '/incidents/{incident}/notifications',
  summary: 'List who was notified of an incident and who was not, with the reason, oldest event first',
  description:
    'One entry for each event of the incident and each owner of channels, once the event was handled, and as long as the plan keeps data, at most ninety days. It holds every channel there was: with its delivery where it was notified, else with the reason.',
  tag: 'incidents',
  access: { tenant: 'incidents:read', reseller: 'incidents:read' },
  query: cursorQuery,
  returns: cursorPage(IncidentNotificationsView),

  async handle({ em, tenant, params, query, now, url, services }) {
    const incident = await findIncident(em, tenant, params.incident, now)
    const read = readByCursor({ services, tenant, url }, query, `incident-notifications:${incident.id}`)
    const { place, isBackwards } = read
    const found = await em.execute<DecisionsRow[]>(
      `select ${selectDecisions} from notification_decisions n
       where n.tenant_id = ? and n.incident_id = ? ${place ? `and (n.event_id, n.id) ${isBackwards ? '<' : '>'} (?::bigint, ?::uuid)` : ''}
       order by n.event_id ${isBackwards ? 'desc' : 'asc'}, n.id ${isBackwards ? 'desc' : 'asc'} limit ?`,
      [tenant.id, incident.id, ...(place ? [place.key, place.id] : []), read.limit],
    )
    const { rows, ...page } = pageOf(read, found, ({ event_id, id }) => ({ key: event_id, id }))
    const deliveries = await readDeliveries(em, tenant, rows)
    return { data: rows.map(row => viewDecisions(row, deliveries.get(row) ?? new Map())), ...page }
  },
})
