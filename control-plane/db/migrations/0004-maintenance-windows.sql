-- when a team works on its systems; starts are local times of a zone, and only the running or next occurrence is stored
create table maintenance_windows (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  title varchar(255) not null,
  description text not null default '',
  monitor_ids uuid[] not null default '{}',
  tags text[] not null default '{}',
  is_all boolean not null default false,
  starts_at varchar(19) not null,
  timezone varchar(64) not null,
  duration_minutes int not null,
  rrule varchar(500),
  until varchar(19),
  mode varchar(20) not null default 'suppress_alerts' check (mode in ('suppress_alerts', 'pause_checks')),
  exclude_from_uptime boolean not null default true,
  state varchar(10) not null default 'scheduled' check (state in ('scheduled', 'active', 'completed', 'cancelled')),
  -- the planned start is kept after the end, until the next occurrence is computed; without an end there is none yet
  next_starts_at timestamptz,
  next_ends_at timestamptz,
  actual_started_at timestamptz,
  actual_ended_at timestamptz,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index maintenance_windows_tenant on maintenance_windows (tenant_id, created_at);
create index maintenance_windows_to_start on maintenance_windows (next_starts_at)
  where state = 'scheduled' and next_ends_at is not null;
create index maintenance_windows_to_end on maintenance_windows (next_ends_at) where state = 'active';
create index maintenance_windows_to_plan on maintenance_windows (id) where state = 'scheduled' and next_ends_at is null;
create index maintenance_windows_active on maintenance_windows (tenant_id) where state = 'active';

-- alerts within a window are suppressed, and notified at its end
alter table incidents alter column suppressed_by type varchar(12), drop constraint incidents_suppressed_by_check,
  add constraint incidents_suppressed_by_check check (suppressed_by in ('flapping', 'storm', 'maintenance'));
alter table check_warnings alter column suppressed_by type varchar(12), drop constraint check_warnings_suppressed_by_check,
  add constraint check_warnings_suppressed_by_check check (suppressed_by in ('flapping', 'maintenance'));

-- the secret address of a team's calendar of windows
create table maintenance_calendars (
  tenant_id uuid primary key references tenants on delete cascade,
  token_hash bytea not null unique,
  created_at timestamptz not null default clock_timestamp()
);
