import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { noContent } from '#control-plane/kernel/reply.ts'
import { findWebhook } from './row.ts'
import { keepSigningSecret } from './signing-secret.ts'

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/reseller/webhooks/{webhook}',
  summary: 'Delete a webhook with its channel, its rules and its log',
  access: { reseller: 'webhooks:write' },
  returns: noContent,

  async handle(facts) {
    const { em, tenant, params, audit } = facts
    const { id, name } = await findWebhook(em, tenant, params.webhook)
    await em.execute('delete from notification_channels where tenant_id = ? and id = ?', [tenant.id, id])
    await keepSigningSecret(facts)
    audit('notification_channel.deleted', { type: 'notification_channel', id }, { name, type: 'webhook' })
  },
})
