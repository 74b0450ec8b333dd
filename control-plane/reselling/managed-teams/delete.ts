import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { workflowId } from '#contract/workflows.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { changeManagedTenant } from '#control-plane/tenancy/tenants/change-managed.ts'
import { lockTeam } from './load.ts'
import { noteTeam } from './note.ts'
import type { TeamRow } from './row.ts'

type TeamDeletionContext = Pick<RequestContext, 'em' | 'now' | 'emit' | 'start' | 'audit'>

export const deleteManagedTeam = endpoint({
  method: 'DELETE',
  path: '/reseller/managed-teams/{managed_team}',
  summary: 'Delete a managed team',
  description:
    'It can be restored for thirty days. ' +
    'Its tokens stop working and its checks stop running at once. After thirty days its data is erased for good.',
  access: { reseller: 'teams:write' },
  needsFreshSession: true,
  body: z.object({ confirm_name: z.string().meta({ description: 'The name of the team, exactly.' }) }),
  returns: noContent,

  async handle(context) {
    const team = await lockTeam(context.em, context.params.managed_team)
    if (context.body.confirm_name !== team.name)
      throw invalid({ confirm_name: ['Is not the name of this team.'] }, 'name_mismatch')
    await deleteTeam(context, team)
  },
})

/** Deletes a team that the transaction has locked, and starts the workflow that erases it after the time to restore. */
export async function deleteTeam({ em, now, emit, start, audit }: TeamDeletionContext, team: TeamRow): Promise<void> {
  const moment = now.toISOString()
  await changeManagedTenant(em, team.tenant_id, { deleted_at: moment }, now)
  await queries(em)
    .updateTable('managed_teams')
    .set({ deleted_at: moment, updated_at: moment })
    .where('id', '=', team.id)
    .execute()
  const deletedAtMs = now.getTime()
  start('teamPurge', workflowId.teamPurge(team.id, deletedAtMs), {
    teamId: team.id,
    tenantId: team.tenant_id,
    deletedAtMs,
  })
  noteTeam(audit, team, 'managed_tenant.deleted', { deleted_at: { before: null, after: stamp(now) } })
  emit('team.deleted', { managed_team_id: team.id, tenant_id: team.tenant_id, tenant_name: team.name }, 'reseller')
}
