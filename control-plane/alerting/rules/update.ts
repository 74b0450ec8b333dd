import { mayWrite } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeRule } from './change-rule.ts'
import { RuleChanges } from './input.ts'
import { RuleView } from './row.ts'

export const updateRule = endpoint({
  method: 'PATCH',
  path: '/notification-rules/{notification_rule}',
  summary: 'Change a notification rule; lists and filters are sent whole',
  access: mayWrite,
  body: RuleChanges,
  returns: ok({ data: RuleView }),
  handle: async facts => ({ data: await changeRule(facts, facts.params.notification_rule, facts.body) }),
})
