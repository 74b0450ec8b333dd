import { amongTexts, queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { domainStates } from '#control-plane/tenancy/portal-hosts/states.ts'
import { mayRead } from './access.ts'
import { selectDomains } from './row.ts'
import { CustomDomainView, viewDomain } from './view.ts'

export const listCustomDomains = endpoint({
  method: 'GET',
  path: '/custom-domains',
  summary: 'List custom domains, newest first',
  access: mayRead,
  query: offsetQuery().extend({ state: commaList(domainStates).optional() }),
  returns: offsetPage(CustomDomainView),

  async handle({ em, tenant, query, url, services }) {
    const wanted = amongTexts(query.state ?? domainStates)
    const count = await queries(em)
      .selectFrom('custom_domains')
      .where('tenant_id', '=', tenant.id)
      .where('state', '=', wanted)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await selectDomains(em, tenant)
      .where('d.state', '=', wanted)
      .orderBy('d.created_at', 'desc')
      .orderBy('d.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return {
      data: rows.map(row => viewDomain(row, services.config.baseUrl)),
      ...offsetParts(query, count.total, url),
    }
  },
})
