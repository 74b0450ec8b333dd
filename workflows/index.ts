/** Everything Temporal bundles. */
export { snoozeEnd } from './snooze-end/workflow.ts'
