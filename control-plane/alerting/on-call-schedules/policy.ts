import type { EntityManager } from '@mikro-orm/postgresql'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { meaning } from '#control-plane/http/page.ts'
import { Id } from './input.ts'

/** Refuses a policy that the team does not have. For a change it is locked, so that it is not deleted meanwhile. */
export async function validatePolicy(
  em: EntityManager,
  tenant: { id: string },
  id: string | null,
  { isLocked = false } = {},
): Promise<void> {
  if (id === null) return
  const policies = queries(em).selectFrom('escalation_policies').where('tenant_id', '=', tenant.id)
  const found = policies.where('id', '=', id).select('id')
  if (!(await (isLocked ? found.forKeyShare() : found).executeTakeFirst()))
    throw invalid({ escalation_policy_id: ['Escalation policy not found.'] })
}

/** The query parameter by which duty is asked for as one policy sees it. */
export const policyAsked = Id.optional().meta(
  meaning({
    type: 'string',
    format: 'uuid',
    description: 'Who this escalation policy calls: overrides that are limited to it count as well.',
  }),
)
