import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { addMail } from '#control-plane/kernel/mail.ts'
import { invalid } from '#control-plane/kernel/refusal.ts'
import { noContent } from '#control-plane/kernel/reply.ts'
import { inTransaction } from '#control-plane/kernel/transaction.ts'
import { LinkToken } from '#control-plane/people/tokens/mail-link.ts'
import { hashSecret } from '#control-plane/people/tokens/secret.ts'
import { password } from '#control-plane/people/users/input.ts'
import { noticeOf, type Person, recipientOf } from '#control-plane/people/users/notify.ts'
import { hashPassword } from '#control-plane/people/users/password.ts'
import { refuseWeakPassword } from '#control-plane/people/users/password-policy.ts'

const notOpen = () => invalid({ token: ['This link is not valid, or not any more.'] }, 'link_not_open')

interface Account extends Person {
  tenant_id: string
  team_name: string
}

const find = `
  select u.id, u.name, u.email, u.language, t.id as tenant_id, t.name as team_name
  from password_resets r join users u on u.id = r.user_id and not u.is_service
  join memberships m on m.user_id = u.id join tenants t on t.id = m.tenant_id and t.deleted_at is null
  where r.token_hash = $1 and r.expires_at > clock_timestamp()
  order by (t.id = u.home_tenant_id) desc nulls last, m.created_at limit 1`

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/password/reset',
  summary: 'Set a new password with the token of a link that came by mail',
  description: 'All sessions and personal keys end, and every other such link. A second factor stays on: it is asked for at the next sign-in.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({ token: LinkToken, password }),
  returns: noContent,

  async handle({ body, services, ip, requestId, now }) {
    const { platform, config } = services
    const token = hashSecret(body.token)
    const { rows } = await platform.query<Account>(find, [token])
    const [person] = rows
    if (!person) throw notOpen()
    await refuseWeakPassword(services, 'password', body.password, [person.team_name, person.name, person.email])
    const hash = await hashPassword(body.password)
    await inTransaction(platform, async client => {
      // whoever comes second with the same token waits here, and finds it used
      const used = await client.query('delete from password_resets where token_hash = $1 and expires_at > clock_timestamp()', [token])
      if (used.rowCount === 0) throw notOpen()
      await client.query('delete from password_resets where user_id = $1', [person.id])
      await client.query('update users set password_hash = $2, password_changed_at = now(), updated_at = now() where id = $1', [person.id, hash])
      await client.query(`delete from tokens where user_id = $1 and kind in ('ss', 'sk')`, [person.id])
      await client.query(
        `insert into audit_entries (id, tenant_id, user_id, action, entity_type, entity_id, ip, request_id) values ($1, $2, $3, 'password.reset', 'user', $3, $4, $5)`,
        [randomUUID(), person.tenant_id, person.id, ip || null, requestId],
      )
      await addMail(client, config, {
        tenantId: person.tenant_id,
        type: 'security_password_changed',
        recipient: recipientOf(person),
        data: noticeOf(person, now, ip),
      })
    })
  },
})
