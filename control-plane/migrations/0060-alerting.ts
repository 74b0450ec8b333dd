import { Migration } from '@mikro-orm/migrations'

/** Who is told of what, by which way, and what became of it. */
export class Alerting extends Migration {
  override up(): void {
    this.addSql(tables)
    for (const [table, grants] of Object.entries(appGrants)) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(
        `grant select, insert, update, delete on ${table} to vedette_platform; grant ${grants} on ${table} to vedette_app`,
      )
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      this.addSql(
        `create policy own_tenant on ${table} to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`,
      )
    }
    // only the operator reads what no mail server took
    this.addSql('alter table caught_mails enable row level security; alter table caught_mails force row level security')
    this.addSql('grant select, insert, update, delete on caught_mails to vedette_platform')
    this.addSql('create policy platform on caught_mails to vedette_platform using (true) with check (true)')
    this.addSql(notices)
  }
}

const appGrants = {
  notification_channels: 'select, insert, update, delete',
  notification_rules: 'select, insert, update, delete',
  deliveries: 'select, update',
}

const tables = `
create table notification_channels (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  type varchar(20) not null,
  config jsonb not null,
  secrets text,
  is_enabled boolean not null default true,
  failing_since timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id)
);
create index notification_channels_by_created on notification_channels (tenant_id, created_at, id);

create table notification_rules (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  channel_id uuid not null,
  event_types text[] not null,
  monitor_filter jsonb,
  tenant_filter jsonb,
  -- made together with its channel, and shown as one webhook
  is_webhook boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, channel_id) references notification_channels (tenant_id, id) on delete cascade
);
create index notification_rules_by_created on notification_rules (tenant_id, created_at, id);
create index notification_rules_channel on notification_rules (channel_id);

create table deliveries (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  channel_id uuid not null references notification_channels on delete cascade,
  event_id bigint,
  event varchar(60) not null,
  managed_tenant_id uuid,
  monitor_id uuid,
  body text,
  status varchar(10) not null default 'pending',
  attempts smallint not null default 0,
  replays smallint not null default 0,
  log jsonb not null default '[]',
  next_at timestamptz not null,
  created_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  unique (channel_id, event_id)
);
create table caught_mails (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  recipients text[] not null,
  subject text not null,
  body text not null,
  created_at timestamptz not null default clock_timestamp()
);
create index caught_mails_by_created on caught_mails (created_at desc, id desc);

create index deliveries_due on deliveries (next_at) where status in ('pending', 'retrying');
create index deliveries_by_created on deliveries (tenant_id, created_at desc, id desc);
create index deliveries_of_channel on deliveries (channel_id, created_at desc, id desc);
`

/** Every process that dispatches keeps rules in memory; the database itself says when they change, so that no writer can forget to. */
const notices = `
create function tell_alerting() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'tenants' then
    perform pg_notify('alerting', new.id::text);
  else
    if tg_op <> 'INSERT' then perform pg_notify('alerting', old.tenant_id::text); end if;
    if tg_op <> 'DELETE' then perform pg_notify('alerting', new.tenant_id::text); end if;
  end if;
  return null;
end $$;
create trigger notification_rules_told after insert or update or delete on notification_rules for each row execute function tell_alerting();
create trigger notification_channels_come_and_go after insert or delete on notification_channels for each row execute function tell_alerting();
create trigger notification_channels_change after update on notification_channels for each row when (
  (old.name, old.config, old.secrets, old.is_enabled) is distinct from (new.name, new.config, new.secrets, new.is_enabled)
) execute function tell_alerting();
create trigger managed_teams_told after insert or update or delete on managed_teams for each row execute function tell_alerting();
create trigger tenants_told after update on tenants for each row when (
  (old.plan, old.feature_overrides, old.deleted_at) is distinct from (new.plan, new.feature_overrides, new.deleted_at)
) execute function tell_alerting();
`
