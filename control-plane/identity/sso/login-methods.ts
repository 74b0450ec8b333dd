import { sql } from 'kysely'
import { effectiveLimits } from '#contract/plans.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'

/** How people sign in at a host. It depends on the host alone, so that it says nothing of an address. */
export interface LoginMethods {
  /** `enforced`: an owner may use a password; `partner`: links of the reseller are used in its place. */
  password: 'shown' | 'enforced' | 'partner'
  /** The name of the team whose provider signs people in there; null: the host leads to no one team. */
  team: string | null
}

type TeamRow = Row<'tenants', 'slug' | 'plan' | 'feature_overrides'> & {
  is_enabled: boolean
  is_enforced: boolean
  is_by_partner: boolean
}

const anyway: LoginMethods = { password: 'shown', team: null }

/** The ways into the team whose portal the host is; the host of the platform or of a reseller shows all ways. */
export async function loginMethods(services: Services, host: string): Promise<LoginMethods> {
  const portal = portalHostsOf(services).find(host)
  if (!portal || portal.tenantId === portal.resellerId) return anyway
  const [row] = await rows(services.platform, loginMethodsStatement(portal.tenantId))
  if (!row) return anyway
  const isOn = row.is_enabled && effectiveLimits(row.plan, row.feature_overrides).sso
  return {
    password: isOn && row.is_enforced ? 'enforced' : row.is_by_partner ? 'partner' : 'shown',
    team: isOn ? row.slug : null,
  }
}

const loginMethodsStatement = prepared(
  'login-methods',
  (tenantId: string) => sql<TeamRow>`
    select t.slug, t.plan, t.feature_overrides, coalesce(c.is_enabled, false) as is_enabled,
      coalesce(c.is_enforced, false) as is_enforced, coalesce(p.hide_password_login, false) as is_by_partner
    from tenants t left join sso_configs c on c.tenant_id = t.id left join partner_sso p on p.tenant_id = t.id
    where t.id = ${tenantId} and t.deleted_at is null`,
)
