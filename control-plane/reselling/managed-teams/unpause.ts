import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { suspended } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeManagedTenant } from '#control-plane/tenancy/tenants/change-managed.ts'
import { mailAdministrators } from '#control-plane/tenancy/tenants/mail-administrators.ts'
import { lockTeam } from './load.ts'
import { noteTeam } from './note.ts'
import type { TeamRow } from './row.ts'

type UnpauseContext = Pick<RequestContext, 'em' | 'now' | 'emit' | 'audit' | 'mail'>

export const unpauseManagedTeam = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams/{managed_team}/unpause',
  summary: 'Unpause a managed team',
  access: { reseller: 'teams:write' },
  returns: ok({ data: z.object({ message: z.string(), is_paused: z.boolean() }) }),

  async handle(context) {
    await unpauseTeam(context, await lockTeam(context.em, context.params.managed_team))
    return { data: { message: 'The team is not paused.', is_paused: false } }
  },
})

/** Mails the administrators that a team is no longer paused. The transaction must act in the team. */
export const mailUnpaused = (
  context: Pick<RequestContext, 'em' | 'now' | 'mail'>,
  { tenant_id, name }: Pick<TeamRow, 'tenant_id' | 'name'>,
): Promise<void> =>
  mailAdministrators(context.em, tenant_id, 'team_unpaused', { team_name: name, unpaused_at: stamp(context.now) })

/** Whether an operator has suspended a team, which pauses it whatever its reseller does. */
export async function isSuspended(em: UnpauseContext['em'], team: Pick<TeamRow, 'tenant_id'>): Promise<boolean> {
  const own = queries(em).selectFrom('tenants').where('id', '=', team.tenant_id)
  return (await own.where('suspended_at', 'is not', null).select('id').executeTakeFirst()) !== undefined
}

/** Unpauses a team that the transaction has locked and acts in; a team that is not paused stays unchanged. */
export async function unpauseTeam(context: UnpauseContext, team: TeamRow): Promise<void> {
  const { em, now, emit, audit } = context
  if (team.paused_at === null) return
  if (await isSuspended(em, team)) throw suspended()
  const updated_at = now.toISOString()
  await changeManagedTenant(em, team.tenant_id, { paused_at: null }, now)
  await queries(em)
    .updateTable('managed_teams')
    .set({ paused_reason: null, updated_at })
    .where('id', '=', team.id)
    .execute()
  noteTeam(audit, team, 'managed_tenant.unpaused', {
    paused_at: { before: team.paused_at, after: null },
    ...(team.paused_reason !== null && { paused_reason: { before: team.paused_reason, after: null } }),
  })
  emit('team.unpaused', { managed_team_id: team.id, tenant_id: team.tenant_id, tenant_name: team.name }, 'reseller')
  await mailUnpaused(context, team)
}
