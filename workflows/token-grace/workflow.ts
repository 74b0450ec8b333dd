import { proxyActivities } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { untilDone } from '#workflows/until-done.ts'
import type { TokenGraceActivities } from './activities.ts'

const { endGrace } = proxyActivities<TokenGraceActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** Disables a rotated token at the end of its grace period. */
export const tokenGrace: Workflows['tokenGrace'] = ({ tokenId, expiresAtMs }) =>
  untilDone(() => endGrace(tokenId, expiresAtMs))
