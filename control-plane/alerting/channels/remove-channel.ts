import { refuseWhileCalled } from '#control-plane/alerting/escalation-policies/targets.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { lockChannel } from './row.ts'
import { ensureSigningSecret } from './signing-secret.ts'

type RemoveContext = Pick<RequestContext, 'em' | 'tenant' | 'services' | 'audit'>

/** Deletes a channel with its rules and its notification log, unless an escalation policy calls it. */
export async function removeChannel(context: RemoveContext, channelId: string): Promise<void> {
  const { em, tenant, audit } = context
  const { id, name, type } = await lockChannel(em, tenant, channelId)
  await refuseWhileCalled(em, tenant, { channel_id: id })
  await queries(em)
    .deleteFrom('notification_channels')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', id)
    .execute()
  await ensureSigningSecret(context)
  audit('notification_channel.deleted', { type: 'notification_channel', id }, { name, type })
}
