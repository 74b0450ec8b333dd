import { proxyActivities } from '@temporalio/workflow'
import type { Workflows } from '#contract/workflows.ts'
import { untilDone } from '#workflows/until-done.ts'
import type { DeliveryRetryActivities } from './activities.ts'

const { retryDelivery } = proxyActivities<DeliveryRetryActivities>({
  startToCloseTimeout: '30 seconds',
  retry: { maximumInterval: '1 minute' },
})

/** Retries a failed delivery after 10, 60 and 300 seconds. The row holds the times; this only wakes. */
export const deliveryRetry: Workflows['deliveryRetry'] = ({ deliveryId }) => untilDone(() => retryDelivery(deliveryId))
