import { rowChanged, workflowId } from '#contract/workflows.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { TeamRow } from './row.ts'

/** The process that reminds of a trial's end and ends it, named by the team and that very moment. */
export function startTrial(
  { start }: Pick<RequestContext, 'start'>,
  team: { id: string; tenant_id: string },
  endsAt: Date,
): void {
  const endsAtMs = endsAt.getTime()
  start('trial', workflowId.trial(team.id, endsAtMs), { teamId: team.id, tenantId: team.tenant_id, endsAtMs })
}

/** The process of the trial a team had until now has nothing left to wait for. */
export function endTrial({ signal }: Pick<RequestContext, 'signal'>, team: TeamRow): void {
  if (team.trial_ends_at !== null) signal(workflowId.trial(team.id, new Date(team.trial_ends_at).getTime()), rowChanged)
}
