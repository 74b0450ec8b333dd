import type { Claimed } from '#control-plane/base/queue/end.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { Reader } from './reader.ts'

/** A message that this process has claimed, with its subscriber and the readers of the page as they are now. */
export type ClaimedMessage = Claimed &
  Row<'subscriber_messages', 'subscriber_id' | 'update_id'> &
  Row<'status_page_subscribers', 'address' | 'locale' | 'state' | 'page_id'> &
  Reader

export const outcomes = ['sent', 'suppressed', 'refused', 'given_up', 'left_out'] as const
export type Outcome = (typeof outcomes)[number]
