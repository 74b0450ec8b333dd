import { Migration } from '@mikro-orm/migrations'

/**
 * Who decides: each process that begins to takes the next term, and writes only while that is the newest.
 * Votes change often and never in an indexed column: room on the page keeps those changes cheap.
 */
export class Terms extends Migration {
  override up(): void {
    this.addSql(`
create table terms (
  name varchar(40) primary key,
  term bigint not null
);
alter table terms enable row level security;
alter table terms force row level security;
grant select, insert, update on terms to vedette_platform;
create policy platform on terms to vedette_platform using (true) with check (true);
alter table votes set (fillfactor = 60);
alter table checks set (fillfactor = 80);
create index incidents_of_check on incidents (check_id, resolved_at)`)
  }
}
