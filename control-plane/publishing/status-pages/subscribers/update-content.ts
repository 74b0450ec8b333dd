import { LRUCache } from 'lru-cache'
import type { Pool } from 'pg'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Row } from '#control-plane/db/queries.ts'

type Brand = Row<'status_pages', 'primary_color' | 'logo_url' | 'logo_url_dark' | 'hide_powered_by'>

/** The page of a subscriber. */
export type PageContent = Row<'status_pages', 'id' | 'name' | 'slug' | 'timezone'> & Brand

/** What subscribers read of an update. */
export interface UpdateContent {
  id: string
  post_id: string
  title: string
  impact: 'none' | 'minor' | 'major' | 'critical'
  phase: 'investigating' | 'identified' | 'monitoring' | 'resolved'
  body: string
  components: string[]
  updated_at: string
}

const update = `
  select u.id, u.post_id, p.title, p.impact, u.phase, u.body, ${stampSql('u.at')} as updated_at,
    array(select c.name from status_page_post_components pc join status_page_components c on c.id = pc.component_id
      where pc.post_id = p.id order by c.position, c.id) as components
  from status_page_updates u join status_page_posts p on p.id = u.post_id where u.id = $1`

const page = `
  select p.id, p.name, p.slug, p.timezone, p.primary_color, p.logo_url, p.logo_url_dark, p.hide_powered_by
  from status_pages p join tenants t on t.id = p.tenant_id and t.deleted_at is null and t.suspended_at is null
  where p.id = $1 and p.state = 'published'`

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
    return this.#read(this.#updates, update, id)
  }

  /** null if it is not published any more. */
  page(id: string): Promise<PageContent | null> {
    return this.#read(this.#pages, page, id)
  }

  #read<Content extends object>(
    cache: LRUCache<string, Promise<Content | null>>,
    text: string,
    id: string,
  ): Promise<Content | null> {
    const known = cache.get(id)
    if (known) return known
    const reading = this.#platform.query<Content>(text, [id]).then(({ rows }) => rows[0] ?? null)
    cache.set(id, reading)
    reading.catch(() => cache.delete(id))
    return reading
  }
}
