import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { readBranding } from './row.ts'
import { BrandingView, viewBranding } from './view.ts'

export const getBranding = endpoint({
  method: 'GET',
  path: '/branding',
  summary: 'Read how a team appears, and what of it is its own',
  access: { tenant: 'settings:read', reseller: 'branding:read' },
  returns: ok({ data: BrandingView }),
  handle: async context => ({ data: await viewBranding(context, await readBranding(context.em, context.tenant)) }),
})
