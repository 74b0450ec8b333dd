import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { readBranding } from './row.ts'
import { BrandingView, viewBranding } from './view.ts'

export const getBranding = endpoint({
  method: 'GET',
  path: '/branding',
  summary: 'Get a team’s branding, its own and in effect',
  access: { tenant: 'settings:read', reseller: 'branding:read' },
  returns: ok({ data: BrandingView }),
  handle: async context => ({ data: await viewBranding(context, await readBranding(context.em, context.tenant)) }),
})
