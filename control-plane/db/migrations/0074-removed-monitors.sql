-- what a monitor was called and where it was, once it is deleted: its incidents and figures stay in the past
create table removed_monitors (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  url text not null,
  tags text[] not null,
  created_at timestamptz not null,
  removed_at timestamptz not null default clock_timestamp()
);
create index removed_monitors_of_tenant on removed_monitors (tenant_id, removed_at);

alter table incidents drop constraint incidents_monitor_id_fkey;
-- how far a provider's report of the past reaches: figures of it are made of imported incidents
alter table imported_histories drop constraint imported_histories_monitor_id_fkey;
