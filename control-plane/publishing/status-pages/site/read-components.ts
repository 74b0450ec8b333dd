import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { SettableStatus } from '#contract/status-page.ts'
import type { DownStatus } from '#control-plane/db/model/status-page-values.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
import type { State } from '#control-plane/engine/state/rules.ts'

/** Monitors that one page is made of, at most. */
export const mostMonitors = 500

export interface StoredComponent {
  id: string
  type: 'monitor' | 'group' | 'static'
  name: string
  description: string
  group_id: string | null
  show_history: boolean
  status_when_down: DownStatus
  static_status: SettableStatus | null
  created_at: string
  updated_at: string
  monitors: readonly { id: string; state: State }[]
}

export interface StoredGroup {
  id: string
  name: string
  is_open: boolean
}

/** The monitors behind a component `c`, as `StoredComponent` has them. */
export const monitorsSql = sql`
  coalesce((select json_agg(json_build_object('id', m.id, 'state', m.state)) from (
    select m.id, s.state from monitors m
    cross join lateral (select state from monitor_states(m.tenant_id) o where o.monitor_id = m.id) s
    where m.tenant_id = c.tenant_id and case c.type when 'monitor' then m.id = c.monitor_id
      when 'group' then m.group_name = c.monitor_group else false end
    order by m.created_at, m.id limit ${sql.lit(mostMonitors)}) m), '[]')`

/** The groups and components of a page in their order, and the monitors behind them: two statements. */
export async function readComponents(
  platform: Pool,
  tenantId: string,
  pageId: string,
): Promise<{ groups: StoredGroup[]; components: StoredComponent[] }> {
  const groups = await rows(platform, statusPageGroups(pageId))
  const components = await rows(platform, statusPageComponents(tenantId, pageId))
  return { groups: groups, components: components }
}

const statusPageGroups = prepared(
  'status-page-groups',
  (pageId: string) => sql<StoredGroup>`
    select id, name, is_open from status_page_groups where page_id = ${pageId} order by position, id`,
)

const statusPageComponents = prepared(
  'status-page-components',
  (tenantId: string, pageId: string) => sql<StoredComponent>`
    select c.id, c.type, c.name, c.description, c.group_id, c.show_history, c.status_when_down, c.static_status,
    c.created_at, c.updated_at,
    ${monitorsSql} as monitors
    from status_page_components c where c.tenant_id = ${tenantId} and c.page_id = ${pageId}
    order by c.position, c.id`,
)
