import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { rateLimits, tooMany } from '#control-plane/kernel/rate.ts'
import { Refusal } from '#control-plane/kernel/refusal.ts'
import { created } from '#control-plane/kernel/reply.ts'
import { mintSecret } from '#control-plane/people/tokens/secret.ts'
import { isPassword } from '#control-plane/people/users/password.ts'
import { managedTeamsOf } from './managed-teams.ts'
import { LoginUser } from './view.ts'

interface Account {
  id: string
  name: string
  email: string
  password_hash: string | null
  language: string
  tenant_id: string | null
  role: string | null
  is_reseller: boolean
}

export const createSession = endpoint({
  method: 'POST',
  path: '/auth/token',
  summary: 'Sign in with e-mail and password and receive a session token',
  description: 'The token is shown once. It lives thirty days since its last use and at most ninety.',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({
    email: z.email().max(255),
    password: z.string().min(1).max(1_000),
    device_name: z.string().min(1).max(255),
  }),
  returns: created({ token: z.string(), user: LoginUser }),

  async handle({ body, services, now }) {
    // guessing at one account from many addresses is bounded too
    const counted = await services.rate.count(`auth:account:${body.email.toLowerCase()}`, rateLimits.auth, services.clock.nowMs())
    if (counted.isRefused) throw tooMany(counted)

    const { rows } = await services.platform.query<Account>(
      `select u.id, u.name, u.email, u.password_hash, u.language, t.id as tenant_id, m.role, coalesce(t.is_reseller, false) as is_reseller
       from users u
       left join memberships m on m.user_id = u.id
       left join tenants t on t.id = m.tenant_id and t.deleted_at is null
       where u.email = $1
       order by (t.id = u.home_tenant_id) desc nulls last, m.created_at
       limit 1`,
      [body.email],
    )
    const account = rows[0]
    const matches = await isPassword(account?.password_hash ?? null, body.password)
    if (!matches || !account?.tenant_id || !account.role) throw new Refusal(401, 'bad_credentials', 'These credentials do not match our records.')

    const { plain, hash } = mintSecret('ss')
    await services.platform.query(
      `with minted as (
         insert into tokens (id, tenant_id, user_id, kind, name, hash, expires_at, dies_at, last_used_at)
         values ($1, $2, $3, 'ss', $4, $5, now() + interval '30 days', now() + interval '90 days', now())
         returning id
       )
       insert into audit_entries (id, tenant_id, user_id, token_id, action, entity_type, entity_id, created_at)
       select $6, $2, $3, minted.id, 'session.created', 'user', $3, $7 from minted`,
      [randomUUID(), account.tenant_id, account.id, body.device_name, hash, randomUUID(), now],
    )
    return {
      token: plain,
      user: {
        id: account.id,
        name: account.name,
        email: account.email,
        tenant_id: account.tenant_id,
        role: account.role,
        language: account.language,
        ...(account.is_reseller && { managed_teams: await managedTeamsOf(services.platform, account.tenant_id) }),
      },
    }
  },
})
