import type { ClosedConfig } from '#control-plane/alerting/channels/config.ts'
import type { ChannelType } from '#control-plane/alerting/channels/kinds/kind.ts'

/** A channel as those who deliver know it: its secrets closed until they are used. */
export interface Channel extends ClosedConfig {
  id: string
  tenantId: string
  type: ChannelType
}

/** One message on its way to one channel, claimed by this process. */
export interface Delivery {
  id: string
  channel: Channel
  event: string
  body: string
  /** About the same thing: told in the order in which it happened. */
  subject: string | null
  /** Attempts made so far, since it was last asked for. */
  attempts: number
  /** When the claim was made, by the monotonic clock. */
  claimedAt: number
}

/** Seconds to wait after the first, second and third attempt. After the fourth nobody tries any more. */
export const retryAfterS = [10, 60, 300] as const
/** How long a claim lasts: whoever dies with it gives it back by doing nothing. */
export const claimS = 30
