-- values of servers that ClickHouse did not take, until it takes them: packed rows of server_samples
create table waiting_server_samples (
  id bigint primary key generated always as identity,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  rows bytea not null,
  received_at timestamptz not null default clock_timestamp()
);
create index waiting_server_samples_monitor on waiting_server_samples (monitor_id, id);
create index waiting_server_samples_tenant on waiting_server_samples (tenant_id);
