import type { PoolClient } from 'pg'
import { addAudit } from '#control-plane/kernel/audit.ts'
import { addMail } from '#control-plane/kernel/mail.ts'
import type { Keyring } from '#control-plane/kernel/secrets.ts'
import { endPending } from './end-pending.ts'
import { noticeOf, type Person, recipientOf } from './notify.ts'

interface NewPassword {
  person: Person
  hash: string
  action: 'password.changed' | 'password.reset'
  /** The team in whose trail it is written. */
  tenantId: string
  /** The session that changes the password: it goes on. */
  tokenId: string | null
  ip: string
  requestId: string
  now: Date
}

/** Sets a password and ends what the former one opened: other sessions, personal tokens, and everything pending. */
export async function setPassword(client: PoolClient, keys: Keyring, change: NewPassword): Promise<void> {
  const { person, hash, action, tenantId, tokenId, ip, requestId, now } = change
  await client.query(
    `update users set password_hash = $2, password_changed_at = clock_timestamp(), updated_at = clock_timestamp()
     where id = $1`,
    [person.id, hash],
  )
  await endPending(client, person.id)
  await client.query(`delete from tokens where user_id = $1 and kind in ('ss', 'sk') and id is distinct from $2`, [person.id, tokenId])
  await addAudit(client, { tenantId, userId: person.id, tokenId, action, entity: { type: 'user', id: person.id }, ip, requestId })
  await addMail(client, keys, { tenantId, type: 'security_password_changed', recipient: recipientOf(person), data: noticeOf(person, now, ip) })
}
