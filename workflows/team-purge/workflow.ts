import { proxyActivities } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { untilDone } from '#workflows/until-done.ts'
import type { TeamPurgeActivities } from './activities.ts'

const { purgeTeam, eraseResults, dropErasedFiles } = proxyActivities<TeamPurgeActivities>({
  startToCloseTimeout: '1 hour',
  heartbeatTimeout: '10 seconds',
  retry: { maximumInterval: '1 minute' },
})

/**
 * Erases a deleted team thirty days after its deletion, unless it is restored: first in PostgreSQL, then in
 * ClickHouse.
 */
export const teamPurge: Workflows['teamPurge'] = async ({ teamId, tenantId, deletedAtMs }) => {
  const outcome = await untilDone(() => purgeTeam(teamId, deletedAtMs))
  if (outcome === 'kept') return outcome
  await eraseResults(tenantId)
  await dropErasedFiles()
  return outcome
}
