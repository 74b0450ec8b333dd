import { sql } from 'kysely'
import type { Pool } from 'pg'
import { namesOf } from '#control-plane/db/by-name.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import type { ListedPage } from '#control-plane/publishing/status-pages/render/index-page.ts'
import { unknownOf } from '#control-plane/publishing/status-pages/rollup.ts'
import { servedSql } from '#control-plane/tenancy/portal-hosts/states.ts'
import { monitorsSql, type StoredComponent } from './read-components.ts'
import { type StatedPost, statusOfComponent, statusOfPage } from './status.ts'

/** Pages on one page of the list. */
export const listedAtOnce = 50

/**
 * A list at the address of the operator shows who runs the service. Pages of a team are left out where the team, its
 * reseller or the page hides that, whatever their plans allow them to hide, and where the team is served under a portal
 * domain, its own or its reseller's. A domain of one page alone hides nothing.
 */
const listed = prepared(
  'status-index',
  (number: number) => sql<PageRow>`
    select s.id, s.slug, s.name, s.texts, s.locales
    from status_pages s join tenants t on t.id = s.tenant_id
      left join managed_teams m on m.tenant_id = s.tenant_id and m.deleted_at is null
      left join brandings b on b.tenant_id = s.tenant_id
      left join brandings r on r.tenant_id = m.reseller_id
    where s.state = 'published' and s.access = 'public' and not s.noindex
      and t.deleted_at is null and t.paused_at is null and t.suspended_at is null
      and not coalesce(s.hide_powered_by, false)
      and not coalesce(b.hide_powered_by, false) and not coalesce(r.hide_powered_by, false)
      and not exists (select 1 from custom_domains d
        where d.purpose = 'portal' and d.state in ${servedSql} and d.tenant_id in (s.tenant_id, m.reseller_id))
    order by ${namesOf('s.name')}, s.id limit ${sql.lit(listedAtOnce + 1)} offset ${number}`,
)

const components = prepared(
  'status-index-components',
  (ids: readonly string[]) => sql<ComponentRow>`
    select c.page_id, c.id, c.type, c.status_when_down, c.static_status,
      ${monitorsSql} as monitors
    from status_page_components c where c.page_id = any(${ids})`,
)

const posts = prepared(
  'status-index-posts',
  (ids: readonly string[]) => sql<StatedPost & { page_id: string }>`
    select p.page_id, p.phase, p.impact, p.incident_over_at is not null as "isIncidentOver",
      coalesce((select json_agg(json_build_object('id', c.component_id, 'status', c.status, 'follows', c.follows))
        from status_page_post_components c where c.post_id = p.id), '[]') as components
    from status_page_posts p where p.page_id = any(${ids}) and p.phase <> 'resolved'`,
)

type PageRow = Row<'status_pages', 'id' | 'slug' | 'name' | 'texts' | 'locales'>
type ComponentRow = Pick<StoredComponent, 'id' | 'type' | 'status_when_down' | 'static_status' | 'monitors'> & {
  page_id: string
}

/** The pages of one page of the list, from 1 on, by name, and whether there are more: three statements. */
export async function readIndex(platform: Pool, number: number): Promise<{ pages: ListedPage[]; hasMore: boolean }> {
  const found = await rows(platform, listed((number - 1) * listedAtOnce))
  const ids = found.slice(0, listedAtOnce).map(({ id }) => id)
  const stored = await rows(platform, components(ids))
  const open = await rows(platform, posts(ids))
  const componentsOf = Map.groupBy(stored, ({ page_id }) => page_id)
  const postsOf = Map.groupBy(open, ({ page_id }) => page_id)
  const pages = found.slice(0, listedAtOnce).map(({ id, slug, name, texts, locales }): ListedPage => {
    const posted = postsOf.get(id) ?? []
    const statuses = (componentsOf.get(id) ?? []).map(component => statusOfComponent(component, posted))
    return { slug, name, texts, locales, status: statusOfPage(statuses, posted), unknown: unknownOf(statuses) }
  })
  return { pages, hasMore: found.length > listedAtOnce }
}
