import { randomUUID } from 'node:crypto'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { reserveQuota } from '#control-plane/tenancy/plans/enforce.ts'
import { mayWrite } from './access.ts'
import { NewPolicy } from './input.ts'
import { findPolicy } from './rows.ts'
import { PolicyView, viewPolicy } from './view.ts'
import { endOtherDefault, validateFallback, writeSteps } from './write.ts'

export const createPolicy = endpoint({
  method: 'POST',
  path: '/escalation-policies',
  summary: 'Create an escalation policy',
  description:
    'An incident that begins is escalated by the policy of its monitor, else by the default policy of the team, ' +
    'else by none. Notification rules apply as without a policy: a policy calls people besides. An acknowledgement ' +
    'and the end of the incident end the escalation; while the incident is snoozed, and while a maintenance window ' +
    'covers its monitor, no step is taken. An incident whose alert is suppressed is escalated once its alert is ' +
    'sent; of the incidents of a storm the first of each policy is escalated at once. A step that reaches no target ' +
    'is noted, and the next one is taken at once. The plan limits how many policies a team has.',
  access: mayWrite,
  body: NewPolicy,
  returns: created({ data: PolicyView }),

  async handle(context) {
    const { em, tenant, body, now, audit } = context
    await reserveQuota(context, 'escalation_policies', 1)
    const id = randomUUID()
    const at = now.toISOString()
    await validateFallback(em, tenant, id, body.fallback_policy_id)
    if (body.is_default) await endOtherDefault(context, id)
    await queries(em)
      .insertInto('escalation_policies')
      .values({
        id,
        tenant_id: tenant.id,
        name: body.name,
        is_default: body.is_default,
        repeat_count: body.repeat_count,
        repeat_delay_minutes: body.repeat_delay_minutes,
        fallback_policy_id: body.fallback_policy_id,
        created_at: at,
        updated_at: at,
      })
      .execute()
    audit(
      'escalation_policy.created',
      { type: 'escalation_policy', id },
      { name: body.name, is_default: body.is_default },
    )
    const steps = await writeSteps(context, id, body.steps)
    return { data: viewPolicy(await findPolicy(em, tenant, id), steps) }
  },
})
