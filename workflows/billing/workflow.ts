import { proxyActivities } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { untilDone } from '#workflows/until-done.ts'
import type { BillingActivities } from './activities.ts'

const { advanceBilling } = proxyActivities<BillingActivities>({
  startToCloseTimeout: '1 minute',
  heartbeatTimeout: '10 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** Wakes when something of a subscription is due. The row decides what; each further moment has its own workflow. */
export const billing: Workflows['billing'] = ({ tenantId, dueAtMs }) =>
  untilDone(() => advanceBilling(tenantId, dueAtMs))
