import { isDeepStrictEqual } from 'node:util'
import type { EntityManager } from '@mikro-orm/postgresql'
import { sql } from 'kysely'
import type { MailData } from '#contract/mails.ts'
import { json, queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { onHoldChanged } from '#control-plane/monitoring/plans/hold-notice.ts'
import { pauseOverPlan } from '#control-plane/monitoring/plans/pause-over-plan.ts'
import { lockCount, warnOfLowerLimits } from '#control-plane/tenancy/plans/enforce.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import type { QuotaNotices } from '#control-plane/tenancy/plans/quota.ts'
import { changeManagedTenant } from '#control-plane/tenancy/tenants/change-managed.ts'
import { mailAdministrators } from '#control-plane/tenancy/tenants/mail-administrators.ts'
import { noteTeam } from './note.ts'
import { changedPlanAfterTrial } from './plan-after-trial.ts'
import type { TeamRow } from './row.ts'

type TeamChangeContext = Pick<RequestContext, 'em' | 'now' | 'audit' | 'emit' | 'mail'>
export type TeamChanges = Partial<
  Pick<TeamRow, 'name' | 'plan' | 'label' | 'external_ref' | 'metadata' | 'trial_ends_at' | 'plan_after_trial'>
>

/** Changes a team that the transaction has locked. Only changed fields are written and audited. */
export async function changeTeam(context: TeamChangeContext, team: TeamRow, changes: TeamChanges): Promise<void> {
  const { em, now, audit, emit } = context
  const sent = given(changes)
  const after = { ...team, ...sent, plan_after_trial: await changedPlanAfterTrial(em, team, sent) }
  const names = changeable.filter(name => !isDeepStrictEqual(team[name], after[name]))
  if (names.length === 0) return
  if (names.includes('plan')) {
    const tenant = { id: team.tenant_id }
    const before = await limitsNow(em, tenant.id)
    const notice = await changePlan(em, team, after.plan, now)
    if (notice) await mailAdministrators(em, tenant.id, 'on_hold_changed', notice)
    const emitForTeam: QuotaNotices['emit'] = (event, payload) => emit(event, payload, { tenantId: tenant.id })
    await warnOfLowerLimits({ db: em, tenant, now, emit: emitForTeam }, before)
  }
  const db = queries(em)
  const updated_at = now.toISOString()
  if (names.includes('name')) await changeManagedTenant(em, team.tenant_id, { name: after.name }, now)
  const { label, external_ref, trial_ends_at, plan_after_trial } = after
  await db
    .updateTable('managed_teams')
    .set({ label, external_ref, metadata: json(after.metadata), trial_ends_at, plan_after_trial, updated_at })
    // another end is another trial
    .$if(names.includes('trial_ends_at'), query =>
      query.set({
        trial_set_at: trial_ends_at === null ? null : sql<string>`clock_timestamp()`,
        trial_reminded: null,
        trial_expired_at: null,
      }),
    )
    .where('id', '=', team.id)
    .execute()
  noteTeam(
    audit,
    team,
    'managed_tenant.updated',
    Object.fromEntries(names.map(name => [name, { before: team[name], after: after[name] }])),
  )
}

/**
 * Changes the plan; monitors over its limit are no longer checked. Answers the mail to the administrators, if anything
 * is put on hold or released. The transaction must act in the team.
 */
export async function changePlan(
  em: EntityManager,
  team: TeamRow,
  plan: string,
  now: Date,
): Promise<MailData<'on_hold_changed'> | null> {
  if (plan === team.plan) return null
  // before the tenant's row, in the same order as a create: two orders of locking would deadlock
  await lockCount(em, { id: team.tenant_id }, 'monitors')
  const before = await limitsNow(em, team.tenant_id)
  await changeManagedTenant(em, team.tenant_id, { plan }, now)
  const change = await pauseOverPlan(em, team.tenant_id)
  return onHoldChanged(em, team.tenant_id, before, change, now)
}

const changeable = ['name', 'plan', 'label', 'external_ref', 'metadata', 'trial_ends_at', 'plan_after_trial'] as const

const given = (changes: TeamChanges): TeamChanges =>
  Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
