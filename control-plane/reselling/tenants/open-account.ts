import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { unlimited } from '#contract/plans.ts'
import { mintLink } from '#control-plane/base/mail-link.ts'
import { affected, queries, rows, stamp } from '#control-plane/db/queries.ts'
import { lockAddress, verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { type AuditActor, addAudit } from '#control-plane/outbox/audit.ts'

export interface NewAccount {
  name: string
  slug: string
  plan: string
  /** Whether no plan binds it. */
  isUnlimited: boolean
  isReseller: boolean
  owner: {
    email: string
    name: string
    language: string
    /** Null for a person who sets it by a link. */
    password: string | null
    isSuperAdmin?: boolean
  }
}

export interface OpenedAccount {
  tenantId: string
  userId: string
}

/**
 * Creates a tenant with its first owner, in the open transaction. The address counts as verified; the address of a
 * verified account is refused: such a person joins by invitation. The entry goes to the audit log of the tenant, and to
 * that of `also` when an operator acts.
 */
export async function openAccount(
  client: PoolClient,
  account: NewAccount,
  actor: AuditActor = {},
  also: readonly string[] = [],
): Promise<OpenedAccount | 'slug_taken' | 'email_taken'> {
  const { name, slug, plan, isUnlimited, isReseller, owner } = account
  const [tenantId, userId] = [randomUUID(), randomUUID()]
  const made = await affected(client)`insert into tenants (id, name, slug, plan, is_reseller, feature_overrides)
    values (${tenantId}, ${name}, ${slug}, ${plan}, ${isReseller}, ${isUnlimited ? unlimited : {}})
    on conflict (slug) do nothing`
  if (made === 0) return 'slug_taken'
  const hash = owner.password === null ? null : await hashPassword(owner.password)
  await lockAddress(client, owner.email)
  if ((await verifiedAccountOf(client, owner.email)) !== null) return 'email_taken'
  await rows(client)`insert into users (id, name, email, password_hash, language, is_super_admin, home_tenant_id,
    email_verified_at)
    values (${userId}, ${owner.name}, ${owner.email}, ${hash}, ${owner.language}, ${owner.isSuperAdmin ?? false},
    ${tenantId}, clock_timestamp())`
  await rows(client)`insert into memberships (user_id, tenant_id, role) values (${userId}, ${tenantId}, 'owner')`
  const changes = { name, slug, plan, is_unlimited: isUnlimited, is_reseller: isReseller, owner_id: userId }
  const entries = [...new Set([tenantId, ...also])].map(trail => ({
    tenantId: trail,
    action: 'tenant.created',
    type: 'tenant' as const,
    id: tenantId,
    changes,
  }))
  await addAudit(client, entries, actor)
  return { tenantId, userId }
}

/** How long the link for the first password is valid. Its recipient did not request it, and may read it late. */
export const firstPasswordDays = 3

/** Creates a link that sets a person's password once, like a requested one. */
export async function makePasswordLink(
  client: PoolClient,
  baseUrl: string,
  userId: string,
): Promise<{ url: string; expiresAt: Date }> {
  const { hash, url } = mintLink(`${baseUrl}/password-reset`)
  const { expires_at } = await queries(client)
    .insertInto('password_resets')
    .values({
      token_hash: hash,
      user_id: userId,
      expires_at: sql`clock_timestamp() + ${`${firstPasswordDays} days`}::interval`,
    })
    .returning(({ ref }) => stamp(ref('expires_at')).as('expires_at'))
    .executeTakeFirstOrThrow()
  return { url, expiresAt: new Date(expires_at) }
}
