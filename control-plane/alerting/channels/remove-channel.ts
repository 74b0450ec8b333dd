import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { findChannel } from './row.ts'
import { keepSigningSecret } from './signing-secret.ts'

type Known = Pick<RequestContext, 'em' | 'tenant' | 'services' | 'audit'>

/** With its rules and its log. */
export async function removeChannel(facts: Known, channelId: string): Promise<void> {
  const { em, tenant, audit } = facts
  const { id, name, type } = await findChannel(em, tenant, channelId, 'for update')
  await em.execute('delete from notification_channels where tenant_id = ? and id = ?', [tenant.id, id])
  await keepSigningSecret(facts)
  audit('notification_channel.deleted', { type: 'notification_channel', id }, { name, type })
}
