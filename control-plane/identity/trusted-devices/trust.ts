import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'
import { hashSecret, mintLinkToken } from '#control-plane/base/token-secret.ts'

/** The least recently trusted devices beyond it are forgotten. */
const mostDevices = 20

const forgetOldest = `
  delete from trusted_devices where id in (
    select id from trusted_devices where user_id = $1
    order by expires_at < clock_timestamp(), created_at desc, id offset ${mostDevices})`

interface NewDevice {
  userId: string
  name: string
  ip: string
}

/** Trusts the browser that a person has just passed the second factor in, for thirty days. */
export async function trustDevice(
  db: Pool | PoolClient,
  { userId, name, ip }: NewDevice,
): Promise<{ secret: string; expiresAt: Date }> {
  const { plain, hash } = mintLinkToken()
  const { rows } = await db.query<{ expires_at: Date }>(
    `insert into trusted_devices (id, user_id, secret_hash, name, last_used_at, last_used_ip, expires_at)
     values ($1, $2, $3, $4, clock_timestamp(), $5::inet, clock_timestamp() + interval '30 days') returning expires_at`,
    [randomUUID(), userId, hash, name, ip || null],
  )
  await db.query(forgetOldest, [userId])
  return { secret: plain, expiresAt: rows[0]!.expires_at }
}

/** Whether this person trusts the browser with this secret. */
export async function isTrustedDevice(
  db: Pool | PoolClient,
  { userId, secret, ip }: { userId: string; secret: string | undefined; ip: string },
): Promise<boolean> {
  if (secret === undefined) return false
  const { rowCount } = await db.query(
    `update trusted_devices set last_used_at = clock_timestamp(), last_used_ip = $3::inet
     where secret_hash = $1 and user_id = $2 and expires_at > clock_timestamp()`,
    [hashSecret(secret), userId, ip || null],
  )
  return rowCount === 1
}
