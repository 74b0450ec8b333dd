import { sql } from 'kysely'
import { pageOf, readByCursor } from '#control-plane/http/cursor-page.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { cursorQuery } from '#control-plane/http/page.ts'
import { cursorPage } from '#control-plane/http/reply.ts'
import { findIncident } from '#control-plane/monitoring/incidents/find.ts'
import { readDeliveries, selectDecisions } from './row.ts'
import { IncidentNotificationsView, viewDecisions } from './view.ts'

export const listIncidentNotifications = endpoint({
  method: 'GET',
  path: '/incidents/{incident}/notifications',
  summary: 'List the notification decisions of an incident',
  description:
    'Oldest event first. ' +
    'One entry for each event of the incident and each owner of channels. An entry lists every channel: with its ' +
    'delivery if it was notified, else with the reason why not. Entries are kept as long as the plan keeps data, at ' +
    'most ninety days.',
  tag: 'incidents',
  access: { tenant: 'incidents:read', reseller: 'incidents:read' },
  query: cursorQuery,
  returns: cursorPage(IncidentNotificationsView),

  async handle({ em, tenant, params, query, now, url, services }) {
    const incident = await findIncident(em, tenant, params.incident, now)
    const read = readByCursor({ services, tenant, url }, query, `incident-notifications:${incident.id}`)
    const { place, isBackwards } = read
    let decisions = selectDecisions(em, tenant, incident)
    if (place)
      decisions = decisions.where(
        ({ refTuple }) => refTuple('n.event_id', 'n.id'),
        isBackwards ? '<' : '>',
        sql<[string, string]>`(${place.key}::bigint, ${place.id}::uuid)`,
      )
    const direction = isBackwards ? 'desc' : 'asc'
    const found = await decisions
      .orderBy('n.event_id', direction)
      .orderBy('n.id', direction)
      .limit(read.limit)
      .execute()
    const { rows, ...page } = pageOf(read, found, ({ event_id, id }) => ({ key: event_id, id }))
    const deliveries = await readDeliveries(em, tenant, rows)
    return { data: rows.map(row => viewDecisions(row, deliveries.get(row) ?? new Map())), ...page }
  },
})
