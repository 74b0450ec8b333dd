import type { Pool, PoolClient } from 'pg'
import { effectiveLimits, type Limits } from '#contract/plans.ts'
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

interface TeamRow extends ConfigRow {
  id: string
  name: string
  slug: string
  plan: string
  feature_overrides: Record<string, unknown>
  is_suspended: boolean
  reseller_id: string | null
}

const select = `
  select t.id, t.name, t.slug, t.plan, t.feature_overrides, t.suspended_at is not null as is_suspended, c.issuer,
    c.client_id, c.client_secret, c.scopes, c.groups_claim, c.role_map, c.default_role, c.is_jit, c.is_enabled,
    c.is_enforced, c.break_glass_user_id, c.protocol, c.sign_in_url, c.certificates, c.email_attribute,
    (select m.reseller_id from managed_teams m where m.tenant_id = t.id and m.deleted_at is null) as reseller_id
  from sso_configs c join tenants t on t.id = c.tenant_id and t.deleted_at is null`

const by = {
  id: `${select} where t.id = $1`,
  slug: `${select} where t.slug = $1`,
  domain: `${select} join sso_domains d on d.tenant_id = t.id and d.verified_at is not null where d.domain = $1`,
}

/** The team that an address, a slug or an id leads to; null for one without a provider. */
export async function findTeam(
  db: Pool | PoolClient,
  { email, ...named }: { id?: string; slug?: string; email?: string },
): Promise<SsoTeam | null> {
  const [how, value] =
    email !== undefined
      ? (['domain', domainOf(email)] as const)
      : named.slug !== undefined
        ? (['slug', named.slug] as const)
        : (['id', named.id] as const)
  const { rows } = await db.query<TeamRow>(by[how], [value])
  const [row] = rows
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
