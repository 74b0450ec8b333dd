import { Migration } from '@mikro-orm/migrations'

/** Tables that hold a tenant's rows in a column `tenant_id`. Each gets forced row security. */
const tenantTables = [
  'monitors',
  'checks',
  'votes',
  'verdict_changes',
  'incidents',
  'incident_updates',
  'audit_entries',
  'outbox',
  'memberships',
  'tokens',
]

/** What the API's role may do, table by table. The audit trail can be added to and read, never changed. */
const appGrants: Record<string, string> = {
  tenants: 'select, insert, update',
  users: 'select, insert, update',
  memberships: 'select, insert, update, delete',
  tokens: 'select, insert, update, delete',
  managed_teams: 'select, insert, update, delete',
  regions: 'select',
  agents: 'select',
  agent_enrolments: '',
  monitors: 'select, insert, update, delete',
  checks: 'select, insert, update, delete',
  votes: 'select',
  verdict_changes: 'select, insert',
  blind_spells: 'select',
  beats: '',
  incidents: 'select, insert, update',
  incident_updates: 'select, insert',
  incident_numbers: 'select, insert, update',
  audit_entries: 'select, insert',
  outbox: 'select, insert',
}

export class First extends Migration {
  override up(): void {
    this.addSql(tables)
    this.addSql(notices)

    for (const [table, grants] of Object.entries(appGrants)) {
      this.addSql(`alter table ${table} enable row level security; alter table ${table} force row level security`)
      this.addSql(`grant select, insert, update, delete on ${table} to vedette_platform`)
      this.addSql(`create policy platform on ${table} to vedette_platform using (true) with check (true)`)
      if (grants) this.addSql(`grant ${grants} on ${table} to vedette_app`)
    }
    this.addSql('grant usage, select on all sequences in schema public to vedette_app, vedette_platform')

    for (const table of tenantTables)
      this.addSql(
        `create policy own_tenant on ${table} to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))`,
      )
    this.addSql(
      'create policy own_tenant on incident_numbers to vedette_app using (tenant_id = (select current_tenant())) with check (tenant_id = (select current_tenant()))',
    )
    this.addSql(`create policy own_tenant on tenants to vedette_app
      using (id = (select current_tenant()) or id = (select current_reseller())) with check (id = (select current_tenant()))`)
    this.addSql(`create policy managed_tenants on tenants to vedette_app
      using (exists (select 1 from managed_teams t where t.tenant_id = tenants.id and t.reseller_id = (select current_reseller())))`)
    this.addSql(`create policy own_teams on managed_teams to vedette_app
      using (reseller_id = (select current_reseller()) or tenant_id = (select current_tenant())) with check (reseller_id = (select current_reseller()))`)
    this.addSql(`create policy known_people on users to vedette_app
      using (id = (select current_user_id()) or exists (select 1 from memberships m where m.user_id = users.id and m.tenant_id = (select current_tenant())))`)
    for (const table of ['regions', 'agents', 'blind_spells'])
      this.addSql(`create policy shared on ${table} for select to vedette_app using (true)`)
  }
}

const tables = `
create extension if not exists citext;

create function current_tenant() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.tenant_id', true), '')::uuid $$;
create function current_reseller() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.reseller_id', true), '')::uuid $$;
create function current_user_id() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.user_id', true), '')::uuid $$;

create table tenants (
  id uuid primary key,
  name varchar(255) not null,
  slug varchar(100) not null unique,
  plan varchar(20) not null default 'free',
  feature_overrides jsonb not null default '{}',
  is_reseller boolean not null default false,
  paused_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table users (
  id uuid primary key,
  name varchar(255) not null,
  email citext not null unique,
  password_hash text,
  language varchar(10) not null default 'en',
  is_super_admin boolean not null default false,
  home_tenant_id uuid references tenants on delete set null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table memberships (
  user_id uuid not null references users on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  role varchar(20) not null,
  created_at timestamptz not null default now(),
  primary key (user_id, tenant_id)
);
create index memberships_tenant on memberships (tenant_id);

create table tokens (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid references users on delete cascade,
  kind varchar(3) not null,
  name varchar(255) not null,
  hash bytea not null unique,
  scopes text[] not null default '{}',
  is_active boolean not null default true,
  expires_at timestamptz,
  dies_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index tokens_tenant on tokens (tenant_id);

create table managed_teams (
  id uuid primary key,
  reseller_id uuid not null references tenants,
  tenant_id uuid not null unique references tenants on delete cascade,
  label varchar(255),
  external_ref varchar(255),
  metadata jsonb not null default '{}',
  paused_reason varchar(50),
  trial_ends_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (reseller_id, external_ref)
);


create table regions (
  name varchar(40) primary key,
  created_at timestamptz not null default now()
);

create table agents (
  id uuid primary key,
  region varchar(40) not null references regions,
  name varchar(100) not null,
  public_key jsonb not null,
  generation int not null default 0,
  enrolled_at timestamptz not null default now(),
  last_seen_at timestamptz,
  revoked_at timestamptz
);

create table agent_enrolments (
  id uuid primary key,
  hash bytea not null unique,
  region varchar(40),
  expires_at timestamptz not null,
  used_at timestamptz,
  agent_id uuid references agents,
  created_at timestamptz not null default now()
);

create table monitors (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  url text not null,
  type varchar(20) not null,
  tags text[] not null default '{}',
  group_name varchar(100),
  notes text,
  is_enabled boolean not null default true,
  held_by_plan boolean not null default false,
  check_interval int not null,
  timeout int not null,
  regions text[] not null default '{}',
  region_policy jsonb not null,
  confirmations smallint not null,
  recovery_confirmations smallint not null,
  depends_on uuid[] not null default '{}',
  status varchar(20),
  status_reason text,
  status_changed_at timestamptz,
  coverage varchar(10) not null default 'none',
  external_ref varchar(255),
  metadata jsonb not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, external_ref)
);
create index monitors_by_created on monitors (tenant_id, created_at, id);
create index monitors_by_name on monitors (tenant_id, name, id);
create index monitors_by_status on monitors (tenant_id, status);
create index monitors_by_tag on monitors using gin (tags);
create index monitors_parents on monitors using gin (depends_on);

create table checks (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  type varchar(40) not null,
  is_enabled boolean not null default true,
  settings jsonb not null default '{}',
  interval int,
  severity varchar(10),
  verdict varchar(10),
  verdict_since timestamptz,
  verdict_reason text,
  coverage varchar(10) not null default 'none',
  failing_regions text[] not null default '{}',
  snoozed_until timestamptz,
  snoozed_by uuid,
  snooze_reason varchar(255),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index checks_monitor on checks (monitor_id, created_at, id);
create index checks_tenant on checks (tenant_id, type);

create table votes (
  check_id uuid not null references checks on delete cascade,
  region varchar(40) not null,
  tenant_id uuid not null references tenants on delete cascade,
  vote varchar(10),
  streak_outcome varchar(10),
  streak_count int not null default 0,
  streak_since timestamptz,
  last_due bigint not null default 0,
  last_attempt int not null default 0,
  evidence jsonb,
  updated_at timestamptz not null default now(),
  primary key (check_id, region)
);
create index votes_tenant on votes (tenant_id);

create table verdict_changes (
  id bigint generated always as identity primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  check_id uuid not null references checks on delete cascade,
  at timestamptz not null,
  verdict varchar(20) not null
);
create index verdict_changes_check on verdict_changes (check_id, at, id) include (verdict);
create index verdict_changes_tenant on verdict_changes (tenant_id, at);

create table blind_spells (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  ended_at timestamptz not null
);

create table beats (
  name varchar(40) primary key,
  at timestamptz not null
);

create table incident_numbers (
  tenant_id uuid primary key references tenants on delete cascade,
  last int not null
);

create table incidents (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  check_id uuid references checks on delete set null,
  check_type varchar(40) not null,
  number int not null,
  title text not null,
  cause text,
  severity varchar(10) not null,
  status varchar(20) not null default 'investigating',
  visibility varchar(10) not null default 'internal',
  started_at timestamptz not null,
  confirmed_at timestamptz not null,
  resolved_at timestamptz,
  resolution varchar(10),
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  snoozed_until timestamptz,
  archived_at timestamptz,
  quorum jsonb not null,
  evidence jsonb,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, number)
);
create unique index incidents_one_open on incidents (check_id) where resolved_at is null;
create index incidents_by_started on incidents (tenant_id, started_at desc, id desc);
create index incidents_by_updated on incidents (tenant_id, updated_at desc, id desc);
create index incidents_by_resolved on incidents (tenant_id, resolved_at desc, id desc);
create index incidents_of_monitor on incidents (monitor_id, started_at);

create table incident_updates (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  incident_id uuid not null references incidents on delete cascade,
  status varchar(20) not null,
  body text not null,
  user_id uuid,
  created_at timestamptz not null default now()
);
create index incident_updates_incident on incident_updates (incident_id, created_at);

create table audit_entries (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  user_id uuid,
  token_id uuid,
  action varchar(60) not null,
  entity_type varchar(40) not null,
  entity_id uuid,
  changes jsonb,
  ip inet,
  request_id varchar(64),
  created_at timestamptz not null default now()
);
create index audit_entries_tenant on audit_entries (tenant_id, created_at desc, id desc);

create table outbox (
  id bigint generated always as identity primary key,
  tenant_id uuid not null references tenants on delete cascade,
  kind varchar(10) not null,
  name varchar(60) not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  done_at timestamptz,
  attempts int not null default 0,
  next_at timestamptz not null default now(),
  error text
);
create index outbox_open on outbox (next_at, id) where done_at is null;
`

/** Ingest hears of every change of its work from the database itself, so no writer can forget to tell. Statuses it wrote itself are no news. */
const notices = `
create function tell_assignments() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if tg_table_name = 'checks' then
    perform pg_notify('assignments', jsonb_build_object('monitor', changed.monitor_id)::text);
  elsif tg_table_name = 'monitors' then
    perform pg_notify('assignments', jsonb_build_object('monitor', changed.id)::text);
  else
    perform pg_notify('assignments', jsonb_build_object('tenant', changed.id)::text);
  end if;
  return null;
end $$;

create trigger monitors_come_and_go after insert or delete on monitors for each row execute function tell_assignments();
create trigger monitors_change after update on monitors for each row when (
  (old.url, old.type, old.is_enabled, old.held_by_plan, old.check_interval, old.timeout, old.regions, old.region_policy, old.confirmations, old.recovery_confirmations, old.depends_on, old.name)
  is distinct from
  (new.url, new.type, new.is_enabled, new.held_by_plan, new.check_interval, new.timeout, new.regions, new.region_policy, new.confirmations, new.recovery_confirmations, new.depends_on, new.name)
) execute function tell_assignments();
create trigger checks_come_and_go after insert or delete on checks for each row execute function tell_assignments();
create trigger checks_change after update on checks for each row when (
  (old.type, old.is_enabled, old.settings, old.interval, old.severity) is distinct from (new.type, new.is_enabled, new.settings, new.interval, new.severity)
) execute function tell_assignments();
create trigger tenants_change after update on tenants for each row when (
  (old.paused_at, old.deleted_at, old.plan, old.feature_overrides) is distinct from (new.paused_at, new.deleted_at, new.plan, new.feature_overrides)
) execute function tell_assignments();
`
