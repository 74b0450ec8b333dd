import { proxyActivities } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { untilDone } from '#workflows/until-done.ts'
import type { TrialActivities } from './activities.ts'

const { advanceTrial } = proxyActivities<TrialActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** Wakes three days and one day before the end of a trial, and at its end. The row decides what is due. */
export const trial: Workflows['trial'] = ({ teamId, endsAtMs }) => untilDone(() => advanceTrial(teamId, endsAtMs))
