import { proxyActivities } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { untilDone } from '#workflows/until-done.ts'
import type { TokenGraceActivities } from './activities.ts'

const { endGrace } = proxyActivities<TokenGraceActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** A rotated token works on for a while; then its row says that it no longer does. */
export const tokenGrace: Workflows['tokenGrace'] = ({ tokenId, expiresAtMs }) =>
  untilDone(() => endGrace(tokenId, expiresAtMs))
