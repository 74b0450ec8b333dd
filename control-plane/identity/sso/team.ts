import { sql } from 'kysely'
import { effectiveLimits, type Limits } from '#contract/plans.ts'
import { type Db, type Row, rows } from '#control-plane/db/queries.ts'
import { SsoFailure } from './outcome.ts'
import { domainOf } from './person.ts'
import type { ConfigRow } from './row.ts'

/** A team with its provider, for its sign-ins. */
export interface SsoTeam {
  id: string
  name: string
  slug: string
  limits: Limits
  isSuspended: boolean
  /** The reseller that manages the team; null: none. */
  resellerId: string | null
  config: ConfigRow
}

type TeamRow = ConfigRow &
  Row<'tenants', 'id' | 'name' | 'slug' | 'plan' | 'feature_overrides'> & {
    is_suspended: boolean
    reseller_id: Row<'managed_teams'>['reseller_id'] | null
  }

const select = sql`
  select t.id, t.name, t.slug, t.plan, t.feature_overrides, t.suspended_at is not null as is_suspended, c.issuer,
    c.client_id, c.client_secret, c.scopes, c.groups_claim, c.role_map, c.default_role, c.is_jit, c.is_enabled,
    c.is_enforced, c.break_glass_user_id, c.protocol, c.sign_in_url, c.certificates, c.email_attribute,
    (select m.reseller_id from managed_teams m where m.tenant_id = t.id and m.deleted_at is null) as reseller_id
  from sso_configs c join tenants t on t.id = c.tenant_id and t.deleted_at is null`

/** The team that an address, a slug or an id leads to; null for one without a provider. */
export async function findTeam(
  db: Db,
  { email, ...named }: { id?: string; slug?: string; email?: string },
): Promise<SsoTeam | null> {
  const those =
    email !== undefined
      ? sql`join sso_domains d on d.tenant_id = t.id and d.verified_at is not null where d.domain = ${domainOf(email)}`
      : named.slug !== undefined
        ? sql`where t.slug = ${named.slug}`
        : sql`where t.id = ${named.id}`
  const [row] = await rows(db)<TeamRow>`${select} ${those}`
  if (!row) return null
  const { id, name, slug, plan, feature_overrides, is_suspended, reseller_id, ...config } = row
  const limits = effectiveLimits(plan, feature_overrides)
  return { id, name, slug, isSuspended: is_suspended, resellerId: reseller_id, limits, config }
}

/** Throws a `SsoFailure` where no one can sign in at the provider of the team. */
export function refuseClosed({ isSuspended, config, limits }: SsoTeam): void {
  if (isSuspended) throw new SsoFailure('team_suspended', 'The team is suspended.')
  if (!config.is_enabled) throw new SsoFailure('sso_off', 'Single sign-on is not enabled (is_enabled).')
  if (!limits.sso) throw new SsoFailure('sso_off', 'The plan does not include single sign-on.')
}
