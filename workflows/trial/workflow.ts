import { proxyActivities } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { untilDone } from '#workflows/until-done.ts'
import type { TrialActivities } from './activities.ts'

const { advanceTrial } = proxyActivities<TrialActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** A trial wakes three days before its end, one day before it, and at its end; what is due then, the row says. */
export const trial: Workflows['trial'] = ({ teamId, endsAtMs }) => untilDone(() => advanceTrial(teamId, endsAtMs))
