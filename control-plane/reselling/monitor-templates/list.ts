import { namesOf } from '#control-plane/db/by-name.ts'
import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { selectTemplates } from './find.ts'
import { TemplateView, viewTemplate } from './view.ts'

export const listTemplates = endpoint({
  method: 'GET',
  path: '/reseller/monitor-templates',
  summary: 'List the monitor templates by name',
  access: { reseller: 'teams:read' },
  query: offsetQuery(),
  returns: offsetPage(TemplateView),

  async handle({ em, tenant, query, url }) {
    const count = await queries(em)
      .selectFrom('monitor_templates')
      .where('tenant_id', '=', tenant.id)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await selectTemplates(em, tenant)
      .orderBy(namesOf('t.name'))
      .orderBy('t.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data: rows.map(viewTemplate), ...offsetParts(query, count.total, url) }
  },
})
