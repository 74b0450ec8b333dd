import type { Pool } from 'pg'

/** How long an address waits for its confirmation. */
export const pendingDays = 7
/** Longer than a mailing can take: it must not queue a message again that was sent and deleted. */
const sentDays = 7
const atOnce = 10_000

const statements = [
  `status_page_subscribers where state = 'pending'
     and created_at < clock_timestamp() - interval '${pendingDays} days'`,
  `subscriber_messages where done_at < clock_timestamp() - interval '${sentDays} days'
     and (update_id is null or exists (
       select 1 from subscriber_mailings m
       where m.update_id = subscriber_messages.update_id and m.finished_at is not null))`,
]

/** Deletes addresses that were not confirmed within seven days, and messages that were sent. */
export async function tidySubscribers(platform: Pool): Promise<void> {
  for (const statement of statements) {
    const [table = ''] = statement.split(' ')
    const text = `delete from ${table} where id in (select id from ${statement} limit ${atOnce})`
    for (let deleted = atOnce; deleted === atOnce; ) deleted = (await platform.query(text)).rowCount ?? 0
  }
}
