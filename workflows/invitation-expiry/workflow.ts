import { proxyActivities } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { untilDone } from '#workflows/until-done.ts'
import type { InvitationExpiryActivities } from './activities.ts'

const { expireInvitation } = proxyActivities<InvitationExpiryActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** Expires an invitation at its end, unless it is accepted, revoked or resent before. */
export const invitationExpiry: Workflows['invitationExpiry'] = ({ invitationId, expiresAtMs }) =>
  untilDone(() => expireInvitation(invitationId, expiresAtMs))
