import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { LinkToken, mintLink } from '#control-plane/base/mail-link.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { Config } from '#control-plane/config.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { lockAddress, verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { noticeOf, type Person, recipientOf } from '#control-plane/identity/users/notify.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { firstTeamOf } from './first-team.ts'
import { hintAt, revertableUntil } from './revertable.ts'

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/auth/email/confirm',
  summary: 'Confirm a new e-mail address with the token of its link',
  description:
    'From then on it is the account’s address. The former one gets a notice with a link that reverts the ' +
    'change for 72 hours. Links that were sent to it to set a new password are void.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({ token: LinkToken }),
  returns: noContent,

  handle: ({ body, services, ip, requestId, now }) =>
    inTransaction(services.platform, async client => {
      const { former, formerProof, email, tenantId, requestedAt } = await takeOver(client, hashSecret(body.token))
      await rows(client)`delete from password_resets where user_id = ${former.id}`
      const revertUrl = await allowRevert(client, services.config, former, { formerProof, requestedAt, now })
      if (tenantId === null) return
      await addAudit(client, [{ tenantId, action: 'email.changed', type: 'user', id: former.id }], {
        userId: former.id,
        ip,
        requestId,
      })
      const person = { ...former, email }
      await addMail(client, services.config, {
        tenantId,
        type: 'email_changed_notify',
        recipient: recipientOf(former),
        data: {
          user_name: former.name,
          new_email: hintAt(email),
          occurred_at: stamp(now),
          ip_address: ip || null,
          revert_url: revertUrl,
        },
      })
      await addMail(client, services.config, {
        tenantId,
        type: 'security_email_changed',
        recipient: recipientOf(person),
        data: noticeOf(person, now, ip),
      })
    }),
})

interface Change {
  former: Person
  /** When the former address was proven; null for an unproven one. */
  formerProof: string | null
  email: string
  tenantId: string | null
  requestedAt: string
}

/** Gives the account its new address, if the link is valid and the address is still free. */
async function takeOver(client: PoolClient, token: Buffer): Promise<Change> {
  const row = await queries(client)
    .with('taken', db =>
      db
        .deleteFrom('email_changes')
        .where('token_hash', '=', token)
        .where('expires_at', '>', sql<string>`clock_timestamp()`)
        .returning(['user_id', 'email', 'requested_at']),
    )
    .selectFrom('taken')
    .innerJoin('users as u', 'u.id', 'taken.user_id')
    .select(['u.id', 'u.name', 'u.email', 'u.language', 'u.email_verified_at as proven_at'])
    .select(['taken.email as new_email', 'taken.requested_at'])
    .select(firstTeamOf)
    .executeTakeFirst()
  if (!row) throw invalid({ token: ['This link is not valid, or not any more.'] }, 'link_not_open')
  const { proven_at: formerProof, new_email: email, tenant_id: tenantId, requested_at: requestedAt, ...former } = row
  await lockAddress(client, email)
  const holder = await verifiedAccountOf(client, email)
  if (holder !== null && holder !== former.id)
    throw invalid({ token: ['This address has an account meanwhile.'] }, 'taken')
  await rows(client)`update users set email = ${email}, email_verified_at = clock_timestamp(), updated_at =
    clock_timestamp() where id = ${former.id}`
  await rows(client)`delete from email_verifications where user_id = ${former.id}`
  return { former, formerProof, email, tenantId, requestedAt }
}

/** A revert link for the notice to the former address. The link in the first notice works just as long. */
async function allowRevert(
  client: PoolClient,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  former: Person,
  { formerProof, requestedAt, now }: Pick<Change, 'formerProof' | 'requestedAt'> & { now: Date },
): Promise<string> {
  const { hash, url } = mintLink(`${baseUrl}/email-revert`)
  const expiresAt = revertableUntil(now)
  await rows(client)`delete from email_reverts where expires_at < clock_timestamp()`
  await rows(client)`
    update email_reverts set expires_at = ${expiresAt} where user_id = ${former.id} and email = ${former.email}`
  await rows(client)`insert into email_reverts (token_hash, user_id, email, proven_at, requested_at, expires_at)
    values (${hash}, ${former.id}, ${former.email}, ${formerProof}, ${requestedAt}, ${expiresAt})`
  return url
}
