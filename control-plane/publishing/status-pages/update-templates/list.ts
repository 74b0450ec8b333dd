import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage, ok } from '#control-plane/http/reply.ts'
import { mayRead } from '#control-plane/publishing/status-pages/access.ts'
import { findTemplate, selectTemplates, TemplateView } from './row.ts'

export const listStatusPageTemplates = endpoint({
  method: 'GET',
  path: '/status-page-templates',
  summary: 'List templates for updates of status pages, oldest first',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(TemplateView),

  async handle({ em, tenant, query, url }) {
    const count = await queries(em)
      .selectFrom('status_page_update_templates')
      .where('tenant_id', '=', tenant.id)
      .select(total)
      .executeTakeFirstOrThrow()
    const data = await selectTemplates(em, tenant)
      .orderBy('t.created_at')
      .orderBy('t.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data, ...offsetParts(query, count.total, url) }
  },
})

export const getStatusPageTemplate = endpoint({
  method: 'GET',
  path: '/status-page-templates/{status_page_template}',
  summary: 'Get a template for updates of status pages',
  access: mayRead,
  returns: ok({ data: TemplateView }),

  handle: async ({ em, tenant, params }) => ({ data: await findTemplate(em, tenant, params.status_page_template) }),
})
