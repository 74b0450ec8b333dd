import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Config } from '#control-plane/config.ts'
import { affected } from '#control-plane/db/queries.ts'
import { type Person, recipientOf } from '#control-plane/identity/users/notify.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { newProof, proofMail } from './link.ts'

export const mostProofsAnHour = 3

interface Unproven {
  person: Person
  team: { id: string; name: string }
  now: Date
}

const store = (personId: string, hash: Buffer, expiresAt: Date) => sql`
  insert into email_verifications as v (user_id, token_hash, sent_at, expires_at)
    values (${personId}, ${hash}, array[clock_timestamp()], ${expiresAt})
  on conflict (user_id) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at,
    sent_at = excluded.sent_at
      || array(select s from unnest(v.sent_at) s where s > clock_timestamp() - interval '1 hour')
  where ${sql.lit(mostProofsAnHour)}
    > (select count(*) from unnest(v.sent_at) s where s > clock_timestamp() - interval '1 hour')`

/** Mails an account a link that proves its address; an earlier one is void. Returns false at the hourly limit. */
export async function sendProof(client: PoolClient, config: Config, { person, team, now }: Unproven): Promise<boolean> {
  const proof = newProof(config.baseUrl, now)
  const stored = await affected(client, store(person.id, proof.hash, proof.expiresAt))
  if (stored === 0) return false
  const data = proofMail(person, team, proof)
  await addMail(client, config, { tenantId: team.id, type: 'email_verify', recipient: recipientOf(person), data })
  return true
}
