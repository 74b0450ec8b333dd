import { Migration } from '@mikro-orm/migrations'

/** Mail leaves the house: a tenant's own mail server, and what was caught for lack of one as it would have been sent. */
export class Post extends Migration {
  override up(): void {
    this.addSql(`
create table smtp_configs (
  tenant_id uuid primary key references tenants on delete cascade,
  host varchar(255) not null,
  port int not null,
  encryption varchar(3) not null,
  username varchar(255),
  password text,
  from_address varchar(254),
  from_name varchar(100),
  -- while it fails, mail goes out by the platform's own server
  failing_since timestamptz,
  failure varchar(20),
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
alter table smtp_configs enable row level security;
alter table smtp_configs force row level security;
grant select, insert, update, delete on smtp_configs to vedette_platform;
create policy platform on smtp_configs to vedette_platform using (true) with check (true);
grant select, insert, update, delete on smtp_configs to vedette_app;
create policy own_tenant on smtp_configs to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()));

alter table caught_mails add column type varchar(60), add column sender text, add column html text;
create index outbox_mails on outbox (next_at, id) where done_at is null and kind = 'mail';

-- no writer can forget to say that there is one
create function tell_post() returns trigger language plpgsql as $$
begin
  perform pg_notify('mails', '');
  return null;
end $$;
create trigger outbox_mails_told after insert on outbox for each row when (new.kind = 'mail') execute function tell_post()`)
  }
}
