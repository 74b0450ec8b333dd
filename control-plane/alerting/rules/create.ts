import { mayWrite } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { makeRule } from './create-rule.ts'
import { NewRule } from './input.ts'
import { RuleView } from './row.ts'

export const createRule = endpoint({
  method: 'POST',
  path: '/notification-rules',
  summary: 'Create a rule: which events go to which channel',
  description: 'However many rules match, a channel is sent an event once.',
  access: mayWrite,
  body: NewRule,
  returns: created({ data: RuleView }),
  handle: async facts => ({ data: await makeRule(facts, facts.body) }),
})
