import type { DeliveryEnd, RetryLater } from '#contract/workflows.ts'

/** Sends a delivery again if it is due, or returns when to call again. */
export type RetryDelivery = (deliveryId: string) => Promise<DeliveryEnd | RetryLater>

export const deliveryRetryActivities = ({ retryDelivery }: { retryDelivery: RetryDelivery }) => ({ retryDelivery })
export type DeliveryRetryActivities = ReturnType<typeof deliveryRetryActivities>
