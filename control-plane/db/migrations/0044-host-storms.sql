-- Many incidents of one host at once, notified as one. `keys`: the name of the host and its addresses, as the first of
-- them had it; what shares one of them joins. A process of the version before knows nothing of it.
create table host_storms (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  host varchar(255) not null,
  keys text[] not null,
  started_at timestamptz not null,
  grown_at timestamptz not null,
  notified_at timestamptz,
  notified_monitors int not null default 0,
  resolved_at timestamptz
);
create index host_storms_now on host_storms (tenant_id) where resolved_at is null;
create index host_storms_tenant on host_storms (tenant_id, started_at desc);

alter table incidents
  add column host_storm_id uuid references host_storms on delete set null,
  add column host_keys text[],
  drop constraint incidents_suppressed_by_check,
  add constraint incidents_suppressed_by_check
    check (suppressed_by in ('flapping', 'storm', 'host', 'maintenance', 'shadow')) not valid;
alter table incidents validate constraint incidents_suppressed_by_check;
create index incidents_of_host_storm on incidents (host_storm_id) where host_storm_id is not null;
