import { sql } from 'kysely'
import { type Plan, plans } from '#contract/plans.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { type Db, prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { Services } from '#control-plane/http/services.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { type TenantRow, tenantColumns, tenantContext } from '#control-plane/tenancy/tenants/context.ts'

type PortalColumns = Row<'portals', 'slug' | 'sign_up_plan' | 'sign_up_profile_id' | 'sign_up_domains'>

const read = prepared(
  'open-portal',
  (resellerId: string | null, slug: string | null) => sql<
    TenantRow & PortalColumns & { portal_slug: Row<'portals'>['slug'] }
  >`
  select ${tenantColumns('t')}, p.slug as portal_slug, p.sign_up_plan, p.sign_up_profile_id, p.sign_up_domains
  from portals p join tenants t on t.id = p.tenant_id and t.deleted_at is null and t.suspended_at is null
  where p.is_enabled and p.sign_up_enabled and t.is_reseller and (t.id = ${resellerId} or p.slug = ${slug})`,
)

export const signUpClosed = () => invalid({ portal: ['There is no sign-up here.'] }, 'sign_up_closed')

/** A reseller's portal that is open for sign-ups, as its settings are now. */
export interface OpenPortal {
  reseller: ReturnType<typeof tenantContext>
  slug: string | null
  plan: Plan | undefined
  profileId: string | null
  domains: readonly string[]
}

type Place = { resellerId: string } | { slug: string }

export async function findOpenPortal(db: Db, place: Place): Promise<OpenPortal | undefined> {
  const [row] = await rows(db, 'slug' in place ? read(null, place.slug) : read(place.resellerId, null))
  return (
    row && {
      reseller: tenantContext(row),
      slug: row.portal_slug,
      plan: plans.find(plan => plan === row.sign_up_plan),
      profileId: row.sign_up_profile_id,
      domains: row.sign_up_domains,
    }
  )
}

/**
 * The portal of a request: that of the host that was asked, else that of the slug. A 422 where people cannot sign up,
 * also on the host of a team, which has no teams of its own.
 */
export async function portalOfRequest(services: Services, host: string, slug: string | undefined): Promise<OpenPortal> {
  if (!services.config.signUp) throw signUpClosed()
  const served = portalHostsOf(services).find(host)
  const place = served ? { resellerId: served.tenantId } : slug !== undefined ? { slug } : undefined
  const portal = place && (await findOpenPortal(services.platform, place))
  if (!portal) throw signUpClosed()
  return portal
}
