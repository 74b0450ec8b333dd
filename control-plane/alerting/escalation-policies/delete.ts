import type { EntityManager } from '@mikro-orm/postgresql'
import { type FieldErrors, invalid } from '#control-plane/base/refusal.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
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
    'A policy that monitors name, that others fall back on, or by which open incidents are escalated, is refused ' +
    'with their names.',
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

/** Names up to twenty monitors, twenty policies and twenty incidents. */
async function refuseInUse(em: EntityManager, tenant: { id: string }, id: string): Promise<void> {
  const db = queries(em)
  const monitors = await db
    .selectFrom('monitors')
    .where('tenant_id', '=', tenant.id)
    .where('escalation_policy_id', '=', id)
    .select('name')
    .orderBy(namesOf('name'))
    .limit(mostNames)
    .execute()
  const policies = await db
    .selectFrom('escalation_policies')
    .where('tenant_id', '=', tenant.id)
    .where('fallback_policy_id', '=', id)
    .select('name')
    .orderBy(namesOf('name'))
    .limit(mostNames)
    .execute()
  const incidents = await db
    .selectFrom('escalation_runs as r')
    .innerJoin('incidents as i', 'i.id', 'r.incident_id')
    .where('r.tenant_id', '=', tenant.id)
    .where('r.policy_id', '=', id)
    .where('r.state', 'in', ['pending', 'running', 'held', 'parked'])
    .select(['i.number', 'i.title'])
    .orderBy('i.number')
    .limit(mostNames)
    .execute()
  const errors: FieldErrors = {}
  if (monitors.length > 0) errors.monitors = monitors.map(({ name }) => `The monitor “${name}” has this policy.`)
  if (policies.length > 0)
    errors.escalation_policies = policies.map(({ name }) => `The policy “${name}” falls back on this one.`)
  if (incidents.length > 0)
    errors.incidents = incidents.map(({ number, title }) => `The incident #${number} “${title}” is escalated by it.`)
  if (Object.keys(errors).length > 0) throw invalid(errors, 'in_use')
}
