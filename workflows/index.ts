/** All workflows of the bundle. */
export { billing } from './billing/workflow.ts'
export { deliveryRetry } from './delivery-retry/workflow.ts'
export { invitationExpiry } from './invitation-expiry/workflow.ts'
export { migration } from './migration/workflow.ts'
export { snoozeEnd } from './snooze-end/workflow.ts'
export { teamPurge } from './team-purge/workflow.ts'
export { tokenGrace } from './token-grace/workflow.ts'
export { trial } from './trial/workflow.ts'
