import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { z } from 'zod'
import { stamp } from '#contract/time.ts'
import type { AuthMethod } from '#control-plane/base/caller.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { mintSecret, tailOf } from '#control-plane/base/token-secret.ts'
import { type Db, type Row, rows } from '#control-plane/db/queries.ts'
import { mfaDueSql } from '#control-plane/identity/security-policy/due.ts'
import { mustUseProvider } from '#control-plane/identity/sso/enforce.ts'
import { insertAuditSql } from '#control-plane/outbox/audit.ts'
import { deviceOf, noteDevice } from './device.ts'
import { managedTeamsOf } from './managed-teams.ts'
import { badCredentials } from './recognise.ts'
import type { LoginUser } from './view.ts'

type Kind = Pick<NewSession, 'method' | 'isByCookie' | 'isLocked' | 'ssoSid' | 'hours'>

interface NewSession {
  keys: Keyring
  userId: string
  /** One of the person's teams; by default the home team. */
  tenantId: string | undefined
  deviceName: string
  userAgent: string
  ip: string
  requestId: string
  method: AuthMethod
  /** The token is sent as a cookie alone. */
  isByCookie?: boolean
  /** Limited to its team, and may change no credentials. */
  isLocked?: boolean
  /** The name of the session at the provider of the team that opened it, if it has one. */
  ssoSid?: string | null
  /** How long it lives at most; by default 90 days, and 30 days after its last use. */
  hours?: number
}

type Account = Row<'users', 'name' | 'email' | 'language' | 'is_super_admin'> &
  Row<'memberships', 'tenant_id' | 'role'> &
  Row<'tenants', 'is_reseller'> & { is_suspended: boolean; mfa_due_at: string | null }

const idleHours = 30 * 24
const mostHours = 90 * 24

/** Limits the sessions that a thief with the password can open. */
const mostSessions = 100

interface Opened {
  account: Account
  person: string
  deviceName: string
  secret: { plain: string; hash: Buffer }
  from: { ip: string | null; requestId: string }
}

const insert = (
  { account: { tenant_id }, person, deviceName, secret, from: { ip, requestId } }: Opened,
  { method, isByCookie = false, isLocked = false, ssoSid = null, hours = mostHours }: Kind,
) => sql<Row<'tokens', 'expires_at'>>`
  with minted as (
    insert into tokens (id, tenant_id, user_id, kind, name, hash, tail, expires_at, dies_at, last_used_at,
      last_used_ip, auth_method, is_browser, is_locked, sso_sid, reauthenticated_at)
    values (${randomUUID()}, ${tenant_id}, ${person}, 'ss', ${deviceName}, ${secret.hash}, ${tailOf(secret.plain)},
      now() + ${Math.min(idleHours, hours)}::float8 * interval '1 hour', now() + ${hours}::float8 * interval '1 hour',
      now(), ${ip}, ${method}, ${isByCookie}, ${isLocked}, ${ssoSid}, clock_timestamp())
    returning id, dies_at
  ), audited as (${insertAuditSql({
    tenant: sql`${tenant_id}::uuid`,
    action: 'session.created',
    type: 'user',
    entity: sql`${person}::uuid`,
    user: sql`${person}::uuid`,
    token: 'minted.id',
    ip: sql`${ip}::inet`,
    request: sql`${requestId}`,
    from: sql`from minted`,
  })})
  select dies_at as expires_at from minted`

const findEntrance = (userId: string, tenantId: string | null, method: string) => sql<Account>`
  select u.name, u.email, u.language, u.is_super_admin, m.tenant_id, m.role, t.is_reseller,
    t.suspended_at is not null as is_suspended, ${mfaDueSql} as mfa_due_at
  from users u
  join memberships m on m.user_id = u.id and m.disabled_at is null
  join tenants t on t.id = m.tenant_id and t.deleted_at is null
  left join security_policies p on p.tenant_id = t.id
  cross join (select 'ss' as kind, ${method}::text as auth_method, ${userId}::uuid as user_id) k
  where u.id = ${userId} and (${tenantId}::uuid is null or t.id = ${tenantId})
  order by t.suspended_at is not null, (t.id = u.home_tenant_id) desc nulls last, m.created_at
  limit 1`

/** The team that a person enters: the named one, else the first. Refused without one, and where it is suspended. */
export async function entranceOf(
  db: Db,
  userId: string,
  tenantId: string | undefined,
  method: AuthMethod = 'password',
): Promise<Account> {
  const [account] = await rows(db, findEntrance(userId, tenantId ?? null, method))
  if (!account) throw badCredentials()
  if (account.is_suspended)
    throw invalid({ email: ['This team is suspended. Ask the operator of this service.'] }, 'tenant_suspended')
  return account
}

/** What proves a person without the provider of a team, which the team may demand. */
const ownProofs: ReadonlySet<AuthMethod> = new Set(['password', 'passkey', 'login_link'])

/** Opens a session of a person in one of their teams. A person without a team is refused like an unknown one. */
export async function openSession(
  db: Db,
  { keys, userId, tenantId, deviceName, userAgent, ip, requestId, ...kind }: NewSession,
) {
  const account = await entranceOf(db, userId, tenantId, kind.method)
  if (ownProofs.has(kind.method) && (await mustUseProvider(db, account.tenant_id, userId)))
    throw invalid({ email: ['This team is entered at its own sign-in alone: see /sso.'] }, 'password_login_hidden')
  const secret = mintSecret('ss')
  const from = { ip: ip || null, requestId }
  const [opened] = await rows(db, insert({ account, person: userId, deviceName, secret, from }, kind))
  await rows(db)`
    delete from tokens where id in (
    select id from tokens where user_id = ${userId} and kind = 'ss'
      order by coalesce(last_used_at, created_at) desc, id offset ${sql.lit(mostSessions)})`
  const person = { id: userId, name: account.name, email: account.email, language: account.language }
  await noteDevice(db, keys, { person, tenantId: account.tenant_id, device: deviceOf(userAgent, deviceName), ip })
  const user: z.input<typeof LoginUser> = {
    id: userId,
    name: account.name,
    email: account.email,
    tenant_id: account.tenant_id,
    role: account.role,
    language: account.language,
    mfa_due_at: account.mfa_due_at && stamp(new Date(account.mfa_due_at)),
    ...(account.is_super_admin && { is_super_admin: true as const }),
    ...(account.is_reseller && { managed_teams: await managedTeamsOf(db, account.tenant_id) }),
  }
  return { token: secret.plain, user, tenantId: account.tenant_id, expiresAt: new Date(opened!.expires_at!) }
}
