import { sql } from 'kysely'
import type { Pool } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import type { Config } from '#control-plane/config.ts'
import { type Db, prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { ours } from '#control-plane/tenancy/branding/effective.ts'
import { servedSql } from './states.ts'

type OriginRow = Row<'custom_domains', 'hostname'> & Row<'tenants', 'plan' | 'feature_overrides'>

// a team's own domain goes before its reseller's, an older domain before a newer one
const read = prepared(
  'portal-origin',
  (tenantId: string) => sql<OriginRow>`
    select d.hostname, t.plan, t.feature_overrides
    from custom_domains d
      join tenants t on t.id = d.tenant_id and t.deleted_at is null and t.suspended_at is null
      left join portals p on p.tenant_id = t.id
    where coalesce(p.is_enabled, true) and d.purpose = 'portal' and d.state in ${servedSql} and d.tenant_id in
      (${tenantId}, (select m.reseller_id from managed_teams m where m.tenant_id = ${tenantId}))
    order by (d.tenant_id = ${tenantId}) desc, d.created_at, d.id`,
)

/**
 * The origin that links for a team begin with, without a slash at its end: the team's portal domain, else its
 * reseller's, else `BASE_URL`; never the `Host` of a request. A domain counts once its DNS records are verified,
 * though no browser has reached it: its certificate is issued at the first visit. `db` sees all tenants.
 */
export async function originOf(db: Db, { baseUrl }: Pick<Config, 'baseUrl'>, tenantId: string): Promise<string> {
  const found = await rows(db, read(tenantId))
  const domain = found.find(({ plan, feature_overrides }) => effectiveLimits(plan, feature_overrides).custom_domains)
  return domain === undefined ? baseUrl : portalOrigin(baseUrl, domain.hostname)
}

const keptMs = 10_000
const mostKept = 10_000

const kept = new WeakMap<object, Origins>()

/** The same for answers and messages, of which a team may get many at a time. */
export function keptOriginOf(
  { platform, config }: { platform: Pool; config: Pick<Config, 'baseUrl'> },
  tenantId: string,
): Promise<string> {
  const known = kept.get(config) ?? new Origins({ platform, config })
  kept.set(config, known)
  return known.of(tenantId)
}

/** The origins of teams, read at most every ten seconds each. */
class Origins {
  readonly #deps: { platform: Pool; config: Pick<Config, 'baseUrl'> }
  readonly #known = new Map<string, { origin: Promise<string>; untilMs: number }>()

  constructor(deps: { platform: Pool; config: Pick<Config, 'baseUrl'> }) {
    this.#deps = deps
  }

  /** The installation's own where it cannot be read: an alert does not wait for its link. */
  of(tenantId: string): Promise<string> {
    const { platform, config } = this.#deps
    const nowMs = performance.now()
    const known = this.#known.get(tenantId)
    if (known && known.untilMs > nowMs) return known.origin
    if (this.#known.size >= mostKept) this.#known.clear()
    const origin = originOf(platform, config, tenantId).catch(() => config.baseUrl)
    this.#known.set(tenantId, { origin, untilMs: nowMs + keptMs })
    return origin
  }
}

/** A portal is reached by the scheme and port of the installation. */
export function portalOrigin(baseUrl: string, hostname: string): string {
  const url = new URL(baseUrl)
  url.hostname = hostname
  return url.origin
}

/** The parameter of a page that names the team in whose brand it is shown, where the host says nothing of it. */
export const teamParameter = 'team'

/** Where the links of a team begin. `team`: whose brand a page at the installation's host has; null: the platform's. */
export interface Links {
  baseUrl: string
  origin: string
  team: string | null
}

/** The links of a team with this brand. */
export const linksOf = (baseUrl: string, origin: string, team: { id: string; brandName: string }): Links => ({
  baseUrl,
  origin,
  team: team.brandName === ours.brand_name ? null : team.id,
})

/** A link of the installation as the people of a team get it: at its portal, else to a page in its brand. */
export function linkOf({ baseUrl, origin, team }: Links, link: string): string {
  if (!link.startsWith(`${baseUrl}/`)) return link
  if (origin !== baseUrl) return origin + link.slice(baseUrl.length)
  // those pages have a token behind `#`; the app knows its team
  return team === null || link.includes('?') ? link : link.replace('#', `?${teamParameter}=${team}#`)
}

/**
 * The same mail data with its links, the fields named `…_url`, as a team gets them: a portal serves the app, the API
 * and the status pages of its teams. A page with a domain of its own stays there.
 */
export const withLinks = (data: Readonly<Record<string, unknown>>, links: Links): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      name.endsWith('_url') && typeof value === 'string' ? linkOf(links, value) : value,
    ]),
  )
