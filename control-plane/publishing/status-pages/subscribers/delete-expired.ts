import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { addressHash, hashMark } from '#control-plane/base/address-hash.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { decryptAddress } from './address.ts'

/** How long an address waits for its confirmation. */
export const pendingDays = 7
/** Longer than a mailing can take: it must not queue a message again that was sent and deleted. */
const sentDays = 7
const atOnce = 10_000

const statements = [
  `status_page_subscribers where state = 'pending'
     and created_at < clock_timestamp() - interval '${pendingDays} days'`,
  `status_page_updates where post_id is null and created_at < clock_timestamp() - interval '30 days'`,
  `mail_questions where asked_at < clock_timestamp() - interval '7 days'`,
  `subscriber_messages where done_at < clock_timestamp() - interval '${sentDays} days'
     and (update_id is null or exists (
       select 1 from subscriber_mailings m
       where m.update_id = subscriber_messages.update_id and m.finished_at is not null))`,
]

/** Deletes addresses that were not confirmed in seven days, messages that were sent, and old updates of windows. */
export async function deleteExpiredSubscribers(platform: Pool): Promise<void> {
  for (const statement of statements) {
    const [table = ''] = statement.split(' ')
    const text = `delete from ${table} where id in (select id from ${statement} limit ${atOnce})`
    for (let deleted = atOnce; deleted === atOnce; ) deleted = (await platform.query(text)).rowCount ?? 0
  }
}

const oldHashes = `
  select id, address, encode(address_hash, 'hex') as hash from status_page_subscribers
  where substring(address_hash for 4) <> $1 and ($2::uuid is null or id > $2) order by id limit 500`

const rehash = `
  update status_page_subscribers s set address_hash = $3 where s.id = $1 and s.address_hash = decode($2, 'hex')
    and not exists (
      select 1 from status_page_subscribers o
      where o.page_id = s.page_id and o.channel = s.channel and o.address_hash = $3)`

/** Hashes addresses again whose hash is under an earlier SECRET_KEY: without it they could not be found any more. */
export async function rehashAddresses(platform: Pool, keys: Keyring, log: Pick<Logger, 'warn'>): Promise<void> {
  for (let after: string | null = null; ; ) {
    const { rows }: { rows: { id: string; address: string; hash: string }[] } = await platform.query(oldHashes, [
      hashMark(keys),
      after,
    ])
    await eachIsolated(
      rows,
      ({ id, address, hash }) =>
        platform.query(rehash, [id, hash, addressHash(keys, decryptAddress(keys, id, address))]),
      // the address itself is listed as a secret that cannot be opened
      ({ id }, error) => log.warn({ err: error, subscriber_id: id }, 'subscriber address hash failure'),
    )
    after = rows.at(-1)?.id ?? null
    if (after === null) return
  }
}
