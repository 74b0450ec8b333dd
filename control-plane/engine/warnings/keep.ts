import { sql } from 'kysely'
import { type Db, prepared, rows } from '#control-plane/db/queries.ts'
import { quietCauseSql } from '#control-plane/engine/suppression/maintenance.ts'
import { wakeSql } from '#control-plane/outbox/emit.ts'
import type { Published } from './keep-changes.ts'
import { insertClearedEventsSql, insertWarningEventsSql } from './payload-sql.ts'

/** A warning of a check that begins or deepens. Times in milliseconds. */
export interface WarningRow {
  check_id: string
  event: string
  depth: number
  since: number
  code: string
  reason: string
  regions: string[]
  details: Record<string, unknown>
}

export interface ClearedRow {
  check_id: string
  event: string
}

/**
 * Publishes warnings that begin or deepen: to the reseller always, to the team unless it muted the check. Repeated,
 * it changes nothing.
 */
export const storeWarnings = prepared(
  'verdicts-warnings',
  (warnings: string) => sql<Published>`
  with asked as materialized (
    select r.*, c.tenant_id, c.monitor_id, coalesce(c.snoozed_until > clock_timestamp(), false) as is_muted,
      exists (select 1 from flappings f where f.monitor_id = c.monitor_id and f.ended_at is null) as is_flapping,
      ${quietCauseSql('m')} as quiet_by
    from json_to_recordset(${warnings}::json) as r(check_id uuid, event text, depth int, since float8, code text,
      reason text,
      regions text[], details jsonb)
    join checks c on c.id = r.check_id join monitors m on m.id = c.monitor_id
  ), w as (
    insert into check_warnings as stored (check_id, tenant_id, event, depth, since, code, reason, regions, details,
      notified_depth, suppressed_by)
    select check_id, tenant_id, event, depth, to_timestamp(since / 1000.0), code, reason, regions, details,
      case when not is_muted then depth end,
      case when quiet_by is not null then quiet_by when is_flapping then 'flapping' end
    from asked
    on conflict (check_id) do update set event = excluded.event, depth = excluded.depth, code = excluded.code,
      reason = excluded.reason,
      regions = excluded.regions, details = excluded.details, suppressed_by = excluded.suppressed_by,
      since = case when stored.event = excluded.event then stored.since else excluded.since end,
      notified_depth = coalesce(excluded.notified_depth,
        case when stored.event = excluded.event then stored.notified_depth end)
    where stored.event <> excluded.event or stored.depth < excluded.depth
    returning *
  ), published as (
    ${insertWarningEventsSql('begun', {
      isMuted: 'a.is_muted',
      from: sql`from w join asked a using (check_id) join checks c on c.id = w.check_id
        join monitors m on m.id = a.monitor_id`,
    })}
  )
  select count(*)::int as n from published`,
)

const ofMonitors = sql`from w join checks c on c.id = w.check_id join monitors m on m.id = c.monitor_id`

/** Publishes the end of warnings to the audience of their beginning. */
export const clearWarnings = prepared(
  'verdicts-cleared',
  (cleared: string) => sql<Published>`
  with w as (
    delete from check_warnings stored using json_to_recordset(${cleared}::json) as r(check_id uuid, event text)
    where stored.check_id = r.check_id and stored.event = r.event returning stored.*
  ), published as (${insertClearedEventsSql(ofMonitors)})
  select count(*)::int as n from published`,
)

/** The same for all warnings of a check or a monitor that is being deleted. */
export const endWarnings = (db: Db, tenant: { id: string }, of: 'id' | 'monitor_id', id: string): Promise<unknown> =>
  rows(db)`with w as (
    delete from check_warnings stored using checks c
    where stored.tenant_id = ${tenant.id} and c.id = stored.check_id and ${sql.ref(`c.${of}`)} = ${id}
    returning stored.*
  ), published as (${insertClearedEventsSql(ofMonitors, { isDeleted: true })})
  select ${wakeSql} from published`
