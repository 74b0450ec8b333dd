import { removeChannel } from '#control-plane/alerting/channels/remove-channel.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { findWebhook } from './row.ts'

export const deleteWebhook = endpoint({
  method: 'DELETE',
  path: '/reseller/webhooks/{webhook}',
  summary: 'Delete a webhook with its channel, rules and log',
  access: { reseller: 'webhooks:write' },
  returns: noContent,

  async handle(context) {
    const { id } = await findWebhook(context.em, context.tenant, context.params.webhook)
    await removeChannel(context, id)
  },
})
