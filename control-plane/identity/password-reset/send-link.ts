import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { mintLink } from '#control-plane/base/mail-link.ts'
import type { Config } from '#control-plane/config.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { type Person, recipientOf } from '#control-plane/identity/users/notify.ts'
import { addMail } from '#control-plane/outbox/mail.ts'

type ResetRequest = { person: Person; tenantId: string; ip: string }

/** Mails a person a link that sets a new password: it works once, for an hour. */
export async function sendResetLink(
  client: PoolClient,
  config: Config,
  { person, tenantId, ip }: ResetRequest,
): Promise<void> {
  const { hash, url } = mintLink(`${config.baseUrl}/password-reset`)
  const link = await queries(client)
    .insertInto('password_resets')
    .values({ token_hash: hash, user_id: person.id, expires_at: sql`clock_timestamp() + interval '1 hour'` })
    .returning(({ ref }) => stamp(ref('expires_at')).as('expires_at'))
    .executeTakeFirstOrThrow()
  const data = {
    user_name: person.name,
    reset_url: url,
    expires_at: link.expires_at,
    ip_address: ip || null,
  }
  await addMail(client, config, { tenantId, type: 'password_reset', recipient: recipientOf(person), data })
}
