import { Migration } from '@mikro-orm/migrations'

/** What people are written: which mails a reseller sends itself, from where somebody has signed in, and what a link in a mail opens. */
export class Words extends Migration {
  override up(): void {
    this.addSql(tables)
    for (const table of ['email_suppressions', 'known_devices', 'password_resets', 'email_changes']) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(`grant select, insert, update, delete on ${table} to vedette_platform`)
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
    }
    this.addSql(`grant select, insert, update on email_suppressions to vedette_app;
      create policy own_tenant on email_suppressions to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));
      grant select, insert, update, delete on email_changes to vedette_app;
      create policy own on email_changes to vedette_app using (user_id = (select current_user_id())) with check (user_id = (select current_user_id()))`)
    // every process that sends mail keeps in memory what is suppressed
    this.addSql(
      'create trigger email_suppressions_told after insert or update or delete on email_suppressions for each row execute function tell_alerting()',
    )
  }
}

const tables = `
create table email_suppressions (
  tenant_id uuid primary key references tenants on delete cascade,
  types text[] not null,
  updated_at timestamptz not null default clock_timestamp()
);

create table known_devices (
  user_id uuid not null references users on delete cascade,
  fingerprint bytea not null,
  last_seen_at timestamptz not null default clock_timestamp(),
  primary key (user_id, fingerprint)
);

create table password_resets (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index password_resets_user on password_resets (user_id);

create table email_changes (
  user_id uuid primary key references users on delete cascade,
  email citext not null,
  token_hash bytea not null unique,
  expires_at timestamptz not null
);

alter table users
  add column digest varchar(6) not null default 'off' check (digest in ('off', 'daily', 'weekly')),
  -- when the next one is due
  add column digest_at timestamptz;
create index users_digest_due on users (digest_at) where digest <> 'off'
`
