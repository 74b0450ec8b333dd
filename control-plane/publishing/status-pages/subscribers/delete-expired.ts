import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { addressHash, hashMark } from '#control-plane/base/address-hash.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { affected, type Row, rows } from '#control-plane/db/queries.ts'
import { decryptAddress } from './address.ts'

/** How long an address waits for its confirmation. */
export const pendingDays = 7
/** Longer than a mailing can take: it must not queue a message again that was sent and deleted. */
const sentDays = 7
const atOnce = 10_000

const old = {
  status_page_subscribers: sql`state = 'pending'
    and created_at < clock_timestamp() - interval '${sql.lit(pendingDays)} days'`,
  status_page_updates: sql`post_id is null and created_at < clock_timestamp() - interval '30 days'`,
  mail_questions: sql`asked_at < clock_timestamp() - interval '7 days'`,
  subscriber_messages: sql`done_at < clock_timestamp() - interval '${sql.lit(sentDays)} days'
    and (update_id is null or exists (
      select 1 from subscriber_mailings m
      where m.update_id = subscriber_messages.update_id and m.finished_at is not null))`,
}

/** Deletes addresses that were not confirmed in seven days, messages that were sent, and old updates of windows. */
export async function deleteExpiredSubscribers(platform: Pool): Promise<void> {
  for (const [name, isOld] of Object.entries(old)) {
    const table = sql.table(name)
    const statement = sql`
      delete from ${table} where id in (select id from ${table} where ${isOld} limit ${sql.lit(atOnce)})`
    for (let deleted = atOnce; deleted === atOnce; ) deleted = await affected(platform, statement)
  }
}

const oldHashes = (mark: Buffer, after: string | null) => sql<Hashed>`
  select id, address, encode(address_hash, 'hex') as hash from status_page_subscribers
  where substring(address_hash for 4) <> ${mark} and (${after}::uuid is null or id > ${after}) order by id limit 500`

type Hashed = Row<'status_page_subscribers', 'id' | 'address'> & { hash: string }

const rehash = ({ id, hash }: Hashed, present: Buffer) => sql`
  update status_page_subscribers s set address_hash = ${present} where s.id = ${id}
    and s.address_hash = decode(${hash}, 'hex')
    and not exists (
      select 1 from status_page_subscribers o
      where o.page_id = s.page_id and o.channel = s.channel and o.address_hash = ${present})`

/** Hashes addresses again whose hash is under an earlier SECRET_KEY: without it they could not be found any more. */
export async function rehashAddresses(platform: Pool, keys: Keyring, log: Pick<Logger, 'warn'>): Promise<void> {
  for (let after: string | null = null; ; ) {
    const found: Hashed[] = await rows(platform, oldHashes(hashMark(keys), after))
    await eachIsolated(
      found,
      row => rows(platform, rehash(row, addressHash(keys, decryptAddress(keys, row.id, row.address)))),
      // the address itself is listed as a secret that cannot be opened
      ({ id }, error) => log.warn({ err: error, subscriber_id: id }, 'subscriber address hash failure'),
    )
    after = found.at(-1)?.id ?? null
    if (after === null) return
  }
}
