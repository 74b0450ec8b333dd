import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import type { Role } from '#contract/scopes.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { advisoryLock, affected, type Row, rows } from '#control-plane/db/queries.ts'
import { lockAddress, verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { replaceInTeam, replaceUnverified } from '#control-plane/identity/address-proof/replace.ts'
import { mayStillInviteSql } from '#control-plane/identity/users/maker-role.ts'
import { noticeOf, recipientOf } from '#control-plane/identity/users/notify.ts'
import { addAudit, type Traces } from '#control-plane/outbox/audit.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { addMail } from '#control-plane/outbox/mail.ts'
import { refuseBeyondPlan } from '#control-plane/tenancy/plans/enforce.ts'
import { SsoFailure } from './outcome.ts'
import { domainOf, type GivenRole, type ProviderPerson, roleOf } from './person.ts'
import { refuseClosed, type SsoTeam } from './team.ts'

interface Admission {
  team: SsoTeam
  person: ProviderPerson
  keys: Keyring
  traces: Traces
}

interface Invitation {
  id: string
  role: Role
}

interface Entering extends Admission {
  /** The person’s open one to the team. */
  invitation: Invitation | null
}

/** A person whom the provider of a team has proven, as a member of the team. */
export interface Admitted {
  userId: string
  /** Whether the person is in other teams too: the provider of this one must not reach into those. */
  isElsewhere: boolean
}

/**
 * The member behind a person of a provider, in a transaction of the platform. An account is linked only if the provider
 * says that its address is verified and the team has proven the domain of it; people of the platform or of resellers
 * are never linked. Invited people become members with the role of their invitation, unknown people if the team allows
 * it, both if the plan does. Roles of groups are applied. Throws a `SsoFailure`.
 */
export async function admit(client: PoolClient, asked: Admission): Promise<Admitted> {
  const { team, person, traces } = asked
  refuseClosed(team)
  // locked before the address, as by who accepts it by its token
  const admission = { ...asked, invitation: await openInvitationOf(client, team, person) }
  await lockAddress(client, person.email)
  await advisoryLock(client, `team_members:${team.id}`)
  await requireDomain(client, team, person.email)
  const known = (await identityOf(client, team, person)) ?? (await verifiedAccountOf(client, person.email))
  const userId = known ?? (await makeAccount(client, admission))
  const isElsewhere = await validateAccount(client, team, userId)
  await replaceInTeam(client, { userId, email: person.email, tenantId: team.id }, traces)
  await enter(client, admission, userId)
  await rows(client)`insert into sso_identities (tenant_id, issuer, subject, user_id)
    values (${team.id}, ${team.config.issuer}, ${person.subject}, ${userId})
    on conflict (tenant_id, issuer, subject) do update set last_login_at = clock_timestamp()`
  return { userId, isElsewhere }
}

/** Refuses an address outside of the domains that the team has proven. Throws a `SsoFailure`. */
export async function requireDomain(client: PoolClient, team: Pick<SsoTeam, 'id'>, email: string): Promise<void> {
  const domain = domainOf(email)
  const rowCount = await affected(client)`select 1 from sso_domains where tenant_id = ${team.id}
    and domain = ${domain} and verified_at is not null for share`
  if (rowCount === 0)
    throw new SsoFailure('domain_unverified', `The team has not verified the domain ${JSON.stringify(domain)}.`)
}

async function identityOf(client: PoolClient, team: SsoTeam, { subject }: ProviderPerson): Promise<string | null> {
  const [row] = await rows(client)<Row<'sso_identities', 'user_id'>>`
    select user_id from sso_identities where tenant_id = ${team.id} and issuer = ${team.config.issuer}
    and subject = ${subject}`
  return row?.user_id ?? null
}

interface Account {
  email: string
  is_disabled: boolean
  is_service: boolean
  is_super_admin: boolean
  is_elsewhere: boolean
  is_of_reseller: boolean
}

/** Refuses an account that the provider must not open. Returns whether the person is in other teams too. */
async function validateAccount(client: PoolClient, team: SsoTeam, userId: string): Promise<boolean> {
  const account = (
    await rows(client)<Account>`
      select u.email, u.is_service, u.is_super_admin,
        exists (select 1 from memberships m
          where m.user_id = u.id and m.tenant_id = ${team.id} and m.disabled_at is not null) as is_disabled,
        exists (select 1 from memberships m where m.user_id = u.id and m.tenant_id <> ${team.id}) as is_elsewhere,
        exists (select 1 from memberships m join tenants t on t.id = m.tenant_id and t.is_reseller
          where m.user_id = u.id and m.tenant_id <> ${team.id}) as is_of_reseller
      from users u where u.id = ${userId}`
  )[0]!
  if (account.is_service || account.is_super_admin || account.is_of_reseller)
    throw new SsoFailure('staff', 'This person works for the platform or a reseller, and signs in with a password.')
  if (account.is_disabled) throw new SsoFailure('member_disabled', 'This member is disabled.')
  // a linked account may have got another address since
  await requireDomain(client, team, account.email)
  return account.is_elsewhere
}

const isMember = async (client: PoolClient, column: 'id' | 'email', value: string, tenantId: string) =>
  (await affected(client)`select 1 from memberships m join users u on u.id = m.user_id
    where ${sql.ref(`u.${column}`)} = ${value} and m.tenant_id = ${tenantId}`) !== 0

/** An account for a proven address that has none: what others began under it without proof is replaced. */
async function makeAccount(client: PoolClient, { team, person, traces, invitation }: Entering): Promise<string> {
  const mayEnter = team.config.is_jit || (await isMember(client, 'email', person.email, team.id))
  if (!mayEnter && invitation === null) throw notMember()
  const { email, name } = person
  const replaced = await replaceUnverified(client, { email, passwordHash: null, name, traces })
  if (replaced !== null) return replaced
  const id = randomUUID()
  await rows(client)`insert into users (id, name, email, home_tenant_id, email_verified_at)
    values (${id}, ${name}, ${email}, ${team.id}, clock_timestamp())`
  return id
}

const notMember = () =>
  new SsoFailure('not_a_member', 'The person is no member, and members are not added at sign-in (is_jit).')

async function enter(client: PoolClient, admission: Entering, userId: string): Promise<void> {
  const { team, person, invitation } = admission
  const { role_map: roleMap, default_role: defaultRole, is_jit } = team.config
  const role = roleOf(person.groups, { roleMap, defaultRole })
  const isMapped = Object.keys(roleMap).length > 0 && person.groups !== null
  if (await isMember(client, 'id', userId, team.id))
    return isMapped ? applyRole(client, admission, userId, role) : undefined
  if (!is_jit && invitation === null) throw notMember()
  if (invitation !== null) await acceptInvitation(client, admission, { ...invitation, userId })
  await addMember(client, admission, userId, invitation === null || isMapped ? role : invitation.role)
}

/** The open invitation of the person to the team; the transaction locks it. The provider has proven the address. */
async function openInvitationOf(client: PoolClient, team: SsoTeam, { email }: ProviderPerson) {
  const [row] = await rows(client)<Invitation>`
    select i.id, i.role from invitations i where i.tenant_id = ${team.id} and i.email = ${email}
    and i.status = 'pending'
     and i.expires_at > clock_timestamp() and ${mayStillInviteSql('i')} for update of i`
  return row ?? null
}

async function acceptInvitation(
  client: PoolClient,
  { team, traces }: Admission,
  { id, role, userId }: Invitation & { userId: string },
): Promise<void> {
  await rows(client)`update invitations set status = 'accepted', accepted_at = now(), accepted_by = ${userId},
    updated_at = now() where id = ${id}`
  const entry = { tenantId: team.id, action: 'invitation.accepted', type: 'team_invitation' as const, id }
  await addAudit(client, [{ ...entry, changes: { role } }], { userId, ...traces })
}

async function addMember(client: PoolClient, { team, traces }: Admission, userId: string, role: Role) {
  await refuseWithoutSeat(client, team)
  await rows(client)`insert into memberships (user_id, tenant_id, role) values (${userId}, ${team.id}, ${role})`
  const entry = { tenantId: team.id, action: 'member.added', type: 'user' as const, id: userId }
  await addAudit(client, [{ ...entry, changes: { role, by: 'sso' } }], { userId, ...traces })
  const payload = { tenant_id: team.id, user_id: userId, role }
  await emitEvents(client, [{ tenantId: team.id, name: 'member.added', payload }])
}

/** Open invitations take a seat too. */
async function refuseWithoutSeat(client: PoolClient, { id, limits }: SsoTeam): Promise<void> {
  const [row] = await rows(client)<{ taken: number }>`
    select ((select count(*) from memberships m join users u on u.id = m.user_id and not u.is_service
      where m.tenant_id = ${id})
    + (select count(*) from invitations i where i.tenant_id = ${id} and i.status = 'pending'
      and i.expires_at > clock_timestamp()))::int as taken`
  try {
    refuseBeyondPlan(limits, 'team_members', row!.taken, 1)
  } catch (error) {
    if (error instanceof Refusal) throw new SsoFailure('no_seat', error.message, { cause: error })
    throw error
  }
}

/** Gives a member the role of the provider's groups. Owners stay owners: no provider can take the last one away. */
async function applyRole(client: PoolClient, { team, keys, traces }: Admission, userId: string, role: GivenRole) {
  const [member] = await rows(client)<Row<'users', 'id' | 'name' | 'email' | 'language'> & { before: string }>`
    update memberships m set role = ${role}, updated_at = now()
    from memberships b join users u on u.id = b.user_id
    where m.user_id = ${userId} and m.tenant_id = ${team.id} and b.user_id = m.user_id and b.tenant_id = m.tenant_id
      and m.role not in ('owner', ${role})
    returning b.role as before, u.id, u.name, u.email, u.language`
  if (!member) return
  const changes = { role: { before: member.before, after: role } }
  await addAudit(
    client,
    [{ tenantId: team.id, action: 'member.role_changed', type: 'user', id: userId, changes }],
    traces,
  )
  await addMail(client, keys, {
    tenantId: team.id,
    type: 'security_role_changed',
    recipient: recipientOf(member),
    data: { ...noticeOf(member, new Date(), null), team_name: team.name, role },
  })
}
