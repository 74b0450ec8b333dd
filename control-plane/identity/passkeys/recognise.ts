import { sql } from 'kysely'
import type { Pool } from 'pg'
import { affected, type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { insertAuditSql, type Traces } from '#control-plane/outbox/audit.ts'
import type { SignInAnswer } from './answers.ts'
import { takeChallenge } from './challenges.ts'
import { challengeIn } from './client-data.ts'
import { readUse, type Use } from './read.ts'
import type { RelyingParty } from './relying-party.ts'

type Stored = Row<'passkeys', 'id' | 'user_id' | 'public_key' | 'counter'>

/** A counter that does not grow is that of a copy. Authenticators without one always say 0. */
const store = (id: string, counter: number, isBackedUp: boolean) => sql`
  update passkeys set counter = ${counter}, is_backed_up = ${isBackedUp}, last_used_at = clock_timestamp()
  where id = ${id} and (counter < ${counter} or counter = 0 and ${counter} = 0)`

const auditCopy = (userId: string, id: string, ip: string | null, requestId: string) =>
  insertAuditSql({
    tenant: 'm.tenant_id',
    action: 'passkey.refused',
    type: 'user',
    entity: 'm.user_id',
    changes: sql`jsonb_build_object('passkey_id', ${id}::uuid, 'reason', 'counter')`,
    ip: sql`${ip}::inet`,
    request: sql`${requestId}`,
    from: sql`from memberships m join users u on u.id = m.user_id join tenants t on t.id = m.tenant_id
    where m.user_id = ${userId} and t.deleted_at is null
    order by (t.id = u.home_tenant_id) desc nulls last, m.created_at limit 1`,
  })

/**
 * Finds the person by the answer of a browser to `signInOptions`, whose challenge it uses up. Null for an answer that
 * does not hold. A passkey whose counter went back may be a copy: it is refused, and the team of the person reads so in
 * its audit log.
 */
export async function personOfPasskey(
  { platform }: Pick<Services, 'platform'>,
  answer: SignInAnswer,
  party: RelyingParty,
  traces: Traces,
): Promise<string | null> {
  const challenge = challengeIn(answer.response.clientDataJSON)
  if (challenge === null) return null
  if (!(await takeChallenge(platform, challenge, { purpose: 'sign_in', userId: null }, party.id))) return null
  const credentialId = Buffer.from(answer.id, 'base64url')
  const [passkey] = await rows(platform)<Stored>`
    select p.id, p.user_id, p.public_key, p.counter
    from passkeys p join users u on u.id = p.user_id and not u.is_service
    where p.rp_id = ${party.id} and p.credential_id = ${credentialId}`
  if (!passkey) return null
  const use = await readUse(answer, challenge, party, {
    userId: passkey.user_id,
    publicKey: Buffer.from(passkey.public_key),
  })
  if (!use || !(await storeUse(platform, passkey, use, traces))) return null
  return passkey.user_id
}

async function storeUse(platform: Pool, { id, user_id }: Stored, use: Use, { ip, requestId }: Traces) {
  const stored = await affected(platform, store(id, use.counter, use.isBackedUp))
  if (stored === 1) return true
  await rows(platform, auditCopy(user_id, id, ip || null, requestId))
  return false
}
