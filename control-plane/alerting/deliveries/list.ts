import { mayRead } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { cursorPage } from '#control-plane/http/reply.ts'
import { deliveryQuery, pageOfDeliveries } from './page.ts'
import { DeliveryView } from './view.ts'

export const listLogs = endpoint({
  method: 'GET',
  path: '/notification-logs',
  summary: 'List what was sent to channels and what became of it, newest first',
  access: mayRead,
  query: deliveryQuery,
  returns: cursorPage(DeliveryView),
  handle: facts => pageOfDeliveries(facts, facts.query),
})
