import { sql } from 'kysely'
import { type Db, rows } from '#control-plane/db/queries.ts'

/**
 * Writes down the objectives that these monitors have from now on, ends those they had before and has their budgets
 * examined. Also of monitors that are gone; without a list, of all whose row another program changed.
 */
export async function followObjectives(db: Db, monitors: readonly string[] | null): Promise<void> {
  const among = (id: string) => (monitors === null ? sql`true` : sql`${sql.ref(id)} = any(${[...monitors]}::uuid[])`)
  await rows(db)`
    with changed as materialized (
      select coalesce(m.id, s.monitor_id) as id, m.tenant_id, m.slo
      from (select id, tenant_id, slo from monitors where slo is not null and ${among('id')}) m
      full join (select * from slo_spans where ended_at is null and ${among('monitor_id')}) s on s.monitor_id = m.id
      where m.slo is distinct from s.slo
    ), ended as (
      update slo_spans s set ended_at = clock_timestamp() from changed c
      where s.monitor_id = c.id and s.ended_at is null
      returning 1
    ), forgotten as (
      delete from slo_states s using changed c where s.monitor_id = c.id and c.slo is null
    ), examined as (
      insert into slo_states (monitor_id, tenant_id) select id, tenant_id from changed where slo is not null
      on conflict (monitor_id) do update set state = 'unknown', examine_at = clock_timestamp()
    )
    insert into slo_spans (monitor_id, tenant_id, since, slo)
    -- once the one before has ended
    select id, tenant_id, clock_timestamp(), slo from changed
    where slo is not null and (select count(*) from ended) >= 0
    on conflict do nothing`
}
