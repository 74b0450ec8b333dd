import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { LinkToken } from '#control-plane/base/mail-link.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, queries, type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { confirmPassword } from '#control-plane/identity/profile/confirm-password.ts'
import { networkOf } from '#control-plane/identity/sessions/guesses.ts'
import { addAudit, type Traces } from '#control-plane/outbox/audit.ts'
import { lockAddress, verifiedAccountOf } from './lock.ts'
import { mergeAccounts } from './merge-accounts.ts'

const notOpen = () => invalid({ token: ['This link is not valid, or not any more.'] }, 'link_not_open')

type Unproven = Row<'users', 'id' | 'email'> & { tenant_id: string | null }

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/auth/email/verify',
  summary: 'Verify an account’s address with the token of its link',
  description:
    'Needs the account’s password too: another person may have made the account for this address. ' +
    'Where another account has proven the address already, the teams move to it and this account ends.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({ token: LinkToken, password: z.string().min(1).max(1_000) }),
  returns: noContent,

  async handle({ body, services, ip, requestId }) {
    const token = hashSecret(body.token)
    const account = await queries(services.platform)
      .selectFrom('email_verifications as v')
      .innerJoin('users as u', 'u.id', 'v.user_id')
      .where('u.email_verified_at', 'is', null)
      .where('v.token_hash', '=', token)
      .where('v.expires_at', '>', sql<string>`clock_timestamp()`)
      .select(['u.id', 'u.email'])
      .select(({ selectFrom }) =>
        selectFrom('memberships as m')
          .whereRef('m.user_id', '=', 'u.id')
          .orderBy('m.created_at')
          .limit(1)
          .select('m.tenant_id')
          .as('tenant_id'),
      )
      .executeTakeFirst()
    if (!account) throw notOpen()
    await confirmPassword(services, account, body, { place: networkOf(ip), isKnown: false })
    await inTransaction(services.platform, client => prove(client, token, account, { ip, requestId }))
  },
})

async function prove(
  client: PoolClient,
  token: Buffer,
  { id, email, tenant_id: tenantId }: Unproven,
  traces: Traces,
): Promise<void> {
  await lockAddress(client, email)
  const used = await affected(client)`
    delete from email_verifications where token_hash = ${token} and expires_at > clock_timestamp()`
  if (used === 0) throw notOpen()
  const other = await verifiedAccountOf(client, email)
  if (other !== null) return mergeAccounts(client, other, [id], traces)
  await rows(client)`
    update users set email_verified_at = clock_timestamp(), updated_at = clock_timestamp() where id = ${id}`
  if (tenantId !== null)
    await addAudit(client, [{ tenantId, action: 'email.verified', type: 'user', id }], { userId: id, ...traces })
}
