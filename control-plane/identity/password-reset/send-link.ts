import type { PoolClient } from 'pg'
import { stamp } from '#contract/time.ts'
import { mintLink } from '#control-plane/base/mail-link.ts'
import type { Config } from '#control-plane/config.ts'
import { type Person, recipientOf } from '#control-plane/identity/users/notify.ts'
import { addMail } from '#control-plane/outbox/mail.ts'

type Given = { person: Person; tenantId: string; ip: string }

/** Mails a person a link that sets a new password: it works once, for an hour. */
export async function sendResetLink(
  client: PoolClient,
  config: Config,
  { person, tenantId, ip }: Given,
): Promise<void> {
  const { hash, url } = mintLink(`${config.baseUrl}/password-reset`)
  const { rows } = await client.query<{ expires_at: Date }>(
    `insert into password_resets (token_hash, user_id, expires_at)
     values ($1, $2, clock_timestamp() + interval '1 hour') returning expires_at`,
    [hash, person.id],
  )
  const data = {
    user_name: person.name,
    reset_url: url,
    expires_at: stamp(rows[0]!.expires_at),
    ip_address: ip || null,
  }
  await addMail(client, config, { tenantId, type: 'password_reset', recipient: recipientOf(person), data })
}
