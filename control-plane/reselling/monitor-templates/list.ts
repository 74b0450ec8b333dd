import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { selectTemplates, type TemplateRow } from './find.ts'
import { TemplateView, viewTemplate } from './view.ts'

export const listTemplates = endpoint({
  method: 'GET',
  path: '/reseller/monitor-templates',
  summary: 'List the templates of monitors, by name',
  access: { reseller: 'teams:read' },
  query: offsetQuery(),
  returns: offsetPage(TemplateView),

  async handle({ em, tenant, query, url }) {
    const [{ total } = { total: 0 }] = await em.execute<{ total: number }[]>(
      'select count(*)::int as total from monitor_templates where tenant_id = ?',
      [tenant.id],
    )
    const rows = await em.execute<TemplateRow[]>(
      `select ${selectTemplates} from monitor_templates where tenant_id = ? order by name, id limit ? offset ?`,
      [tenant.id, query.per_page, (query.page - 1) * query.per_page],
    )
    return { data: rows.map(viewTemplate), ...offsetParts(query, total, url) }
  },
})
