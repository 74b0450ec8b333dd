import { mayRead } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findRule, RuleView } from './row.ts'

export const getRule = endpoint({
  method: 'GET',
  path: '/notification-rules/{notification_rule}',
  summary: 'Get a notification rule',
  access: mayRead,
  returns: ok({ data: RuleView }),
  handle: async ({ em, tenant, params }) => ({ data: await findRule(em, tenant, params.notification_rule) }),
})
