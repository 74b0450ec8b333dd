import { Migration } from '@mikro-orm/migrations'

/**
 * Who confirmed to get mail from a team's channels, and how many of such mails a team sends in a day. Whoever was named in a channel
 * before counts as confirmed.
 */
export class MailRecipients extends Migration {
  override up(): void {
    this.addSql(`
create table mail_recipients (
  tenant_id uuid not null references tenants on delete cascade,
  email citext not null,
  token_hash bytea unique,
  asked_at timestamptz[] not null default '{}',
  confirmed_at timestamptz,
  unsubscribed_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  primary key (tenant_id, email)
);
create index mail_recipients_of_address on mail_recipients (email);
create index mail_recipients_by_created on mail_recipients (tenant_id, created_at);
create table mail_budgets (
  tenant_id uuid not null references tenants on delete cascade,
  day date not null,
  sent int not null default 0,
  kept_back int not null default 0,
  was_taken boolean not null default true,
  notified_at timestamptz,
  primary key (tenant_id, day)
) with (fillfactor = 70);
insert into mail_recipients (tenant_id, email, confirmed_at)
  select distinct c.tenant_id, r.email::citext, clock_timestamp()
  from notification_channels c, jsonb_array_elements_text(c.config -> 'recipients') as r(email) where c.type = 'email'
  on conflict do nothing`)
    for (const [table, grants] of [
      ['mail_recipients', 'select, insert, update'],
      ['mail_budgets', 'select'],
    ])
      this.addSql(`
alter table ${table} enable row level security;
alter table ${table} force row level security;
grant select, insert, update, delete on ${table} to vedette_platform;
create policy platform on ${table} to vedette_platform using (true) with check (true);
grant ${grants} on ${table} to vedette_app;
create policy own_tenant on ${table} to vedette_app
  using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`)
  }
}
