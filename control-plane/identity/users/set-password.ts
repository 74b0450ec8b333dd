import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { type Db, queries, rows } from '#control-plane/db/queries.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { endPending } from './end-pending.ts'
import { noticeOf, type Person, recipientOf } from './notify.ts'

interface NewPassword {
  person: Person
  hash: string
  action: 'password.changed' | 'password.reset'
  /** The team that gets the audit entry. */
  tenantId: string
  /** The session that changes the password, which stays. */
  tokenId: string | null
  ip: string
  requestId: string
  now: Date
}

/** Deletes a person's sessions, personal tokens and impersonation tokens, except this one. */
export const endTokens = (db: Db, userId: string, tokenId: string | null): Promise<unknown> =>
  rows(db)`delete from tokens
    where (user_id = ${userId} and kind in ('ss', 'sk') or kind = 'ik' and impersonated_by = ${userId})
      and id is distinct from ${tokenId}`

/** Sets a password, and ends other sessions, personal tokens and pending changes. */
export async function setPassword(client: PoolClient, keys: Keyring, change: NewPassword): Promise<void> {
  const { person, hash, action, tenantId, tokenId, ip, requestId, now } = change
  await rows(client)`update users set password_hash = ${hash}, password_changed_at = clock_timestamp(), updated_at =
    clock_timestamp() where id = ${person.id}`
  await endPending(client, person.id)
  await endTokens(client, person.id, tokenId)
  await addAudit(client, [{ tenantId, action, type: 'user', id: person.id }], {
    userId: person.id,
    tokenId,
    ip,
    requestId,
  })
  const data = { ...noticeOf(person, now, ip), ...(await remainingKeys(client, person.id, tenantId)) }
  await addMail(client, keys, { tenantId, type: 'security_password_changed', recipient: recipientOf(person), data })
}

/** Keys of programs remain valid: the mail lists them, because another person may have created them. */
async function remainingKeys(client: PoolClient, userId: string, tenantId: string) {
  const keys = await queries(client)
    .selectFrom('tokens')
    .where(({ eb, and, or }) =>
      or([
        and([eb('kind', '=', 'rk'), eb('user_id', '=', userId)]),
        and([eb('kind', '=', 'svc'), eb('created_by', '=', userId)]),
      ]),
    )
    .where('is_active', '=', true)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', sql<string>`clock_timestamp()`)]))
    .orderBy('created_at', 'desc')
    .select(['name', 'tenant_id'])
    .select(({ ref }) => ref('kind').$castTo<'rk' | 'svc'>().as('kind'))
    .execute()
  // a mail that goes to the reseller instead does not list keys of other teams
  const here = keys.filter(key => key.tenant_id === tenantId)
  return {
    keys: here.slice(0, 50).map(({ name, kind }) => ({ name, kind })),
    keys_elsewhere: keys.length - here.length,
  }
}
