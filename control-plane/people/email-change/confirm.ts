import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { addMail } from '#control-plane/kernel/mail.ts'
import { invalid } from '#control-plane/kernel/refusal.ts'
import { noContent } from '#control-plane/kernel/reply.ts'
import { inTransaction } from '#control-plane/kernel/transaction.ts'
import { LinkToken } from '#control-plane/people/tokens/mail-link.ts'
import { hashSecret } from '#control-plane/people/tokens/secret.ts'
import { noticeOf, type Person, recipientOf } from '#control-plane/people/users/notify.ts'

export const confirmEmail = endpoint({
  method: 'POST',
  path: '/auth/email/confirm',
  summary: 'Confirm a new e-mail address with the token of the link that came to it',
  description: 'From then on it is the account’s address. The former one is told. Links that were sent to it to set a new password are void.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({ token: LinkToken }),
  returns: noContent,

  handle: ({ body, services, ip, requestId, now }) =>
    inTransaction(services.platform, async client => {
      const { former, email, tenantId } = await takeOver(client, hashSecret(body.token))
      await client.query('delete from password_resets where user_id = $1', [former.id])
      if (tenantId === null) return
      await client.query(
        `insert into audit_entries (id, tenant_id, user_id, action, entity_type, entity_id, ip, request_id) values ($1, $2, $3, 'email.changed', 'user', $3, $4, $5)`,
        [randomUUID(), tenantId, former.id, ip || null, requestId],
      )
      const person = { ...former, email }
      const data = { user_name: former.name, new_email: hint(email), occurred_at: stamp(now), ip_address: ip || null }
      await addMail(client, services.config, { tenantId, type: 'email_changed_notify', recipient: recipientOf(former), data })
      await addMail(client, services.config, { tenantId, type: 'security_email_changed', recipient: recipientOf(person), data: noticeOf(person, now, ip) })
    }),
})

/** Makes the address the account’s, if the link still stands and nobody else has got the address meanwhile. */
async function takeOver(client: PoolClient, token: Buffer): Promise<{ former: Person; email: string; tenantId: string | null }> {
  const { rows } = await client.query<Person & { new_email: string; tenant_id: string | null }>(
    `with taken as (delete from email_changes where token_hash = $1 and expires_at > clock_timestamp() returning user_id, email)
     select u.id, u.name, u.email, u.language, taken.email as new_email,
            (select t.id from memberships m join tenants t on t.id = m.tenant_id and t.deleted_at is null where m.user_id = u.id
             order by (t.id = u.home_tenant_id) desc nulls last, m.created_at limit 1) as tenant_id
     from taken join users u on u.id = taken.user_id`,
    [token],
  )
  const [row] = rows
  if (!row) throw invalid({ token: ['This link is not valid, or not any more.'] }, 'link_not_open')
  const { new_email: email, tenant_id: tenantId, ...former } = row
  const changed = await client.query(
    'update users set email = $2, updated_at = now() where id = $1 and not exists (select 1 from users where email = $2 and id <> $1)',
    [former.id, email],
  )
  if (changed.rowCount === 0) throw invalid({ token: ['This address has an account meanwhile.'] }, 'taken')
  return { former, email, tenantId }
}

/** Enough to be recognised by who knows the address. */
const hint = (email: string) => email.replace(/^(.)[^@]*/, '$1***')
