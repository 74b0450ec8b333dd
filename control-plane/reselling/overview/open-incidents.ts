import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Severity } from '#contract/check.ts'
import { prepared, type Row, rows, stamp } from '#control-plane/db/queries.ts'

export type OpenIncident = Row<
  'incidents',
  'tenant_id' | 'monitor_id' | 'title' | 'status' | 'started_at' | 'acknowledged_at'
> & {
  incident_id: Row<'incidents'>['id']
  managed_team_id: Row<'managed_teams'>['id']
  team_name: Row<'managed_teams'>['name']
  monitor_name: Row<'monitors'>['name']
  monitor_url: Row<'monitors'>['url']
  severity: Severity
}

export interface OpenIncidents {
  critical: number
  major: number
  minor: number
  newest: OpenIncident[]
}

/**
 * One statement over several tenants, so it runs as the platform, without row security:
 * the join with the reseller's teams excludes the incidents of all other tenants.
 */
const statement = prepared(
  'open-incidents',
  (resellerId: string, most: number) => sql<OpenIncidents>`
    with open as materialized (
      select i.id, i.severity, i.started_at, m.id as team, m.name
      from managed_teams m
      join tenant_counts c on c.tenant_id = m.tenant_id and c.open_incidents > 0
      join incidents i on i.tenant_id = m.tenant_id and coalesce(i.resolved_at, 'infinity'::timestamptz) = 'infinity'
      where m.reseller_id = ${resellerId} and m.deleted_at is null
    ), newest as (
      select * from open order by started_at desc, id desc limit ${most}
    )
    select (select count(*)::int from open where severity = 'critical') as critical,
           (select count(*)::int from open where severity = 'major') as major,
           (select count(*)::int from open where severity = 'minor') as minor,
           coalesce((
             select json_agg(json_build_object(
               'incident_id', i.id, 'managed_team_id', n.team, 'tenant_id', i.tenant_id, 'team_name', n.name,
               'monitor_id', i.monitor_id, 'monitor_name', o.name, 'monitor_url', o.url, 'title', i.title, 'status',
                 i.status, 'severity', i.severity,
               'started_at', ${stamp('i.started_at')}, 'acknowledged_at',
               ${stamp('i.acknowledged_at')} ) order by n.started_at desc, n.id desc)
             from newest n join incidents i on i.id = n.id join monitors o on o.id = i.monitor_id
           ), '[]') as newest`,
)

/** The number of open incidents in all of a reseller's teams, and the newest of them. */
export async function readOpenIncidents(platform: Pool, resellerId: string, most: number): Promise<OpenIncidents> {
  const [row] = await rows(platform, statement(resellerId, most))
  return row!
}
