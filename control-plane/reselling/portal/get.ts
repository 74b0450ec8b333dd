import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { readPortal } from './row.ts'
import { PortalView, viewPortal } from './view.ts'

export const getPortal = endpoint({
  method: 'GET',
  path: '/portal',
  summary: 'Get the portal settings of a team',
  access: { tenant: 'settings:read', reseller: 'portal:read' },
  returns: ok({ data: PortalView }),
  handle: async ({ em, tenant, services }) => ({
    data: await viewPortal(services, tenant, await readPortal(em, tenant)),
  }),
})

export const getResellerPortal = endpoint({
  method: 'GET',
  path: '/reseller/portal',
  summary: 'Get the settings of your own portal',
  access: { reseller: 'portal:read' },
  returns: ok({ data: PortalView }),
  handle: async ({ em, tenant, services }) => ({
    data: await viewPortal(services, tenant, await readPortal(em, tenant)),
  }),
})
