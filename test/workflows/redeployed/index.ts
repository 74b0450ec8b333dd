import { log } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { trial as before } from '#workflows/trial/workflow.ts'

export { teamPurge } from '#workflows/team-purge/workflow.ts'

/** A build of tomorrow: it says more than today's, has one process more, and does the same steps in the same order. */
export const trial: Workflows['trial'] = async input => {
  log.info('a trial goes on in a newer build')
  return before(input)
}
export const another = async () => 'done'
