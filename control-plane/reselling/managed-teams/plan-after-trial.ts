import type { EntityManager } from '@mikro-orm/postgresql'
import type { PoolClient } from 'pg'
import { queries } from '#control-plane/db/queries.ts'
import { planAfterTrial } from '#control-plane/tenancy/plans/plan-after-trial.ts'
import type { TeamRow } from './row.ts'

interface Changes {
  plan?: string
  trial_ends_at?: string | null
  plan_after_trial?: string | null
}

/**
 * What is stored as a team's plan after its trial once `changes` are made; null: free. A plan that is named without a
 * trial is sold, and so it stays when the trial ends. A trial that goes on, shorter or longer, keeps what was sold.
 */
export async function changedPlanAfterTrial(
  em: EntityManager,
  team: TeamRow,
  { plan, trial_ends_at, plan_after_trial: wanted }: Changes,
): Promise<string | null> {
  if (trial_ends_at === null) return null
  if (wanted !== undefined && (wanted ?? 'free') !== planAfterTrial(team)) return stored(wanted)
  if (!(await isUnfinished(em, team))) return null
  const isSold = plan !== undefined && plan !== team.plan && trial_ends_at === undefined
  return isSold ? stored(plan) : team.plan_after_trial
}

const stored = (plan: string | null) => (plan === 'free' ? null : plan)

/** Whether a team has a trial that was not ended yet, even if its last moment is past. */
export async function isUnfinished(em: EntityManager, team: Pick<TeamRow, 'id' | 'trial_ends_at'>): Promise<boolean> {
  if (team.trial_ends_at === null) return false
  const own = queries(em).selectFrom('managed_teams').where('id', '=', team.id)
  return (await own.where('trial_expired_at', 'is', null).select('id').executeTakeFirst()) !== undefined
}

/** Whether a team had a trial that was ended. */
export async function hadTrial(em: EntityManager, team: Pick<TeamRow, 'id'>): Promise<boolean> {
  const own = queries(em).selectFrom('managed_teams').where('id', '=', team.id)
  return (await own.where('trial_expired_at', 'is not', null).select('id').executeTakeFirst()) !== undefined
}

/** As a change of plan by the reseller: what an operator gives a team during its trial stays at the end. */
export const keepAfterTrial = (client: PoolClient, tenantId: string, plan: string): Promise<unknown> =>
  queries(client)
    .updateTable('managed_teams')
    .set({ plan_after_trial: stored(plan) })
    .where('tenant_id', '=', tenantId)
    .where('trial_ends_at', 'is not', null)
    .where('trial_expired_at', 'is', null)
    .execute()
