import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { lockChannel } from './row.ts'
import { keepSigningSecret } from './signing-secret.ts'

type Known = Pick<RequestContext, 'em' | 'tenant' | 'services' | 'audit'>

/** With its rules and its log. */
export async function removeChannel(facts: Known, channelId: string): Promise<void> {
  const { em, tenant, audit } = facts
  const { id, name, type } = await lockChannel(em, tenant, channelId)
  await queries(em)
    .deleteFrom('notification_channels')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .execute()
  await keepSigningSecret(facts)
  audit('notification_channel.deleted', { type: 'notification_channel', id }, { name, type })
}
