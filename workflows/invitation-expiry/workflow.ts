import { proxyActivities } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { untilDone } from '#workflows/until-done.ts'
import type { InvitationExpiryActivities } from './activities.ts'

const { expireInvitation } = proxyActivities<InvitationExpiryActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** An invitation is open until its end, unless it is taken up, revoked or sent again before. */
export const invitationExpiry: Workflows['invitationExpiry'] = ({ invitationId, expiresAtMs }) =>
  untilDone(() => expireInvitation(invitationId, expiresAtMs))
