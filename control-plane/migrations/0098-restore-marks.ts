import { Migration } from '@mikro-orm/migrations'

/** Marks that are also left in ClickHouse: one that it knows and this table does not says that the database was put back to an older state. */
export class RestoreMarks extends Migration {
  override up(): void {
    this.addSql(`
create table restore_marks (
  id uuid primary key,
  made_at timestamptz not null default clock_timestamp()
);
alter table restore_marks enable row level security;
alter table restore_marks force row level security;
grant select, insert, delete on restore_marks to vedette_platform;
create policy platform on restore_marks to vedette_platform using (true) with check (true)`)
  }
}
