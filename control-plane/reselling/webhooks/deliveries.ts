import { deliveryQuery, pageOfDeliveries } from '#control-plane/alerting/deliveries/page.ts'
import { DeliveryView } from '#control-plane/alerting/deliveries/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { cursorPage } from '#control-plane/http/reply.ts'
import { findWebhook } from './row.ts'

export const listWebhookDeliveries = endpoint({
  method: 'GET',
  path: '/reseller/webhooks/{webhook}/deliveries',
  summary: 'List the deliveries of a webhook, newest first',
  access: { reseller: 'webhooks:read' },
  query: deliveryQuery.omit({ channel_id: true }),
  returns: cursorPage(DeliveryView),

  async handle(context) {
    const { id } = await findWebhook(context.em, context.tenant, context.params.webhook)
    return pageOfDeliveries(context, { ...context.query, channel_id: id })
  },
})
