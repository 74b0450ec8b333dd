import { z } from 'zod'
import { queries, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { planAfterTrial } from '#control-plane/tenancy/plans/plan-after-trial.ts'
import { changeManagedTenant } from '#control-plane/tenancy/tenants/change-managed.ts'
import { mailAdministrators } from '#control-plane/tenancy/tenants/mail-administrators.ts'
import { changePlan } from './change.ts'
import { endTrial } from './follow-trial.ts'
import { lockTeam } from './load.ts'
import { noteTeam } from './note.ts'
import { isSuspended, mailUnpaused } from './unpause.ts'
import { isOnTrial } from './view.ts'

export const decoupleManagedTeam = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams/{managed_team}/decouple',
  summary: 'Detach a managed team',
  description:
    'It becomes an independent tenant. ' +
    'Cannot be undone. Ends the reseller’s access (impersonation tokens, keys not created by the ' +
    'team’s own people, Partner SSO and the sessions it opened), forwarding, branding, a pause, and a ' +
    'trial with its plan: the plan after the trial applies then.',
  access: { reseller: 'teams:write' },
  needsFreshSession: true,
  returns: ok({ data: z.object({ message: z.string(), tenant_id: z.uuid() }) }),

  async handle(context) {
    const { em, params, now, audit } = context
    const team = await lockTeam(em, params.managed_team)
    const plan = isOnTrial(team, now) ? planAfterTrial(team) : team.plan
    // keys of the team's own people give the reseller no access
    await rows(em)`
      delete from tokens k where k.tenant_id = ${team.tenant_id} and (k.kind = 'ik' or k.auth_method = 'partner_sso'
       or k.kind = 'svc' and not exists (
       select 1 from memberships m where m.tenant_id = k.tenant_id and m.user_id = k.created_by))`
    for (const table of ['partner_sso', 'partner_sso_people'] as const)
      await queries(em).deleteFrom(table).where('tenant_id', '=', team.tenant_id).execute()
    const isUnpaused = team.paused_at !== null && !(await isSuspended(em, team))
    endTrial(context, team)
    const notice = await changePlan(em, team, plan, now)
    await changeManagedTenant(em, team.tenant_id, { paused_at: null }, now)
    await queries(em).deleteFrom('managed_teams').where('id', '=', team.id).execute()
    noteTeam(audit, team, 'managed_tenant.decoupled', {
      managed_team_id: { before: team.id, after: null },
      ...(plan !== team.plan && { plan: { before: team.plan, after: plan } }),
      ...(isUnpaused && { paused_at: { before: team.paused_at, after: null } }),
    })
    if (notice) await mailAdministrators(em, team.tenant_id, 'on_hold_changed', { ...notice, is_unpaused: isUnpaused })
    else if (isUnpaused) await mailUnpaused(context, team)
    return { data: { message: 'The team is independent.', tenant_id: team.tenant_id } }
  },
})
