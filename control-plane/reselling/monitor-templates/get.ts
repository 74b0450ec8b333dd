import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findTemplate } from './find.ts'
import { TemplateView, viewTemplate } from './view.ts'

export const getTemplate = endpoint({
  method: 'GET',
  path: '/reseller/monitor-templates/{monitor_template}',
  summary: 'Get a monitor template',
  access: { reseller: 'teams:read' },
  returns: ok({ data: TemplateView }),
  handle: async ({ em, tenant, params }) => ({
    data: viewTemplate(await findTemplate(em, tenant, params.monitor_template)),
  }),
})
