import { endpoint } from '#control-plane/http/endpoint.ts'
import { flag, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { checkAccess } from './check-endpoint.ts'
import { checksOf } from './find.ts'
import { viewChecks } from './show.ts'
import { CheckView } from './view.ts'

export const listChecks = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/checks',
  summary: 'List the checks of a monitor, oldest first',
  tag: 'checks',
  access: checkAccess.read,
  query: offsetQuery().extend({ is_enabled: flag.optional() }),
  returns: offsetPage(CheckView),

  async handle(context) {
    const { em, tenant, params, query, url } = context
    const monitor = await findMonitor(em, tenant, params.monitor)
    const checks = (await checksOf(em, tenant, [monitor.id])).filter(
      check => query.is_enabled === undefined || check.is_enabled === query.is_enabled,
    )
    const page = checks.slice((query.page - 1) * query.per_page, query.page * query.per_page)
    return { data: await viewChecks(context, page), ...offsetParts(query, checks.length, url) }
  },
})
