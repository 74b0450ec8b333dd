import type { EntityManager } from '@mikro-orm/postgresql'
import { effectiveLimits } from '#contract/plans.ts'
import { type Db, queries, rows } from '#control-plane/db/queries.ts'

/**
 * Ends the sessions of a team that were opened by other means than its provider, besides those of the owner who may
 * use a password.
 */
export const endOtherSessions = (
  em: EntityManager,
  tenant: { id: string },
  breakGlassUserId: string | null,
): Promise<unknown> =>
  rows(em)`delete from tokens where tenant_id = ${tenant.id} and kind = 'ss'
     and user_id is distinct from ${breakGlassUserId}::uuid
     and coalesce(auth_method, 'password') in ('password', 'passkey', 'login_link')`

/** Ends the sessions of a team that its provider opened, besides that of the caller. */
export const endProviderSessions = (
  em: EntityManager,
  tenant: { id: string },
  callerTokenId: string,
): Promise<unknown> =>
  queries(em)
    .deleteFrom('tokens')
    .where('tenant_id', '=', tenant.id)
    .where('kind', '=', 'ss')
    .where('id', '<>', callerTokenId)
    .where('auth_method', 'in', ['oidc', 'saml'])
    .execute()

interface Enforcement {
  plan: string
  feature_overrides: Record<string, unknown>
  is_owner: boolean
  break_glass_user_id: string | null
}

/**
 * Whether a person must sign in to a team at its provider. Not the owner who may use a password; when that person is
 * no owner of the team any more, no owner must. A plan without single sign-on enforces nothing. `null` is a person who
 * is no member yet.
 */
export async function mustUseProvider(db: Db, tenantId: string, userId: string | null): Promise<boolean> {
  const [enforced] = await rows(db)<Enforcement>`
    select t.plan, t.feature_overrides,
      exists (select 1 from memberships m
        where m.tenant_id = t.id and m.user_id = ${userId} and m.role = 'owner') as is_owner,
      (select b.user_id from memberships b
        where b.tenant_id = t.id and b.user_id = c.break_glass_user_id and b.role = 'owner') as break_glass_user_id
    from sso_configs c join tenants t on t.id = c.tenant_id
    where c.tenant_id = ${tenantId} and c.is_enforced and c.is_enabled`
  if (!enforced || !effectiveLimits(enforced.plan, enforced.feature_overrides).sso) return false
  return enforced.break_glass_user_id === null ? !enforced.is_owner : enforced.break_glass_user_id !== userId
}
