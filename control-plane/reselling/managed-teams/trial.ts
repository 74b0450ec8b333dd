import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import { stamp as stampOf } from '#contract/time.ts'
import type { RetryLater } from '#contract/workflows.ts'
import { type Calendar, later } from '#control-plane/base/calendar.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { queries, rows, stamp } from '#control-plane/db/queries.ts'
import { pauseOverPlan } from '#control-plane/monitoring/plans/pause-over-plan.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { lockCount, warnOfLowerLimits } from '#control-plane/tenancy/plans/enforce.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import { beyondPlan } from '#control-plane/tenancy/plans/over-plan.ts'
import { planAfterTrial } from '#control-plane/tenancy/plans/plan-after-trial.ts'
import type { QuotaNotices } from '#control-plane/tenancy/plans/quota.ts'
import { goesOn } from '#control-plane/tenancy/team-states/state.ts'
import { mailAdministrators } from '#control-plane/tenancy/tenants/mail-administrators.ts'

/** Days before the end at which the reseller is reminded, in order. */
const reminders = [3, 1] as const

type LockedTeam = NonNullable<Awaited<ReturnType<typeof lockTeam>>>

/**
 * Sends due reminders of this end of a trial and ends it, each once, and returns when to call again. A trial with
 * another end or none is left unchanged, and so is that of a team in the trash: its restoration starts it again.
 * Reminders that were overdue when the trial was set are not sent.
 */
export const advanceTrial = (
  platform: Pool,
  teamId: string,
  endsAt: Date,
  calendar: Calendar,
): Promise<'expired' | 'superseded' | RetryLater> =>
  inTransaction(platform, async client => {
    const team = await lockTeam(client, teamId)
    if (!team?.trial_ends_at || Date.parse(team.trial_ends_at) !== endsAt.getTime()) return 'superseded'
    if (team.trial_expired_at) return 'expired'
    if (!goesOn('trials', team)) return 'superseded'
    const now = await calendar.now(client)
    if (now >= endsAt) {
      await expire(client, team, now)
      return 'expired'
    }
    const moments = reminders.map(days => ({ days, at: new Date(endsAt.getTime() - days * calendar.dayMs) }))
    const due = moments.findLast(({ at }) => at <= now)
    if (due && isUnsent(team, due))
      await remind(client, team, endsAt, due.days, Math.ceil((endsAt.getTime() - now.getTime()) / calendar.dayMs))
    return later(moments.find(({ at }) => at > now)?.at ?? endsAt, now)
  })

const isUnsent = (
  { trial_reminded: sent, trial_set_at: setAt }: LockedTeam,
  { days, at }: { days: number; at: Date },
) => (sent === null || days < sent) && (setAt === null || at.getTime() > Date.parse(setAt))

const lockTeam = (client: PoolClient, teamId: string) =>
  queries(client)
    .selectFrom('managed_teams as m')
    .innerJoin('tenants as t', 't.id', 'm.tenant_id')
    .where('m.id', '=', teamId)
    .select(['m.id', 'm.tenant_id', 'm.reseller_id', 'm.label', 'm.trial_reminded', 'm.trial_expired_at'])
    .select(['m.plan_after_trial', 't.deleted_at', 't.suspended_at', 't.paused_at'])
    .select(['t.name', 't.plan', 't.feature_overrides'])
    .select(({ ref }) => [
      stamp(ref('m.trial_ends_at')).as('trial_ends_at'),
      stamp(ref('m.trial_set_at')).as('trial_set_at'),
    ])
    .forUpdate('m')
    .executeTakeFirst()

async function remind(
  client: PoolClient,
  team: LockedTeam,
  endsAt: Date,
  reminded: number,
  daysRemaining: number,
): Promise<void> {
  await rows(client)`update managed_teams set trial_reminded = ${reminded} where id = ${team.id}`
  const payload = {
    managed_team_id: team.id,
    tenant_id: team.tenant_id,
    tenant_name: team.name,
    label: team.label,
    plan: team.plan,
    trial_ends_at: stampOf(endsAt),
    days_remaining: daysRemaining,
    plan_after_trial: planAfterTrial(team),
  }
  await emitEvents(client, [{ tenantId: team.reseller_id, name: 'team.trial_ending', payload }])
  // for a team that has chosen its plan nothing ends
  if (payload.plan_after_trial === team.plan) return
  await mailAdministrators(client, team.tenant_id, 'trial_ending', {
    team_name: team.name,
    plan: team.plan,
    trial_ends_at: stampOf(endsAt),
    days_remaining: daysRemaining,
    plan_after_trial: payload.plan_after_trial,
    ...(await beyondPlan(client, team.tenant_id, effectiveLimits(payload.plan_after_trial, team.feature_overrides))),
  })
}

async function expire(client: PoolClient, team: LockedTeam, now: Date): Promise<void> {
  // before the tenant's row, in the same order as a create: two orders of locking would deadlock
  const tenant = { id: team.tenant_id }
  await lockCount(client, tenant, 'monitors')
  const own = queries(client).selectFrom('tenants').where('id', '=', tenant.id).select('plan').forUpdate()
  const previous = (await own.executeTakeFirst())?.plan ?? team.plan
  const limits = await limitsNow(client, tenant.id)
  const plan = planAfterTrial(team)
  await queries(client)
    .updateTable('tenants')
    .set({ plan, updated_at: sql<string>`clock_timestamp()` })
    .where('id', '=', tenant.id)
    .execute()
  await pauseOverPlan(client, tenant.id)
  const emit: QuotaNotices['emit'] = (name, payload) => emitEvents(client, [{ tenantId: tenant.id, name, payload }])
  await warnOfLowerLimits({ db: client, tenant, now, emit }, limits)
  await rows(client)`update managed_teams set trial_expired_at = clock_timestamp(), plan_after_trial = null,
    updated_at = clock_timestamp() where id = ${team.id}`
  const entry = {
    action: 'managed_tenant.trial_expired',
    type: 'managed_tenant' as const,
    id: team.id,
    changes: { plan: { before: previous, after: plan } },
  }
  await addAudit(
    client,
    [team.reseller_id, team.tenant_id].map(tenantId => ({ tenantId, ...entry })),
  )
  const payload = {
    managed_team_id: team.id,
    tenant_id: team.tenant_id,
    tenant_name: team.name,
    previous_plan: previous,
    plan,
  }
  await emitEvents(client, [{ tenantId: team.reseller_id, name: 'team.trial_expired', payload }])
  if (plan === previous) return
  await mailAdministrators(client, team.tenant_id, 'trial_expired', {
    team_name: team.name,
    previous_plan: previous,
    plan,
    ...(await beyondPlan(client, tenant.id, await limitsNow(client, tenant.id))),
  })
}
