import type { Listener } from '#control-plane/base/listen.ts'
import { type Pace, Queue } from '#control-plane/base/queue/queue.ts'
import { fairClaim, type QueueTable, settleIn } from '#control-plane/base/queue/table.ts'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import type { ClaimedMessage, Outcome } from './message.ts'
import { readerSql } from './reader.ts'
import { type SendDeps, Sender } from './send.ts'

interface WorkerDeps extends SendDeps {
  listener: Pick<Listener, 'on' | 'onMissed'>
}

/**
 * Mails wait for few connections, requests for hosts that may hang: each queue has slots of its own, and of its slots a
 * team or a host gets only some.
 */
export const paces = {
  mail: { atOnce: 20, ofKey: 160, claimed: 200 },
  http: { atOnce: 40, ofKey: 2, claimed: 40 },
} satisfies Record<string, Pace>

/** The messages of one queue, sent to subscribers. The key is the team of a mail, and the host of a request. */
export function messageQueue(queue: keyof typeof paces, deps: WorkerDeps): Queue<ClaimedMessage, Outcome> {
  const sender = new Sender(deps)
  const table: QueueTable = {
    table: 'subscriber_messages',
    id: 'bigint',
    kind: 'subscriber_message',
    isOpen: `q.queue = '${queue}' and q.done_at is null`,
    claimS: 180,
  }
  return new Queue<ClaimedMessage, Outcome>({
    ...deps,
    name: 'subscriber message',
    notice: 'subscriber_messages',
    table,
    pace: paces[queue],
    claim: fairClaim<ClaimedMessage>(deps.platform, table, {
      key: 'queue_key',
      columns: `q.subscriber_id, q.update_id, s.address, s.locale, s.state, s.page_id, ${sqlTextOf(readerSql)}`,
      joined: 'join status_page_subscribers s on s.id = q.subscriber_id join status_pages p on p.id = s.page_id',
    }),
    settle: settleIn(deps.platform, table, {
      set: `outcome = case when g.how = 'dead' then 'given_up' else g.outcome end`,
    }),
    handle: message => sender.send(message),
  })
}
