import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { LinkToken } from '#control-plane/base/mail-link.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { lockAddress, verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { sendResetLink } from '#control-plane/identity/password-reset/send-link.ts'
import { endPending } from '#control-plane/identity/users/end-pending.ts'
import type { Person } from '#control-plane/identity/users/notify.ts'
import { endTokens } from '#control-plane/identity/users/set-password.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { firstTeamOf } from './first-team.ts'

export const revertEmail = endpoint({
  method: 'POST',
  path: '/auth/email/revert',
  summary: 'Cancel or revert a change of e-mail address',
  description:
    'With the token of its notice. ' +
    'A pending change is cancelled; one that took effect is reverted, for 72 hours. The password, all ' +
    'sessions, personal tokens and everything pending end, and so does a second factor that was set up since ' +
    'the request. A link to set a new password is mailed to the address of the notice.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({ token: LinkToken }),
  returns: noContent,

  handle: ({ body, services, ip, requestId }) =>
    inTransaction(services.platform, async client => {
      const { person, tenantId, requestedAt } = await takeBack(client, hashSecret(body.token))
      await endPending(client, person.id)
      await endTokens(client, person.id, null)
      await rows(client)`delete from known_devices where user_id = ${person.id}`
      await rows(client)`delete from known_networks where user_id = ${person.id}`
      await rows(client)`delete from second_factors where user_id = ${person.id} and confirmed_at >= ${requestedAt}`
      // links of later changes would revert to addresses of the intruder
      await rows(client)`delete from email_reverts where user_id = ${person.id} and requested_at >= ${requestedAt}`
      if (tenantId === null) return
      await addAudit(client, [{ tenantId, action: 'email.change_reverted', type: 'user', id: person.id }], {
        userId: person.id,
        ip,
        requestId,
      })
      await sendResetLink(client, services.config, { person, tenantId, ip })
    }),
})

/** Restores the address of the notice and removes the password. */
async function takeBack(
  client: PoolClient,
  token: Buffer,
): Promise<{ person: Person; tenantId: string | null; requestedAt: string }> {
  const row = await queries(client)
    .selectFrom('email_reverts as r')
    .innerJoin('users as u', 'u.id', 'r.user_id')
    .where('r.token_hash', '=', token)
    .where('r.expires_at', '>', sql<string>`clock_timestamp()`)
    .select(['u.id', 'u.name', 'u.language', 'r.email', 'r.proven_at', 'r.requested_at'])
    .select(firstTeamOf)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw invalid({ token: ['This link is not valid, or not any more.'] }, 'link_not_open')
  const { proven_at: provenAt, tenant_id: tenantId, requested_at: requestedAt, ...person } = row
  await lockAddress(client, person.email)
  const holder = await verifiedAccountOf(client, person.email)
  if (holder !== null && holder !== person.id)
    throw invalid({ token: ['This address has another account meanwhile.'] }, 'taken')
  // an unproven address stays unproven: the link that sets the next password proves it and replaces the account
  await rows(client)`update users set email = ${person.email}, email_verified_at = ${provenAt}, password_hash =
    null, updated_at = clock_timestamp() where id = ${person.id}`
  return { person, tenantId, requestedAt }
}
