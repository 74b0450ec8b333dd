import { rowChanged, workflowId } from '#contract/workflows.ts'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { actIn } from '#control-plane/outbox/unit-of-work.ts'
import { changeManagedTenant } from '#control-plane/tenancy/tenants/change-managed.ts'
import { refuseUnknown } from './find.ts'
import { startTrial } from './follow-trial.ts'
import { loadTeam } from './load.ts'
import { noteTeam } from './note.ts'
import { fromTeams, selectTeams, type TeamRow, withHidden } from './row.ts'
import { isSuspended, mailUnpaused } from './unpause.ts'
import { graceDays, TeamView, viewTeam } from './view.ts'

type RestoreContext = Pick<RequestContext, 'em' | 'now' | 'audit' | 'emit' | 'signal' | 'start' | 'mail'>

export const restoreManagedTeam = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams/{id}/restore',
  summary: 'Restore a deleted team',
  description:
    'Within thirty days of its deletion. ' +
    'The team is active again, even if it was paused; its tokens work and its checks run, unless an operator has ' +
    'suspended it. A trial that ended meanwhile ends now. A team that is not deleted is returned unchanged.',
  access: { reseller: 'teams:write' },
  returns: ok({ data: TeamView }),

  async handle(context) {
    const { em, params, now, services, tenant: reseller } = context
    const [team] = await rows(em)<TeamRow & { is_over: boolean }>`
      select ${selectTeams}, m.deleted_at <= ${now}::timestamptz - ${graceDays} * interval '1 day' as is_over
      from ${fromTeams} ${withHidden} where m.id = ${params.id} and m.reseller_id = ${reseller.id} for update of m`
    if (!team) return refuseUnknown(services.platform, reseller, params.id)
    if (team.is_over) throw notFound('Managed team')
    if (team.deleted_at !== null) await restoreTeam(context, team)
    return { data: viewTeam(await loadTeam(em, team.id), now) }
  },
})

async function restoreTeam(context: RestoreContext, team: TeamRow): Promise<void> {
  const { em, now, audit, emit, signal } = context
  const db = queries(em)
  const updated_at = now.toISOString()
  await changeManagedTenant(em, team.tenant_id, { deleted_at: null, paused_at: null }, now)
  await db
    .updateTable('managed_teams')
    .set({ deleted_at: null, paused_reason: null, updated_at })
    .where('id', '=', team.id)
    .execute()
  const isUnpaused = team.paused_at !== null && !(await isSuspended(em, team))
  if (team.deleted_at !== null) signal(workflowId.teamPurge(team.id, Date.parse(team.deleted_at)), rowChanged)
  if (team.trial_ends_at !== null) startTrial(context, team, new Date(team.trial_ends_at))
  emit('team.restored', { managed_team_id: team.id, tenant_id: team.tenant_id, tenant_name: team.name }, 'reseller')
  noteTeam(audit, team, 'managed_tenant.restored', {
    deleted_at: { before: team.deleted_at, after: null },
    ...(isUnpaused && { paused_at: { before: team.paused_at, after: null } }),
    ...(team.paused_reason !== null && { paused_reason: { before: team.paused_reason, after: null } }),
  })
  if (!isUnpaused) return
  await actIn(em, team.tenant_id)
  await mailUnpaused(context, team)
}
