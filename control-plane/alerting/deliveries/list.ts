import { mayRead } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { cursorPage } from '#control-plane/http/reply.ts'
import { deliveryQuery, pageOfDeliveries } from './page.ts'
import { DeliveryView } from './view.ts'

export const listLogs = endpoint({
  method: 'GET',
  path: '/notification-logs',
  summary: 'List notifications sent to channels with their outcome',
  description: 'Newest first.',
  access: mayRead,
  query: deliveryQuery,
  returns: cursorPage(DeliveryView),
  handle: context => pageOfDeliveries(context, context.query),
})
