import { changesOf } from '#control-plane/base/changes.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { lockCount } from '#control-plane/tenancy/plans/enforce.ts'
import { mayWrite } from './access.ts'
import { PolicyChanges } from './input.ts'
import { findPolicy, lockPolicy, readSteps } from './rows.ts'
import { PolicyView, viewPolicy } from './view.ts'
import { endOtherDefault, validateFallback, writeSteps } from './write.ts'

const fields = ['name', 'is_default', 'repeat_count', 'repeat_delay_minutes', 'fallback_policy_id'] as const

export const updatePolicy = endpoint({
  method: 'PATCH',
  path: '/escalation-policies/{escalation_policy}',
  summary: 'Update an escalation policy',
  description:
    'Its steps are sent whole. ' +
    'A step with its `id` stays and is changed, one without is added, and one that is left out is deleted. Runs that ' +
    'are going on take their next steps from the changed policy.',
  access: mayWrite,
  body: PolicyChanges,
  returns: ok({ data: PolicyView }),

  async handle(context) {
    const { em, tenant, params, body, now, audit } = context
    await lockCount(em, tenant, 'escalation_policies')
    const before = await lockPolicy(em, tenant, params.escalation_policy)
    const { id } = before
    const sent = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined))
    const after: typeof before = { ...before, ...sent }
    const changed = fields.filter(field => before[field] !== after[field])
    if (changed.includes('fallback_policy_id')) await validateFallback(em, tenant, id, after.fallback_policy_id)
    if (changed.includes('is_default') && after.is_default) await endOtherDefault(context, id)
    if (changed.length > 0 || body.steps)
      await queries(em)
        .updateTable('escalation_policies')
        .set({
          name: after.name,
          is_default: after.is_default,
          repeat_count: after.repeat_count,
          repeat_delay_minutes: after.repeat_delay_minutes,
          fallback_policy_id: after.fallback_policy_id,
          updated_at: now.toISOString(),
        })
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', id)
        .execute()
    if (changed.length > 0)
      audit('escalation_policy.updated', { type: 'escalation_policy', id }, changesOf(changed, before, after))
    const steps = body.steps ? await writeSteps(context, id, body.steps) : (await readSteps(em, [id])).get(id)
    return { data: viewPolicy(await findPolicy(em, tenant, id), steps) }
  },
})
