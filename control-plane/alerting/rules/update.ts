import { mayWrite } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeRule } from './change-rule.ts'
import { RuleChanges } from './input.ts'
import { RuleView } from './row.ts'

export const updateRule = endpoint({
  method: 'PATCH',
  path: '/notification-rules/{notification_rule}',
  summary: 'Update a notification rule',
  description: 'Fields that are not sent stay. Lists and filters are replaced as a whole.',
  access: mayWrite,
  body: RuleChanges,
  returns: ok({ data: RuleView }),
  handle: async context => ({ data: await changeRule(context, context.params.notification_rule, context.body) }),
})
