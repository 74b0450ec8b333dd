import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hashSecret, mintLinkToken } from '#control-plane/base/token-secret.ts'
import { affected, type Db, type Row, rows } from '#control-plane/db/queries.ts'

/** The least recently trusted devices beyond it are forgotten. */
const mostDevices = 20

interface NewDevice {
  userId: string
  name: string
  ip: string
}

/** Trusts the browser that a person has just passed the second factor in, for thirty days. */
export async function trustDevice(
  db: Db,
  { userId, name, ip }: NewDevice,
): Promise<{ secret: string; expiresAt: Date }> {
  const { plain, hash } = mintLinkToken()
  const [row] = await rows(db)<Row<'trusted_devices', 'expires_at'>>`
    insert into trusted_devices (id, user_id, secret_hash, name, last_used_at, last_used_ip, expires_at)
    values (${randomUUID()}, ${userId}, ${hash}, ${name}, clock_timestamp(), ${ip || null}::inet, clock_timestamp() +
    interval '30 days') returning expires_at`
  await rows(db)`
    delete from trusted_devices where id in (
    select id from trusted_devices where user_id = ${userId}
    order by expires_at < clock_timestamp(), created_at desc, id offset ${sql.lit(mostDevices)})`
  return { secret: plain, expiresAt: new Date(row!.expires_at) }
}

/** Whether this person trusts the browser with this secret. */
export async function isTrustedDevice(
  db: Db,
  { userId, secret, ip }: { userId: string; secret: string | undefined; ip: string },
): Promise<boolean> {
  if (secret === undefined) return false
  const rowCount = await affected(db)`update trusted_devices
    set last_used_at = clock_timestamp(), last_used_ip = ${ip || null}::inet
    where secret_hash = ${hashSecret(secret)} and user_id = ${userId} and expires_at > clock_timestamp()`
  return rowCount === 1
}
