import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { originOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { mayRead } from './access.ts'
import { readConfig } from './row.ts'
import { SsoConfigView, viewConfig } from './view.ts'

export const getSsoConfig = endpoint({
  method: 'GET',
  path: '/sso/config',
  summary: 'Get the single sign-on of a team',
  description: '`data` is null where none is set. The client secret is never shown.',
  access: mayRead,
  underImpersonation: 'refused',
  returns: ok({ data: SsoConfigView.nullable() }),

  async handle({ em, tenant, services }) {
    const row = await readConfig(em, tenant)
    return { data: row && viewConfig(tenant, row, await originOf(services.platform, services.config, tenant.id)) }
  },
})
