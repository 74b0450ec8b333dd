import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { PartnerSsoView, readSettings, viewSettings } from './settings.ts'

export const getPartnerSso = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/{managed_team}/partner-sso',
  summary: 'Get how people of a team sign in by your links',
  access: { reseller: 'sso:read' },
  returns: ok({ data: PartnerSsoView }),

  handle: async ({ em, tenant }) => ({ data: viewSettings(await readSettings(em, tenant)) }),
})
