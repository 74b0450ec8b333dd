import { Migration } from '@mikro-orm/migrations'

/** Links in the notices to a former address: each takes a change of the address back, before and after it took effect. */
export class EmailReverts extends Migration {
  override up(): void {
    this.addSql(`
create table email_reverts (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  email citext not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null
);
create index email_reverts_of_user on email_reverts (user_id, requested_at);
create index email_reverts_by_end on email_reverts (expires_at);
alter table email_reverts enable row level security;
alter table email_reverts force row level security;
grant select, insert, update, delete on email_reverts to vedette_platform;
create policy platform on email_reverts to vedette_platform using (true) with check (true);
grant insert on email_reverts to vedette_app;
create policy own on email_reverts for insert to vedette_app with check (user_id = (select current_user_id()));
alter table email_changes add column requested_at timestamptz not null default clock_timestamp()`)
  }
}
