import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { mailPolicyChange } from '#control-plane/identity/security-policy/mail.ts'
import { mayChange, requireOwner } from './access.ts'
import { endProviderSessions } from './enforce.ts'

export const deleteSsoConfig = endpoint({
  method: 'DELETE',
  path: '/sso/config',
  summary: 'Delete the single sign-on of a team',
  description:
    'For owners alone; works without the plan feature too. Members stay, and may set a password by mail. ' +
    'Sessions that were opened at the provider end, but the caller’s. Domains stay.',
  access: mayChange,
  needsOwnSession: true,
  underImpersonation: 'refused',
  needsFreshSession: true,
  returns: noContent,

  async handle(context) {
    const { em, tenant, caller, audit } = context
    requireOwner(caller)
    const { numDeletedRows } = await queries(em)
      .deleteFrom('sso_configs')
      .where('tenant_id', '=', tenant.id)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) return
    await endProviderSessions(em, tenant, caller.tokenId)
    await queries(em).deleteFrom('sso_identities').where('tenant_id', '=', tenant.id).execute()
    audit('sso_config.deleted', { type: 'tenant', id: tenant.id })
    await mailPolicyChange(context, { change: 'sso_removed' })
  },
})
