import { sql } from 'kysely'
import { effectiveLimits } from '#contract/plans.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import { bareHost } from './bare-host.ts'
import { type DomainPurpose, servedSql } from './states.ts'

/** A verified hostname of a team or reseller whose plan includes custom domains. */
export interface ServedHost {
  domainId: string
  tenantId: string
  hostname: string
  purpose: DomainPurpose
  /** The reseller that manages the tenant, or the tenant itself if it is a reseller; null: neither. */
  resellerId: string | null
  /** The status page that is served there; null: none. */
  pageId: string | null
  /** The address of that page below `/status/`. */
  pageSlug: string | null
  state: string
}

/** In case a notice was lost. */
const everyMs = 30_000

type HostRow = Row<'custom_domains', 'id' | 'tenant_id' | 'hostname' | 'target_id' | 'state' | 'purpose'> &
  Row<'tenants', 'plan' | 'feature_overrides'> & { slug: string | null; reseller_id: string | null }

const read = prepared(
  'custom-hosts',
  () => sql<HostRow>`
    select d.id, d.tenant_id, d.hostname, d.target_id, d.state, d.purpose, t.plan, t.feature_overrides,
      s.slug, case when t.is_reseller then t.id else m.reseller_id end as reseller_id
    from custom_domains d left join status_pages s on s.id = d.target_id
      join tenants t on t.id = d.tenant_id and t.deleted_at is null and t.suspended_at is null
      left join managed_teams m on m.tenant_id = t.id and m.deleted_at is null
      left join portals p on p.tenant_id = t.id
    where d.state in ${servedSql} and (d.purpose <> 'portal' or coalesce(p.is_enabled, true))`,
)

const advance = (id: string) => ({
  issuing: sql`update custom_domains set state = 'issuing', state_changed_at = clock_timestamp(),
    updated_at = clock_timestamp() where id = ${id} and state = 'verified'`,
  active: sql`update custom_domains set state = 'active', state_changed_at = clock_timestamp(),
    updated_at = clock_timestamp() where id = ${id} and state in ('verified', 'issuing')`,
})

/**
 * All hostnames that are served, in memory, so that requests for unknown hosts cost no statement. Read again within
 * moments of a change of a domain or of the plan of its team, and every 30 seconds.
 */
export class CustomHosts {
  readonly #services: Pick<Services, 'platform' | 'listener' | 'log'>
  readonly #loop: Loop
  readonly #loaded = Promise.withResolvers<void>()
  #hosts = new Map<string, ServedHost>()
  /** Changes of states that this process has written since the list was read. */
  readonly #advanced = new Set<string>()

  constructor(services: Pick<Services, 'platform' | 'listener' | 'log'>) {
    this.#services = services
    const wake = { listener: services.listener, notice: 'custom_domains' }
    this.#loop = new Loop({
      everyMs,
      round: () => this.#read(),
      log: services.log,
      failure: 'hostname read failure',
      wake,
    })
  }

  start(): void {
    this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  /** Resolves when the list was read once. */
  get loaded(): Promise<void> {
    return this.#loaded.promise
  }

  /** The domain of a `Host` header or a TLS name; undefined if it is none of ours. Only exact names match. */
  find(host: string): ServedHost | undefined {
    return this.#hosts.get(bareHost(host))
  }

  /** To be called when a page was asked for under the hostname: the first time the domain becomes `active`. */
  reached(host: ServedHost): void {
    if (host.state !== 'active') this.#advance(host, 'active')
  }

  /** To be called when the TLS proxy asked for the hostname: a domain that was just verified becomes `issuing`. */
  asked(host: ServedHost): void {
    if (host.state === 'verified') this.#advance(host, 'issuing')
  }

  #advance({ domainId }: ServedHost, to: 'issuing' | 'active'): void {
    const key = `${domainId} ${to}`
    if (this.#advanced.has(key)) return
    this.#advanced.add(key)
    rows(this.#services.platform, advance(domainId)[to]).catch(error => {
      this.#advanced.delete(key)
      this.#services.log.warn({ err: error, custom_domain_id: domainId }, 'custom domain state write failure')
    })
  }

  async #read(): Promise<void> {
    const found = await rows(this.#services.platform, read())
    this.#hosts = new Map(
      found
        .filter(({ plan, feature_overrides }) => effectiveLimits(plan, feature_overrides).custom_domains)
        .map(row => [row.hostname, servedHostOf(row)]),
    )
    this.#advanced.clear()
    this.#loaded.resolve()
  }
}

const servedHostOf = (row: HostRow): ServedHost => ({
  domainId: row.id,
  tenantId: row.tenant_id,
  hostname: row.hostname,
  purpose: row.purpose === 'portal' ? 'portal' : 'status_page',
  resellerId: row.reseller_id,
  pageId: row.target_id,
  pageSlug: row.slug,
  state: row.state,
})

/** The list of a process; the API role starts and stops it. */
export const customHostsOf = perServices(services => new CustomHosts(services))
