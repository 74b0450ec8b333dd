import { Migration } from '@mikro-orm/migrations'

const isOpen = (row: string) => `coalesce(${row}done_at, 'infinity') = 'infinity'`

/**
 * Takes what is next in the outbox. A function, for its settings: a plan made while the outbox was empty is kept by the session, and
 * reads every row that waits for every row that waits. Left without the ways that look through a whole table, it goes along the index
 * that is in order, and a claim costs the same however much is waiting.
 *
 * Materialized, or a plan may ask for the next rows once for every row there is, and claim them all; the kind is spelled so that no index
 * of one kind is thought better than the one that is in order. What happened to a monitor is handed on as it happened, also when whoever
 * claimed the earlier has died; the offset keeps this a look into the index, and that nothing else fits its words, into that of the monitor.
 */
export class ClaimOutbox extends Migration {
  override up(): void {
    this.addSql(`
drop index outbox_open_of_monitor;
create index outbox_open_of_monitor on outbox ((payload ->> 'monitor_id'), id) where ${isOpen('')} and kind = 'event';

create function claim_outbox(kinds text[], most int, for_s int) returns setof outbox language plpgsql
  set enable_seqscan = off set enable_bitmapscan = off set enable_sort = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  return query
    with due as materialized (
      select d.id from outbox d
      where d.done_at is null and d.next_at <= clock_timestamp() and d.kind || '' = any(kinds)
        and not exists (
          select 1 from outbox e where ${isOpen('e.')} and e.kind = 'event' and d.kind = 'event'
            and e.payload ->> 'monitor_id' = d.payload ->> 'monitor_id' and e.id + 0 < d.id offset 0)
      order by d.next_at, d.id limit most for update of d skip locked
    )
    update outbox o set next_at = clock_timestamp() + for_s * interval '1 second', attempts = o.attempts + 1
    where o.id = any(array(select due.id from due))
    returning o.*;
end $$;
revoke execute on function claim_outbox from public;
grant execute on function claim_outbox to vedette_platform`)
  }
}
