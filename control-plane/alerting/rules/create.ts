import { mayWrite } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { makeRule } from './create-rule.ts'
import { NewRule } from './input.ts'
import { RuleView } from './row.ts'

export const createRule = endpoint({
  method: 'POST',
  path: '/notification-rules',
  summary: 'Create a notification rule, which sends events to a channel',
  description: 'An event is sent to a channel once, also if several of its rules match.',
  access: mayWrite,
  body: NewRule,
  returns: created({ data: RuleView }),
  handle: async context => ({ data: await makeRule(context, context.body) }),
})
