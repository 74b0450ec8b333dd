import { sql } from 'kysely'
import type { Change } from '#contract/check.ts'
import { prepared } from '#control-plane/db/queries.ts'
import { quietCauseSql } from '#control-plane/engine/suppression/maintenance.ts'
import { insertEventsSql } from '#control-plane/outbox/emit.ts'
import { suppressionSql } from '#control-plane/outbox/suppression.ts'

/** The snapshot of a check's target, by region. */
export interface SnapshotRow {
  check_id: string
  target: string
  regions: Record<string, string>
  recent: { at: number; from: string; to: string }[]
}

/** A confirmed change. `id` is drawn when it is decided: written twice it is published once. */
export interface ChangedRow {
  id: string
  check_id: string
  at: number
  event: Change['name']
  regions: string[]
  payload: Record<string, unknown>
  is_muted: boolean
}

/** How many rows a statement wrote. */
export interface Published {
  n: number
}

/** Changes kept of a check. */
const mostKept = 200

export const storeSnapshots = prepared(
  'verdicts-snapshots',
  (snapshots: string) => sql`
  insert into check_snapshots as stored (check_id, tenant_id, target, regions, recent, updated_at)
  select c.id, c.tenant_id, r.target, r.regions, r.recent, clock_timestamp()
  from json_to_recordset(${snapshots}::json) as r(check_id uuid, target text, regions jsonb, recent jsonb)
  join checks c on c.id = r.check_id
  on conflict (check_id) do update set target = excluded.target, regions = excluded.regions, recent = excluded.recent,
    updated_at = excluded.updated_at`,
)

export const publishChanges = prepared(
  'verdicts-publish-changes',
  (changes: string) => sql<Published>`
  with asked as materialized (
    select r.*, c.tenant_id, c.monitor_id, c.type,
      r.is_muted or coalesce(c.snoozed_until > clock_timestamp(), false) as is_quiet,
      ${quietCauseSql('m')} as quiet_by
    from rows from (json_to_recordset(${changes}::json) as (id uuid, check_id uuid, at float8, event text,
      regions text[],
      payload jsonb, is_muted boolean))
      with ordinality as r(id, check_id, at, event, regions, payload, is_muted, place)
    join checks c on c.id = r.check_id join monitors m on m.id = c.monitor_id
  ), made as (
    insert into check_changes (id, tenant_id, check_id, at, event, regions, payload)
    select id, tenant_id, check_id, to_timestamp(at / 1000.0), event, regions, payload from asked
    on conflict (id) do nothing
    returning id
  ), forgotten as (
    delete from check_changes stored where stored.id in (
      select e.id from asked a cross join lateral (select h.id from check_changes h where h.check_id = a.check_id
        order by h.at desc, h.id desc offset ${sql.lit(mostKept)}) e
    )
  ), published as (
    ${insertEventsSql<Change['name']>({
      nameSql: 'a.event',
      tenant: 'a.tenant_id',
      rest: 'a.payload',
      payload: {
        monitor_id: 'm.id',
        monitor_name: 'm.name',
        monitor_url: 'm.url',
        check_id: 'a.check_id',
        check_type: 'a.type',
        regions: 'a.regions',
      },
      // a change in a maintenance window, or in shadow, is recorded, and no channel is notified of it, not even later
      suppression: suppressionSql({
        stage: sql.lit('begun'),
        by: 'a.quiet_by',
        is_muted: 'a.is_quiet',
        is_reseller_notified: sql`a.quiet_by is null`,
      }),
      from: sql`from made join asked a using (id) join monitors m on m.id = a.monitor_id order by a.place`,
    })}
  )
  select count(*)::int as n from published`,
)
