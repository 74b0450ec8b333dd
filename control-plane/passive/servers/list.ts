import { z } from 'zod'
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
    const wanted = ['m.tenant_id = ?']
    const values: unknown[] = [tenant.id]
    const add = (sql: string, ...more: unknown[]) => {
      wanted.push(sql)
      values.push(...more)
    }
    if (query.status) add('s.state = any(array[?]::text[])', statesOf(query.status))
    if (query.state) add('s.state = any(array[?]::text[])', query.state)
    if (query.tag && query.tag.length > 0) add('m.tags @> array[?]::text[]', query.tag)
    if (query.search) {
      const pattern = `%${query.search.replace(/[\\%_]/g, '\\$&')}%`
      add(`(m.name ilike ? or a.host ->> 'name' ilike ?)`, pattern, pattern)
    }
    const where = wanted.join(' and ')
    const rows = await selectAgents(em, `${where} order by m.created_at desc, m.id desc limit ? offset ?`, [
      ...values,
      query.per_page,
      (query.page - 1) * query.per_page,
    ])
    const [count] = await em.execute<{ total: number }[]>(
      `select count(*)::int as total ${fromAgents} where ${where}`,
      values,
    )
    return { data: rows.map(viewAgent), ...offsetParts(query, count?.total ?? 0, url) }
  },
})
