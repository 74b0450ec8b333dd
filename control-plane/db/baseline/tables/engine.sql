-- Regions with agents. A retired one is kept with its results and not offered any more.
create table regions (
  name varchar(40) primary key,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

-- Agents that run checks in a region.
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

-- One-time tokens with which an agent enrols.
create table agent_enrolments (
  id uuid primary key,
  hash bytea not null unique,
  region varchar(40),
  expires_at timestamptz not null,
  used_at timestamptz,
  agent_id uuid references agents,
  created_at timestamptz not null default now()
);

-- What each region says of a check after its confirmations.
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
) with (fillfactor = 60);
create index votes_tenant on votes (tenant_id);

-- Every change of a check's verdict; uptime is computed from it.
create table verdict_changes (
  id bigint primary key generated always as identity,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  check_id uuid not null references checks on delete cascade,
  at timestamptz not null,
  verdict varchar(20) not null
);
create index verdict_changes_check on verdict_changes (check_id, at, id) include (verdict);
create index verdict_changes_monitor on verdict_changes (monitor_id);
create index verdict_changes_of_tenant on verdict_changes (tenant_id, check_id, at, id) include (verdict);

-- Times in which we could not measure.
create table monitoring_gaps (
  id bigint primary key generated always as identity,
  started_at timestamptz not null,
  ended_at timestamptz not null
);

-- When a region became eligible to vote or ineligible, and why.
create table region_eligibilities (
  id bigint primary key generated always as identity,
  region varchar(40) not null,
  at timestamptz not null,
  reason varchar(20)
);
create index region_eligibilities_by_time on region_eligibilities (at);
create index region_eligibilities_of_region on region_eligibilities (region, at desc, id desc);

-- What a check warns of at the moment.
create table check_warnings (
  check_id uuid primary key references checks on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  event varchar(60) not null,
  depth int not null,
  since timestamptz not null,
  code varchar(100) not null,
  reason text not null,
  regions text[] not null,
  details jsonb not null,
  notified_depth int,
  suppressed_by varchar(10) check (suppressed_by = 'flapping')
);
create index check_warnings_suppressed on check_warnings (check_id) where suppressed_by is not null;
create index check_warnings_tenant on check_warnings (tenant_id);

-- What was last confirmed of a check's target, for change detection.
create table check_snapshots (
  check_id uuid primary key references checks on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  target text not null,
  regions jsonb not null,
  recent jsonb not null,
  updated_at timestamptz not null default clock_timestamp()
);
create index check_snapshots_tenant on check_snapshots (tenant_id);

-- What was found different from before.
create table check_changes (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  check_id uuid not null references checks on delete cascade,
  at timestamptz not null,
  event varchar(60) not null,
  regions text[] not null,
  payload jsonb not null
);
create index check_changes_of_check on check_changes (check_id, at desc, id desc);
create index check_changes_tenant on check_changes (tenant_id);

-- States that a job, a server or a crawl reported itself, until they are judged.
create table pushed_reports (
  id bigint primary key generated always as identity,
  tenant_id uuid not null references tenants on delete cascade,
  check_id uuid not null references checks on delete cascade,
  at timestamptz not null,
  judgement jsonb not null,
  excerpt text,
  reported_at timestamptz not null default clock_timestamp()
);
create index pushed_reports_check on pushed_reports (check_id);
create index pushed_reports_tenant on pushed_reports (tenant_id);

-- Crawls of a monitor's site. `terms` are set when the crawl starts.
create table crawl_runs (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  cause varchar(10) not null default 'schedule' check (cause in ('schedule', 'request')),
  state varchar(10) not null default 'queued' check (state in ('queued', 'running', 'finished', 'failed', 'cancelled')),
  reason varchar(200),
  region varchar(40),
  terms jsonb,
  page_limit int,
  found int not null default 0,
  visited int not null default 0,
  checked int not null default 0,
  queued int not null default 0,
  broken int not null default 0,
  mixed int not null default 0,
  bytes bigint not null default 0,
  refused jsonb not null default '{}',
  findings jsonb,
  created_at timestamptz not null,
  started_at timestamptz,
  last_seen_at timestamptz,
  finished_at timestamptz
);
create index crawl_runs_of_monitor on crawl_runs (monitor_id, created_at desc, id desc);
create index crawl_runs_of_tenant on crawl_runs (tenant_id, created_at desc, id desc);
create unique index crawl_runs_one_now on crawl_runs (monitor_id) where state in ('queued', 'running');
create index crawl_runs_open on crawl_runs (created_at) where state in ('queued', 'running');

-- Addresses of a crawl. What is still to be visited lies here, so that the end of an agent loses nothing.
create table crawl_pages (
  id bigint primary key generated always as identity,
  run_id uuid not null references crawl_runs on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  url varchar(2000) not null,
  key uuid not null,
  shape uuid,
  kind varchar(10) not null default 'page' check (kind in ('page', 'asset', 'external')),
  depth int not null,
  hops int not null,
  state varchar(8) not null default 'queued' check (state in ('queued', 'out', 'done')),
  attempt int not null default 0,
  not_before timestamptz,
  status int,
  fault varchar(30),
  message varchar(100),
  skipped varchar(10),
  is_broken boolean not null default false,
  content_type varchar(100),
  bytes bigint,
  took_ms int,
  redirect_to varchar(2000),
  is_truncated boolean not null default false,
  links_found int,
  mixed_active int not null default 0,
  mixed_passive int not null default 0,
  mixed_form int not null default 0,
  mixed jsonb,
  sources jsonb not null default '[]',
  visited_at timestamptz,
  unique (run_id, key)
);
create index crawl_pages_found on crawl_pages (run_id, id) where is_broken or mixed is not null;
create index crawl_pages_next on crawl_pages (run_id, attempt, depth, id) where state <> 'done';
create index crawl_pages_of_run on crawl_pages (run_id, id);
create index crawl_pages_shape on crawl_pages (run_id, shape) where shape is not null;
create index crawl_pages_tenant on crawl_pages (tenant_id);
