-- What is monitored.
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
  switched_at timestamptz,
  is_kept boolean not null default false,
  coverage_since timestamptz,
  constraint monitors_external_ref unique (tenant_id, external_ref) deferrable
);
create index monitors_by_created on monitors (tenant_id, created_at, id);
create index monitors_by_interval on monitors (tenant_id, check_interval, id);
create index monitors_by_name on monitors (tenant_id, name, id);
create index monitors_by_status on monitors (tenant_id, status);
create index monitors_by_tag on monitors using gin (tags);
create index monitors_by_url on monitors (tenant_id, url, id);
create index monitors_parents on monitors using gin (depends_on);

-- What is examined of a monitor, one row a kind (several of kind dns).
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
  updated_at timestamptz not null default now(),
  secrets text
) with (fillfactor = 80);
create index checks_monitor on checks (monitor_id, created_at, id);
create index checks_of_monitor on checks (tenant_id, monitor_id, created_at, id);
create unique index checks_one_of_a_kind on checks (monitor_id, type) where type <> 'dns';
create index checks_tenant on checks (tenant_id, type);

-- Incidents of checks, from opening to archive.
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
  notified_at timestamptz default now(),
  forwarded_at timestamptz default now(),
  suppressed_by varchar(10) check (suppressed_by in ('flapping', 'storm')),
  storm_id uuid,
  unique (tenant_id, number)
);
create index incidents_by_end on incidents (tenant_id, (coalesce(resolved_at, 'infinity'::timestamptz)) desc, id desc);
create index incidents_by_started on incidents (tenant_id, started_at desc, id desc);
create index incidents_by_updated on incidents (tenant_id, updated_at desc, id desc);
create index incidents_suppressed on incidents (confirmed_at) where suppressed_by is not null and resolved_at is null;
create index incidents_of_check on incidents (check_id, resolved_at);
create index incidents_of_monitor on incidents (monitor_id, started_at);
create index incidents_of_storm on incidents (storm_id) where storm_id is not null;
create unique index incidents_one_open on incidents (check_id) where resolved_at is null;
create index incidents_open_by_tenant on incidents (tenant_id, confirmed_at) where resolved_at is null;

-- The last number that a tenant gave to an incident.
create table incident_numbers (
  tenant_id uuid primary key references tenants on delete cascade,
  last int not null
);

-- What was written about an incident.
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

-- Checks of kind cron: when the next ping is expected. `wake_at` is never later than `alert_after` and has the index.
create table heartbeats (
  check_id uuid primary key references checks on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  outcome varchar(10),
  reported_at timestamptz,
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

-- Addresses that a job pings.
create table ping_addresses (
  id uuid primary key default gen_random_uuid(),
  tenant_id uuid not null references tenants on delete cascade,
  check_id uuid not null references heartbeats on delete cascade,
  ends_at timestamptz,
  created_at timestamptz not null default clock_timestamp()
);
create index ping_addresses_check on ping_addresses (check_id);
create unique index ping_addresses_current on ping_addresses (check_id) where ends_at is null;
create index ping_addresses_tenant on ping_addresses (tenant_id);

-- The newest pings of a heartbeat, in a fixed number of places.
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
  foreign key (check_id, tenant_id) references heartbeats(check_id, tenant_id) on delete cascade,
  primary key (check_id, place)
);

-- When pings could not be received. Silence in such a time is excused.
create table ingestion_gaps (
  id bigint primary key generated always as identity,
  started_at timestamptz not null,
  ended_at timestamptz not null
);
create index ingestion_gaps_ended on ingestion_gaps (ended_at);

-- Servers that report their metrics: what each is, and when it reported last.
create table agent_monitors (
  monitor_id uuid primary key references monitors on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  check_id uuid not null unique references checks on delete cascade,
  host jsonb,
  processes jsonb,
  processes_at timestamptz,
  memory jsonb not null default '{}',
  last_seen_at timestamptz,
  stored_at timestamptz,
  judged_at timestamptz,
  exceeded jsonb not null default '[]',
  outcome varchar(10),
  reported text,
  reported_at timestamptz
);
create index agent_monitors_tenant on agent_monitors (tenant_id);

-- Tokens that a server reports with.
create table agent_tokens (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references agent_monitors on delete cascade,
  hash bytea not null unique,
  tail varchar(4) not null,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz
);
create index agent_tokens_monitor on agent_tokens (monitor_id);
create unique index agent_tokens_one_in_force on agent_tokens (monitor_id) where expires_at is null;

-- Runs from all regions side by side.
create table geo_audits (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  check_id uuid not null references checks on delete cascade,
  check_type varchar(40) not null,
  regions jsonb not null,
  results jsonb,
  created_at timestamptz not null default clock_timestamp(),
  completed_at timestamptz
);
create index geo_audits_of_check on geo_audits (check_id);
create index geo_audits_of_monitor on geo_audits (tenant_id, monitor_id, created_at desc, id desc);

-- Where browsers report how fast a site was. The id stands in the source of a public page and can be changed.
create table vitals_beacons (
  monitor_id uuid primary key references monitors on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  beacon_id uuid not null unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index vitals_beacons_tenant on vitals_beacons (tenant_id);
