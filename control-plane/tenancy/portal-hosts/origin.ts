import type { Pool, PoolClient } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import type { Config } from '#control-plane/config.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { servedSql } from './states.ts'

type OriginRow = Row<'custom_domains', 'hostname'> & Row<'tenants', 'plan' | 'feature_overrides'>

// a team's own domain goes before its reseller's, an older domain before a newer one
const read = `
  select d.hostname, t.plan, t.feature_overrides
  from custom_domains d
    join tenants t on t.id = d.tenant_id and t.deleted_at is null and t.suspended_at is null
    left join portals p on p.tenant_id = t.id
  where coalesce(p.is_enabled, true) and d.purpose = 'portal' and d.state in ${servedSql} and d.tenant_id in
    ($1, (select m.reseller_id from managed_teams m where m.tenant_id = $1 and m.deleted_at is null))
  order by (d.tenant_id = $1) desc, d.created_at, d.id`

/**
 * The origin that links for a team begin with, without a slash at its end: the team's portal domain, else its
 * reseller's, else `BASE_URL`; never the `Host` of a request. A domain counts once its DNS records are verified,
 * though no browser has reached it: its certificate is issued at the first visit. `db` sees all tenants.
 */
export async function originOf(
  db: Pool | PoolClient,
  { baseUrl }: Pick<Config, 'baseUrl'>,
  tenantId: string,
): Promise<string> {
  const { rows } = await db.query<OriginRow>({ name: 'portal-origin', text: read, values: [tenantId] })
  const domain = rows.find(({ plan, feature_overrides }) => effectiveLimits(plan, feature_overrides).custom_domains)
  return domain === undefined ? baseUrl : portalOrigin(baseUrl, domain.hostname)
}

const keptMs = 10_000
const mostKept = 10_000

/** The origins of teams, read at most every ten seconds each: for messages, of which a team may get many at a time. */
export class Origins {
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

/**
 * The same mail data with its links, the fields named `…_url`, at another origin, where they are the installation's:
 * a portal serves the app, the API and the status pages of its teams. A page with a domain of its own stays there.
 */
export const withOrigin = (
  data: Readonly<Record<string, unknown>>,
  baseUrl: string,
  origin: string,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const isOurs = name.endsWith('_url') && typeof value === 'string' && value.startsWith(`${baseUrl}/`)
      return [name, isOurs ? origin + value.slice(baseUrl.length) : value]
    }),
  )
