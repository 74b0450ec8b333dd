import { sql } from 'kysely'
import type { TenantContext } from '#control-plane/base/caller.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { type Db, prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { type TenantRow, tenantColumns, tenantContext } from '#control-plane/tenancy/tenants/context.ts'
import { LinkRefused } from './refused.ts'
import { openSecret } from './secret.ts'
import { type LinkClaims, signedAheadS, verifyLink } from './token.ts'

/** A link as it is opened. */
export interface GivenLink {
  /** The JWT. */
  token: string
  /** Of the team that the address names. */
  slug: string
  /** The tenant whose portal is asked: a portal opens links of its own team, or of its reseller's teams, alone. */
  portalId: string | undefined
}

export interface OpenLink {
  claims: LinkClaims
  team: TenantContext
  resellerId: string
  mayRegister: boolean
  mayLink: boolean
}

type SsoRow = TenantRow &
  Row<'partner_sso', 'is_enabled' | 'secret' | 'auto_register' | 'auto_link_existing_users'> &
  Row<'managed_teams', 'reseller_id'> & { is_available: boolean; valid_from: string | null; now: string }

const find = prepared(
  'partner-sso-team',
  (slug: string) => sql<SsoRow>`
    select ${tenantColumns('t')}, s.is_enabled, s.secret, s.auto_register, s.auto_link_existing_users,
      s.links_valid_from as valid_from, m.reseller_id, clock_timestamp() as now,
      t.suspended_at is null and t.paused_at is null and r.suspended_at is null as is_available
    from tenants t
    join partner_sso s on s.tenant_id = t.id and s.secret is not null
    join managed_teams m on m.tenant_id = t.id
    join tenants r on r.id = m.reseller_id
    where t.slug = ${slug} and r.is_reseller and r.deleted_at is null
      and t.deleted_at is null and m.deleted_at is null`,
)

const slugShape = /^[\w-]{1,100}$/

/**
 * A link that is valid now by the clock of the database, and its team. It uses nothing up. Throws `LinkRefused`; an
 * unknown slug, a deleted team and one without a secret give the same refusal as a wrong signature.
 */
export async function readLink(db: Db, keys: Keyring, { token, slug, portalId }: GivenLink): Promise<OpenLink> {
  if (!slugShape.test(slug)) throw new LinkRefused('bad_link')
  const [row] = await rows(db, find(slug))
  if (!row?.secret) throw new LinkRefused('bad_link')
  if (portalId !== undefined && portalId !== row.tenant_id && portalId !== row.reseller_id)
    throw new LinkRefused('bad_link')
  const team = tenantContext(row)
  const claims = await verifyLink(token, openSecret(keys, team.id, row.secret), team, new Date(row.now))
  // of earlier links the restored database does not show which were used
  if (row.valid_from && claims.iat <= Date.parse(row.valid_from) / 1000 + signedAheadS)
    throw new LinkRefused('expired', team.id)
  if (!row.is_enabled) throw new LinkRefused('disabled', team.id)
  if (!row.is_available) throw new LinkRefused('team_unavailable', team.id)
  return {
    claims,
    team,
    resellerId: row.reseller_id,
    mayRegister: row.auto_register ?? false,
    mayLink: row.auto_link_existing_users ?? false,
  }
}
