import type { Row } from '#control-plane/db/queries.ts'

/** A channel as those who deliver know it: its secrets closed until they are used. */
export type Channel = Row<'notification_channels', 'id' | 'type' | 'config' | 'secrets'> & { tenantId: string }

/** One message on its way to one channel, claimed by this process. */
export interface Delivery {
  id: string
  channel: Channel
  event: string
  body: string
  /** About the same thing, a monitor or a storm or a team: told in the order in which it happened, also when the first has to be sent again. */
  subject: string | null
  /** Attempts made so far, since it was last asked for. */
  attempts: number
  /** When the claim was made, by the monotonic clock. */
  claimedAt: number
  /** A day old: it waits no longer for what cannot be read to be mended. */
  isLate?: boolean
}

/** Seconds to wait after the first, second and third attempt. After the fourth nobody tries any more. */
export const retryAfterS = [10, 60, 300] as const
/** How long a claim lasts: whoever dies with it gives it back by doing nothing. */
export const claimS = 30
/** How long a message may wait for an earlier one about the same thing: until that one has made all its attempts, each of ten seconds at most. */
export const heldAtMostS = retryAfterS.reduce((sum, wait) => sum + wait, 0) + (retryAfterS.length + 1) * 10 + 10
