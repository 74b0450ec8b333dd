import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import { advisoryLock, queries, type Row, rows } from '#control-plane/db/queries.ts'
import { lockAddress } from '#control-plane/identity/address-proof/lock.ts'
import type { AuditEntry } from '#control-plane/outbox/audit.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { LinkRefused } from './refused.ts'
import type { OpenLink } from './team.ts'

/** The role of who joins by a link: a reseller changes it by its members endpoints. */
const role = 'member'

type Account = Row<'users', 'id'> & {
  is_member: boolean
  is_disabled: boolean
  is_linked: boolean
  is_elsewhere: boolean
  is_privileged: boolean
}

/**
 * The accounts of an address that matter for a team: the one that has proven it, and members of this very team.
 * Unproven accounts elsewhere do not: each belongs to its team, and none owns the address.
 */
const find = (claimsEmail: string, teamId: string) => sql<Account>`
  select * from (
    select u.id, u.email_verified_at, u.created_at,
      exists (select 1 from memberships m where m.user_id = u.id and m.tenant_id = ${teamId}) as is_member,
      exists (select 1 from memberships m where m.user_id = u.id and m.tenant_id = ${teamId}
        and m.disabled_at is not null) as is_disabled,
      exists (select 1 from partner_sso_people p where p.user_id = u.id and p.tenant_id = ${teamId}) as is_linked,
      exists (select 1 from memberships m where m.user_id = u.id and m.tenant_id <> ${teamId}) as is_elsewhere,
      u.is_super_admin or exists (select 1 from memberships m join tenants t on t.id = m.tenant_id
        where m.user_id = u.id and t.is_reseller) as is_privileged
    from users u where u.email = ${claimsEmail} and not u.is_service
  ) a
  where is_member or email_verified_at is not null
  order by is_member desc, is_linked desc, email_verified_at is null, created_at, id
  limit 1`

export interface Arrival {
  userId: string
  /** What the audit trails of the team and of its reseller get. */
  entries: Pick<AuditEntry, 'action' | 'type' | 'id' | 'changes'>[]
}

/**
 * The person whom a link signs in, registered or linked where the team's settings allow it. An account of another team,
 * and one of an operator or of a reseller's people, is never linked: the person has to be invited.
 */
export async function arrive(client: PoolClient, link: OpenLink, language: string): Promise<Arrival> {
  const { claims, team, mayRegister, mayLink } = link
  await lockAddress(client, claims.email)
  const [account] = await rows(client, find(claims.email, team.id))
  if (!account) {
    if (!mayRegister) throw new LinkRefused('account_missing', team.id)
    return register(client, link, language)
  }
  if (account.is_privileged) throw new LinkRefused('account_elsewhere', team.id)
  if (account.is_disabled) throw new LinkRefused('account_disabled', team.id)
  if (account.is_linked) return { userId: account.id, entries: [] }
  if (!account.is_member && account.is_elsewhere) throw new LinkRefused('account_elsewhere', team.id)
  if (!mayLink) throw new LinkRefused(account.is_member ? 'account_not_linked' : 'account_elsewhere', team.id)
  const joined = account.is_member ? [] : [await join(client, link, account.id)]
  const linked = { action: 'partner_sso.account_linked', type: 'user' as const, id: account.id }
  await linkAccount(client, link, account.id)
  return { userId: account.id, entries: [...joined, linked] }
}

/** A new account without a password: unverified until a mailed link proves the address. */
async function register(client: PoolClient, link: OpenLink, language: string): Promise<Arrival> {
  const { email, name = email.split('@')[0] ?? email } = link.claims
  const id = randomUUID()
  await rows(client)`insert into users (id, name, email, language, home_tenant_id)
    values (${id}, ${name}, ${email}, ${language}, ${link.team.id})`
  const joined = await join(client, link, id)
  await linkAccount(client, link, id)
  return { userId: id, entries: [joined] }
}

const linkAccount = (client: PoolClient, { team }: OpenLink, userId: string) =>
  queries(client).insertInto('partner_sso_people').values({ tenant_id: team.id, user_id: userId }).execute()

async function join(client: PoolClient, link: OpenLink, userId: string) {
  const { team } = link
  await refuseWithoutSeat(client, link)
  await rows(client)`insert into memberships (user_id, tenant_id, role) values (${userId}, ${team.id}, ${role})`
  const payload = { tenant_id: team.id, user_id: userId, role } as const
  await emitEvents(client, [{ tenantId: team.id, name: 'member.added', payload }])
  return { action: 'member.added', type: 'user' as const, id: userId, changes: { role } }
}

const countSeats = (teamId: string, claimsEmail: string) => sql<
  Row<'tenants', 'plan' | 'feature_overrides'> & { taken: string }
>`
  select t.plan, t.feature_overrides,
    (select count(*) from memberships m join users u on u.id = m.user_id
      where m.tenant_id = t.id and not u.is_service)
    + (select count(*) from invitations i where i.tenant_id = t.id and i.status = 'pending'
    and i.email <> ${claimsEmail} and i.expires_at > clock_timestamp()) as taken
  from tenants t where t.id = ${teamId}`

/** Members and open invitations to others take the seats of the plan. */
async function refuseWithoutSeat(client: PoolClient, { team, claims }: OpenLink): Promise<void> {
  await advisoryLock(client, `team_members:${team.id}`)
  const [found] = await rows(client, countSeats(team.id, claims.email))
  const limit = effectiveLimits(found?.plan ?? 'free', found?.feature_overrides ?? {}).team_members
  if (limit !== null && Number(found?.taken) >= limit) throw new LinkRefused('team_full', team.id)
}
