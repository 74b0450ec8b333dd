import { sql } from 'kysely'
import { z } from 'zod'
import { amongTexts, countRows } from '#control-plane/db/queries.ts'
import { states } from '#control-plane/engine/state/rules.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, commaText, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { monitorStatuses, statesOf } from '#control-plane/monitoring/monitors/own.ts'
import { agentAccess } from './access.ts'
import { fromAgents, selectAgents } from './row.ts'
import { AgentMonitorView, viewAgent } from './view.ts'

export const listAgentMonitors = endpoint({
  method: 'GET',
  path: '/agent-monitors',
  summary: 'List agent monitors, newest first',
  access: agentAccess.read,
  query: offsetQuery().extend({
    status: commaList(monitorStatuses).optional(),
    state: commaList(states).optional(),
    tag: commaText.optional().meta({ description: 'Agent monitors with all of these tags, separated by commas.' }),
    search: z.string().trim().max(200).optional().meta({ description: 'Part of the name or of the host name.' }),
  }),
  returns: offsetPage(AgentMonitorView),

  async handle({ em, tenant, query, url }) {
    const wanted = [sql`m.tenant_id = ${tenant.id}`]
    if (query.status) wanted.push(sql`s.state = ${amongTexts(statesOf(query.status))}`)
    if (query.state) wanted.push(sql`s.state = ${amongTexts(query.state)}`)
    if (query.tag && query.tag.length > 0) wanted.push(sql`m.tags @> ${query.tag}::text[]`)
    if (query.search) {
      const pattern = `%${query.search.replace(/[\\%_]/g, '\\$&')}%`
      wanted.push(sql`(m.name ilike ${pattern} or a.host ->> 'name' ilike ${pattern})`)
    }
    const where = sql.join(wanted, sql` and `)
    const agents = await selectAgents(
      em,
      sql`${where} order by m.created_at desc, m.id desc
        limit ${query.per_page} offset ${(query.page - 1) * query.per_page}`,
    )
    const total = await countRows(em)`${fromAgents} where ${where}`
    return { data: agents.map(viewAgent), ...offsetParts(query, total, url) }
  },
})
