import { mayWrite } from '#control-plane/alerting/channels/input.ts'
import { keepSigningSecret } from '#control-plane/alerting/channels/signing-secret.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { findRule } from './row.ts'

export const deleteRule = endpoint({
  method: 'DELETE',
  path: '/notification-rules/{notification_rule}',
  summary: 'Delete a notification rule; its channel stays',
  access: mayWrite,
  returns: noContent,

  async handle(facts) {
    const { em, tenant, params, audit } = facts
    const { id, channel_id, event_types } = await findRule(em, tenant, params.notification_rule, 'for update')
    await em.execute('delete from notification_rules where tenant_id = ? and id = ?', [tenant.id, id])
    await keepSigningSecret(facts)
    audit('notification_rule.deleted', { type: 'notification_rule', id }, { channel_id, event_types })
  },
})
