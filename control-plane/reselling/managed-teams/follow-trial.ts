import { rowChanged, workflowId } from '#contract/workflows.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { TeamRow } from './row.ts'

/** Starts the workflow that reminds of a trial's end and ends it. Its id holds the team and that moment. */
export function startTrial(
  { start }: Pick<RequestContext, 'start'>,
  team: { id: string; tenant_id: string },
  endsAt: Date,
): void {
  const endsAtMs = endsAt.getTime()
  start('trial', workflowId.trial(team.id, endsAtMs), { teamId: team.id, tenantId: team.tenant_id, endsAtMs })
}

/** Ends the workflow of a team's former trial. */
export function endTrial({ signal }: Pick<RequestContext, 'signal'>, team: TeamRow): void {
  if (team.trial_ends_at !== null) signal(workflowId.trial(team.id, new Date(team.trial_ends_at).getTime()), rowChanged)
}
