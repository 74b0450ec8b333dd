import { mayWrite } from '#control-plane/alerting/channels/input.ts'
import { ensureSigningSecret } from '#control-plane/alerting/channels/signing-secret.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { lockRule } from './row.ts'

export const deleteRule = endpoint({
  method: 'DELETE',
  path: '/notification-rules/{notification_rule}',
  summary: 'Delete a notification rule and keep its channel',
  access: mayWrite,
  returns: noContent,

  async handle(context) {
    const { em, tenant, params, audit } = context
    const { id, channel_id, event_types } = await lockRule(em, tenant, params.notification_rule)
    await queries(em).deleteFrom('notification_rules').where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
    await ensureSigningSecret(context)
    audit('notification_rule.deleted', { type: 'notification_rule', id }, { channel_id, event_types })
  },
})
