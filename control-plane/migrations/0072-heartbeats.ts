import { Migration } from '@mikro-orm/migrations'

/** Checks no region looks at: words said of them, jobs that report by pings, and when nobody could have received one. */
export class Heartbeats extends Migration {
  override up(): void {
    this.addSql(tables)
    for (const [table, grants] of Object.entries(appGrants)) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(`grant select, insert, update, delete on ${table} to vedette_platform`)
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      if (!grants) continue
      this.addSql(`grant ${grants} on ${table} to vedette_app`)
      this.addSql(
        `create policy own_tenant on ${table} to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`,
      )
    }
    this.addSql('grant usage, select on all sequences in schema public to vedette_app, vedette_platform')
    this.addSql(beginnings)
  }
}

const appGrants = {
  direct_words: '',
  heartbeats: 'select, insert, update',
  ping_addresses: 'select, insert, update, delete',
  pings: 'select',
  ping_gaps: '',
}

/**
 * `alert_after`: when silence becomes an incident. It moves with every ping, so it has no index: `wake_at` has, which is never later and only
 * moved when it was reached, or must be earlier. Pings of a heartbeat take turns in a fixed number of places.
 */
const tables = `
create table direct_words (
  id bigint generated always as identity primary key,
  tenant_id uuid not null references tenants on delete cascade,
  check_id uuid not null references checks on delete cascade,
  at timestamptz not null,
  judgement jsonb not null,
  excerpt text,
  said_at timestamptz not null default clock_timestamp()
);
create index direct_words_check on direct_words (check_id);
create index direct_words_tenant on direct_words (tenant_id);

create table heartbeats (
  check_id uuid primary key references checks on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  outcome varchar(10),
  said_at timestamptz,
  armed_by text,
  expected_at timestamptz,
  alert_after timestamptz,
  wake_at timestamptz default clock_timestamp(),
  runs jsonb not null default '{}',
  pings bigint not null default 0,
  last_ping_at timestamptz,
  last_state varchar(10),
  trimmed_at timestamptz not null default clock_timestamp(),
  unique (check_id, tenant_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.02);
create index heartbeats_due on heartbeats (wake_at) where wake_at is not null;
create index heartbeats_monitor on heartbeats (monitor_id);
create index heartbeats_tenant on heartbeats (tenant_id);
create index heartbeats_untrimmed on heartbeats (trimmed_at);

create table ping_addresses (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants on delete cascade,
  check_id uuid not null references heartbeats on delete cascade,
  ends_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create unique index ping_addresses_current on ping_addresses (check_id) where ends_at is null;
create index ping_addresses_check on ping_addresses (check_id);
create index ping_addresses_tenant on ping_addresses (tenant_id);

create table pings (
  check_id uuid not null,
  place smallint not null,
  tenant_id uuid not null,
  number bigint not null,
  at timestamptz not null,
  state varchar(10) not null,
  method varchar(4) not null,
  run_id varchar(64),
  exit_code int,
  duration_ms bigint,
  output text,
  ip inet,
  is_former_url boolean not null default false,
  primary key (check_id, place),
  foreign key (check_id, tenant_id) references heartbeats (check_id, tenant_id) on delete cascade
);

create table ping_gaps (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  ended_at timestamptz not null
);
create index ping_gaps_ended on ping_gaps (ended_at);
`

/** However a check of kind cron is made, it has a heartbeat and an address of its own to ping. */
const beginnings = `
create function begin_heartbeat() returns trigger language plpgsql as $$
begin
  insert into heartbeats (check_id, tenant_id, monitor_id) values (new.id, new.tenant_id, new.monitor_id);
  insert into ping_addresses (tenant_id, check_id) values (new.tenant_id, new.id);
  return null;
end $$;
create trigger checks_begin_heartbeat after insert on checks for each row when (new.type = 'cron') execute function begin_heartbeat();
`
