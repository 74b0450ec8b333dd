import { sql } from 'kysely'
import { z } from 'zod'
import { LinkToken } from '#control-plane/base/mail-link.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, type Row, rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { lockAddress, verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { replaceUnverified } from '#control-plane/identity/address-proof/replace.ts'
import { password } from '#control-plane/identity/users/input.ts'
import type { Person } from '#control-plane/identity/users/notify.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'
import { setPassword } from '#control-plane/identity/users/set-password.ts'

const notOpen = () => invalid({ token: ['This link is not valid, or not any more.'] }, 'link_not_open')

type Account = Person & Row<'memberships', 'tenant_id'> & { is_verified: boolean; team_name: Row<'tenants'>['name'] }

const find = (token: Buffer) => sql<Account>`
  select u.id, u.name, u.email, u.language, u.email_verified_at is not null as is_verified, m.tenant_id,
    t.name as team_name
  from password_resets r join users u on u.id = r.user_id and not u.is_service
  join memberships m on m.user_id = u.id join tenants t on t.id = m.tenant_id and t.deleted_at is null
  where r.token_hash = ${token} and r.expires_at > clock_timestamp()
  order by (t.id = u.home_tenant_id) desc nulls last, m.created_at limit 1`

export const resetPassword = endpoint({
  method: 'POST',
  path: '/auth/password/reset',
  summary: 'Reset a password with the token of a mailed link',
  description:
    'All sessions and personal tokens, other such links and a pending change of address end. A second factor ' +
    'stays enabled. Accounts with this unproven address become one verified account, and their former ' +
    'credentials stop working.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({ token: LinkToken, password }),
  returns: noContent,

  async handle({ body, services, ip, requestId, now }) {
    const { platform, config } = services
    const token = hashSecret(body.token)
    const [person] = await rows(platform, find(token))
    if (!person) throw notOpen()
    await refuseWeakPassword(services, 'password', body.password, [person.team_name, person.name, person.email])
    const hash = await hashPassword(body.password)
    await inTransaction(platform, async client => {
      // a second request with the same token waits here, and finds the token used
      const used = await affected(client)`
        delete from password_resets where token_hash = ${token} and expires_at > clock_timestamp()`
      if (used === 0) throw notOpen()
      const { is_verified: isVerified, tenant_id: tenantId, team_name: _, ...owner } = person
      const change = { hash, action: 'password.reset', tenantId, tokenId: null, ip, requestId, now } as const
      if (isVerified) return setPassword(client, config, { ...change, person: owner })
      await lockAddress(client, owner.email)
      if ((await verifiedAccountOf(client, owner.email)) !== null) throw notOpen()
      const id = await replaceUnverified(client, { email: owner.email, passwordHash: hash, traces: { ip, requestId } })
      if (id === null) throw notOpen()
      await setPassword(client, config, { ...change, person: { ...owner, id } })
    })
  },
})
