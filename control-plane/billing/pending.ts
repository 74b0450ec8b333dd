import { Refusal } from '#control-plane/base/refusal.ts'
import type { SubscriptionRow } from './row.ts'

/** `end`: the subscription is to end with its period; `change`: its plan is to be another. */
export type Pending = 'end' | 'change'

/** Refuses to remove what is not pending. */
export function refuseUnlessPending({ pending_plan }: Pick<SubscriptionRow, 'pending_plan'>, what: Pending): void {
  const isEnd = pending_plan === 'free'
  if (pending_plan !== null && isEnd === (what === 'end')) return
  throw new Refusal(
    422,
    'nothing_pending',
    what === 'end' ? 'The subscription is not about to end.' : 'No change of plan is pending.',
  )
}
