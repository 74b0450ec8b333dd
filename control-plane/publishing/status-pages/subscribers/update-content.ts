import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { effectiveLimits } from '#contract/plans.ts'
import type { MaintenancePhase, Phase } from '#contract/status-page.ts'
import { type Row, rows, stamp } from '#control-plane/db/queries.ts'

type Brand = Row<'status_pages', 'primary_color' | 'logo_url' | 'logo_url_dark' | 'hide_powered_by'>

/** The page of a subscriber. `hostname`: the domain of its own at which it was reached; null: there is none. */
export type PageContent = Row<'status_pages', 'id' | 'name' | 'slug' | 'timezone'> & Brand & { hostname: string | null }

type PageRow = PageContent & Row<'tenants', 'plan' | 'feature_overrides'>

/** What subscribers read of an update. */
export interface UpdateContent {
  id: string
  /** Null: it is of planned work. */
  post_id: string | null
  window_id: string | null
  title: string
  impact: 'none' | 'minor' | 'major' | 'critical'
  phase: Phase | MaintenancePhase
  body: string
  components: string[]
  updated_at: string
  /** When planned work begins and ends. */
  starts_at: string | null
  ends_at: string | null
}

const updateOf = (id: string) => sql<UpdateContent>`
  select u.id, u.post_id, u.window_id, coalesce(p.title, u.title) as title, coalesce(p.impact, 'none') as impact,
    u.phase, u.body, ${stamp('u.at')} as updated_at,
    array(select coalesce(c.name, pc.name)
      from (select component_id, name from status_page_post_components where post_id = p.id
        union all select id, null from unnest(u.component_ids) as id) pc
      left join status_page_components c on c.id = pc.component_id and c.page_id = coalesce(p.page_id, u.page_id)
      where coalesce(c.name, pc.name) is not null order by c.position, pc.component_id) as components,
    ${stamp('u.starts_at')} as starts_at, ${stamp('u.ends_at')} as ends_at
  from status_page_updates u left join status_page_posts p on p.id = u.post_id where u.id = ${id}`

const pageOf = (id: string) => sql<PageRow>`
  select p.id, p.name, p.slug, p.timezone, p.primary_color, p.logo_url, p.logo_url_dark, p.hide_powered_by,
    t.plan, t.feature_overrides,
    (select d.hostname from custom_domains d
      where d.tenant_id = p.tenant_id and d.target_id = p.id and d.state = 'active'
      order by d.created_at, d.id limit 1) as hostname
  from status_pages p join tenants t on t.id = p.tenant_id and t.deleted_at is null and t.suspended_at is null
  where p.id = ${id} and p.state = 'published'`

const keptMs = 5_000

/** Contents that thousands of messages share, kept for some seconds. */
export class Contents {
  readonly #platform: Pool
  readonly #updates = new LRUCache<string, Promise<UpdateContent | null>>({ max: 1_000, ttl: keptMs })
  readonly #pages = new LRUCache<string, Promise<PageContent | null>>({ max: 1_000, ttl: keptMs })

  constructor(platform: Pool) {
    this.#platform = platform
  }

  /** null if it was deleted. */
  update(id: string): Promise<UpdateContent | null> {
    return this.#read(this.#updates, updateOf, id, row => row)
  }

  /** null if it is not published any more. */
  page(id: string): Promise<PageContent | null> {
    return this.#read(this.#pages, pageOf, id, servedPage)
  }

  #read<Stored extends object, Content extends object>(
    cache: LRUCache<string, Promise<Content | null>>,
    statement: (id: string) => RawBuilder<Stored>,
    id: string,
    of: (row: Stored) => Content,
  ): Promise<Content | null> {
    const known = cache.get(id)
    if (known) return known
    const reading = rows(this.#platform, statement(id)).then(([row]) => (row ? of(row) : null))
    cache.set(id, reading)
    reading.catch(() => cache.delete(id))
    return reading
  }
}

/** What the plan no longer includes has no effect, although it is still stored. */
function servedPage({ plan, feature_overrides, ...page }: PageRow): PageContent {
  const { custom_domains, white_label_branding } = effectiveLimits(plan, feature_overrides)
  return {
    ...page,
    hostname: custom_domains ? page.hostname : null,
    hide_powered_by: page.hide_powered_by && white_label_branding,
  }
}
