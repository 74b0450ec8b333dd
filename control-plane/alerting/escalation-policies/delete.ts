import type { EntityManager } from '@mikro-orm/postgresql'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { lockCount } from '#control-plane/tenancy/plans/enforce.ts'
import { mayWrite } from './access.ts'
import { lockPolicy } from './rows.ts'

export const deletePolicy = endpoint({
  method: 'DELETE',
  path: '/escalation-policies/{escalation_policy}',
  summary: 'Delete an escalation policy that is not in use',
  description:
    'A policy that monitors name, or that others fall back on, is refused with their names. Runs that are going on ' +
    'end with their next step.',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    await lockCount(em, tenant, 'escalation_policies')
    const { id, name } = await lockPolicy(em, tenant, params.escalation_policy)
    await refuseInUse(em, tenant, id)
    await queries(em)
      .deleteFrom('escalation_policies')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .execute()
    audit('escalation_policy.deleted', { type: 'escalation_policy', id }, { name })
  },
})

const mostNames = 20

/** Names up to twenty monitors and twenty policies. */
async function refuseInUse(em: EntityManager, tenant: { id: string }, id: string): Promise<void> {
  const db = queries(em)
  const monitors = await db
    .selectFrom('monitors')
    .where('tenant_id', '=', tenant.id)
    .where('escalation_policy_id', '=', id)
    .select('name')
    .orderBy('name')
    .limit(mostNames)
    .execute()
  const policies = await db
    .selectFrom('escalation_policies')
    .where('tenant_id', '=', tenant.id)
    .where('fallback_policy_id', '=', id)
    .select('name')
    .orderBy('name')
    .limit(mostNames)
    .execute()
  const errors: FieldErrors = {}
  if (monitors.length > 0) errors.monitors = monitors.map(({ name }) => `The monitor “${name}” has this policy.`)
  if (policies.length > 0)
    errors.escalation_policies = policies.map(({ name }) => `The policy “${name}” falls back on this one.`)
  if (Object.keys(errors).length > 0) throw invalid(errors, 'in_use')
}
